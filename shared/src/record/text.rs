//! The readable form of a record. It is for eyes, not for reading back: the canonical form is the NDJSON.

use std::fmt::Write;

use super::Record;
use crate::event::{EndReason, Outcome, PlayerInfo, TimeControl};
use crate::game::EndRule;
use crate::ids::{Millis, Ply, Seat};
use crate::referee::Referee;

impl Record {
    /// Header tags, and one line a ply: its number, the player's side, the move, its mark and the time left to the
    /// mover. `marks` has one mark a ply, in order, and may be shorter or empty.
    #[must_use]
    pub fn to_text(&self, marks: &[&str]) -> String {
        let referee = self.referee();
        let mut text = String::new();
        for (name, value) in tags(self) {
            // A String takes everything that is written to it.
            let _ = writeln!(text, "[{name} \"{}\"]", escaped(&value));
        }
        text.push('\n');
        let moves = referee.moves();
        let widest = moves.iter().map(|played| played.text.len()).max();
        let (digits, widest) = (moves.len().to_string().len(), widest.unwrap_or(0));
        for (index, (played, ply)) in moves.iter().zip(0..).enumerate() {
            let seat = Seat::to_move_at(Ply(ply));
            let mark = marks.get(index).unwrap_or(&"");
            let clock = played
                .clocks
                .map_or(String::new(), |clocks| clock_text(clocks.of(seat)));
            let line = format!(
                "{:>digits$}. {seat:<6}  {:<widest$}  {mark:<2}  {clock}",
                ply + 1,
                played.text
            );
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

fn tags(record: &Record) -> Vec<(&'static str, String)> {
    let referee = record.referee();
    let player = |seat| referee.player(seat).map_or("?".to_owned(), titled);
    let end_rule = match referee.start().end_rule() {
        EndRule::Normal => "normal play",
        EndRule::Misere => "misere play",
    };
    let titles: Vec<&str> = referee
        .start()
        .games()
        .iter()
        .map(|game| game.title)
        .collect();
    let mut rules = vec![titles.join(" + ")];
    let compound = referee.start().compound().title();
    rules.extend((!compound.is_empty()).then(|| compound.to_owned()));
    rules.push(end_rule.to_owned());
    let mut tags = vec![
        ("Match", record.match_id().to_string()),
        ("Date", date_text(referee.created_at())),
        ("Rules", rules.join(", ")),
        ("Start", referee.start().to_string()),
        ("First", player(Seat::First)),
        ("Second", player(Seat::Second)),
    ];
    let control = referee.clock_control();
    if control != (TimeControl::Untimed {}) {
        tags.push(("Clock", control.to_string()));
    }
    if let Some(earlier) = referee.rematch_of() {
        tags.push(("RematchOf", earlier.to_string()));
    }
    if let Some(series) = referee.series() {
        let place = format!("{}, game {} of {}", series.id, series.game, series.games);
        tags.push(("Series", place));
    }
    let taken_back = referee.taken_back().iter();
    let taken_back: Vec<_> = taken_back
        .map(|(ply, played)| format!("{ply}. {}", played.text))
        .collect();
    if !taken_back.is_empty() {
        tags.push(("TakenBack", taken_back.join(", ")));
    }
    let result = match referee.outcome() {
        Some((Outcome::First, _)) => "1-0",
        Some((Outcome::Second, _)) => "0-1",
        Some((Outcome::Draw, _)) => "1/2-1/2",
        Some((Outcome::Void, _)) => "void",
        None => "*",
    };
    tags.push(("Result", result.to_owned()));
    tags.push(("Termination", termination(referee)));
    tags
}

fn titled(player: &PlayerInfo) -> String {
    match player.bot {
        true => format!("{} (bot)", player.name),
        false => player.name.clone(),
    }
}

/// How the match ended, in words.
fn termination(referee: &Referee) -> String {
    let Some((outcome, reason)) = referee.outcome() else {
        return "unfinished".to_owned();
    };
    let name = |seat| {
        referee
            .player(seat)
            .map_or(seat.to_string(), |player| player.name.clone())
    };
    match (reason, outcome.winner()) {
        (EndReason::LastMove, Some(winner)) => format!("last move: {} wins", name(winner)),
        (EndReason::Resignation, Some(winner)) => {
            format!("resignation: {} gave up", name(winner.other()))
        }
        (EndReason::Time, Some(winner)) => {
            format!("time: the flag of {} fell", name(winner.other()))
        }
        (EndReason::Agreement, _) => "agreement: both players wanted a draw".to_owned(),
        (EndReason::Aborted, _) => "called off before the second move".to_owned(),
        (EndReason::Abandoned, Some(winner)) => {
            format!("abandoned: {} stayed away", name(winner.other()))
        }
        (EndReason::Abandoned, None) => {
            "abandoned: called off because a player stayed away".to_owned()
        }
        (EndReason::Expired, _) => "expired: nobody was there to play".to_owned(),
        (EndReason::Repetition, _) => "repetition: a position came for the third time".to_owned(),
        (EndReason::Outgrown, _) => "outgrown: the match became too long".to_owned(),
        (EndReason::NoStart, _) => "not begun: the first move was not made in time".to_owned(),
        (EndReason::NoShow, Some(winner)) => {
            format!("no show: {} did not come in time", name(winner.other()))
        }
        (EndReason::NoShow, None) => "no show: neither player came in time".to_owned(),
        (EndReason::Disconnected, Some(winner)) => {
            format!("disconnected: {} was away too long", name(winner.other()))
        }
        (EndReason::Disconnected, None) => {
            "disconnected: both players were away too long".to_owned()
        }
        (EndReason::Withdrawn, Some(winner)) => {
            format!("withdrawn: {} left the tournament", name(winner.other()))
        }
        (EndReason::Withdrawn, None) => "withdrawn: both players left the tournament".to_owned(),
        (EndReason::Cancelled, _) => "cancelled with the tournament".to_owned(),
        (EndReason::Operator, _) => "ended by an operator of the server".to_owned(),
        (EndReason::LastMove | EndReason::Resignation | EndReason::Time, None) => {
            "nobody wins".to_owned()
        }
    }
}

/// Backslash and quote escaped, control characters by their number.
fn escaped(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for sign in value.chars() {
        match sign {
            '"' | '\\' => text.extend(['\\', sign]),
            _ if sign.is_control() => text.extend(sign.escape_unicode()),
            _ => text.push(sign),
        }
    }
    text
}

/// Time left as a clock shows it: `2:05.300`, `1:00:00`; thousandths only where there are some.
#[must_use]
pub fn clock_text(left: Millis) -> String {
    let (seconds, thousandths) = (left.0 / 1_000, left.0 % 1_000);
    let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    let mut text = match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    };
    if thousandths != 0 {
        let _ = write!(text, ".{thousandths:03}");
    }
    text
}

/// The day of a moment in UTC: `2026-11-21`. After Hinnant, *chrono-compatible low-level date algorithms* (2013): years
/// are counted from March, so that the leap day is the last, in eras of 400 years of 146,097 days.
#[must_use]
pub fn date_text(at: Millis) -> String {
    let days = at.0 / 86_400_000 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next_year) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    format!("{:04}-{month:02}-{day:02}", era * 400 + year + next_year)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        for (days, date) in [
            (0, "1970-01-01"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (20_778, "2026-11-21"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
        ] {
            assert_eq!(date_text(Millis(days * 86_400_000)), date);
            assert_eq!(date_text(Millis(days * 86_400_000 + 86_399_999)), date);
        }
        // No moment is too late to print.
        assert!(!date_text(Millis(u64::MAX)).is_empty());
    }

    #[test]
    fn clocks_read_like_clocks() {
        for (left, text) in [
            (0, "0:00"),
            (5_040, "0:05.040"),
            (182_000, "3:02"),
            (3_600_000, "1:00:00"),
            (86_399_999, "23:59:59.999"),
        ] {
            assert_eq!(clock_text(Millis(left)), text);
        }
    }

    #[test]
    fn a_name_cannot_break_a_tag() {
        assert_eq!(escaped("a\"]\n\\"), "a\\\"]\\u{a}\\\\");
    }
}
