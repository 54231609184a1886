//! From a match to its review: [`Review::of`].

use super::moment::{Moment, moments, positions, remoteness};
use super::traps::Traps;
use super::{EXPLAINED, Mark, PlyReview, Review, SCHEMA, Summaries, TurningPoint, beginner};
use crate::event::Outcome;
use crate::ids::{Ply, Seat};
use crate::position::Position;
use crate::referee::Referee;
use crate::solver::{Budget, explain};

/// Bytes of a position's text that a turning point shows.
const SHOWN_POSITION: usize = 256;
/// Lines of an explanation that a turning point keeps: the first, and the conclusion.
const WHY_LINES: usize = 14;
/// Letters of a line of an explanation.
const WHY_LETTERS: usize = 160;

impl Review {
    /// Reviews this match. The budget's nodes and memory hold for each position that is looked at, its `stop` for all of them
    /// together. What matters most is found first: the outcomes of the positions of the match, then trap rates and
    /// explanations, then how many plies are left.
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
        review.plies.push(after(&moments[0], Ply(0)));
        let mut traps = Traps::new(budget);
        for (index, (position, _)) in positions(referee).take(referee.moves().len()).enumerate() {
            review.add_move(referee, index, &position, &moments, &mut traps);
        }
        review.add_turning_points(referee, &moments, budget);
        review.decisive_ply = review
            .turning_points
            .last()
            .filter(|point| review.outcome == Some(Outcome::win_of(point.seat.other())))
            .map(|point| point.ply);
        for (ply, left) in review
            .plies
            .iter_mut()
            .zip(remoteness(referee, &moments, budget))
        {
            ply.left = left;
            review.unknown_positions += u32::from(ply.wins.is_none());
        }
        review
    }

    /// Adds move `index` of the match, which was made in this position.
    fn add_move(
        &mut self,
        referee: &Referee,
        index: usize,
        position: &Position,
        moments: &[Moment],
        traps: &mut Traps<'_>,
    ) {
        let (before, now) = (&moments[index], &moments[index + 1]);
        let (seat, played) = (before.to_move, &referee.moves()[index]);
        let last = index
            .checked_sub(1)
            .map(|last| &*referee.moves()[last].text);
        let kept = before.is_won() && now.is_lost();
        let gave_win = gave_win_away(before, now);
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
            match traps.of(position, before, now) {
                Some((rate, best)) => {
                    ply.trap_rate = Some(rate.as_fraction());
                    trap_mark = rate.mark(best);
                }
                None => self.traps_unknown += 1,
            }
        }
        ply.mark = if before.legal == 1 {
            Some(Mark::Forced)
        } else if is_mistake(before, now) {
            Some(Mark::Blunder)
        } else if kept && ply.winning_moves == Some(1) && before.legal >= 3 {
            match beginner::finds(position, last, &played.text) {
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
        if kept || gave_win {
            summary.add_chance(kept, before.bits());
        }
        self.plies.push(ply);
    }

    fn add_turning_points(&mut self, referee: &Referee, moments: &[Moment], budget: &Budget<'_>) {
        let total = self.blunders(Seat::First) + self.blunders(Seat::Second);
        let unexplained = (total as usize).saturating_sub(EXPLAINED);
        for (index, (position, seat)) in positions(referee).enumerate() {
            // The move made in this position is the entry after its own.
            let Some(made) = self.plies.get(index + 1) else {
                break;
            };
            if made.mark != Some(Mark::Blunder) {
                continue;
            }
            let solution = &moments[index].solution;
            let answered = moments.get(index + 2).is_some_and(Moment::is_lost);
            let next = self.plies.get(index + 2).filter(|_| answered);
            let text = position.to_string();
            let winning = solution.winning_moves.iter();
            let point = TurningPoint {
                ply: made.ply,
                seat,
                mv: made.mv.clone().unwrap_or_default(),
                winning_moves: winning.map(|winning| winning.mv.clone()).collect(),
                winning_moves_total: solution.winning_moves_total,
                legal_moves: solution.legal_moves,
                drawn: moments[index].is_drawn(),
                left_value: made.nim_value,
                answer: next.and_then(|next| next.mv.clone()),
                position: (text.len() <= SHOWN_POSITION).then_some(text),
                why: match self.turning_points.len() >= unexplained {
                    true => why(&position, seat, budget),
                    false => Vec::new(),
                },
            };
            self.turning_points.push(point);
        }
    }
}

/// How often each player gave away a win, or a draw in a position that nobody could win: the number of moves of the first and of the second
/// player that a review marks with `??`. The budget works as in [`Review::of`]; returns `None` if it does not suffice for all positions of the
/// match. It computes nothing else, so it costs less than a review.
#[must_use]
pub fn mistakes(referee: &Referee, budget: &Budget<'_>) -> Option<[u32; 2]> {
    let moments = moments(referee, budget);
    if moments.iter().any(|moment| moment.wins().is_none()) {
        return None;
    }
    let mut counts = [0, 0];
    for pair in moments.windows(2) {
        let (before, now) = (&pair[0], &pair[1]);
        let count = match before.to_move {
            Seat::First => &mut counts[0],
            Seat::Second => &mut counts[1],
        };
        *count += u32::from(is_mistake(before, now));
    }
    Some(counts)
}

/// Whether a win was given away between these two moments.
fn gave_win_away(before: &Moment, now: &Moment) -> bool {
    before.is_won() && now.wins().is_some() && !now.is_lost()
}

/// Whether the move between these two moments is marked as a mistake.
fn is_mistake(before: &Moment, now: &Moment) -> bool {
    // A player with only one move cannot make a mistake.
    let gave_draw = before.is_drawn() && now.is_won();
    before.legal > 1 && (gave_win_away(before, now) || gave_draw)
}

/// The facts about this moment, without the move that led to it.
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
        value: moment.solution.value.clone(),
        clock_ms: None,
    }
}

/// The calculation that shows the win, and its conclusion.
fn why(position: &Position, to_move: Seat, budget: &Budget<'_>) -> Vec<String> {
    let mut lines = explain(position, to_move, budget).lines;
    if lines.len() > WHY_LINES {
        let last = lines.pop();
        lines.truncate(WHY_LINES - 2);
        lines.push("...".to_owned());
        lines.extend(last);
    }
    for line in &mut lines {
        if line.len() > WHY_LETTERS {
            line.truncate(line.floor_char_boundary(WHY_LETTERS - 3));
            line.push_str("...");
        }
    }
    lines
}
