//! Proofs by a finished search of coloured and loopy positions: all that can be reached, backwards from its ends, and of that the rows that a proof needs.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::obstacle::Obstacle;
use crate::certificate::{MAX_BYTES, Outcome, Proof, SearchRow, Turn, normal_form};
use crate::ids::Seat;
use crate::position::Position;
use crate::theory::Meter;

/// Positions that are explored at most, each counted for either player.
const MOST: usize = 50_000;

/// A verdict with its proof.
pub(super) struct Shown {
    pub(super) outcome: Outcome,
    /// The quickest winning move of Left.
    pub(super) winning: Option<String>,
    pub(super) proof: Proof,
}

/// What happens with best play, after how many plies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Fate {
    Won(u32),
    Lost(u32),
    Drawn,
}

impl Fate {
    /// The outcome of a row with this fate.
    fn outcome(self) -> Outcome {
        match self {
            Self::Won(_) => Outcome::N,
            Self::Lost(_) => Outcome::P,
            Self::Drawn => Outcome::D,
        }
    }

    /// The place of its row among others.
    fn rank(self) -> u32 {
        match self {
            Self::Won(plies) | Self::Lost(plies) => plies,
            Self::Drawn => u32::MAX,
        }
    }
}

/// A position that can be reached, in normal form, with the player to move.
struct Node {
    text: String,
    /// Where both players have the same moves: the first player.
    seat: Seat,
    /// Whether it matters who is to move.
    sided: bool,
    /// Each move with the node that it leads to.
    moves: Vec<(String, usize)>,
    /// The nodes with a move to this one.
    before: Vec<usize>,
    fate: Option<Fate>,
}

/// All positions that can be reached.
#[derive(Default)]
struct Explored {
    numbers: FxHashMap<(String, Seat), usize>,
    nodes: Vec<Node>,
}

/// The node that stands for every position that is over.
const OVER: usize = 0;

/// Explores a position and proves its outcome.
pub(super) fn shown(position: &Position, meter: &mut Meter<'_>) -> Result<Shown, Obstacle> {
    let sided = position.has_sides();
    let mut explored = Explored::default();
    explored.explore(position, meter)?;
    explored.judge(meter)?;
    let first = explored.find(position, Seat::First, meter)?;
    let second = match sided {
        true => explored.find(position, Seat::Second, meter)?,
        false => first,
    };
    let mut needed = vec![second];
    let mut winning = None;
    match explored.fate(first) {
        Fate::Won(plies) if plies > 0 => {
            for mv in position.moves(Seat::First) {
                let after = explored.find(&position.play(&mv), Seat::Second, meter)?;
                if explored.fate(after) == Fate::Lost(plies - 1) {
                    winning = Some(mv.to_string());
                    needed = vec![after];
                    needed.extend(sided.then_some(second));
                    break;
                }
            }
        }
        _ => needed.push(first),
    }
    Ok(Shown {
        outcome: match (explored.fate(first), explored.fate(second)) {
            (Fate::Won(_), Fate::Lost(_)) => Outcome::L,
            (Fate::Lost(_), Fate::Won(_)) => Outcome::R,
            (own, _) => own.outcome(),
        },
        winning,
        proof: Proof::Search(explored.rows(needed)?),
    })
}

impl Explored {
    fn fate(&self, node: usize) -> Fate {
        self.nodes[node].fate.unwrap_or(Fate::Drawn)
    }

    /// Finds all positions, breadth first.
    fn explore(&mut self, root: &Position, meter: &mut Meter<'_>) -> Result<(), Obstacle> {
        self.nodes.push(Node {
            text: String::new(),
            seat: Seat::First,
            sided: false,
            moves: Vec::new(),
            before: Vec::new(),
            fate: Some(match root.end_rule().is_misere() {
                true => Fate::Won(0),
                false => Fate::Lost(0),
            }),
        });
        for seat in Seat::BOTH {
            self.meet(root, seat, meter)?;
        }
        // What a move leaves of it may be spelled otherwise than what the same move leaves of its normal form.
        for mv in root.moves(Seat::First) {
            self.meet(&root.play(&mv), Seat::Second, meter)?;
        }
        let mut next = OVER + 1;
        while next < self.nodes.len() {
            let (text, seat) = (self.nodes[next].text.clone(), self.nodes[next].seat);
            let position = Position::parse(&text).map_err(|_| Obstacle::OtherWay)?;
            let mut moves = Vec::new();
            for mv in position.moves(seat) {
                let after = self.meet(&position.play(&mv), seat.other(), meter)?;
                self.nodes[after].before.push(next);
                let written = mv.to_string();
                meter.hold(written.len() as u64 + 40)?;
                moves.push((written, after));
            }
            self.nodes[next].moves = moves;
            next += 1;
        }
        Ok(())
    }

    /// The node of a position, a new one if it was not met before.
    fn meet(
        &mut self,
        position: &Position,
        seat: Seat,
        meter: &mut Meter<'_>,
    ) -> Result<usize, Obstacle> {
        meter.work(4)?;
        let Some(text) = normal_form(position, seat, meter)? else {
            return Ok(OVER);
        };
        if let Some(node) = self.numbers.get(&(text.clone(), seat)) {
            return Ok(*node);
        }
        if self.nodes.len() > MOST {
            return Err(Obstacle::Long);
        }
        meter.hold(2 * text.len() as u64 + 160)?;
        let read = Position::parse(&text).map_err(|_| Obstacle::OtherWay)?;
        let sided = read.has_sides();
        let number = self.nodes.len();
        self.numbers.insert((text.clone(), seat), number);
        if !sided {
            self.numbers.insert((text.clone(), seat.other()), number);
        }
        self.nodes.push(Node {
            text,
            seat: if sided { seat } else { Seat::First },
            sided,
            moves: Vec::new(),
            before: Vec::new(),
            fate: None,
        });
        Ok(number)
    }

    /// The node of a position that was met.
    fn find(
        &self,
        position: &Position,
        seat: Seat,
        meter: &mut Meter<'_>,
    ) -> Result<usize, Obstacle> {
        Ok(match normal_form(position, seat, meter)? {
            None => OVER,
            Some(text) => *self.numbers.get(&(text, seat)).ok_or(Obstacle::OtherWay)?,
        })
    }

    /// The fates, in the order of their distance from the end. What is never reached is drawn.
    fn judge(&mut self, meter: &mut Meter<'_>) -> Result<(), Obstacle> {
        let mut hopes: Vec<usize> = self.nodes.iter().map(|node| node.moves.len()).collect();
        let mut waiting: VecDeque<usize> = [OVER].into();
        while let Some(node) = waiting.pop_front() {
            let fate = self.fate(node);
            for before in std::mem::take(&mut self.nodes[node].before) {
                meter.work(1)?;
                if self.nodes[before].fate.is_some() {
                    continue;
                }
                hopes[before] -= 1;
                self.nodes[before].fate = match fate {
                    Fate::Lost(plies) => Some(Fate::Won(plies + 1)),
                    Fate::Won(plies) if hopes[before] == 0 => Some(Fate::Lost(plies + 1)),
                    _ => None,
                };
                if self.nodes[before].fate.is_some() {
                    waiting.push_back(before);
                }
            }
        }
        Ok(())
    }

    /// The rows that a proof about these nodes needs, each after those that it refers to, the drawn ones last.
    fn rows(&self, mut open: Vec<usize>) -> Result<Vec<SearchRow>, Obstacle> {
        const ROW: usize = r#"{"position":"","outcome":"P"},"#.len();
        let mut needed = vec![false; self.nodes.len()];
        needed[OVER] = true;
        let mut listed = Vec::new();
        let mut bytes = 0;
        while let Some(number) = open.pop() {
            if std::mem::replace(&mut needed[number], true) {
                continue;
            }
            let node = &self.nodes[number];
            bytes += ROW + node.text.len();
            if bytes > MAX_BYTES {
                return Err(Obstacle::Long);
            }
            let fate = self.fate(number);
            let best = node.moves.iter().find(|(_, after)| match fate {
                Fate::Won(plies) => self.fate(*after) == Fate::Lost(plies - 1),
                _ => false,
            });
            match best {
                Some((_, after)) => open.push(*after),
                None => open.extend(node.moves.iter().map(|(_, after)| *after)),
            }
            let row = SearchRow {
                position: node.text.clone(),
                turn: node.sided.then(|| Turn::of(node.seat)),
                outcome: fate.outcome(),
                mv: best.map(|(mv, _)| mv.clone()),
            };
            listed.push((fate.rank(), row));
        }
        listed.sort_by(|(one, a), (other, b)| (one, &a.position).cmp(&(other, &b.position)));
        Ok(listed.into_iter().map(|(_, row)| row).collect())
    }
}
