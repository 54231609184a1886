//! From a match to its review: [`Review::of`].

use std::cell::Cell;

use super::timeline::{Moment, Timeline};
use super::traps::{Traps, TrapsUnknown, Uncompared};
use super::{EXPLAINED, Mark, PlyReview, Review, SCHEMA, Summaries, TurningPoint};
use crate::event::{Outcome, TimeControl};
use crate::ids::{Millis, Ply, Seat};
use crate::referee::Referee;
use crate::solver::{Budget, reasons};
use crate::statistics::{Decision, skill};

impl Review {
    /// Reviews this match. The budget's nodes and memory hold for each position that is looked at, its `stop` for all of them
    /// together. What matters most and is cheapest is found first: the outcomes of the positions of the match, then trap rates and
    /// explanations. How many plies are left, and values that no theory gives, come last and get a bounded share of the nodes; they are given
    /// up once they are not found.
    ///
    /// Cost: the moves are replayed once; a position is solved at most twice, the second time with the whole budget. With closed forms and tables
    /// some microseconds a ply, and at most 40,000,000 nodes for the lengths of all positions together.
    #[must_use]
    pub fn of(referee: &Referee, budget: &Budget<'_>) -> Self {
        Self::with_progress(referee, budget, &|_| {})
    }

    /// The same, and tells meanwhile how many plies are done: those of which the winner is known, or which were given the whole budget. This number never
    /// falls, and is at most one more than the moves of the match, since the start counts too. Trap rates, reasons and lengths come after the last of them.
    #[must_use]
    pub fn with_progress(referee: &Referee, budget: &Budget<'_>, done: &dyn Fn(u32)) -> Self {
        let cut_off = Cell::new(false);
        let stop = || {
            let stop = (budget.stop)();
            cut_off.set(cut_off.get() || stop);
            stop
        };
        let budget = &Budget {
            stop: &stop,
            ..*budget
        };
        let mut timeline = Timeline::of(referee, budget, done);
        let mut review = Self::marked(referee, &timeline, Some(&mut Traps::new(budget)));
        review.explain_turning_points(&timeline, budget);
        timeline.find_numbers(budget);
        review.cut_off = cut_off.get();
        for (ply, moment) in review.plies.iter_mut().zip(&timeline.moments) {
            ply.left = moment.solution.remoteness;
            ply.nim_value = moment.solution.nim_value;
        }
        for point in &mut review.turning_points {
            point.left_value = review.plies[point.ply.0 as usize].nim_value;
        }
        review
    }

    /// What statistics over many matches need: the outcomes, chances, bits and turning points of [`Review::of`], at the cost of
    /// [`mistakes`]. It compares no trap rates, so there is no `!?` or `?!` and no resistance; it gives no reasons, and finds no lengths
    /// that a first look does not.
    #[must_use]
    pub fn outline(referee: &Referee, budget: &Budget<'_>) -> Self {
        Self::marked(referee, &Timeline::of(referee, budget, &|_| {}), None)
    }

    /// The review as far as the outcomes of its positions give it, and trap rates if they are wanted.
    fn marked(referee: &Referee, timeline: &Timeline, mut traps: Option<&mut Traps<'_>>) -> Self {
        let mut review = Self {
            schema: SCHEMA.to_owned(),
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
            plies: Vec::with_capacity(timeline.moments.len()),
            turning_points: Vec::new(),
            decisive_ply: None,
            summary: Summaries::default(),
            unknown_positions: 0,
            traps_unknown: 0,
            traps_unknown_why: TrapsUnknown::default(),
            cut_off: false,
        };
        review.plies.push(after(&timeline.moments[0], Ply(0)));
        for index in 0..referee.moves().len() {
            review.add_move(referee, index, timeline, traps.as_deref_mut());
        }
        review.add_skills();
        review.decisive_ply = review
            .turning_points
            .last()
            .filter(|point| review.outcome == Some(Outcome::win_of(point.seat.other())))
            .map(|point| point.ply);
        let unknown = review.plies.iter().filter(|ply| ply.wins.is_none());
        review.unknown_positions = unknown.count() as u32;
        review
    }

    /// Adds move `index` of the match.
    fn add_move(
        &mut self,
        referee: &Referee,
        index: usize,
        timeline: &Timeline,
        traps: Option<&mut Traps<'_>>,
    ) {
        let moments = &timeline.moments;
        let (before, now) = (&moments[index], &moments[index + 1]);
        let (seat, played) = (before.to_move, &referee.moves()[index]);
        let kept = before.is_won() && now.is_lost();
        let gave_win = gave_win_away(before, now);
        let bits = before.bits().filter(|_| kept || gave_win);
        let mut ply = PlyReview {
            seat: Some(seat),
            mv: Some(played.text.clone()),
            legal_moves: before.solution.legal_moves,
            winning_moves: before.winning_moves(),
            bits_offered: bits,
            bits_found: bits.map(|bits| if kept { bits } else { 0.0 }),
            clock_ms: played.clocks.map(|clocks| clocks.of(seat)),
            spent_ms: spent(referee, index, seat),
            hints: played.hints,
            ..after(now, Ply(index as u32 + 1))
        };
        let mut trap_mark = None;
        if let Some(traps) = traps.filter(|_| before.is_lost()) {
            // A position that is no longer held was one of too many.
            let position = timeline.position(index).ok_or(Uncompared::Alternatives);
            match position.and_then(|position| traps.of(position, before, now)) {
                Ok((rate, best)) => {
                    let (made, highest) = (rate.as_fraction(), best.as_fraction());
                    ply.trap_rate = Some(made);
                    ply.best_trap_rate = Some(highest);
                    trap_mark = rate.mark(best);
                    if before.legal > 1 {
                        self.summary.of_mut(seat).add_resistance(made, highest);
                    }
                }
                Err(why) => {
                    self.traps_unknown += 1;
                    self.traps_unknown_why.add(why);
                }
            }
        }
        ply.mark = if before.legal == 1 {
            Some(Mark::Forced)
        } else if is_mistake(before, now) {
            Some(Mark::Blunder)
        } else if kept && ply.winning_moves == Some(1) && before.legal >= 3 {
            match before.obvious {
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
            summary.add_chance(kept, bits);
        }
        if ply.mark == Some(Mark::Blunder) {
            let answered = moments.get(index + 2).is_some_and(Moment::is_lost);
            let answer = referee.moves().get(index + 1).filter(|_| answered);
            let solution = &before.solution;
            let winning = solution.winning_moves.iter();
            self.turning_points.push(TurningPoint {
                ply: ply.ply,
                seat,
                mv: played.text.clone(),
                winning_moves: winning.map(|winning| winning.mv.clone()).collect(),
                winning_moves_total: solution.winning_moves_total,
                legal_moves: solution.legal_moves,
                drawn: before.is_drawn(),
                left_value: ply.nim_value,
                answer: answer.map(|answer| answer.text.clone()),
                position: before.shown.clone(),
                why: None,
            });
        }
        self.plies.push(ply);
    }

    /// Fits the players' skills to their chances.
    fn add_skills(&mut self) {
        for seat in Seat::BOTH {
            let own = self.plies.iter().filter(|ply| ply.seat == Some(seat));
            let decisions: Vec<Decision> = own.filter_map(PlyReview::decision).collect();
            self.summary.of_mut(seat).skill = skill(&decisions);
        }
    }

    /// Explains the last turning points.
    fn explain_turning_points(&mut self, timeline: &Timeline, budget: &Budget<'_>) {
        let skipped = self.turning_points.len().saturating_sub(EXPLAINED);
        for point in &mut self.turning_points[skipped..] {
            let Some(position) = timeline.position(point.ply.0 as usize - 1) else {
                continue;
            };
            let mv = position.parse_move(point.seat, &point.mv);
            point.why = mv
                .ok()
                .map(|mv| reasons(position, point.seat, &[mv], budget));
        }
    }
}

impl PlyReview {
    /// The decision, for a fit of the player's skill; `None` where there was no win to keep, or unknown.
    #[must_use]
    pub fn decision(&self) -> Option<Decision> {
        let found = self.bits_found?;
        Some(Decision {
            winning_share: self.winning_moves? as f64 / self.legal_moves? as f64,
            kept: found > 0.0 || self.winning_moves == self.legal_moves,
        })
    }
}

/// How often each player gave away a win, or a draw in a position that nobody could win: the number of moves of the first and of the second
/// player that a review marks with `??`. The budget works as in [`Review::of`]; returns `None` if it does not suffice for all positions of the
/// match. It computes nothing else, so it costs less than a review.
#[must_use]
pub fn mistakes(referee: &Referee, budget: &Budget<'_>) -> Option<[u32; 2]> {
    let moments = Timeline::of(referee, budget, &|_| {}).moments;
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
        bits_offered: None,
        bits_found: None,
        trap_rate: None,
        best_trap_rate: None,
        wins: moment.wins(),
        left: moment.solution.remoteness,
        nim_value: moment.solution.nim_value,
        value: moment.solution.value.clone(),
        tried: (moment.wins().is_none()).then(|| moment.solution.method.clone()),
        clock_ms: None,
        spent_ms: None,
        hints: 0,
    }
}

/// The time that a move took.
fn spent(referee: &Referee, index: usize, seat: Seat) -> Option<Millis> {
    // A list of moves that somebody typed has no times.
    if referee.last_at() == referee.created_at() {
        return None;
    }
    let moves = referee.moves();
    let played = &moves[index];
    if let (
        TimeControl::Fischer {
            base_ms,
            increment_ms,
        },
        Some(clocks),
    ) = (referee.clock_control(), played.clocks)
    {
        let own = index.checked_sub(2).and_then(|own| moves[own].clocks);
        let before = own.map_or(base_ms, |clocks| clocks.of(seat));
        return Some(Millis(
            (before.0 + increment_ms.0).saturating_sub(clocks.of(seat).0),
        ));
    }
    let last = &moves[index.checked_sub(1)?];
    Some(played.at.since(last.at))
}
