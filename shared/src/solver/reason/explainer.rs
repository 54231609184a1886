//! Finds the reasons for moves: the verdicts first, then the facts.

use super::sums::Found;
use super::types::{Assessment, MoveReason, MoveResult, Reasons, Reply};
use super::{change, sums, why, words};
use crate::erased::Component;
use crate::fact::Fact;
use crate::game::{EndRule, Kind};
use crate::ids::Seat;
use crate::position::{Move, Position};
use crate::solver::sum_solver::AFTER_A_MOVE;
use crate::solver::verdict::{Judgement, judgement};
use crate::solver::{Budget, OutcomeClass, Solution};
use crate::theory::Meter;

/// Work on a move that a theorem decides; it is done before the work on the position, which may use up the budget.
const THEOREM_NODES: u64 = 20_000;

/// A position with its verdict, before its facts are found.
struct Judged {
    position: Position,
    to_move: Seat,
    judgement: Judgement,
    /// Whether the outcome is known only from a move that a search found to win.
    is_derived: bool,
}

impl Judged {
    fn new(position: Position, to_move: Seat, meter: &mut Meter<'_>) -> Self {
        let mut judgement = judgement(&position, to_move, meter);
        if judgement.outcome == OutcomeClass::N
            && let Some(advised) = sums::advised(&position, meter)
        {
            judgement.best = Some(advised);
        }
        Self {
            position,
            to_move,
            judgement,
            is_derived: false,
        }
    }

    fn is_decided(&self) -> bool {
        self.judgement.outcome != OutcomeClass::Unknown
    }

    /// What a move leaves.
    fn after(&self, mv: &Move, meter: &mut Meter<'_>) -> Self {
        Self::new(self.position.play(mv), self.to_move.other(), meter)
    }

    /// The verdict with the facts that the budget allows.
    fn assess(&self, meter: &mut Meter<'_>) -> Assessment {
        let (position, to_move) = (&self.position, self.to_move);
        let judgement = &self.judgement;
        let best = judgement.best.as_ref().map(Move::to_string);
        let found = Found {
            method: &judgement.method,
            best: best.as_deref(),
        };
        Assessment {
            position: position.to_string(),
            to_move,
            outcome: judgement.outcome,
            nim_value: judgement.nim_value,
            value: judgement.value.clone(),
            method: judgement.method.clone(),
            facts: match judgement.outcome {
                OutcomeClass::Unknown => Vec::new(),
                // A move decides, and its reason is that of the position.
                _ if self.is_derived => Vec::new(),
                _ => why::facts(position, to_move, found, meter),
            },
        }
    }

    /// Takes over that the player to move wins, from a move that was found to win though the position itself was not decided.
    fn derive_win(&mut self, mv: &Move, after: &Self) {
        if self.is_decided()
            || MoveResult::of(after.judgement.outcome, self.to_move) != MoveResult::Wins
        {
            return;
        }
        self.judgement.best.get_or_insert_with(|| mv.clone());
        // Of a coloured position it is not known who would win if the other player began.
        if self.position.kind() == Kind::Impartial {
            self.judgement.outcome = OutcomeClass::N;
            self.is_derived = sums::is_search(&after.judgement.method);
            self.judgement.method = match self.is_derived {
                true => after.judgement.method.clone(),
                false => AFTER_A_MOVE.to_owned(),
            };
        }
    }

    /// Whether a larger budget finds no better reason: a rule decides it, and there is a move to name.
    fn is_final(&self) -> bool {
        let judgement = &self.judgement;
        let wins = judgement.outcome.winner(self.to_move) == Some(self.to_move);
        let by_rule = !sums::is_search(&judgement.method) && judgement.method != AFTER_A_MOVE;
        self.is_decided() && by_rule && (judgement.best.is_some() || !wins)
    }

    fn changes(&self, mv: &Move, meter: &mut Meter<'_>) -> Vec<Fact> {
        change::facts(&self.position, self.to_move, mv, meter)
    }
}

/// A move with the verdict on what it leaves, and a reply with that on what this leaves.
struct Considered {
    mv: Move,
    after: Judged,
    reply: Option<(Move, Judged)>,
}

/// Explains these moves of a position, and the best move. They must come from this position with
/// this player to move. Everything shares the budget: the verdicts come first, facts beyond the budget are left out.
#[must_use]
pub fn reasons(position: &Position, to_move: Seat, moves: &[Move], budget: &Budget<'_>) -> Reasons {
    let meter = &mut budget.meter();
    let share = (meter.left() / 16).min(THEOREM_NODES);
    let advised = meter.with_at_most(share, |meter| sums::advised(position, meter));
    let mut easy: Vec<(Move, Judged)> = Vec::new();
    for mv in moves.iter().chain(&advised) {
        let share = (meter.left() / 16).min(THEOREM_NODES);
        let after = meter.with_at_most(share, |meter| {
            Judged::new(position.play(mv), to_move.other(), meter)
        });
        if after.is_decided() {
            easy.push((mv.clone(), after));
        }
    }
    let mut root = Judged::new(position.clone(), to_move, meter);
    for (mv, after) in &easy {
        root.derive_win(mv, after);
    }
    let best = root.judgement.best.clone();
    let unasked = best.iter().filter(|best| !moves.contains(best));
    let mut considered = Vec::new();
    for mv in moves.iter().chain(unasked) {
        let known = easy.iter().position(|(easy, _)| easy == mv);
        let known = known.map(|place| easy.swap_remove(place).1);
        let after = match known {
            Some(known) if known.is_final() => known,
            known => {
                let after = root.after(mv, meter);
                match known {
                    Some(known) if !after.is_decided() => known,
                    _ => after,
                }
            }
        };
        let wins = MoveResult::of(after.judgement.outcome, to_move) == MoveResult::Wins;
        let reply = after.judgement.best.clone().filter(|_| !wins);
        let reply = reply.map(|reply| {
            let left = after.after(&reply, meter);
            (reply, left)
        });
        considered.push(Considered {
            mv: mv.clone(),
            after,
            reply,
        });
    }
    for considered in &considered {
        root.derive_win(&considered.mv, &considered.after);
    }
    let best = root.judgement.best.clone();
    let mut reasons = Reasons {
        schema: "grundy/reasons/1".to_owned(),
        position: root.assess(meter),
        best: best.map(|best| best.to_string()),
        moves: considered
            .iter()
            .map(|considered| considered.reason(&root, meter))
            .collect(),
        lines: Vec::new(),
    };
    reasons.lines = words::lines(&reasons);
    reasons
}

/// Why a position has this solution, in sentences: how its components combine.
pub(in crate::solver) fn whole(
    position: &Position,
    to_move: Seat,
    solution: &Solution,
    meter: &mut Meter<'_>,
) -> Vec<String> {
    let outcome = solution.outcome;
    let found = Found {
        method: &solution.method,
        best: solution.winning_moves.first().map(|won| won.mv.as_str()),
    };
    let facts = match outcome {
        OutcomeClass::Unknown => Vec::new(),
        _ => why::facts(position, to_move, found, meter),
    };
    words::sentences(&Assessment {
        position: position.to_string(),
        to_move,
        outcome,
        nim_value: None,
        value: None,
        method: String::new(),
        facts,
    })
}

/// What the explanation of a component leaves out of the working behind its nim-value, in sentences.
pub(in crate::solver) fn working(
    component: &Component,
    end: EndRule,
    meter: &mut Meter<'_>,
) -> Vec<String> {
    words::working(&component.facts(end, meter))
}

/// What a move changes, in sentences.
pub(in crate::solver) fn changed(
    position: &Position,
    to_move: Seat,
    mv: &Move,
    meter: &mut Meter<'_>,
) -> Vec<String> {
    words::changes(&change::facts(position, to_move, mv, meter))
}

/// The best move of a position that the player to move does not lose: one that wins, or in a draw one that keeps it.
pub(in crate::solver) fn best(
    position: &Position,
    to_move: Seat,
    meter: &mut Meter<'_>,
) -> Option<Move> {
    Judged::new(position.clone(), to_move, meter).judgement.best
}

impl Considered {
    fn reason(&self, root: &Judged, meter: &mut Meter<'_>) -> MoveReason {
        let after = &self.after;
        MoveReason {
            mv: self.mv.to_string(),
            result: MoveResult::of(after.judgement.outcome, root.to_move),
            changes: root.changes(&self.mv, meter),
            leaves: after.assess(meter),
            reply: self.reply.as_ref().map(|(mv, left)| Reply {
                mv: mv.to_string(),
                changes: after.changes(mv, meter),
                leaves: left.assess(meter),
            }),
        }
    }
}
