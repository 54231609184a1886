//! The laws of [`Game`](crate::game::Game) as checks, and plain recursion as the judge of all cleverness.
//!
//! Nothing here knows a game, a theorem or the solver's shortcuts: only the moves and the end rule.

mod laws;

pub use laws::Law;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::game::Kind;
use crate::ids::{Ply, Seat};
use crate::position::{Move, Position};
use crate::theory::mex;

/// The longest random line of play.
const PLIES: u32 = 1_000;

/// What plain recursion says of a position with one player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Truth {
    /// Whether the player to move loses.
    pub lost: bool,
    /// The Grundy value, in normal play of an impartial position.
    pub value: u64,
    /// Plies to the end when the winner hurries and the loser delays.
    pub remoteness: u64,
}

/// Plain recursion that remembers every position it has met.
#[derive(Debug, Default)]
pub struct PlainRecursion {
    known: FxHashMap<(Position, Seat), Truth>,
}

impl PlainRecursion {
    /// Forgets nothing between questions of the same kind.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many positions it has met.
    #[must_use]
    pub fn met(&self) -> usize {
        self.known.len()
    }

    /// The truth about an impartial position, or `None` once more than `most` positions are met. Depth is bounded by the longest play.
    pub fn truth(&mut self, position: &Position, most: usize) -> Option<Truth> {
        self.truth_for(position, Seat::First, most)
    }

    /// As [`truth`](Self::truth), of a position with these moves for one seat and others for the other; it has no Grundy value.
    pub fn truth_for(&mut self, position: &Position, to_move: Seat, most: usize) -> Option<Truth> {
        let key = (position.clone(), to_move);
        if let Some(truth) = self.known.get(&key) {
            return Some(*truth);
        }
        if self.known.len() > most {
            return None;
        }
        let next = match position.kind() {
            Kind::Impartial => to_move,
            Kind::Partizan => to_move.other(),
            Kind::Loopy => return None,
        };
        let mut after = Vec::new();
        for mv in position.moves(to_move) {
            after.push(self.truth_for(&position.play(&mv), next, most)?);
        }
        let lost = match after.is_empty() {
            true => !position.end_rule().is_misere(),
            false => after.iter().all(|truth| !truth.lost),
        };
        let plies = after.iter().map(|truth| truth.remoteness + 1);
        let hurried = after.iter().filter(|truth| truth.lost);
        let remoteness = match lost {
            true => plies.max(),
            false => hurried.map(|truth| truth.remoteness + 1).min(),
        };
        let values: Vec<u64> = after.iter().map(|truth| truth.value).collect();
        let truth = Truth {
            lost,
            value: mex(&values),
            remoteness: remoteness.unwrap_or(0),
        };
        self.known.insert(key, truth);
        Some(truth)
    }
}

/// How many lines of play of exactly so many plies there are.
#[must_use]
pub fn perft(position: &Position, plies: u32) -> u64 {
    if plies == 0 {
        return 1;
    }
    let moves = position.moves(Seat::First);
    moves.map(|mv| perft(&position.play(&mv), plies - 1)).sum()
}

/// Positions met in `walks` random lines of play from this one, each once, to the end or for `PLIES` moves; `draw(n)` gives a
/// number below `n`.
pub fn walked(
    start: &Position,
    walks: usize,
    draw: &mut dyn FnMut(u64) -> u64,
) -> FxHashSet<Position> {
    let mut met = FxHashSet::default();
    for _ in 0..walks {
        let mut position = start.clone();
        met.insert(start.clone());
        for ply in 0..PLIES {
            let seat = Seat::to_move_at(Ply(ply));
            let count = position.move_count(seat);
            let drawn = draw(u64::try_from(count).unwrap_or(u64::MAX).max(1));
            let Some(mv) = position.nth_move(seat, u128::from(drawn)) else {
                break;
            };
            position = position.play(&mv);
            met.insert(position.clone());
        }
    }
    met
}

/// Checks laws 1 to 5 of [`Game`](crate::game::Game) on one position, its list of moves included; `Err` names the law and the witness.
pub fn check_notation(position: &Position) -> Result<(), String> {
    let text = position.to_string();
    let read = Position::parse(&text).map_err(|error| format!("law 1, {text}: {error}"))?;
    if read != *position || read.to_string() != text {
        return Err(format!("law 1, {text}: reads back as {read}"));
    }
    let [first, second] = Seat::BOTH;
    check_moves(position, first, &text)?;
    match position.kind() {
        Kind::Impartial if !position.moves(first).eq(position.moves(second)) => {
            Err(format!("law 5, {text}: the seats have different moves"))
        }
        Kind::Impartial => Ok(()),
        Kind::Partizan | Kind::Loopy => check_moves(position, second, &text),
    }
}

/// Checks laws 2 to 4 on the moves of one seat.
fn check_moves(position: &Position, seat: Seat, text: &str) -> Result<(), String> {
    let moves: Vec<Move> = position.moves(seat).collect();
    let count = position.move_count(seat);
    if moves.len() as u128 != count || position.nth_move(seat, count).is_some() {
        return Err(format!(
            "law 2, {text}: {} moves, counted {count}",
            moves.len()
        ));
    }
    let mut printed: Vec<String> = moves.iter().map(Move::to_string).collect();
    for (n, mv) in moves.iter().enumerate() {
        let at = n as u128;
        let begins = position.moves_from(seat, at).next();
        if position.nth_move(seat, at).as_ref() != Some(mv) || begins.as_ref() != Some(mv) {
            return Err(format!("law 2, {text}: move {n} is not {mv}"));
        }
        check_move(position, seat, mv).map_err(|fault| format!("{fault} in {text}"))?;
    }
    printed.sort_unstable();
    printed.dedup();
    match printed.len() as u128 == count {
        true => Ok(()),
        false => Err(format!("law 2, {text}: two moves print alike")),
    }
}

fn check_move(position: &Position, seat: Seat, mv: &Move) -> Result<(), String> {
    let text = mv.to_string();
    for typed in [
        text.clone(),
        text.to_lowercase(),
        format!(" {} ", text.replace('-', " - ")),
    ] {
        match position.parse_move(seat, &typed) {
            Ok(read) if read == *mv => {}
            Ok(read) => return Err(format!("law 3: '{typed}' reads as {read}")),
            Err(error) => return Err(format!("law 3: '{typed}': {error}")),
        }
    }
    let after = position.play(mv);
    match Position::parse(&after.to_string()) {
        Ok(read) if read == after => Ok(()),
        Ok(read) => Err(format!("law 4: after {text} {after} reads back as {read}")),
        Err(error) => Err(format!("law 4: after {text} {after}: {error}")),
    }
}
