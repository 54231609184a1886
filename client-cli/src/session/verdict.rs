//! What decided a match that is over, found as far as that takes no longer than a moment; `grundy review` takes its time.

use std::time::{Duration, Instant};

use grundy_shared::Position;
use grundy_shared::event::Outcome;
use grundy_shared::ids::Seat;
use grundy_shared::referee::Referee;
use grundy_shared::review::{Review, TurningPoint};
use grundy_shared::solver::{Budget, Reasons, reasons};

use super::match_view::MatchView;
use crate::thinking::Limits;

/// What finding it may take.
pub(super) const VERDICT: Limits = Limits {
    time: Duration::from_secs(3),
    memory_bytes: 256 << 20,
};
/// How much of that time the turning points may take; the rest is for the reason.
const REVIEW: Duration = Duration::from_secs(2);

/// What decided a match.
#[derive(Debug)]
pub(crate) struct Verdict {
    pub(crate) review: Review,
    /// Why the decisive move lost, or how the start was decided if no move gave anything away. `None` if there is no single reason, or
    /// the position is too long to be shown.
    pub(crate) reasons: Option<Reasons>,
}

impl Verdict {
    /// The match, if there is something to say about it.
    pub(super) fn about(view: &MatchView) -> Option<Referee> {
        let referee = view.referee()?;
        // Of an end that we do not understand the referee knows nothing.
        let played = referee.ply().0 > 0 && referee.status() == view.status();
        // A rated pair goes on from the same start.
        (played && !view.is_between_rated_games()).then(|| referee.clone())
    }

    /// Reviews a match that was played.
    pub(super) fn of(referee: &Referee, budget: &Budget<'_>) -> Self {
        let begun = Instant::now();
        let stop = || (budget.stop)() || begun.elapsed() >= REVIEW;
        let for_the_review = Budget {
            stop: &stop,
            ..*budget
        };
        let mut verdict = Self {
            review: Review::of(referee, &for_the_review),
            reasons: None,
        };
        verdict.reasons = verdict.find_reasons(budget);
        verdict
    }

    /// The move that decided the match: the last one with which the loser gave the win or the draw away, or which made a draw of a won position.
    pub(crate) fn decisive(&self) -> Option<&TurningPoint> {
        let review = &self.review;
        let point = review.turning_points.last()?;
        let left = review.plies.iter().find(|ply| ply.ply == point.ply)?;
        let made_the_draw =
            review.outcome == Some(Outcome::Draw) && left.wins == Some(Outcome::Draw);
        (made_the_draw || review.decisive_ply == Some(point.ply)).then_some(point)
    }

    /// Whether the match was decided before the first move, and went as it had to.
    pub(crate) fn decided_at_the_start(&self) -> bool {
        let review = &self.review;
        let start = review.plies.first().and_then(|start| start.wins);
        review.turning_points.is_empty()
            && review.unknown_positions == 0
            && start.is_some_and(|wins| wins.winner().is_some() && review.outcome == Some(wins))
    }

    fn find_reasons(&self, budget: &Budget<'_>) -> Option<Reasons> {
        let (position, seat, moves) = match self.decisive() {
            Some(point) => (point.position.as_ref()?, point.seat, vec![&point.mv]),
            None if self.decided_at_the_start() => (&self.review.start, Seat::First, vec![]),
            None => return None,
        };
        let position = Position::parse(position).ok()?;
        let moves: Option<Vec<_>> = moves
            .into_iter()
            .map(|mv| position.parse_move(seat, mv).ok())
            .collect();
        let moves = moves?;
        Some(reasons(&position, seat, &moves, budget))
    }
}
