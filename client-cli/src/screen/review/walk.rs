//! A walk through a review: which move is shown, its position, and what is said about it.

use grundy_shared::Position;
use grundy_shared::ids::Seat;
use grundy_shared::record::date_text;
use grundy_shared::review::{Mark, PlyReview, Review, TurningPoint};
use grundy_words::{Catalogue, Message, reason};

use crate::render::board::{Glyphs, Paint};
use crate::render::reviewed;
use crate::screen::keys::Action;
use crate::screen::theme::Theme;

/// Lines that a page key scrolls.
const PAGE: isize = 5;

/// A walk through a review.
pub(in crate::screen) struct Walk<'r> {
    pub(in crate::screen) review: &'r Review,
    pub(in crate::screen) theme: Theme,
    pub(in crate::screen) glyphs: Glyphs,
    pub(in crate::screen) words: &'static Catalogue,
    /// The number of the shown entry; 0 is the start.
    pub(in crate::screen) at: usize,
    /// Lines of the reasons that are scrolled away.
    pub(in crate::screen) scrolled: usize,
    /// What is said of the position that was just handed to the terminal.
    pub(in crate::screen) copied: Option<String>,
    /// The position after the shown move; `None` if the review does not say so.
    pub(in crate::screen) position: Option<Position>,
}

impl<'r> Walk<'r> {
    /// At the last turning point, or at the start where there is none.
    pub(in crate::screen) fn new(
        review: &'r Review,
        theme: Theme,
        glyphs: Glyphs,
        words: &'static Catalogue,
    ) -> Self {
        let mut walk = Self {
            review,
            theme,
            glyphs,
            words,
            at: 0,
            scrolled: 0,
            copied: None,
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
        (self.scrolled, self.copied) = (0, None);
        self.position = self.played(self.at);
    }

    /// The position before the shown move, and what was painted then.
    pub(in crate::screen) fn before(&self) -> Option<(Position, Paint)> {
        let at = self.at.checked_sub(1)?;
        Some((self.played(at)?, self.paint(at)))
    }

    /// What the moves up to this entry have painted.
    pub(in crate::screen) fn paint(&self, at: usize) -> Paint {
        let plies = self.review.plies.get(1..=at).unwrap_or_default();
        let moves = plies.iter().filter_map(|ply| ply.mv.as_deref());
        let start = Position::parse(&self.review.start);
        start.map_or_else(|_| Paint::default(), |start| Paint::of(&start, moves))
    }

    /// The position after the move of this entry.
    fn played(&self, at: usize) -> Option<Position> {
        let mut position = Position::parse(&self.review.start).ok()?;
        for ply in self.review.plies.get(1..=at).unwrap_or_default() {
            let mv = position.parse_move(ply.seat?, ply.mv.as_ref()?).ok()?;
            position = position.play(&mv);
        }
        Some(position)
    }

    /// The shown entry.
    pub(in crate::screen) fn shown(&self) -> Option<&'r PlyReview> {
        self.review.plies.get(self.at)
    }

    /// Who played, and the result.
    pub(in crate::screen) fn title(&self) -> String {
        reviewed::title(self.review, self.words)
    }

    /// What is said about the shown move.
    pub(in crate::screen) fn reasons(&self) -> String {
        let words = self.words;
        let Some(shown) = self.shown() else {
            return words.say("screen-no-moves");
        };
        let Some((seat, mv)) = shown.seat.zip(shown.mv.as_ref()) else {
            return self.beginning();
        };
        let move_made = Message::new("screen-move-made")
            .text("ply", shown.ply)
            .text("name", self.review.name(seat, 40))
            .text("move", mv);
        let mark = shown.mark.map_or("", Mark::as_str);
        let made = move_made.text("mark", mark).said(words);
        let points = &self.review.turning_points;
        let point = points.iter().find(|point| point.ply == shown.ply);
        let meant = shown.mark.filter(|_| point.is_none());
        let meant = meant.map(|mark| words.say(grundy_words::mark(mark)));
        let mut said: Vec<String> = [made].into_iter().chain(meant).collect();
        let mut lines = Vec::new();
        if let Some(point) = point {
            said.push(words.say(match point.drawn {
                true => "review-gave-draw",
                false => "review-gave-win",
            }));
            said.extend(reviewed::kept(point, words));
            if let Some(why) = &point.why {
                lines = reason::lines(why, words.language());
            }
        }
        lines.insert(0, words.sentences(&said));
        lines.join("\n")
    }

    /// What is said at the start: what was played, and whether anything was given away.
    fn beginning(&self) -> String {
        let (review, words) = (self.review, self.words);
        let about = Message::new("screen-about")
            .text("start", &review.start)
            .number("count", review.plies_total.into())
            .text("date", date_text(review.created_at_ms));
        let nothing = match (review.unknown_positions > 0, review.conceded()) {
            _ if !review.turning_points.is_empty() => None,
            (true, _) => Some("review-nothing-known"),
            (false, Some(_)) => Some("review-conceded"),
            (false, None) if !review.had_a_win() => Some("review-no-win"),
            (false, None) => Some("review-never-lost"),
        };
        let nothing = nothing.map(|message| words.say(message));
        let lines: Vec<String> = [about.said(words)].into_iter().chain(nothing).collect();
        lines.join("\n")
    }
}

/// The letter of a player.
pub(in crate::screen) fn letter(seat: Seat) -> char {
    match seat {
        Seat::First => 'A',
        Seat::Second => 'B',
    }
}
