//! The object-safe face of games: what the rest of the program holds.
//!
//! [`Position`] is a whole position, [`Move`] one move of it; neither names a game. [`AnyGame`] is a component
//! with its type forgotten; there is one implementation, for every [`Game`].

use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::game::{EndRule, Game, Kind};
use crate::games::sum::Sum;
use crate::games::{self, GameInfo};
use crate::ids::Seat;
use crate::notation::{MoveError, NotationCode, NotationError, Word, nearest};
use crate::theory::compound::Compound;
use crate::theory::heap_values::HeapValues;
use crate::theory::misere_heaps::{self, Classes};
use crate::theory::{Form, Forms, Goal, LoopyValue, Meter, Replies, Stopped, Tally};

/// A component whose game is not known to the holder. Cheap to clone.
pub(crate) type Component = Arc<dyn AnyGame>;

/// A move of a component whose game is not known to the holder. Cheap to clone.
pub(crate) type ComponentMove = Arc<dyn AnyMove>;

/// The functions of [`Game`] on one state, without its types.
pub(crate) trait AnyGame: fmt::Debug + Send + Sync {
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
    fn info(&self) -> &'static GameInfo;
    fn as_any(&self) -> &dyn Any;
    fn equals(&self, other: &dyn AnyGame) -> bool;
    fn hash_into(&self, hasher: &mut dyn Hasher);
    fn move_count(&self, seat: Seat) -> u128;
    fn nth_move(&self, seat: Seat, n: u128) -> Option<ComponentMove>;
    fn moves(&self, seat: Seat) -> Box<dyn Iterator<Item = ComponentMove> + '_>;
    fn read_move(&self, seat: Seat, text: &str) -> Result<ComponentMove, MoveError>;
    fn play(&self, mv: &dyn AnyMove) -> Component;
    fn describe(&self) -> String;
    fn describe_move(&self, mv: &dyn AnyMove, prefix: &str) -> String;
    fn kind(&self) -> Kind;
    fn parts(&self) -> Vec<Component>;
    fn values(&self, meter: &mut Meter<'_>) -> Result<Vec<Option<u64>>, Stopped>;
    fn forms(&self, forms: &mut Forms, meter: &mut Meter<'_>)
    -> Result<Vec<Option<Form>>, Stopped>;
    fn loopy_values(&self, meter: &mut Meter<'_>) -> Result<Vec<Option<LoopyValue>>, Stopped>;
    fn method(&self) -> &'static str;
    fn is_tame(&self) -> bool;
    fn misere_tallies(&self, meter: &mut Meter<'_>) -> Result<Vec<Option<Tally>>, Stopped>;
    fn heap_values(&self, to: u64, meter: &mut Meter<'_>) -> Option<HeapValues>;
    fn misere_classes(&self, meter: &mut Meter<'_>) -> Result<Option<Classes>, Stopped>;
    fn misere_replies(
        &self,
        part: usize,
        beside: u16,
        table: &misere_heaps::Table,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Replies<ComponentMove>>, Stopped>;
    fn free_choices(&self) -> usize;
    fn bytes(&self) -> u64;
    fn is_lost_alone(&self, end: EndRule, meter: &mut Meter<'_>) -> Result<Option<bool>, Stopped>;
    fn replies(
        &self,
        part: usize,
        goal: Goal,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Replies<ComponentMove>>, Stopped>;
    fn remoteness(&self, end: EndRule, meter: &mut Meter<'_>) -> Result<Option<u64>, Stopped>;
    fn explain(&self, end: EndRule, meter: &mut Meter<'_>) -> Vec<String>;
    fn is_told_by_moves(&self) -> bool;
    fn how_to_win(&self, end: EndRule) -> Vec<String>;
}

/// A move without its type.
pub(crate) trait AnyMove: fmt::Debug + fmt::Display + Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn equals(&self, other: &dyn AnyMove) -> bool;
}

impl<M: Clone + fmt::Debug + fmt::Display + Eq + Send + Sync + 'static> AnyMove for M {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn equals(&self, other: &dyn AnyMove) -> bool {
        other.as_any().downcast_ref::<M>() == Some(self)
    }
}

/// A game with one of its states.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Typed<G: Game> {
    info: &'static GameInfo,
    game: G,
    state: G::State,
}

impl<G: Game> Typed<G>
where
    G::Move: 'static,
{
    fn with(&self, state: G::State) -> Component {
        Arc::new(Self {
            info: self.info,
            game: self.game.clone(),
            state,
        })
    }

    fn own<'m>(&self, mv: &'m dyn AnyMove) -> &'m G::Move {
        mv.as_any()
            .downcast_ref()
            .expect("a move is played in the position that it came from, so it is of the same game")
    }
}

impl<G: Game> AnyGame for Typed<G>
where
    G::Move: 'static,
    G::State: 'static,
{
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.game.write(f)?;
        f.write_str(":")?;
        self.game.write_state(&self.state, f)
    }

    fn info(&self) -> &'static GameInfo {
        self.info
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn equals(&self, other: &dyn AnyGame) -> bool {
        other.as_any().downcast_ref::<Self>() == Some(self)
    }

    fn hash_into(&self, mut hasher: &mut dyn Hasher) {
        self.hash(&mut hasher);
    }

    fn move_count(&self, seat: Seat) -> u128 {
        self.game.move_count(&self.state, seat)
    }

    fn nth_move(&self, seat: Seat, n: u128) -> Option<ComponentMove> {
        let mv = self.game.nth_move(&self.state, seat, n)?;
        Some(Arc::new(mv))
    }

    fn moves(&self, seat: Seat) -> Box<dyn Iterator<Item = ComponentMove> + '_> {
        let moves = self.game.moves(&self.state, seat);
        Box::new(moves.map(|mv| Arc::new(mv) as ComponentMove))
    }

    fn read_move(&self, seat: Seat, text: &str) -> Result<ComponentMove, MoveError> {
        let mv = self.game.read_move(&self.state, seat, text)?;
        Ok(Arc::new(mv))
    }

    fn play(&self, mv: &dyn AnyMove) -> Component {
        self.with(self.game.play(&self.state, self.own(mv)))
    }

    fn describe(&self) -> String {
        self.game.describe(&self.state)
    }

    fn describe_move(&self, mv: &dyn AnyMove, prefix: &str) -> String {
        self.game.describe_move(&self.state, self.own(mv), prefix)
    }

    fn kind(&self) -> Kind {
        self.game.kind(&self.state)
    }

    fn parts(&self) -> Vec<Component> {
        let parts = self.game.parts(&self.state);
        parts.into_iter().map(|part| self.with(part)).collect()
    }

    fn values(&self, meter: &mut Meter<'_>) -> Result<Vec<Option<u64>>, Stopped> {
        self.game.values(&self.state, meter)
    }

    fn forms(
        &self,
        forms: &mut Forms,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Option<Form>>, Stopped> {
        self.game.forms(&self.state, forms, meter)
    }

    fn loopy_values(&self, meter: &mut Meter<'_>) -> Result<Vec<Option<LoopyValue>>, Stopped> {
        self.game.loopy_values(&self.state, meter)
    }

    fn method(&self) -> &'static str {
        self.game.method()
    }

    fn is_tame(&self) -> bool {
        self.game.is_tame(&self.state)
    }

    fn misere_tallies(&self, meter: &mut Meter<'_>) -> Result<Vec<Option<Tally>>, Stopped> {
        self.game.misere_tallies(&self.state, meter)
    }

    fn heap_values(&self, to: u64, meter: &mut Meter<'_>) -> Option<HeapValues> {
        self.game.heap_values(to, meter)
    }

    fn misere_classes(&self, meter: &mut Meter<'_>) -> Result<Option<Classes>, Stopped> {
        self.game.misere_classes(&self.state, meter)
    }

    fn misere_replies(
        &self,
        part: usize,
        beside: u16,
        table: &misere_heaps::Table,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Replies<ComponentMove>>, Stopped> {
        let game = &self.game;
        let replies = game.misere_replies(&self.state, part, beside, table, want, meter)?;
        Ok(replies.map(|replies| replies.map(|mv| Arc::new(mv) as ComponentMove)))
    }

    fn free_choices(&self) -> usize {
        self.game.free_choices(&self.state)
    }

    fn bytes(&self) -> u64 {
        self.game.bytes(&self.state)
    }

    fn is_lost_alone(&self, end: EndRule, meter: &mut Meter<'_>) -> Result<Option<bool>, Stopped> {
        self.game.find_lost_alone(&self.state, end, meter)
    }

    fn replies(
        &self,
        part: usize,
        goal: Goal,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Replies<ComponentMove>>, Stopped> {
        let replies = self.game.replies(&self.state, part, goal, want, meter)?;
        Ok(replies.map(|replies| replies.map(|mv| Arc::new(mv) as ComponentMove)))
    }

    fn remoteness(&self, end: EndRule, meter: &mut Meter<'_>) -> Result<Option<u64>, Stopped> {
        self.game.find_remoteness(&self.state, end, meter)
    }

    fn explain(&self, end: EndRule, meter: &mut Meter<'_>) -> Vec<String> {
        self.game.explain(&self.state, end, meter)
    }

    fn is_told_by_moves(&self) -> bool {
        self.game.is_told_by_moves(&self.state)
    }

    fn how_to_win(&self, end: EndRule) -> Vec<String> {
        self.game.how_to_win(&self.state, end)
    }
}

impl PartialEq for dyn AnyGame {
    fn eq(&self, other: &Self) -> bool {
        self.equals(other)
    }
}

impl Eq for dyn AnyGame {}

impl Hash for dyn AnyGame {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.hash_into(state);
    }
}

impl fmt::Display for dyn AnyGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f)
    }
}

/// Reads a component of game `G`; this is what a registry line points to.
pub(crate) fn read<G: Game>(
    info: &'static GameInfo,
    name: Word<'_>,
    parameters: Option<Word<'_>>,
    state: Word<'_>,
) -> Result<Component, NotationError>
where
    G::Move: 'static,
    G::State: 'static,
{
    let (game, state) = G::parse(name, parameters, state)?;
    Ok(Arc::new(Typed { info, game, state }))
}

/// A whole position: its components and the end rule. Cheap to clone.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    pub(crate) sum: Sum,
    end_rule: EndRule,
}

impl Position {
    /// Reads a position, such as `nim:3,5+kayles:7@every@misere` (see `docs/NOTATION.md`). O(length), with a few known
    /// factors (letters of an unknown name).
    pub fn parse(text: &str) -> Result<Self, NotationError> {
        let word = plain(text)?;
        let (body, endings) = match word.split_once('@') {
            None => (word, None),
            Some((body, endings)) => (body, Some(endings)),
        };
        let endings = endings.into_iter().flat_map(|endings| endings.split('@'));
        let (compound, end_rule) = read_endings(endings)?;
        let sum = Sum::parse(body, compound)?;
        Ok(Self { sum, end_rule })
    }

    /// The disjunctive sum of these components, at least one, under an end rule. A part of a component need not have a text.
    pub(crate) fn of(components: Vec<Component>, end_rule: EndRule) -> Self {
        Self {
            sum: Sum::of(components),
            end_rule,
        }
    }

    /// Who wins when nobody moves any more.
    #[must_use]
    pub fn end_rule(&self) -> EndRule {
        self.end_rule
    }

    /// How its components are played together.
    #[must_use]
    pub fn compound(&self) -> Compound {
        self.sum.compound()
    }

    /// How many components it has, finished ones among them; at least one.
    #[must_use]
    pub fn component_count(&self) -> usize {
        self.sum.components().len()
    }

    /// Whose the moves are, and whether play comes to an end: the greatest of the kinds of the components. O(components).
    #[must_use]
    pub fn kind(&self) -> Kind {
        let kinds = self.sum.components().iter().map(|part| part.kind());
        kinds.max().unwrap_or(Kind::Impartial)
    }

    /// Whether this seat has no move, so that the contest is over.
    #[must_use]
    pub fn is_over(&self, to_move: Seat) -> bool {
        self.move_count(to_move) == 0
    }

    /// Who has won by the end rule, when it is over.
    #[must_use]
    pub fn winner_if_over(&self, to_move: Seat) -> Option<Seat> {
        self.is_over(to_move).then(|| self.end_rule.winner(to_move))
    }

    /// How long a move can be that is made in many components at once, written out: in each of them the longer of its first and its
    /// last move. 0 where a move is made in one component only. O(components).
    #[must_use]
    pub fn wide_move_bytes(&self, to_move: Seat) -> usize {
        self.sum.wide_move_bytes(to_move)
    }

    /// Reads a move of this seat: case and spaces do not matter, and only legal moves are accepted.
    pub fn parse_move(&self, to_move: Seat, text: &str) -> Result<Move, MoveError> {
        self.sum.read_move(to_move, text).map_err(|error| {
            let example = error.example.or_else(|| {
                let first = self.nth_move(to_move, 0)?;
                Some(first.to_string())
            });
            MoveError { example, ..error }
        })
    }

    /// The position after a move that came from this position. O(size of the component moved in + components).
    #[must_use]
    pub fn play(&self, mv: &Move) -> Self {
        Self {
            sum: self.sum.play(mv),
            end_rule: self.end_rule,
        }
    }

    /// All moves of this seat in canonical order, lazily: there may be 10^18 of them.
    #[must_use]
    pub fn moves(&self, to_move: Seat) -> Box<dyn Iterator<Item = Move> + '_> {
        self.sum.moves(to_move)
    }

    /// How many moves this seat has: exact, saturating. O(parts).
    #[must_use]
    pub fn move_count(&self, to_move: Seat) -> u128 {
        self.sum.move_count(to_move)
    }

    /// Move number `n` of the list, from 0. O(parts).
    #[must_use]
    pub fn nth_move(&self, to_move: Seat, n: u128) -> Option<Move> {
        self.sum.nth_move(to_move, n)
    }

    /// The position in a sentence: `Heaps A 3, B 5, C 7.`
    #[must_use]
    pub fn describe(&self) -> String {
        self.sum.describe()
    }

    /// A move that came from this position, in words without a subject: `took 4 from D, leaving 3`.
    #[must_use]
    pub fn describe_move(&self, mv: &Move) -> String {
        self.sum.describe_move(mv)
    }

    /// The names of the games in it, for titles: `Nim`, `Nim + Kayles, every component, misere`.
    #[must_use]
    pub fn rules(&self) -> String {
        let mut titles: Vec<&str> = Vec::new();
        for component in self.sum.components() {
            let title = component.info().title;
            if !titles.contains(&title) {
                titles.push(title);
            }
        }
        let mut text = titles.join(" + ");
        if self.compound() != Compound::Sum {
            text.push_str(", ");
            text.push_str(self.compound().title());
        }
        if self.end_rule.is_misere() {
            text.push_str(", misere");
        }
        text
    }

    /// The Grundy values of single heaps under the rules of the only component, up to a heap of `to` at least where the meter
    /// allows; `None` for a sum, and where the game has no heaps.
    #[must_use]
    pub fn heap_values(&self, to: u64, meter: &mut Meter<'_>) -> Option<HeapValues> {
        match self.sum.components() {
            [component] => component.heap_values(to, meter),
            _ => None,
        }
    }

    /// What the registry says of each game in it, in the order of the components, each once.
    #[must_use]
    pub fn games(&self) -> Vec<&'static GameInfo> {
        let mut infos: Vec<&'static GameInfo> = Vec::new();
        for component in self.sum.components() {
            let info = component.info();
            if !infos.iter().any(|known| known.name == info.name) {
                infos.push(info);
            }
        }
        infos
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sum.fmt(f)?;
        if self.compound() != Compound::Sum {
            write!(f, "@{}", self.compound().word())?;
        }
        if self.end_rule.is_misere() {
            f.write_str("@misere")?;
        }
        Ok(())
    }
}

impl std::str::FromStr for Position {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        Self::parse(text)
    }
}

/// Reads what stands after the body: a compound, then the end rule, each at most once.
fn read_endings<'t>(
    endings: impl Iterator<Item = Word<'t>>,
) -> Result<(Compound, EndRule), NotationError> {
    const EXAMPLE: &str = "nim:3,5+kayles:7@every@misere";
    let (mut compound, mut end_rule) = (Compound::Sum, EndRule::Normal);
    for ending in endings {
        let word = ending.shown();
        let (message, expected) = match (ending.text, Compound::of_word(ending.text)) {
            ("misere", _) if !end_rule.is_misere() => {
                end_rule = EndRule::Misere;
                continue;
            }
            (_, Some(named)) if compound == Compound::Sum && !end_rule.is_misere() => {
                compound = named;
                continue;
            }
            ("misere", _) => (
                "'@misere' stands twice".to_owned(),
                "the end of the position".to_owned(),
            ),
            (_, Some(_)) if compound == Compound::Sum => (
                format!("'@misere' comes last, after '@{word}'"),
                "the end of the position".to_owned(),
            ),
            (_, Some(_)) => (
                format!("'@{word}' is a second compound: a position has one"),
                "@misere, or the end of the position".to_owned(),
            ),
            (_, None) => {
                let words = || {
                    Compound::NAMED
                        .map(Compound::word)
                        .into_iter()
                        .chain(["misere"])
                };
                let near = nearest(ending.text, words());
                let hint = near.map(|near| format!("; did you mean '@{near}'?"));
                let expected: Vec<String> = words().map(|word| format!("@{word}")).collect();
                (
                    format!("'@{word}' is not known{}", hint.unwrap_or_default()),
                    format!("one of {}, or nothing", expected.join(", ")),
                )
            }
        };
        return ending.refuse(NotationCode::BadPosition, message, expected, EXAMPLE);
    }
    Ok((compound, end_rule))
}

/// The text as a word, once every character is one that a position may have.
fn plain(text: &str) -> Result<Word<'_>, NotationError> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || ".,:/+-@_".contains(c);
    if let Some((column, wrong)) = text.chars().enumerate().find(|(_, c)| !allowed(*c)) {
        let name = match wrong {
            ' ' => "a space".to_owned(),
            c => format!("{c:?}"),
        };
        return Err(NotationError {
            code: NotationCode::BadPosition,
            message: format!("{name} has no place in a position"),
            column: column + 1,
            length: 1,
            expected: "letters, digits and . , : / + - @ _ without spaces".to_owned(),
            help: games::EXAMPLE.to_owned(),
        });
    }
    Ok(Word { text, column: 1 })
}

/// One move of a position. Prints in its canonical form: the moves of components joined by commas, each with the number of its
/// component before it where there are several.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// What is done in components, ascending; at least one.
    pub(crate) steps: Vec<Step>,
    /// Whether the numbers of components are printed.
    pub(crate) numbered: bool,
}

/// What a move does in one component.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// Which component, from 0.
    pub(crate) component: usize,
    pub(crate) inner: ComponentMove,
}

impl PartialEq for Step {
    fn eq(&self, other: &Self) -> bool {
        self.component == other.component && self.inner.equals(&*other.inner)
    }
}

impl Eq for Step {}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.steps.iter().enumerate() {
            if index > 0 {
                f.write_str(",")?;
            }
            if self.numbered {
                write!(f, "{}.", step.component + 1)?;
            }
            step.inner.fmt(f)?;
        }
        Ok(())
    }
}
