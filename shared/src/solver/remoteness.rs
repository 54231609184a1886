//! Remoteness: plies to the end when the winner hurries and the loser delays (Steinhaus 1925; Smith 1966).
//!
//! If the winner is known, a won position needs only its winning moves and a lost one all of its moves: the search
//! visits lost positions and their answers, a small share of all.

use std::hash::BuildHasher;

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::game::EndRule;
use crate::solver::misere::Quotient;
use crate::solver::part_interner::{PartInterner, Parts, bytes_of, kinds, replace};
use crate::solver::search::Search;
use crate::theory::{Goal, Meter, Stopped, Tally};

/// Once this many positions or parts were met, the search is given up: more than 100,000 positions can be reached. Each part is one of
/// them, once the others are played out.
const MAX_MET: usize = 120_000;
/// A position with more moves than this is given up, for the same reason.
const MAX_MOVES: u128 = 120_000;

/// How it is known who wins.
pub(crate) enum Knowledge<'s> {
    /// By the values of the parts, all known.
    Values,
    /// By a closed form of the only part that is left.
    Alone,
    /// By a misère quotient.
    Quotient(&'s mut Quotient),
    /// By exhaustive search.
    Searched(&'s mut Search),
}

/// One position on the way down.
struct Frame {
    parts: Parts,
    children: Vec<Parts>,
    next: usize,
    lost: bool,
    best: Option<u64>,
}

/// The remoteness of a position and of all that best play can reach from it: of a won one what its winning moves leave, of a
/// lost one what any move leaves. `Stopped` when there are too many, or the budget is used up.
pub(crate) fn remotenesses(
    root: Parts,
    end: EndRule,
    knowledge: &mut Knowledge<'_>,
    interner: &mut PartInterner,
    meter: &mut Meter<'_>,
) -> Result<FxHashMap<Parts, u64>, Stopped> {
    let mut known = FxHashMap::default();
    add_remotenesses(&mut known, root, end, knowledge, interner, meter)?;
    Ok(known)
}

/// As [`remotenesses`], beside what is known of other positions with the same end rule and interner, which is used. What was found before
/// the work was stopped stays.
pub(crate) fn add_remotenesses(
    known: &mut FxHashMap<Parts, u64>,
    root: Parts,
    end: EndRule,
    knowledge: &mut Knowledge<'_>,
    interner: &mut PartInterner,
    meter: &mut Meter<'_>,
) -> Result<(), Stopped> {
    // By their hashes: two with the same one count once, so none is given up too soon.
    let mut met: FxHashSet<u64> = FxHashSet::default();
    let mut path = vec![knowledge.frame(root, end, interner, meter)?];
    while let Some(frame) = path.last_mut() {
        meter.work(1)?;
        if frame.next == 0 {
            met.extend(
                frame
                    .children
                    .iter()
                    .map(|child| FxBuildHasher.hash_one(child)),
            );
            if met.len() > MAX_MET {
                return Err(Stopped);
            }
        }
        if let Some(child) = frame.children.get(frame.next) {
            match known.get(child) {
                Some(plies) => frame.add(plies + 1),
                None => {
                    let child = child.clone();
                    path.push(knowledge.frame(child, end, interner, meter)?);
                }
            }
            continue;
        }
        let frame = path.pop().expect("the loop has just looked at it");
        meter.release(frame.bytes());
        meter.hold(bytes_of(&frame.parts) + 16)?;
        known.insert(frame.parts, frame.best.unwrap_or(0));
    }
    Ok(())
}

impl Frame {
    fn add(&mut self, plies: u64) {
        self.next += 1;
        self.best = Some(match self.best {
            None => plies,
            Some(best) if self.lost => best.max(plies),
            Some(best) => best.min(plies),
        });
    }

    fn bytes(&self) -> u64 {
        self.children.iter().map(|child| bytes_of(child)).sum()
    }
}

impl Knowledge<'_> {
    fn frame(
        &mut self,
        parts: Parts,
        end: EndRule,
        interner: &mut PartInterner,
        meter: &mut Meter<'_>,
    ) -> Result<Frame, Stopped> {
        let lost = self.is_lost(&parts, end, interner, meter)?;
        let mut children = match lost {
            true => all_children(&parts, interner, meter)?,
            false => self.winning_children(&parts, end, interner, meter)?,
        };
        children.sort_unstable();
        children.dedup();
        let frame = Frame {
            parts,
            children,
            next: 0,
            lost,
            best: None,
        };
        meter.hold(frame.bytes())?;
        Ok(frame)
    }

    fn is_lost(
        &mut self,
        parts: &[u32],
        end: EndRule,
        interner: &mut PartInterner,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Stopped> {
        match self {
            Self::Values => {
                let tally = tally(parts, end.is_misere(), interner, meter)?;
                Ok(tally.is_lost(end.is_misere()))
            }
            Self::Alone => match parts {
                [] => Ok(!end.is_misere()),
                [part] => interner.is_p_position(*part, end, meter),
                // What the only part fell into is known by its values.
                _ => {
                    let tally = tally(parts, end.is_misere(), interner, meter)?;
                    Ok(tally.is_lost(end.is_misere()))
                }
            },
            Self::Quotient(quotient) => quotient.is_lost(parts, interner, meter),
            Self::Searched(search) => search.is_lost(parts, interner, meter),
        }
    }

    fn winning_children(
        &mut self,
        parts: &[u32],
        end: EndRule,
        interner: &mut PartInterner,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Parts>, Stopped> {
        let misere = end.is_misere();
        let goal_of = match self {
            Self::Quotient(_) | Self::Searched(_) => {
                return self.lost_children(parts, end, interner, meter);
            }
            Self::Alone if parts.len() > 1 => {
                return self.lost_children(parts, end, interner, meter);
            }
            Self::Values => Some(tally(parts, misere, interner, meter)?),
            Self::Alone => None,
        };
        let mut winning = Vec::new();
        for place in kinds(parts) {
            let goal = match goal_of {
                Some(all) => {
                    let own = tally(&parts[place..=place], misere, interner, meter)?;
                    Goal::beside(all.less(own), misere)
                }
                None if misere => Goal::MisereLoss(0),
                None => Goal::Value(0),
            };
            let found = interner.replies(parts[place], goal, meter);
            // Not every game with a closed form for its own lost states has one for the moves to them.
            let Ok(found) = found else {
                return self.lost_children(parts, end, interner, meter);
            };
            for option in found.iter() {
                winning.push(replace(parts, place, option));
            }
        }
        Ok(winning)
    }

    /// All children, one after the other, of which the player to move is known to lose.
    fn lost_children(
        &mut self,
        parts: &[u32],
        end: EndRule,
        interner: &mut PartInterner,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Parts>, Stopped> {
        let mut lost = Vec::new();
        for child in all_children(parts, interner, meter)? {
            if self.is_lost(&child, end, interner, meter)? {
                lost.push(child);
            }
        }
        Ok(lost)
    }
}

fn tally(
    parts: &[u32],
    misere: bool,
    interner: &mut PartInterner,
    meter: &mut Meter<'_>,
) -> Result<Tally, Stopped> {
    if misere {
        return interner.misere_tally_of(parts, meter)?.ok_or(Stopped);
    }
    let mut tally = Tally::default();
    for part in parts {
        tally = tally.with(interner.value_within(*part, MAX_MET, meter)?);
    }
    Ok(tally)
}

fn all_children(
    parts: &[u32],
    interner: &mut PartInterner,
    meter: &mut Meter<'_>,
) -> Result<Vec<Parts>, Stopped> {
    let moves = kinds(parts).map(|place| interner.move_count(parts[place]));
    if moves.fold(0, u128::saturating_add) > MAX_MOVES {
        return Err(Stopped);
    }
    let mut children = Vec::new();
    for place in kinds(parts) {
        for option in interner.options(parts[place], meter)?.iter() {
            meter.work(1 + parts.len() as u64 / 64)?;
            children.push(replace(parts, place, option));
        }
    }
    Ok(children)
}
