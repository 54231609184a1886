//! Proofs by a finished search: of what the winner needs only, every move of the loser with one answer each.

use rustc_hash::FxHashSet;

use super::obstacle::Obstacle;
use super::{Claim, Proved};
use crate::certificate::{MAX_BYTES, Outcome, Proof, SearchRow, normal_form};
use crate::ids::Seat;
use crate::position::Position;
use crate::solver::part_interner::PartInterner;
use crate::solver::search::Search;
use crate::solver::verdict::answer;
use crate::theory::compound::Compound;
use crate::theory::{Meter, Stopped};

/// The search that is asked, and the rows written so far.
struct Draft {
    interner: PartInterner,
    search: Search,
    written: FxHashSet<String>,
    rows: Vec<SearchRow>,
    bytes: usize,
}

/// A position on the way down.
struct Frame {
    row: SearchRow,
    /// The positions that the row refers to: normal forms.
    needs: Vec<String>,
    /// Those before this one have rows.
    next: usize,
}

impl Claim<'_> {
    pub(super) fn by_search(&self, meter: &mut Meter<'_>) -> Proved {
        let root = match self.winning {
            Some(mv) => self.position.play(mv),
            None => self.position.clone(),
        };
        let mut draft = Draft {
            interner: PartInterner::default(),
            search: Search::new(self.position.end_rule().is_misere()),
            written: FxHashSet::default(),
            rows: Vec::new(),
            bytes: 0,
        };
        if let Some(text) = normal_form(&root, Seat::First, meter)? {
            draft.write(text, meter)?;
        }
        Ok((Proof::Search(draft.rows), self.zero_if_lost()))
    }
}

impl Draft {
    /// Writes the rows of a position and of what they refer to. Depth first without recursion.
    fn write(&mut self, root: String, meter: &mut Meter<'_>) -> Result<(), Obstacle> {
        let mut path = vec![self.frame(root, meter)?];
        while let Some(frame) = path.last_mut() {
            match frame.needs.get(frame.next) {
                Some(need) if self.written.contains(need) => frame.next += 1,
                Some(need) => {
                    let need = need.clone();
                    path.push(self.frame(need, meter)?);
                }
                None => {
                    let frame = path.pop().expect("the loop has just looked at it");
                    self.written.insert(frame.row.position.clone());
                    self.rows.push(frame.row);
                }
            }
        }
        Ok(())
    }

    /// The row of a position in normal form, and what it refers to.
    fn frame(&mut self, text: String, meter: &mut Meter<'_>) -> Result<Frame, Obstacle> {
        const ROW: usize = r#"{"position":"","outcome":"P"},"#.len();
        self.bytes += ROW + text.len();
        if self.bytes > MAX_BYTES {
            return Err(Obstacle::Long);
        }
        // Parts are positions in canonical form (laws 1 and 6 of Game), and so is their sum.
        let position = Position::parse(&text).map_err(|_| Obstacle::OtherWay)?;
        let lost = self.is_lost(&position, meter)?;
        let mut row = SearchRow {
            position: text,
            turn: None,
            outcome: Outcome::of(lost),
            mv: None,
        };
        let mut needs = Vec::new();
        for mv in position.moves(Seat::First) {
            let after = position.play(&mv);
            if lost {
                let need = normal_form(&after, Seat::First, meter)?;
                meter.hold(need.as_ref().map_or(0, |text| text.len() as u64 + 32))?;
                needs.extend(need);
            } else if self.is_lost(&after, meter)? {
                row.mv = Some(mv.to_string());
                needs.extend(normal_form(&after, Seat::First, meter)?);
                break;
            }
        }
        Ok(Frame {
            row,
            needs,
            next: 0,
        })
    }

    fn is_lost(&mut self, position: &Position, meter: &mut Meter<'_>) -> Result<bool, Stopped> {
        if position.compound() != Compound::Sum {
            return answer(position, 0, false, meter)
                .map(|found| found.lost)
                .map_err(|_| Stopped);
        }
        let parts = self.interner.parts_of(position.sum.components(), meter)?;
        self.search.is_lost(&parts, &mut self.interner, meter)
    }
}
