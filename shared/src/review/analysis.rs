//! From a match to its review: [`Review::of`].

use super::mark::TrapRate;
use super::{
    EXPLAINED, Mark, NAMED_MOVES, PlyReview, Review, SCHEMA, Summaries, TRAP_MOVES, TRAP_POSITIONS,
    TurningPoint, beginner,
};
use crate::erased::Position;
use crate::event::Outcome;
use crate::ids::{Ply, Seat};
use crate::referee::Referee;
use crate::solver::{Budget, OutcomeClass, Solution, explain, solve};

/// Bytes of a position's text that a turning point shows.
const SHOWN_POSITION: usize = 1_024;
/// Lines of an explanation that a turning point keeps: the first, and the conclusion.
const WHY_LINES: usize = 14;

/// A position of the match, who is to move in it, and what is known of it.
struct Moment {
    position: Position,
    to_move: Seat,
    solution: Solution,
}

impl Moment {
    fn new(position: Position, to_move: Seat, budget: &Budget<'_>) -> Self {
        let solution = solve(&position, to_move, budget, NAMED_MOVES);
        Self {
            position,
            to_move,
            solution,
        }
    }

    /// Who wins with best play; `None` when unknown.
    fn wins(&self) -> Option<Outcome> {
        match self.solution.outcome {
            OutcomeClass::N => Some(Outcome::win_of(self.to_move)),
            OutcomeClass::P => Some(Outcome::win_of(self.to_move.other())),
            OutcomeClass::L => Some(Outcome::First),
            OutcomeClass::R => Some(Outcome::Second),
            OutcomeClass::D => Some(Outcome::Draw),
            OutcomeClass::Unknown => None,
        }
    }

    /// How many moves keep a win of the player to move.
    fn winning_moves(&self) -> Option<u64> {
        match self.is_won()? {
            true => self.solution.winning_moves_total,
            false => Some(0),
        }
    }

    /// Whether the player to move wins; `None` when unknown.
    fn is_won(&self) -> Option<bool> {
        Some(self.wins()? == Outcome::win_of(self.to_move))
    }

    /// Whether the player to move loses.
    fn is_lost(&self) -> bool {
        self.wins() == Some(Outcome::win_of(self.to_move.other()))
    }

    /// What finding a win here is worth; `None` when the counts are unknown.
    fn bits(&self) -> Option<f64> {
        let winning = self.winning_moves().filter(|winning| *winning > 0)?;
        let legal = self.position.move_count(self.to_move);
        Some((legal as f64 / winning as f64).log2())
    }
}

impl Review {
    /// Reviews this match. The budget's nodes and memory hold for each position that is looked at, its `stop` for all of them
    /// together; the outcomes of the positions of the match are found first, trap rates and explanations after.
    #[must_use]
    pub fn of(referee: &Referee, budget: &Budget<'_>) -> Self {
        let moments = moments(referee, budget);
        let mut review = Self {
            schema: SCHEMA,
            rules: referee.start().rules(),
            misere: referee.start().end_rule().is_misere(),
            start: referee.start().to_string(),
            first: referee.player(Seat::First).cloned(),
            second: referee.player(Seat::Second).cloned(),
            clock: referee.clock_control(),
            created_at_ms: referee.created_at(),
            outcome: referee.outcome().map(|(outcome, _)| outcome),
            reason: referee.outcome().map(|(_, reason)| reason),
            plies_total: referee.ply().0,
            plies: Vec::with_capacity(moments.len()),
            turning_points: Vec::new(),
            decisive_ply: None,
            summary: Summaries::default(),
            unknown_positions: 0,
            traps_unknown: 0,
        };
        let mut traps = Traps {
            left: TRAP_POSITIONS,
            budget,
        };
        review.plies.push(after(&moments[0], Ply(0)));
        for (index, pair) in moments.windows(2).enumerate() {
            review.add_move(referee, index, &pair[0], &pair[1], &mut traps);
        }
        let unknown = review.plies.iter().filter(|ply| ply.wins.is_none());
        review.unknown_positions = unknown.count() as u32;
        review.add_turning_points(&moments, budget);
        review.decisive_ply = review
            .turning_points
            .last()
            .filter(|point| review.outcome == Some(Outcome::win_of(point.seat.other())))
            .map(|point| point.ply);
        review
    }

    /// Adds move `index` of the match, made between these moments.
    fn add_move(
        &mut self,
        referee: &Referee,
        index: usize,
        before: &Moment,
        now: &Moment,
        traps: &mut Traps<'_>,
    ) {
        let (seat, played) = (before.to_move, &referee.moves()[index]);
        let last = index
            .checked_sub(1)
            .map(|last| &*referee.moves()[last].text);
        let kept = before.is_won() == Some(true) && now.is_lost();
        let gave_away = before.is_won() == Some(true) && now.wins().is_some() && !kept;
        let mut ply = PlyReview {
            seat: Some(seat),
            mv: Some(played.text.clone()),
            legal_moves: before.solution.legal_moves,
            winning_moves: before.winning_moves(),
            clock_ms: played.clocks.map(|clocks| clocks.of(seat)),
            ..after(now, Ply(index as u32 + 1))
        };
        let mut trap_mark = None;
        if before.is_lost() {
            match traps.of(before, now) {
                Some((rate, best)) => {
                    ply.trap_rate = Some(rate.as_fraction());
                    trap_mark = rate.mark(best);
                }
                None => self.traps_unknown += 1,
            }
        }
        let legal = before.position.move_count(seat);
        ply.mark = if legal == 1 {
            Some(Mark::Forced)
        } else if gave_away {
            Some(Mark::Blunder)
        } else if kept && ply.winning_moves == Some(1) && legal >= 3 {
            match beginner::finds(&before.position, last, &played.text) {
                Some(false) => Some(Mark::Brilliant),
                _ => Some(Mark::OnlyMove),
            }
        } else {
            trap_mark
        };
        let summary = self.summary.of_mut(seat);
        if let Some(mark) = ply.mark {
            summary.marks.add(mark);
        }
        if kept || gave_away {
            let bits = before.bits().unwrap_or(0.0);
            summary.chances += 1;
            summary.bits_offered += bits;
            if kept {
                summary.kept += 1;
                summary.bits_found += bits;
            }
        }
        self.plies.push(ply);
    }

    fn add_turning_points(&mut self, moments: &[Moment], budget: &Budget<'_>) {
        let blunders: Vec<usize> = (1..self.plies.len())
            .filter(|ply| self.plies[*ply].mark == Some(Mark::Blunder))
            .collect();
        let explained_from = blunders.len().saturating_sub(EXPLAINED);
        for (number, ply) in blunders.into_iter().enumerate() {
            let before = &moments[ply - 1];
            let text = before.position.to_string();
            let answered = moments.get(ply + 1).is_some_and(Moment::is_lost);
            let next = self.plies.get(ply + 1).filter(|_| answered);
            let point = TurningPoint {
                ply: Ply(ply as u32),
                seat: before.to_move,
                mv: self.plies[ply].mv.clone().unwrap_or_default(),
                winning_moves: before
                    .solution
                    .winning_moves
                    .iter()
                    .map(|winning| winning.mv.clone())
                    .collect(),
                winning_moves_total: before.solution.winning_moves_total,
                legal_moves: before.solution.legal_moves,
                left_value: self.plies[ply].nim_value,
                answer: next.and_then(|next| next.mv.clone()),
                position: (text.len() <= SHOWN_POSITION).then_some(text),
                why: match number >= explained_from {
                    true => why(before, budget),
                    false => Vec::new(),
                },
            };
            self.turning_points.push(point);
        }
    }
}

/// The position before each move, and the last one.
fn moments(referee: &Referee, budget: &Budget<'_>) -> Vec<Moment> {
    let mut moments = Vec::with_capacity(referee.moves().len() + 1);
    let mut position = referee.start().clone();
    let mut seat = Seat::First;
    for played in referee.moves() {
        let mv = position
            .parse_move(seat, &played.text)
            .expect("the referee has let this move pass");
        let next = position.play(&mv);
        moments.push(Moment::new(position, seat, budget));
        (position, seat) = (next, seat.other());
    }
    moments.push(Moment::new(position, seat, budget));
    moments
}

/// What holds at this moment, before anything is said of the move that led there.
fn after(moment: &Moment, ply: Ply) -> PlyReview {
    PlyReview {
        ply,
        seat: None,
        mv: None,
        mark: None,
        legal_moves: None,
        winning_moves: None,
        trap_rate: None,
        wins: moment.wins(),
        left: moment.solution.remoteness,
        nim_value: moment.solution.nim_value,
        clock_ms: None,
    }
}

/// The working that shows the win, and the conclusion from it.
fn why(moment: &Moment, budget: &Budget<'_>) -> Vec<String> {
    let mut lines = explain(&moment.position, moment.to_move, budget).lines;
    if lines.len() > WHY_LINES {
        let last = lines.pop();
        lines.truncate(WHY_LINES - 2);
        lines.push("...".to_owned());
        lines.extend(last);
    }
    lines
}

/// The comparison of moves from lost positions, within its bounds.
struct Traps<'a> {
    /// Positions that may still be looked at.
    left: u32,
    budget: &'a Budget<'a>,
}

impl Traps<'_> {
    /// The trap rate of the move made, and the highest that a move could have had.
    fn of(&mut self, before: &Moment, now: &Moment) -> Option<(TrapRate, TrapRate)> {
        let legal = before.position.move_count(before.to_move);
        if legal > TRAP_MOVES || legal > u128::from(self.left) {
            return None;
        }
        let made = rate(&now.solution)?;
        let mut best = made;
        for mv in before.position.moves(before.to_move) {
            if (self.budget.stop)() {
                return None;
            }
            self.left -= 1;
            let next = before.position.play(&mv);
            let other = rate(&solve(&next, now.to_move, self.budget, 0))?;
            if best.is_below(other) {
                best = other;
            }
        }
        Some((made, best))
    }
}

/// How many of the replies in this position throw its win back; `None` when that is unknown.
fn rate(solution: &Solution) -> Option<TrapRate> {
    let legal = solution.legal_moves?;
    let winning = match legal {
        0 => 0,
        _ => solution.winning_moves_total?,
    };
    Some(TrapRate::new(legal, winning))
}
