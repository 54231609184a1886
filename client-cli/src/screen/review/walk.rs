//! A walk through a review: which move is shown, its position, and what is said about it.

use grundy_shared::Position;
use grundy_shared::event::Outcome;
use grundy_shared::ids::Seat;
use grundy_shared::review::{PlyReview, Review, TurningPoint};

use crate::render::board::Glyphs;
use crate::screen::keys::Action;
use crate::screen::theme::Theme;

/// Lines that a page key scrolls.
const PAGE: isize = 5;

/// A walk through a review.
#[derive(Debug)]
pub(in crate::screen) struct Walk<'r> {
    pub(in crate::screen) review: &'r Review,
    pub(in crate::screen) theme: Theme,
    pub(in crate::screen) glyphs: Glyphs,
    /// The number of the shown entry; 0 is the start.
    pub(in crate::screen) at: usize,
    /// Lines of the reasons that are scrolled away.
    pub(in crate::screen) scrolled: usize,
    /// The position after the shown move; `None` if the review does not say so.
    pub(in crate::screen) position: Option<Position>,
}

impl<'r> Walk<'r> {
    /// At the last turning point, or at the start where there is none.
    pub(in crate::screen) fn new(review: &'r Review, theme: Theme, glyphs: Glyphs) -> Self {
        let mut walk = Self {
            review,
            theme,
            glyphs,
            at: 0,
            scrolled: 0,
            position: None,
        };
        let last = review.turning_points.last();
        walk.go(last.map_or(0, |point| walk.number_of(point)));
        walk
    }

    /// Goes to another move, or scrolls.
    pub(in crate::screen) fn act(&mut self, action: Action) {
        let last = self.review.plies.len().saturating_sub(1);
        match action {
            Action::Step(true) => self.go(self.at + 1),
            Action::Step(false) => self.go(self.at.saturating_sub(1)),
            Action::ToEnd(forward) => self.go(if forward { last } else { 0 }),
            Action::NextMistake(forward) => {
                let points = self.review.turning_points.iter();
                let mut numbers = points.map(|point| self.number_of(point));
                let next = match forward {
                    true => numbers.find(|number| *number > self.at),
                    false => numbers.rfind(|number| *number < self.at),
                };
                if let Some(next) = next {
                    self.go(next);
                }
            }
            Action::Scroll(by) => {
                self.scrolled = self.scrolled.saturating_add_signed(-by * PAGE).min(10_000);
            }
            _ => {}
        }
    }

    /// The entry of a turning point.
    fn number_of(&self, point: &TurningPoint) -> usize {
        let mut plies = self.review.plies.iter();
        plies.position(|ply| ply.ply == point.ply).unwrap_or(0)
    }

    /// Goes to this entry, or to the last one.
    pub(in crate::screen) fn go(&mut self, number: usize) {
        self.at = number.min(self.review.plies.len().saturating_sub(1));
        self.scrolled = 0;
        self.position = self.played();
    }

    /// The position after the shown move.
    fn played(&self) -> Option<Position> {
        let mut position = Position::parse(&self.review.start).ok()?;
        for ply in self.review.plies.get(1..=self.at).unwrap_or_default() {
            let mv = position.parse_move(ply.seat?, ply.mv.as_ref()?).ok()?;
            position = position.play(&mv);
        }
        Some(position)
    }

    /// The shown entry.
    pub(in crate::screen) fn shown(&self) -> Option<&'r PlyReview> {
        self.review.plies.get(self.at)
    }

    /// What is said about the shown move.
    pub(in crate::screen) fn reasons(&self) -> String {
        let Some(shown) = self.shown() else {
            return "The review has no moves.".to_owned();
        };
        let Some((seat, mv)) = shown.seat.zip(shown.mv.as_ref()) else {
            let mut lines = self.review.about();
            if self.review.turning_points.is_empty() {
                lines.push(self.review.no_turning_points().into_owned());
            }
            return lines.join("\n");
        };
        let name = self.review.name(seat, 40);
        let mark = shown.mark.map_or(String::new(), |mark| {
            format!(" {}: {}", mark.as_str(), mark.meaning())
        });
        let mut lines = vec![format!("Move {}, {name}: {mv}{mark}", shown.ply)];
        let points = &self.review.turning_points;
        if let Some(point) = points.iter().find(|point| point.ply == shown.ply) {
            lines.push(self.review.change(point));
            lines.push(format!("Better: {}.", point.kept()));
            if let Some(why) = &point.why {
                lines.extend(why.lines.iter().cloned());
            }
        }
        lines.join("\n")
    }
}

/// Who can force the win: a letter on the player's side, `=` for a draw, `?` where it is not known.
pub(in crate::screen) fn holder(ply: &PlyReview) -> &'static str {
    match ply.wins {
        Some(Outcome::First) => "A : .",
        Some(Outcome::Second) => ". : B",
        Some(Outcome::Draw | Outcome::Void) => ". = .",
        None => ". ? .",
    }
}

/// The letter of a player.
pub(in crate::screen) fn letter(seat: Seat) -> char {
    match seat {
        Seat::First => 'A',
        Seat::Second => 'B',
    }
}
