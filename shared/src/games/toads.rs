//! Toads and Frogs: on a strip, Left's toads go to the right and Right's frogs to the left, one step or over one animal of the other kind.
//!
//! E. R. Berlekamp, J. H. Conway, R. K. Guy, *Winning Ways* (1982), chapter 1; J. Erickson, *New Toads and Frogs results* (1996). Two toads directly before two frogs never move
//! again and nothing passes them: the strip is the sum of what lies to the left of them and what lies to the right. Toads at the right end and frogs at the left one are like the end itself.

use std::fmt;

use crate::erased::{self, BoardKind, GameInfo};
use crate::fact::PartKind;
use crate::game::{EndRule, Game, Kind};
use crate::games::grid::Alphabet;
use crate::games::heaps::no_parameters;
use crate::games::letters::Letters;
use crate::games::partizan::{READING, part_lines, whole_numbers};
use crate::ids::Seat;
use crate::notation::{MoveError, NotationCode, NotationError, Word};
use crate::theory::{BitBoard, BitMove, CanonicalForm, CanonicalForms, Meter, Stopped};

const EXAMPLE: &str = "toads:TT..F";

/// The largest number of places.
const MAX_PLACES: usize = 100_000;

/// Toads, frogs and free places.
const ANIMALS: Alphabet = Alphabet {
    letters: "T F .",
    expected: "a strip of T, F and .",
    example: EXAMPLE,
};

/// What the registry says.
pub static INFO: GameInfo = GameInfo {
    name: "toads",
    title: "Toads and Frogs",
    rule: "Left, the first player, moves a toad to the right, Right a frog to the left: one place onto a free place, or over one animal of the other kind onto the free place behind it. The player who makes the last move wins.",
    notation: "toads:TT..F is a strip of five places; T is a toad of Left, F a frog of Right, and . a free place",
    move_notation: "2-3 moves the animal on place 2 to place 3; places are counted from 1 at the left",
    examples: &[
        EXAMPLE,
        "toads:T.F",
        "toads:TT.F",
        "toads:TT.FF",
        "toads:T..FTF.",
        "toads:T.TTFF.F",
        "toads:TF",
    ],
    example_move: "2-3",
    method: "canonical forms of the parts between animals that never move, equal ones once: whole numbers where only one kind can move, others by their options; for longer strips, and in misere play, a search for the winner",
    complexity: "exponential in the animals of the largest part",
    limits: "100,000 places",
    source: "Berlekamp, Conway, Guy, Winning Ways, 1982, chapter 1; J. Erickson, New Toads and Frogs results, 1996",
    board: BoardKind::Cells,
    read: erased::read::<Toads>,
};

/// The rules of Toads and Frogs.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Toads;

/// The letters of the places, from the left.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Strip(Vec<u8>);

/// A step or a jump, by places counted from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hop {
    from: usize,
    to: usize,
}

impl fmt::Display for Hop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.from, self.to)
    }
}

/// The letter of a player's animals, and of the other one's.
fn animals(seat: Seat) -> (u8, u8) {
    match seat {
        Seat::First => (b'T', b'F'),
        Seat::Second => (b'F', b'T'),
    }
}

impl Strip {
    /// The place that this player's animal on a place can go to, both counted from 0: an animal has one move at most.
    fn target(&self, place: usize, seat: Seat) -> Option<usize> {
        let (own, other) = animals(seat);
        let step = match seat {
            Seat::First => 1,
            Seat::Second => -1,
        };
        let after = |steps: isize| place.checked_add_signed(steps * step);
        let letter = |place: usize| self.0.get(place).copied();
        if letter(place) != Some(own) {
            return None;
        }
        let next = after(1)?;
        match letter(next)? {
            b'.' => Some(next),
            animal if animal == other => after(2).filter(|to| letter(*to) == Some(b'.')),
            _ => None,
        }
    }

    /// The hops of this player, from the left.
    fn hops(&self, seat: Seat) -> impl Iterator<Item = Hop> + '_ {
        (0..self.0.len()).filter_map(move |place| {
            let to = self.target(place, seat)?;
            Some(Hop {
                from: place + 1,
                to: to + 1,
            })
        })
    }

    /// What lies between animals that never move, without toads at the right end and frogs at the left one; where it begins, from 0.
    fn pieces(&self) -> Vec<(usize, &[u8])> {
        let mut pieces = Vec::new();
        let mut start = 0;
        let mut at = 0;
        while at + 4 <= self.0.len() {
            if self.0[at..].starts_with(b"TTFF") {
                pieces.push((start, &self.0[start..at]));
                start = at + 4;
                at = start;
            } else {
                at += 1;
            }
        }
        pieces.push((start, &self.0[start..]));
        for (start, piece) in &mut pieces {
            while let Some(rest) = piece.strip_prefix(b"F") {
                (*start, *piece) = (*start + 1, rest);
            }
            while let Some(rest) = piece.strip_suffix(b"T") {
                *piece = rest;
            }
        }
        pieces.retain(|(_, piece)| piece.iter().any(|animal| *animal != b'.'));
        pieces
    }
}

/// The moves of a piece where only one kind can ever move: toads that have no frog to the right of them, frogs without a toad to the left. Each passes the free places before it.
fn one_sided(piece: &[u8]) -> Option<i64> {
    let free_after = |place: usize| piece[place..].iter().filter(|c| **c == b'.').count();
    let free_before = |place: usize| piece[..place].iter().filter(|c| **c == b'.').count();
    let first_toad = piece.iter().position(|c| *c == b'T').unwrap_or(piece.len());
    let last_frog = piece.iter().rposition(|c| *c == b'F');
    if last_frog.is_some_and(|frog| first_toad < frog) {
        return None;
    }
    let steps = piece
        .iter()
        .enumerate()
        .map(|(place, animal)| match animal {
            b'T' => free_after(place) as i64,
            b'F' => -(free_before(place) as i64),
            _ => 0,
        });
    Some(steps.sum())
}

impl Game for Toads {
    type State = Strip;
    type Move = Hop;

    fn parse(
        _: Word<'_>,
        parameters: Option<Word<'_>>,
        state: Word<'_>,
    ) -> Result<(Self, Strip), NotationError> {
        no_parameters(parameters, &INFO)?;
        let expected = ANIMALS.expected;
        if state.text.is_empty() {
            let message = "the strip is missing";
            return state.refuse(NotationCode::BadPosition, message, expected, EXAMPLE);
        }
        if state.text.len() > MAX_PLACES {
            let message = format!("the strip is too long: {MAX_PLACES} places are the limit");
            let expected = format!("at most {MAX_PLACES} places");
            return state.refuse(NotationCode::OutOfRange, message, expected, EXAMPLE);
        }
        Ok((Self, Strip(ANIMALS.read_row(state)?)))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(INFO.name)
    }

    fn write_state(&self, strip: &Strip, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(std::str::from_utf8(&strip.0).unwrap_or_default())
    }

    fn move_count(&self, strip: &Strip, seat: Seat) -> u128 {
        strip.hops(seat).count() as u128
    }

    fn nth_move(&self, strip: &Strip, seat: Seat, n: u128) -> Option<Hop> {
        strip.hops(seat).nth(usize::try_from(n).ok()?)
    }

    fn moves<'s>(&'s self, strip: &'s Strip, seat: Seat) -> Box<dyn Iterator<Item = Hop> + 's> {
        Box::new(strip.hops(seat))
    }

    fn read_move(&self, strip: &Strip, seat: Seat, text: &str) -> Result<Hop, MoveError> {
        let mut letters = Letters::new(text);
        let column = letters.column();
        let from = letters.number()?;
        if letters.peek() != Some('-') {
            let message = "a move is written as two places, such as 2-3";
            return Err(MoveError::at(letters.column(), message));
        }
        letters.skip();
        let to = letters.number()?;
        letters.end()?;
        let mut hops = strip.hops(seat);
        let hop = hops.find(|hop| (hop.from as u64, hop.to as u64) == (from, to));
        hop.ok_or_else(|| {
            let place = usize::try_from(from)
                .ok()
                .and_then(|from| from.checked_sub(1));
            let animal = place.and_then(|place| strip.0.get(place)).copied();
            let message = match (animal, seat) {
                (Some(b'T'), Seat::First) => {
                    format!("the toad on place {from} cannot go to place {to}")
                }
                (Some(b'F'), Seat::Second) => {
                    format!("the frog on place {from} cannot go to place {to}")
                }
                (_, Seat::First) => format!("there is no toad on place {from}"),
                (_, Seat::Second) => format!("there is no frog on place {from}"),
            };
            MoveError::at(column, message)
        })
    }

    fn play(&self, strip: &Strip, hop: &Hop) -> Strip {
        let mut after = strip.clone();
        after.0.swap(hop.from - 1, hop.to - 1);
        after
    }

    fn describe(&self, strip: &Strip) -> String {
        const SHOWN: usize = 200;
        let count = |animal: u8| strip.0.iter().filter(|letter| **letter == animal).count();
        let (toads, frogs) = (count(b'T'), count(b'F'));
        let shown = &strip.0[..strip.0.len().min(SHOWN)];
        let shown = std::str::from_utf8(shown).unwrap_or_default();
        let more = if strip.0.len() > SHOWN { "..." } else { "" };
        format!("strip {shown}{more}: {toads} T of Left, {frogs} F of Right")
    }

    fn describe_move(&self, strip: &Strip, hop: &Hop, prefix: &str) -> String {
        let animal = match strip.0[hop.from - 1] {
            b'T' => "toad",
            _ => "frog",
        };
        let verb = if hop.from.abs_diff(hop.to) > 1 {
            "jumped with"
        } else {
            "moved"
        };
        format!("{verb} a {animal}, {prefix}{hop}")
    }

    fn kind(&self, _: &Strip) -> Kind {
        Kind::Partizan
    }

    fn parts(&self, strip: &Strip) -> Vec<Strip> {
        let pieces = strip.pieces().into_iter();
        pieces.map(|(_, piece)| Strip(piece.to_vec())).collect()
    }

    fn part_name(&self, strip: &Strip, part: usize) -> String {
        let pieces = strip.pieces();
        pieces
            .get(part)
            .map_or_else(String::new, |(start, _)| (start + 1).to_string())
    }

    fn part_kind(&self) -> PartKind {
        PartKind::Stretch
    }

    fn forms(
        &self,
        strip: &Strip,
        forms: &mut CanonicalForms,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Option<CanonicalForm>>, Stopped> {
        meter.work(strip.0.len() as u64 / 8)?;
        let pieces = strip.pieces().into_iter();
        whole_numbers(pieces.map(|(_, piece)| one_sided(piece)), forms, meter)
    }

    fn method(&self) -> &'static str {
        "parts of the strip"
    }

    fn bytes(&self, strip: &Strip) -> u64 {
        strip.0.len() as u64
    }

    /// Three bits for each place on which an animal may still stand: whether a toad is there, whether a frog, and whether it is free.
    fn bit_board(&self, strip: &Strip) -> Option<BitBoard> {
        let pieces = strip.pieces().into_iter();
        let places: Vec<usize> = pieces
            .flat_map(|(start, piece)| start..start + piece.len())
            .take(BitBoard::BITS)
            .collect();
        if 3 * places.len() > BitBoard::BITS {
            return None;
        }
        let bit = |place: usize, letter: u8| {
            let plane = ANIMALS
                .letters
                .bytes()
                .filter(|one| *one != b' ')
                .position(|one| one == letter);
            plane.map_or(0, |plane| {
                BitBoard::bit(&places, &place) << (plane * places.len())
            })
        };
        let hop = |from: usize, to: usize, seat: Seat| {
            let (own, other) = animals(seat);
            let over = match from.abs_diff(to) {
                2 => bit(from.midpoint(to), other),
                _ => 0,
            };
            BitMove {
                needs: bit(from, own) | bit(to, b'.') | over,
                clears: bit(from, own) | bit(to, b'.'),
                sets: bit(to, own) | bit(from, b'.'),
            }
        };
        let moves = |seat: Seat| {
            let legal: Vec<(usize, usize)> = strip
                .hops(seat)
                .map(|hop| (hop.from - 1, hop.to - 1))
                .collect();
            let inside = |place: usize| places.binary_search(&place).is_ok();
            let reach = |place: usize, steps: usize| match seat {
                Seat::First => place.checked_add(steps),
                Seat::Second => place.checked_sub(steps),
            };
            let all = places.iter().flat_map(|from| {
                [1, 2]
                    .into_iter()
                    .filter_map(|steps| Some((*from, reach(*from, steps)?)))
            });
            // A hop stays within a piece: two pieces are further from each other than two places.
            let all = all.filter(|(from, to)| (*from.min(to)..=*from.max(to)).all(inside));
            let later: Vec<(usize, usize)> = all.filter(|hop| !legal.contains(hop)).collect();
            legal
                .into_iter()
                .chain(later)
                .map(|(from, to)| hop(from, to, seat))
                .collect()
        };
        Some(BitBoard {
            bits: places
                .iter()
                .fold(0, |bits, place| bits | bit(*place, strip.0[*place])),
            width: 3 * places.len() as u32,
            moves: Seat::BOTH.map(moves),
            most_moves: (places.len() * places.len()) as u32,
        })
    }

    fn explain(&self, strip: &Strip, _: EndRule, _: &mut Meter<'_>) -> Vec<String> {
        let mut lines = vec![
            "Two toads directly before two frogs (TTFF) never move again, so the strip is the sum of what lies on their two sides.".to_owned(),
            READING.to_owned(),
        ];
        let pieces = strip.pieces().into_iter();
        lines.extend(part_lines(pieces.map(|(start, piece)| {
            let (from, to) = (start + 1, start + piece.len());
            (format!("places {from} to {to}"), one_sided(piece))
        })));
        lines
    }
}
