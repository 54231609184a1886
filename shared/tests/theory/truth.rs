//! The truth about small positions of every kind: plain recursion, and for play that can cycle going over all positions until nothing changes.

use std::collections::HashMap;

use grundy_shared::Position;
use grundy_shared::conformance::PlainRecursion;
use grundy_shared::game::Kind;
use grundy_shared::ids::Seat;

/// Positions that are remembered.
const KEPT: usize = 30_000;
/// Loopy positions, each with either player to move.
const MOST_LOOPY: usize = 200;

/// What becomes of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Verdict {
    /// Whether the player to move wins; nothing in a draw.
    pub(crate) wins: Option<bool>,
    /// Plies to the end when the winner hurries and the loser delays; nothing in a draw.
    pub(crate) plies: Option<u64>,
    /// The Grundy value in normal play of an impartial position.
    pub(crate) value: Option<u64>,
}

/// What becomes of a position for the player to move, and in how many plies; nothing when it is a draw.
pub(crate) type Fates = HashMap<(Position, Seat), Option<(bool, u64)>>;

/// Remembers what was judged.
#[derive(Default)]
pub(crate) struct Judge {
    finite: PlainRecursion,
    loopy: Fates,
}

impl Judge {
    /// The verdict, or `None` if more than `most` positions are met in plain recursion, or too many loopy ones.
    pub(crate) fn verdict(
        &mut self,
        position: &Position,
        seat: Seat,
        most: usize,
    ) -> Option<Verdict> {
        let key = (position.clone(), seat);
        if position.kind() == Kind::Loopy {
            if !self.loopy.contains_key(&key) {
                self.loopy = fates(position, MOST_LOOPY)?;
            }
            let fate = self.loopy[&key];
            return Some(Verdict {
                wins: fate.map(|(wins, _)| wins),
                plies: fate.map(|(_, plies)| plies),
                value: None,
            });
        }
        if self.finite.met() > KEPT {
            self.finite = PlainRecursion::new();
        }
        let most = self.finite.met() + most;
        let truth = self.finite.truth_for(position, seat, most)?;
        let has_value = position.kind() == Kind::Impartial && !position.end_rule().is_misere();
        Some(Verdict {
            wins: Some(!truth.lost),
            plies: Some(truth.remoteness),
            value: has_value.then_some(truth.value),
        })
    }
}

/// All that can be reached, or `None` when it is too much. A round of the loop finds what is decided one ply further from the end.
pub(crate) fn fates(root: &Position, most: usize) -> Option<Fates> {
    let mut fates: Fates = HashMap::new();
    let mut waiting: Vec<(Position, Seat)> = Seat::BOTH.map(|seat| (root.clone(), seat)).to_vec();
    while let Some((position, seat)) = waiting.pop() {
        if fates.insert((position.clone(), seat), None).is_none() {
            let after = position.moves(seat).map(|mv| position.play(&mv));
            let new = after.map(|after| (after, seat.other()));
            waiting.extend(new.filter(|key| !fates.contains_key(key)));
        }
        if fates.len() > most {
            return None;
        }
    }
    for plies in 0.. {
        let mut decided = Vec::new();
        for ((position, seat), fate) in &fates {
            if fate.is_some() {
                continue;
            }
            let after: Vec<_> = position
                .moves(*seat)
                .map(|mv| fates[&(position.play(&mv), seat.other())])
                .collect();
            let wins = match after.is_empty() {
                true => Some(position.end_rule().is_misere()),
                false if after.iter().any(|fate| matches!(fate, Some((false, _)))) => Some(true),
                false if after.iter().all(|fate| matches!(fate, Some((true, _)))) => Some(false),
                false => None,
            };
            if let Some(wins) = wins {
                decided.push(((position.clone(), *seat), Some((wins, plies))));
            }
        }
        if decided.is_empty() {
            return Some(fates);
        }
        fates.extend(decided);
    }
    None
}
