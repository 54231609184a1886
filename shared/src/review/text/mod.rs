//! The review as plain ASCII text; only names keep the letters they have.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

use unicode_width::UnicodeWidthStr;

mod cells;
mod legend;
mod table;
mod totals;

use super::column::{cut, padded};
use super::{Review, TurningPoint};
use crate::event::{EndReason, Outcome, TimeControl};
use crate::ids::Seat;
use crate::record::date_text;
pub use cells::span;
use cells::{MOVE, NAME};
pub use totals::Figures;

/// Columns of a text that no screen limits.
const USUAL_WIDTH: usize = 100;
/// Letters of a line of a reason.
const LINE: usize = 400;

impl fmt::Display for Review {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Page::new(self, USUAL_WIDTH).write(f)
    }
}

impl Review {
    /// The review for a screen of so many columns, 40 or more. Tables fit it; lines of sentences may be longer, and are to be
    /// broken between words. O(plies).
    #[must_use]
    pub fn text(&self, width: usize) -> String {
        struct Sized<'r>(Page<'r>);
        impl fmt::Display for Sized<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.write(f)
            }
        }
        Sized(Page::new(self, width)).to_string()
    }

    /// The player's name, cut to a width, without characters that move the cursor or change the direction of writing.
    #[must_use]
    pub fn name(&self, seat: Seat, most: usize) -> String {
        match self.player(seat) {
            Some(player) => cut(&player.name, most),
            None => seat.to_string(),
        }
    }

    /// Who played and how it ended: `Ada 1-0 bo-bot by resignation`.
    #[must_use]
    pub fn title(&self) -> String {
        let result = match self.outcome {
            Some(Outcome::First) => "1-0",
            Some(Outcome::Second) => "0-1",
            Some(Outcome::Draw) => "1/2-1/2",
            Some(Outcome::Void) => "void",
            None => "against",
        };
        let [first, second] = Seat::BOTH.map(|seat| self.name(seat, usize::MAX));
        let how = match self.reason {
            None | Some(EndReason::LastMove) => "",
            Some(EndReason::Resignation) => " by resignation",
            Some(EndReason::Time) => " on time",
            Some(EndReason::Repetition) => " by repetition",
            Some(EndReason::Agreement) => " by agreement",
            Some(EndReason::Aborted) => ", called off",
            Some(EndReason::Abandoned) => ", left by a player",
            Some(EndReason::Expired) => ", abandoned",
            Some(EndReason::Outgrown) => ", too long to go on",
            Some(EndReason::NoStart) => ", not begun",
            Some(EndReason::NoShow) => " by no-show",
            Some(EndReason::Disconnected) => " by disconnection",
            Some(EndReason::Withdrawn) => " by withdrawal",
            Some(EndReason::Cancelled) => ", cancelled",
            Some(EndReason::Operator) => ", ended by an operator",
        };
        format!("{first} {result} {second}{how}")
    }

    /// What was played: the start, the end rule, the number of plies, the clock and the day.
    #[must_use]
    pub fn about(&self) -> Vec<String> {
        let rule = if self.misere {
            "misere play"
        } else {
            "normal play"
        };
        let mut about = vec![
            cut(&self.start, 60),
            rule.to_owned(),
            counted(self.plies_total, "ply", "plies"),
        ];
        if self.clock != (TimeControl::Untimed {}) {
            about.push(self.clock.to_string());
        }
        about.push(date_text(self.created_at_ms).to_string());
        about
    }

    fn write_head(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}   {}", self.title(), self.about().join("   "))
    }

    /// What is said where no turning point is shown. In a review of which only one player's turning points are left, it speaks of this player.
    #[must_use]
    pub fn no_turning_points(&self) -> Cow<'static, str> {
        let conceded = self.conceded();
        // The counts are those of the whole match.
        let blunders = Seat::BOTH.map(|seat| self.blunders(seat));
        let shown = match blunders {
            _ if self.unknown_positions > 0 => return "none found".into(),
            [0, 0] => None,
            [0, _] => Some(Seat::First),
            [_, 0] => Some(Seat::Second),
            _ => return "none found".into(),
        };
        match shown {
            Some(shown) if conceded != Some(shown) => {
                let name = self.name(shown, usize::MAX);
                let what = match self.plies.iter().any(|ply| ply.wins == Some(Outcome::Draw)) {
                    true => "a win or a draw",
                    false => "a win",
                };
                format!("none: {name} never gave {what} away").into()
            }
            None if conceded.is_none() && !self.had_a_win() => {
                "none: neither player ever had a won position".into()
            }
            None if conceded.is_none() => "none: the player with the win never gave it away".into(),
            _ => "none by a move".into(),
        }
    }

    /// A win that a player gave away without a move, in words.
    #[must_use]
    pub fn conceded_in_words(&self) -> Option<String> {
        let seat = self.conceded()?;
        let how = match self.reason {
            Some(EndReason::Time) => "ran out of time",
            _ => "gave up",
        };
        let name = self.name(seat, usize::MAX);
        Some(format!("{name} {how} in a won position"))
    }

    fn write_conceded(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.conceded_in_words() {
            Some(words) => writeln!(f, "  {words}   decisive"),
            None => Ok(()),
        }
    }

    fn write_why(&self, f: &mut fmt::Formatter<'_>, point: &TurningPoint) -> fmt::Result {
        let Some(why) = &point.why else {
            return Ok(());
        };
        writeln!(
            f,
            "\nWhy ply {}, {} to move:",
            point.ply.0,
            self.name(point.seat, NAME)
        )?;
        for line in &why.lines {
            writeln!(f, "{}", format!("  {}", cut(line, LINE)).trim_end())?;
        }
        match &point.answer {
            Some(answer) => writeln!(f, "  {} was answered by {answer}.", point.mv),
            None => Ok(()),
        }
    }

    /// The facts that were not found, in sentences.
    #[must_use]
    pub fn gaps(&self) -> Vec<String> {
        let mut gaps = Vec::new();
        if self.unknown_positions > 0 {
            let positions = counted(self.unknown_positions, "position is", "positions are");
            gaps.push(format!(
                "{positions} unknown within the budget; no mark depends on them."
            ));
            let tried = self.plies.iter().filter_map(|ply| ply.tried.as_deref());
            let tried = tried.map(|tried| tried.strip_prefix("tried ").unwrap_or(tried));
            let tried: BTreeSet<&str> = tried.filter(|tried| !tried.is_empty()).collect();
            if !tried.is_empty() {
                let tried: Vec<&str> = tried.into_iter().collect();
                gaps.push(format!("Methods tried: {}.", tried.join("; ")));
            }
            gaps.push("To give them more time, use --budget.".to_owned());
        }
        let seats = Seat::BOTH.iter();
        let without_bits: u32 = seats
            .map(|seat| self.summary.of(*seat).chances_without_bits)
            .sum();
        if without_bits > 0 {
            let chances = counted(without_bits, "chance is", "chances are");
            gaps.push(format!(
                "{chances} not counted in the bits, because the winning moves could not be counted."
            ));
        }
        gaps.extend(self.trap_gaps());
        gaps
    }

    /// The moves from lost positions that were not compared with their alternatives: a sentence for each cause.
    fn trap_gaps(&self) -> impl Iterator<Item = String> {
        let why = self.traps_unknown_why;
        let causes = [
            (why.alternatives, "too many alternatives"),
            (why.hard, "alternatives that are too hard to solve"),
        ];
        let had = causes
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| {
                let moves = counted(count, "move", "moves");
                format!("{moves} from lost positions had {what}, and could not be marked !? or ?!.")
            });
        let budget = (why.budget > 0).then(|| {
            let moves = counted(why.budget, "move", "moves");
            format!(
                "The budget was used up before {moves} from lost positions could be marked !? or ?!."
            )
        });
        had.chain(budget)
    }

    /// Who asked for hints, in sentences: `Ada asked for 2 hints before move 3.`
    #[must_use]
    pub fn hints_in_words(&self) -> Vec<String> {
        let helped = self.plies.iter().filter(|ply| ply.hints > 0);
        let words = helped.filter_map(|ply| {
            let name = self.name(ply.seat?, usize::MAX);
            let hints = counted(ply.hints, "hint", "hints");
            Some(format!("{name} asked for {hints} before move {}.", ply.ply))
        });
        words.collect()
    }

    fn write_hints(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hints = self.hints_in_words();
        match hints.is_empty() {
            true => Ok(()),
            false => writeln!(f, "\n{}", hints.join(" ")),
        }
    }

    fn write_gaps(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.gaps()
            .iter()
            .try_for_each(|gap| writeln!(f, "\n{gap}"))
    }
}

/// A review on a screen.
struct Page<'r> {
    review: &'r Review,
    width: usize,
}

impl<'r> Page<'r> {
    fn new(review: &'r Review, width: usize) -> Self {
        Self { review, width }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let review = self.review;
        review.write_head(f)?;
        self.write_turning_points(f)?;
        table::write(review, self.width, f)?;
        legend::write(review, f)?;
        totals::write(review, self.width, f)?;
        for point in &review.turning_points {
            review.write_why(f, point)?;
        }
        review.write_hints(f)?;
        review.write_gaps(f)
    }

    fn write_turning_points(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let review = self.review;
        writeln!(f, "\nTurning points")?;
        if review.turning_points.is_empty() {
            writeln!(f, "  {}", review.no_turning_points())?;
            return review.write_conceded(f);
        }
        let rows: Vec<[String; 4]> = review
            .turning_points
            .iter()
            .map(|point| {
                [
                    review.name(point.seat, NAME),
                    cut(&point.mv, MOVE),
                    point.kept(),
                    review.change(point),
                ]
            })
            .collect();
        let width = |column: usize| {
            let cells = rows.iter().map(|row| row[column].width());
            cells.max().unwrap_or(0)
        };
        let widths = [width(0), width(1), width(2)];
        let last = review.turning_points.last().map_or(0, |point| point.ply.0);
        let digits = last.to_string().len().max(3);
        let whole = digits + widths.iter().sum::<usize>() + width(3) + 15;
        let indent = " ".repeat(digits + 2);
        for (point, row) in review.turning_points.iter().zip(&rows) {
            let [name, mv, kept] = [0, 1, 2].map(|column| padded(&row[column], widths[column]));
            let change = &row[3];
            let ply = point.ply.0;
            match whole <= self.width {
                true => writeln!(f, "{ply:>digits$}. {name}  {mv} ??   {kept}   {change}")?,
                false => {
                    writeln!(f, "{ply:>digits$}. {} {} ??", row[0], row[1])?;
                    writeln!(f, "{indent}{}", row[2])?;
                    writeln!(f, "{indent}{change}")?;
                }
            }
        }
        review.write_conceded(f)
    }
}

impl Review {
    /// From whom the win went to whom.
    #[must_use]
    pub fn change(&self, point: &TurningPoint) -> String {
        let review = self;
        let from = match point.drawn {
            true => "draw".to_owned(),
            false => review.name(point.seat, NAME),
        };
        let left = review.plies.iter().find(|ply| ply.ply == point.ply);
        let to = match left.and_then(|ply| ply.wins) {
            Some(Outcome::Draw) => "draw".to_owned(),
            _ => review.name(point.seat.other(), NAME),
        };
        let decisive = match review.decisive_ply == Some(point.ply) {
            true => "   decisive",
            false => "",
        };
        format!("{from} -> {to}{decisive}")
    }
}

impl TurningPoint {
    /// The moves that would have kept the win or the draw, in words.
    #[must_use]
    pub fn kept(&self) -> String {
        let point = self;
        let moves = &point.winning_moves;
        let total = point.winning_moves_total;
        let others = total.map(|total| total.saturating_sub(moves.len() as u64));
        let named = match (moves.as_slice(), others) {
            _ if point.drawn => {
                return match point.best() {
                    Some(best) => format!("{} would have kept the draw", cut(best, MOVE)),
                    None => "there was a draw".to_owned(),
                };
            }
            ([], _) => return "there was a win".to_owned(),
            ([only], Some(0)) => format!("only {}", cut(only, MOVE)),
            ([rest @ .., last], Some(0)) => format!("{} or {last}", rest.join(", ")),
            (_, Some(1)) => format!("{} or 1 other", moves.join(", ")),
            (_, Some(others)) => format!("{} or {others} others", moves.join(", ")),
            (_, None) => {
                return format!("for example {} would have kept the win", moves.join(", "));
            }
        };
        let odds = match (total, point.legal_moves) {
            (Some(total), Some(legal)) => format!(" ({total} of {legal})"),
            _ => String::new(),
        };
        format!("{named} would have kept the win{odds}")
    }
}

fn counted(count: u32, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::Ply;

    #[test]
    fn winning_moves_that_are_not_named_are_counted() {
        let point = |total: Option<u64>| TurningPoint {
            ply: Ply(1),
            seat: Seat::First,
            mv: "A-1".to_owned(),
            winning_moves: vec!["A-2".to_owned(), "B-2".to_owned()],
            winning_moves_total: total,
            legal_moves: Some(9),
            drawn: false,
            left_value: None,
            answer: None,
            position: None,
            why: None,
        };
        assert_eq!(
            point(Some(2)).kept(),
            "A-2 or B-2 would have kept the win (2 of 9)"
        );
        assert_eq!(
            point(Some(3)).kept(),
            "A-2, B-2 or 1 other would have kept the win (3 of 9)"
        );
        assert_eq!(
            point(Some(4)).kept(),
            "A-2, B-2 or 2 others would have kept the win (4 of 9)"
        );
        assert_eq!(
            point(None).kept(),
            "for example A-2, B-2 would have kept the win"
        );
    }
}
