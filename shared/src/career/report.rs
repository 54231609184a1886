//! The facts of a career, ready to be printed.

use serde::Serialize;

use super::bucket::Range;
use super::calendar::{Day, PeriodLength};
use super::missed::MissedPosition;
use super::opening::Opening;
use super::opponent::Opponent;
use super::share::Share;
use super::tally::{Figures, Tally};
use super::theme::ThemeRow;
use super::{Career, OfDay};

/// The form of the JSON.
pub const SCHEMA: &str = "grundy/stats-player/1";

/// What is known of a player's matches.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// Always [`SCHEMA`].
    pub schema: &'static str,
    /// The name that was asked for; `null` if it is the user.
    pub player: Option<String>,
    /// All families of games together.
    pub total: Figures,
    /// Each family of games, that of the most matches first.
    pub families: Vec<FamilyRow>,
    /// The length of the periods of the trend.
    pub trend_by: PeriodLength,
    /// The periods with matches, the earliest first.
    pub trend: Vec<Period>,
    /// Decisions by the number of the move in the match.
    pub plies: Vec<Range>,
    /// Decisions by the time that the move took, in milliseconds, where it is known.
    pub time_used_ms: Vec<Range>,
    /// Decisions by the time left on the clock after the move, in milliseconds, in matches with clocks.
    pub time_left_ms: Vec<Range>,
    /// Wins that were given away, by the idea that would have won.
    pub themes: Vec<ThemeRow>,
    /// The positions missed most often.
    pub missed: Vec<MissedPosition>,
    /// All positions that were missed, also those beyond the rows.
    pub missed_positions: u64,
    /// The start positions played most often.
    pub openings: Vec<Opening>,
    /// All start positions.
    pub start_positions: u64,
    /// The opponents met most often.
    pub opponents: Vec<Opponent>,
    /// All opponents.
    pub opponents_total: u64,
    /// What is not counted.
    pub left_out: LeftOut,
}

/// The figures of one family.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FamilyRow {
    /// The family: the name of a game, or `sum`.
    pub family: &'static str,
    /// Its figures.
    #[serde(flatten)]
    pub figures: Figures,
}

/// One period of the trend.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Period {
    /// Its first day: `2026-11-01`.
    pub from: String,
    /// The number of that day since 1970-01-01, for pictures.
    #[serde(skip)]
    pub first_day: Day,
    /// Matches that began in it.
    pub matches: u64,
    /// Wins and draws that were given away in them.
    pub mistakes: u64,
    /// The decisions, and how many kept the win.
    #[serde(flatten)]
    pub share: Share,
}

/// What is not counted, because it does not count, is not known, or had no room.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct LeftOut {
    /// Matches that are not over, or were called off.
    pub uncounted: u64,
    /// Matches with a position that the budget did not suffice for. The other positions count.
    pub not_solved: u64,
    /// Mistakes that are not among [`Report::themes`]: draws that were given away, positions whose text is longer than 256 bytes, and all
    /// but the first 16 of a match.
    pub themes: u64,
    /// Moves from positions that are not among [`Report::missed`], because the text is longer than 256 bytes or there are too many.
    pub positions: u64,
    /// Matches from start positions that are not among [`Report::openings`], for the same reasons.
    pub openings: u64,
    /// Matches against opponents who are not among [`Report::opponents`], because there are too many.
    pub opponents: u64,
}

impl Career {
    /// The facts so far, of the player with this name, or of the user. At most `rows` missed positions, openings and opponents are listed; the trend
    /// has periods of this length, or of one that suits it. O(n log n) in what is kept, and a fit of skill for each family.
    #[must_use]
    pub fn report(&self, player: Option<&str>, rows: usize, by: Option<PeriodLength>) -> Report {
        let trend_by = by.unwrap_or_else(|| PeriodLength::usual(self.days.keys().copied()));
        let family = |(family, tally): (&crate::rated::Family, &Tally)| FamilyRow {
            family: family.name(),
            figures: tally.figures(),
        };
        let mut families: Vec<FamilyRow> = self.families.iter().map(family).collect();
        families.sort_by_key(|row| std::cmp::Reverse(row.figures.matches));
        let (missed, missed_positions) = first(self.missed.rows(), rows);
        let (openings, start_positions) = first(self.openings.rows(), rows);
        let (opponents, opponents_total) = first(self.opponents.rows(), rows);
        Report {
            schema: SCHEMA,
            player: player.map(str::to_owned),
            total: Tally::total(self.families.values()),
            families,
            trend_by,
            trend: self.trend(trend_by),
            plies: self.plies.rows(),
            time_used_ms: self.used.rows(),
            time_left_ms: self.left.rows(),
            themes: self.themes.rows(),
            missed,
            missed_positions,
            openings,
            start_positions,
            opponents,
            opponents_total,
            left_out: LeftOut {
                uncounted: self.uncounted,
                not_solved: self.not_solved,
                themes: self.themes.left_out(),
                positions: self.missed.left_out(),
                openings: self.openings.left_out(),
                opponents: self.opponents.left_out(),
            },
        }
    }

    fn trend(&self, by: PeriodLength) -> Vec<Period> {
        let mut periods: Vec<(Day, OfDay)> = Vec::new();
        for (day, counts) in &self.days {
            let first_day = by.first_day(*day);
            match periods.last_mut() {
                Some((last, sum)) if *last == first_day => {
                    sum.matches += counts.matches;
                    sum.mistakes += counts.mistakes;
                    sum.accuracy = sum.accuracy.plus(counts.accuracy);
                }
                _ => periods.push((first_day, *counts)),
            }
        }
        let period = |(first_day, counts): (Day, OfDay)| Period {
            from: first_day.date(),
            first_day,
            matches: counts.matches,
            mistakes: counts.mistakes,
            share: counts.accuracy.into(),
        };
        periods.into_iter().map(period).collect()
    }
}

/// The first rows, and how many there are in all.
fn first<T>(mut rows: Vec<T>, most: usize) -> (Vec<T>, u64) {
    let all = rows.len() as u64;
    rows.truncate(most);
    (rows, all)
}
