//! What is printed: the table for people, and lines for programs.

use std::fmt::Write as _;
use std::time::Duration;

use grundy_shared::statistics::SprtVerdict;
use serde::Serialize;

use super::head::Head;
use super::scores::Scores;
use super::settings::Settings;
use super::standings::{NOT_ASKED, Row, Table, faultless};

/// The first line for programs. Nothing in it depends on this machine or on the concurrency.
#[derive(Serialize)]
pub(crate) struct Begun<'s> {
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    pub(crate) schema: &'static str,
    pub(crate) seed: u64,
    /// What `grundy verify arena` compares: publish it before the first game.
    pub(crate) commitment: String,
    pub(crate) format: super::settings::Format,
    pub(crate) start: &'s str,
    pub(crate) suite: &'s str,
    pub(crate) bots: Vec<&'s str>,
    pub(crate) pairs: u32,
}

/// A finished game, for programs: its line with its type.
pub(crate) fn played(game: &str) -> String {
    let members = game.strip_prefix('{').unwrap_or(game);
    format!("{{\"type\":\"game\",{members}")
}

/// The last line for programs.
#[derive(Serialize)]
pub(crate) struct Final<'t> {
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    pub(crate) games: u64,
    pub(crate) pairs: u64,
    pub(crate) seed: u64,
    /// The head of the hash chain of all games.
    pub(crate) head: String,
    pub(crate) standings: &'t [Row],
    #[serde(flatten)]
    pub(crate) rest: Rest<'t>,
}

impl<'t> Final<'t> {
    /// The last line of an arena that is over.
    pub(crate) fn of(
        settings: &Settings,
        scores: &Scores,
        table: &'t Table,
        cut_short: Option<&'t str>,
        head: Head,
    ) -> Self {
        Self {
            kind: "final",
            games: scores.games,
            pairs: scores.pairs,
            seed: settings.seed,
            head: head.to_hex(),
            standings: &table.rows,
            rest: Rest {
                elo_why: table.elo_why.as_deref(),
                duel: table.duel.as_ref(),
                sprt: table.sprt.as_ref(),
                cut_short,
            },
        }
    }
}

/// What else the last line has.
#[derive(Serialize)]
pub(crate) struct Rest<'t> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) elo_why: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) duel: Option<&'t super::standings::Duel>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sprt: Option<&'t super::standings::Test>,
    /// Why a Swiss tournament has fewer rounds than were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cut_short: Option<&'t str>,
}

/// The table as text.
pub(crate) fn text(settings: &Settings, table: &Table) -> String {
    let mut text = String::new();
    let by_matches = table.rows.iter().any(|row| row.match_points.is_some());
    let width = table
        .rows
        .iter()
        .map(|row| row.name.len())
        .max()
        .unwrap_or(3)
        .max(3);
    let _ = writeln!(
        text,
        "  #  {:width$} {} points   games  won as 1st/2nd    accuracy            Elo   faults",
        "bot",
        if by_matches { "  match " } else { " " }
    );
    for row in &table.rows {
        let faults: u64 = row.faults.values().sum();
        let _ = writeln!(
            text,
            "{:>3}  {:width$} {}{:>8.1} {:>7}  {:>7}/{:<7}  {:18} {:>8}  {}",
            row.rank,
            row.name,
            row.match_points
                .map_or(String::new(), |points| format!("{points:>7.1}")),
            row.points,
            row.games,
            row.won_as_first,
            row.won_as_second,
            accuracy(row),
            row.elo.map_or("-".to_owned(), |elo| format!("{elo:+.0}")),
            match (faults, row.withdrawn) {
                (0, _) => "-".to_owned(),
                (_, withdrawn) => {
                    let named: Vec<String> = row
                        .faults
                        .iter()
                        .map(|(cause, count)| format!("{count} {cause}"))
                        .collect();
                    let out = if withdrawn { ", withdrawn" } else { "" };
                    format!("{}{out}", named.join(", "))
                }
            }
        );
    }
    if let Some(why) = &table.elo_why {
        let _ = writeln!(text, "Elo is not determined: {why}.");
    }
    if let Some(duel) = &table.duel {
        let [lost, half_lost, level, half_won, won] = duel.pairs;
        let classes = match (duel.sound, duel.double_upsets) {
            (Some(sound), Some(upsets)) => format!(
                " ({sound} sound, {upsets} double upset{})",
                if upsets == 1 { "" } else { "s" }
            ),
            _ => String::new(),
        };
        let _ = writeln!(
            text,
            "{} against {}: pairs 0-2 {lost}, 0.5-1.5 {half_lost}, 1-1 {level}{classes}, 1.5-0.5 {half_won}, 2-0 {won}",
            duel.a, duel.b
        );
        let figure =
            |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:+.1}"));
        let _ = writeln!(
            text,
            "Elo {} (95 %: {} to {}), normalised {}, superior with probability {}",
            figure(duel.elo),
            figure(duel.elo_lo),
            figure(duel.elo_hi),
            figure(duel.nelo),
            duel.los
                .map_or("-".to_owned(), |los| format!("{:.1} %", 100.0 * los))
        );
        // That no accuracy was wanted, its column shows.
        for why in duel.why.iter().filter(|why| **why != NOT_ASKED) {
            let _ = writeln!(text, "  not determined: {why}");
        }
    }
    if let Some(test) = &table.sprt {
        let _ = writeln!(
            text,
            "SPRT elo0={} elo1={}: LLR {} [{:.3}, {:.3}], {}",
            test.elo0,
            test.elo1,
            test.llr.map_or("-".to_owned(), |llr| format!("{llr:.3}")),
            test.lower,
            test.upper,
            match test.verdict {
                SprtVerdict::H0 =>
                    format!("H0 accepted after {} pairs: no such difference", test.pairs),
                SprtVerdict::H1 => format!(
                    "H1 accepted after {} pairs: {} is stronger",
                    test.pairs,
                    settings.bots.first().map_or("", |bot| &bot.name)
                ),
                SprtVerdict::Continue => format!("not decided after {} pairs", test.pairs),
            }
        );
    }
    for line in table.rows.iter().filter_map(faultless) {
        let _ = writeln!(text, "{line}");
    }
    text
}

fn accuracy(row: &Row) -> String {
    match (row.accuracy, row.accuracy_lo, row.accuracy_hi) {
        (Some(share), Some(low), Some(high)) => format!(
            "{:.1} % ({:.1}-{:.1})",
            100.0 * share,
            100.0 * low,
            100.0 * high
        ),
        _ => "-".to_owned(),
    }
}

/// One line of progress.
pub(crate) fn progress(
    (games, of): (u64, u64),
    now: u64,
    elapsed: Duration,
    faults: u64,
    left: Option<Duration>,
) -> String {
    let seconds = elapsed.as_secs_f64();
    let rate = if seconds > 0.0 {
        now as f64 / seconds
    } else {
        0.0
    };
    let mut line = format!("games {games}/{of}, {rate:.0}/s");
    if faults > 0 {
        let _ = write!(line, ", {faults} faults");
    }
    if let Some(left) = left {
        let left = u64::try_from(left.as_millis()).unwrap_or(u64::MAX);
        let left = grundy_shared::ids::Millis(left);
        let _ = write!(line, ", {} left", crate::duration::left(left));
    }
    line
}

/// The standings as CSV.
pub(crate) fn csv(table: &Table) -> String {
    const TITLES: [&str; 22] = [
        "rank",
        "name",
        "points",
        "games",
        "wins",
        "draws",
        "losses",
        "won_as_first",
        "won_as_second",
        "pairs_0",
        "pairs_0.5",
        "pairs_1",
        "pairs_1.5",
        "pairs_2",
        "elo",
        "elo_err",
        "accuracy",
        "accuracy_lo",
        "accuracy_hi",
        "kept",
        "won",
        "faults",
    ];
    let number = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.4}"));
    let count = |value: Option<u64>| value.map_or(String::new(), |value| value.to_string());
    let rows = table.rows.iter().map(|row| {
        let faults: u64 = row.faults.values().sum();
        let mut fields = vec![
            row.rank.to_string(),
            row.name.clone(),
            row.points.to_string(),
            row.games.to_string(),
            row.wins.to_string(),
            row.draws.to_string(),
            row.losses.to_string(),
            row.won_as_first.to_string(),
            row.won_as_second.to_string(),
        ];
        fields.extend(row.pairs.iter().map(ToString::to_string));
        fields.extend([
            number(row.elo),
            number(row.elo_err),
            number(row.accuracy),
            number(row.accuracy_lo),
            number(row.accuracy_hi),
            count(row.kept),
            count(row.won),
            faults.to_string(),
        ]);
        fields
    });
    crate::spreadsheet::table(&TITLES, rows)
}
