//! The certificate as JSON: `grundy/certificate/1`.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::certificate::{Fault, Refusal};
use crate::ids::Seat;

/// The version of the format.
pub const SCHEMA: &str = "grundy/certificate/1";

/// The longest certificate, in bytes of JSON.
pub const MAX_BYTES: usize = 1 << 20;

/// The largest integer that every JSON reader keeps: 2^53-1.
const MAX_JSON_INTEGER: u64 = (1 << 53) - 1;

/// A claim about a position, and its proof.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// Always [`SCHEMA`].
    pub schema: String,
    /// The position, canonical.
    pub position: String,
    /// The outcome. If it is `None`, it is not known, and there is no proof.
    pub outcome: Option<Outcome>,
    /// The Grundy value, if it is proved too.
    pub nim_value: Option<Wide>,
    /// With outcome N or L: a move of Left, the first player, to a position that is proved lost. `None` where Left has won because there is no move.
    pub winning_move: Option<String>,
    /// The proof.
    pub proof: Option<Proof>,
    /// Why there is no proof.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Who wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Outcome {
    /// The player to move.
    N,
    /// The player who has just moved.
    P,
    /// Left, no matter who starts: coloured positions.
    L,
    /// Right, no matter who starts: coloured positions.
    R,
    /// Neither player can force a win: loopy positions.
    D,
}

/// Whose turn it is in a coloured position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Turn {
    /// Left, the first player.
    Left,
    /// Right, the second player.
    Right,
}

impl Turn {
    /// The turn of this player.
    #[must_use]
    pub fn of(seat: Seat) -> Self {
        match seat {
            Seat::First => Self::Left,
            Seat::Second => Self::Right,
        }
    }

    /// The player whose turn it is.
    #[must_use]
    pub fn seat(self) -> Seat {
        match self {
            Self::Left => Seat::First,
            Self::Right => Seat::Second,
        }
    }
}

impl Outcome {
    /// The outcome of a position that the player to move loses, or wins.
    #[must_use]
    pub fn of(lost: bool) -> Self {
        if lost { Self::P } else { Self::N }
    }
}

/// How a claim is proved.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Proof {
    /// By the Grundy values of all parts.
    Values(Values),
    /// By this theorem about the only component that has a move.
    Theorem(String),
    /// By a maximum matching that leaves out the token of Geography.
    Matching(Matching),
    /// By a symmetry: the opponent answers each move with its mirror image.
    Mirror(Mirror),
    /// By strategy stealing: a win without a winning move.
    Stealing(Stealing),
    /// By a misère quotient of the heaps of one game.
    Quotient(MisereQuotient),
    /// By a finished search: each row follows from rows before it, and the drawn ones from one another.
    Search(Vec<SearchRow>),
}

/// The Grundy values of a sum.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Values {
    /// The theorem by which they decide: `sprague-grundy` in normal play, `tame-sum` in misère play.
    pub rule: String,
    /// The components that have a move, in their order.
    pub components: Vec<ComponentValues>,
    /// The component of the winning move, after the move; `None` if it has no move left.
    pub after: Option<ComponentValues>,
    /// Tables of single heaps.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<TableValues>,
    /// Parts whose values follow from their options, each after those that it refers to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<PartValue>,
}

/// The values of the parts of one component.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComponentValues {
    /// Its number in the position, from 1.
    pub component: usize,
    /// Their source.
    pub by: Source,
    /// Of each part; by options: of each part that has a move.
    pub values: Vec<Wide>,
}

/// Where the values of a component come from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// A theorem by its name: its closed form is evaluated again.
    Theorem(String),
    /// The table of its game.
    Table,
    /// The rows of [`Values::parts`].
    Options,
}

/// The values of heaps 0, 1, 2, ... of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableValues {
    /// Its name and parameters, such as `kayles` or `sub.1.3.4`.
    pub game: String,
    /// By the size of the heap.
    pub values: Vec<u16>,
    /// A period that these values prove.
    pub period: Option<PeriodClaim>,
}

/// From `start` on the values repeat every `length` places.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PeriodClaim {
    /// The first place from which it holds.
    pub start: u64,
    /// The period.
    pub length: u64,
}

/// A part with all its moves and the values that they leave: its value is the least number not among them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartValue {
    /// The part, canonical.
    pub part: String,
    /// Its Grundy value.
    pub value: Wide,
    /// Each move with the value that it leaves, in the order of the list of moves.
    pub options: Vec<(String, Wide)>,
}

/// A matching of the vertices that the token has not left, none of them twice, and a set that shows that there is no larger one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Matching {
    /// The edges.
    pub pairs: Vec<(u32, u32)>,
    /// Vertices without which so many odd pieces are left that each matching leaves out as many vertices as this one.
    pub barrier: Vec<u32>,
}

/// The squares of a board in pairs, each the mirror image of the other.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mirror {
    /// Squares as in moves, such as `2:3`; those in no move may be absent.
    pub pairs: Vec<(String, String)>,
}

/// A move after which the opponent can only reach what the player to move could have reached at once.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stealing {
    /// The move. It need not win.
    #[serde(rename = "move")]
    pub mv: String,
}

/// A misère quotient: the class of each heap, and a table of products with which the class of any sum is computed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MisereQuotient {
    /// The name and parameters of the game of heaps, such as `kayles`.
    pub game: String,
    /// The class of heaps 0, 1, 2, ...
    pub classes: Vec<u16>,
    /// A period that these classes prove.
    pub period: Option<PeriodClaim>,
    /// Row a: the products of class a with classes 0 to a.
    pub products: Vec<Vec<u16>>,
    /// The classes of sums that the player to move loses.
    pub lost: Vec<u16>,
}

/// One position of a search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchRow {
    /// The position: its unfinished parts, sorted as text.
    pub position: String,
    /// In coloured positions: whose turn it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<Turn>,
    /// Who wins it: N, P or, in loopy positions, D.
    pub outcome: Outcome,
    /// With outcome N: a move to a row before with outcome P.
    #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
    pub mv: Option<String>,
}

/// A number that JSON holds as a decimal string if it is above 2^53-1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Wide(pub u64);

impl Serialize for Wide {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 > MAX_JSON_INTEGER {
            true => serializer.collect_str(&self.0),
            false => serializer.serialize_u64(self.0),
        }
    }
}

impl<'de> Deserialize<'de> for Wide {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(
            untagged,
            expecting = "a whole number, or one above 2^53-1 as a string"
        )]
        enum Written {
            Number(u64),
            Text(String),
        }
        let number = match Written::deserialize(deserializer)? {
            Written::Number(number) => Some(number),
            Written::Text(text) => {
                let number = text.parse().ok();
                number.filter(|number| *number > MAX_JSON_INTEGER)
            }
        };
        number.map(Self).ok_or_else(|| {
            serde::de::Error::custom("a whole number, or one above 2^53-1 as a string")
        })
    }
}

impl Certificate {
    /// Reads a certificate: at most [`MAX_BYTES`], no unknown field.
    pub fn read(bytes: &[u8]) -> Result<Self, Refusal> {
        let refuse = |place: String, message: String| Refusal {
            fault: Fault::Unreadable,
            place,
            message,
        };
        if bytes.len() > MAX_BYTES {
            let message = format!("it is longer than {MAX_BYTES} bytes");
            return Err(refuse("the file".to_owned(), message));
        }
        let mut reader = serde_json::Deserializer::from_slice(bytes);
        let read: Result<Self, _> = serde_path_to_error::deserialize(&mut reader);
        let certificate = read.map_err(|error| {
            let path = error.path().to_string();
            let place = match path.as_str() {
                "." => "the file".to_owned(),
                path => path.to_owned(),
            };
            refuse(place, error.inner().to_string())
        })?;
        reader
            .end()
            .map_err(|error| refuse("the end of the file".to_owned(), error.to_string()))?;
        if certificate.schema != SCHEMA {
            let message = format!("'{}' is not {SCHEMA}", certificate.schema);
            return Err(refuse("schema".to_owned(), message));
        }
        Ok(certificate)
    }

    /// The certificate as one line of JSON without its end.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("strings, numbers and lists are always JSON")
    }
}
