//! The review as plain ASCII text; only names keep the letters they have.

use std::fmt;

use unicode_width::UnicodeWidthStr;

use super::column::{cut, padded};
use super::graph::{Rope, value_bars};
use super::{Mark, PlyReview, Review, TurningPoint};
use crate::event::{EndReason, Outcome, TimeControl};
use crate::ids::Seat;
use crate::record::date_text;

/// Letters of a name in the table.
const NAME: usize = 12;
/// Letters of a move in the table; longer ones are cut.
const MOVE: usize = 24;

impl fmt::Display for Review {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_head(f)?;
        self.write_turning_points(f)?;
        self.write_table(f)?;
        self.write_summary(f)?;
        for point in &self.turning_points {
            self.write_why(f, point)?;
        }
        self.write_gaps(f)
    }
}

impl Review {
    /// The player's name, cut to a width, without characters that move the cursor or change the direction of writing.
    fn name(&self, seat: Seat, most: usize) -> String {
        match self.player(seat) {
            Some(player) => cut(&player.name, most),
            None => seat.to_string(),
        }
    }

    fn write_head(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let result = match self.outcome {
            Some(Outcome::First) => "1-0",
            Some(Outcome::Second) => "0-1",
            Some(Outcome::Draw) => "1/2-1/2",
            Some(Outcome::Void) => "void",
            None => "against",
        };
        let [first, second] = Seat::BOTH.map(|seat| self.name(seat, usize::MAX));
        let rule = if self.misere {
            "misere play"
        } else {
            "normal play"
        };
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
        write!(
            f,
            "{first} {result} {second}{how}   {}   {rule}   {}",
            cut(&self.start, 60),
            counted(self.plies_total, "ply", "plies")
        )?;
        if self.clock != (TimeControl::Untimed {}) {
            write!(f, "   {}", self.clock)?;
        }
        writeln!(f, "   {}", date_text(self.created_at_ms))
    }

    fn write_turning_points(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\nTurning points")?;
        if self.turning_points.is_empty() {
            let known = match self.unknown_positions {
                0 if self.conceded().is_some() => "none by a move",
                0 if !self.had_a_win() => "none: neither player ever had a won position",
                0 => "none: the player with the win never gave it away",
                _ => "none found",
            };
            writeln!(f, "  {known}")?;
            return self.write_conceded(f);
        }
        let rows: Vec<[String; 3]> = self
            .turning_points
            .iter()
            .map(|point| {
                [
                    self.name(point.seat, NAME),
                    cut(&point.mv, MOVE),
                    kept(point),
                ]
            })
            .collect();
        let width = |column: usize| {
            rows.iter()
                .map(|row| row[column].width())
                .max()
                .unwrap_or(0)
        };
        let widths = [width(0), width(1), width(2)];
        let last = self.turning_points.last().map_or(0, |point| point.ply.0);
        let digits = last.to_string().len().max(3);
        for (point, row) in self.turning_points.iter().zip(&rows) {
            let [name, mv, kept] = [0, 1, 2].map(|column| padded(&row[column], widths[column]));
            let from = match point.drawn {
                true => "draw".to_owned(),
                false => self.name(point.seat, NAME),
            };
            let left = self.plies.iter().find(|ply| ply.ply == point.ply);
            let to = match left.and_then(|ply| ply.wins) {
                Some(Outcome::Draw) => "draw".to_owned(),
                _ => self.name(point.seat.other(), NAME),
            };
            write!(
                f,
                "{:>digits$}. {name}  {mv} ??   {kept}   {from} -> {to}",
                point.ply.0
            )?;
            let decisive = self.decisive_ply == Some(point.ply);
            writeln!(f, "{}", if decisive { "   decisive" } else { "" })?;
        }
        self.write_conceded(f)
    }

    /// A win that a player gave away without a move.
    fn write_conceded(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(seat) = self.conceded() else {
            return Ok(());
        };
        let how = match self.reason {
            Some(EndReason::Time) => "ran out of time",
            _ => "gave up",
        };
        writeln!(
            f,
            "  {} {how} in a won position   decisive",
            self.name(seat, usize::MAX)
        )
    }

    fn write_table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Seat::BOTH.map(|seat| self.name(seat, NAME));
        let words = [
            format!("{} wins now", names[0]),
            format!("{} wins now", names[1]),
        ];
        let rope = Rope::new(&self.plies, words[0].width().max(words[1].width()));
        let who = names[0].width().max(names[1].width()).max(3);
        let moves = self.plies.iter().filter_map(|ply| ply.mv.as_deref());
        let mv = moves
            .map(UnicodeWidthStr::width)
            .max()
            .unwrap_or(0)
            .clamp(9, MOVE);
        let digits = self.plies_total.to_string().len().max(3);
        let numbers: Vec<[String; 2]> = self.plies.iter().map(|ply| self.numbers(ply)).collect();
        let width = |column: usize| {
            numbers
                .iter()
                .map(|row| row[column].len())
                .max()
                .unwrap_or(0)
        };
        let (left, value) = (width(0).max(4), width(1).max(3));

        let head = rope.head(&words[0], &words[1]);
        writeln!(
            f,
            "\n{:>digits$} {:who$} {:mv$}     {head}  {:>left$} {:>value$}",
            "ply", "who", "move", "left", "val"
        )?;
        for (ply, number) in self.plies.iter().zip(&numbers) {
            let name = ply.seat.map_or("", |seat| &names[seat.index()]);
            let played = cut(ply.mv.as_deref().unwrap_or("start"), MOVE);
            writeln!(
                f,
                "{:>digits$} {} {} {:<2} |{}| {:>left$} {:>value$}",
                ply.ply.0,
                padded(name, who),
                padded(&played, mv),
                ply.mark.map_or("", Mark::as_str),
                rope.row(ply),
                number[0],
                number[1]
            )?;
        }
        writeln!(
            f,
            "\nA: {} wins, B: {} wins; the closer to the edge, the fewer plies remain.",
            names[0], names[1]
        )?;
        if let Some(plies) = rope.plies_a_column() {
            writeln!(f, "Each column is about {plies:.1} plies.")?;
        }
        self.write_bars(f)
    }

    /// The cell for remoteness or value: `?` if unknown, `-` if there is none.
    fn numbers(&self, ply: &PlyReview) -> [String; 2] {
        let known = |number: Option<u64>| number.map_or("?".to_owned(), |n| n.to_string());
        let value = match (&ply.value, self.misere) {
            (_, true) => "-".to_owned(),
            (Some(number), false) => cut(number, MOVE),
            (None, false) => known(ply.nim_value),
        };
        [known(ply.left), value]
    }

    /// The bars, if some remoteness is unknown.
    fn write_bars(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all_known = self.plies.iter().all(|ply| ply.left.is_some());
        let bars = value_bars(self);
        if all_known || bars.is_empty() {
            return Ok(());
        }
        writeln!(
            f,
            "\nOne bar per ply; no bar means that the player who just moved has the win."
        )?;
        bars.iter()
            .try_for_each(|line| writeln!(f, "{}", line.trim_end()))
    }

    fn write_summary(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Seat::BOTH.map(|seat| self.name(seat, NAME));
        let who = names[0].width().max(names[1].width());
        write!(f, "\n{:who$}  chances kept   bits found         ", "")?;
        for mark in Mark::ALL {
            write!(f, "{mark:>4}")?;
        }
        writeln!(f)?;
        for (seat, name) in Seat::BOTH.into_iter().zip(&names) {
            let summary = self.summary.of(seat);
            let kept = format!("{} of {}", summary.kept, summary.chances);
            let bits = format!("{:.1} of {:.1}", summary.bits_found, summary.bits_offered);
            let share = match summary.bits_offered > 0.0 {
                true => format!("{:.0}%", 100.0 * summary.bits_found / summary.bits_offered),
                false => "-".to_owned(),
            };
            write!(
                f,
                "{}  {kept:<12}   {bits:<13} {share:>4}",
                padded(name, who)
            )?;
            for mark in Mark::ALL {
                write!(f, "{:>4}", summary.marks.of(mark))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }

    fn write_why(&self, f: &mut fmt::Formatter<'_>, point: &TurningPoint) -> fmt::Result {
        if point.why.is_empty() {
            return Ok(());
        }
        let position = point.position.as_deref().unwrap_or("this position");
        writeln!(f, "\nWhy ply {}: {}", point.ply.0, cut(position, 60))?;
        for line in &point.why {
            writeln!(f, "  {}", line.trim_end())?;
        }
        write!(f, "  {}", point.mv)?;
        let left = self.plies.iter().find(|ply| ply.ply == point.ply);
        let left_a_draw = left.is_some_and(|ply| ply.wins == Some(Outcome::Draw));
        match point.left_value {
            Some(value) => write!(f, " left nim-value {value}")?,
            None if left_a_draw => write!(f, " left a draw")?,
            None => write!(f, " left a position that the opponent wins")?,
        }
        match &point.answer {
            Some(answer) => writeln!(f, ", and {answer} answered it."),
            None => writeln!(f, "."),
        }
    }

    /// The facts that were not found.
    fn write_gaps(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.unknown_positions > 0 {
            let positions = counted(self.unknown_positions, "position is", "positions are");
            writeln!(
                f,
                "\n{positions} unknown within the budget; no mark depends on them."
            )?;
        }
        let without_bits: u32 = Seat::BOTH
            .iter()
            .map(|seat| self.summary.of(*seat).chances_without_bits)
            .sum();
        if without_bits > 0 {
            let chances = counted(without_bits, "chance is", "chances are");
            writeln!(
                f,
                "\n{chances} not counted in the bits, because the winning moves could not be counted."
            )?;
        }
        if self.traps_unknown > 0 {
            let moves = counted(self.traps_unknown, "move", "moves");
            writeln!(
                f,
                "\n{moves} from lost positions had too many alternatives to be marked !? or ?!."
            )?;
        }
        Ok(())
    }
}

/// The moves that would have kept the win.
fn kept(point: &TurningPoint) -> String {
    let moves = &point.winning_moves;
    let total = point.winning_moves_total;
    let others = total.map(|total| total.saturating_sub(moves.len() as u64));
    let named = match (moves.as_slice(), others) {
        _ if point.drawn => return "there was a draw".to_owned(),
        ([], _) => return "there was a win".to_owned(),
        ([only], Some(0)) => format!("only {}", cut(only, MOVE)),
        ([rest @ .., last], Some(0)) => format!("{} or {last}", rest.join(", ")),
        (_, Some(1)) => format!("{} or 1 other", moves.join(", ")),
        (_, Some(others)) => format!("{} or {others} others", moves.join(", ")),
        (_, None) => format!("{} or others", moves.join(", ")),
    };
    let odds = match (total, point.legal_moves) {
        (Some(total), Some(legal)) => format!(" ({total} of {legal})"),
        _ => String::new(),
    };
    format!("{named} would have kept the win{odds}")
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
        let point = |total| TurningPoint {
            ply: Ply(1),
            seat: Seat::First,
            mv: "A-1".to_owned(),
            winning_moves: vec!["A-2".to_owned(), "B-2".to_owned()],
            winning_moves_total: Some(total),
            legal_moves: Some(9),
            drawn: false,
            left_value: None,
            answer: None,
            position: None,
            why: Vec::new(),
        };
        assert_eq!(
            kept(&point(2)),
            "A-2 or B-2 would have kept the win (2 of 9)"
        );
        assert_eq!(
            kept(&point(3)),
            "A-2, B-2 or 1 other would have kept the win (3 of 9)"
        );
        assert_eq!(
            kept(&point(4)),
            "A-2, B-2 or 2 others would have kept the win (4 of 9)"
        );
    }
}
