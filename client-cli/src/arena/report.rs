//! What is printed: the table for people, and lines for programs.

use std::fmt::Write as _;
use std::time::Duration;

use grundy_shared::statistics::SprtVerdict;
use grundy_words::{Catalogue, Language, Message};
use serde::Serialize;
use unicode_width::UnicodeWidthStr as _;

use super::head::Head;
use super::scores::Scores;
use super::settings::Settings;
use super::standings::{Duel, Row, Table, Test, faultless};
use crate::render::figures::no_elo;
use crate::render::{headings, padded};

/// The column of the points by matches, which few arenas have.
const MATCH_POINTS: usize = 2;

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

/// The table as text, for a screen of this width.
pub(crate) fn text(
    settings: &Settings,
    table: &Table,
    width: Option<usize>,
    words: &Catalogue,
) -> String {
    let mut text = match words.language() {
        Language::English => english_standings(&table.rows, words),
        Language::Chinese => standings(&table.rows, width, words),
    };
    let mut lines = Vec::new();
    if let Some(why) = &table.elo_why {
        lines.push(no_elo(why));
    }
    if let Some(duel) = &table.duel {
        lines.extend(of_duel(duel));
    }
    if let Some(test) = &table.sprt {
        lines.push(of_test(test, settings));
    }
    lines.extend(table.rows.iter().filter_map(faultless));
    for line in lines {
        text.push_str(&line.said(words));
        text.push('\n');
    }
    text
}

/// The bots in their order, in columns that have the same width in every arena.
fn english_standings(rows: &[Row], words: &Catalogue) -> String {
    let mut text = String::new();
    let by_matches = rows.iter().any(|row| row.match_points.is_some());
    let width = rows.iter().map(|row| row.name.width()).max();
    let width = width.unwrap_or(3).max(3);
    let [rank, bot, points, games] =
        ["arena-rank", "arena-bot", "arena-points", "arena-games"].map(|name| words.say(name));
    let [won, accurate, elo, faulty] =
        ["arena-won", "arena-accuracy", "arena-elo", "arena-faults"].map(|name| words.say(name));
    let matches = match by_matches {
        true => format!("{:>7}", words.say("arena-match-points")),
        false => String::new(),
    };
    let _ = writeln!(
        text,
        "{rank:>3}  {bot:width$} {matches}{points:>8} {games:>7}  {won}    {accurate}            {elo}   {faulty}"
    );
    for row in rows {
        let _ = writeln!(
            text,
            "{:>3}  {} {}{:>8.1} {:>7}  {:>7}/{:<7}  {:18} {:>8}  {}",
            row.rank,
            padded(&row.name, width),
            row.match_points
                .map_or(String::new(), |points| format!("{points:>7.1}")),
            row.points,
            row.games,
            row.won_as_first,
            row.won_as_second,
            accuracy(row),
            elo_of(row),
            faults(row, words)
        );
    }
    text
}

/// The bots in their order.
fn standings(rows: &[Row], width: Option<usize>, words: &Catalogue) -> String {
    let by_matches = rows.iter().any(|row| row.match_points.is_some());
    let names = [
        ">arena-rank",
        "arena-bot",
        ">arena-match-points",
        ">arena-points",
        ">arena-games",
        ">arena-won",
        "arena-accuracy",
        ">arena-elo",
        "arena-faults",
    ];
    let row = |row: &Row| {
        vec![
            row.rank.to_string(),
            row.name.clone(),
            row.match_points
                .map_or(String::new(), |points| format!("{points:.1}")),
            format!("{:.1}", row.points),
            row.games.to_string(),
            format!("{}/{}", row.won_as_first, row.won_as_second),
            accuracy(row),
            elo_of(row),
            faults(row, words),
        ]
    };
    let mut headings = headings(names, words).to_vec();
    let mut rows: Vec<Vec<String>> = rows.iter().map(row).collect();
    if !by_matches {
        headings.remove(MATCH_POINTS);
        for row in &mut rows {
            row.remove(MATCH_POINTS);
        }
    }
    crate::render::table(&headings, &rows, width)
}

fn elo_of(row: &Row) -> String {
    row.elo.map_or("-".to_owned(), |elo| format!("{elo:+.0}"))
}

/// The faults of a bot by their causes, and whether it plays no more.
fn faults(row: &Row, words: &Catalogue) -> String {
    if row.faults.values().sum::<u64>() == 0 {
        return "-".to_owned();
    }
    let named = row.faults.iter().map(|(cause, count)| {
        let fault = Message::new("arena-fault").text("n", count);
        fault.text("cause", cause).said(words)
    });
    let out = row.withdrawn.then(|| words.say("arena-out"));
    let all: Vec<String> = named.chain(out).collect();
    all.join(&words.say("list-comma"))
}

/// What a match between two bots shows.
fn of_duel(duel: &Duel) -> Vec<Message> {
    let [lost, half_lost, level, half_won, won] = duel.pairs;
    let pairs = Message::new("arena-duel")
        .text("a", &duel.a)
        .text("b", &duel.b)
        .text("lost", lost)
        .text("half-lost", half_lost)
        .text("level", level)
        .text("half-won", half_won)
        .text("won", won);
    let pairs = match (duel.sound, duel.double_upsets) {
        (Some(sound), Some(upsets)) => pairs.text("sound", sound).number("upsets", upsets),
        _ => pairs.text("sound", 0).text("upsets", "none"),
    };
    let figure = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:+.1}"));
    let los = duel.los.map(|los| format!("{:.1} %", 100.0 * los));
    let difference = Message::new("arena-difference")
        .text("elo", figure(duel.elo))
        .text("low", figure(duel.elo_lo))
        .text("high", figure(duel.elo_hi))
        .text("nelo", figure(duel.nelo))
        .text("los", los.unwrap_or_else(|| "-".to_owned()));
    // That no accuracy was wanted, its column shows.
    let open = duel.why.iter().filter_map(|why| why.message());
    [pairs, difference].into_iter().chain(open).collect()
}

/// Where the sequential test stands.
fn of_test(test: &Test, settings: &Settings) -> Message {
    let verdict = match test.verdict {
        SprtVerdict::H0 => "h0",
        SprtVerdict::H1 => "h1",
        SprtVerdict::Continue => "open",
    };
    Message::new("arena-test")
        .text("elo0", test.elo0)
        .text("elo1", test.elo1)
        .text(
            "llr",
            test.llr.map_or("-".to_owned(), |llr| format!("{llr:.3}")),
        )
        .text("lower", format!("{:.3}", test.lower))
        .text("upper", format!("{:.3}", test.upper))
        .text("verdict", verdict)
        .text("pairs", test.pairs)
        .text("name", settings.bots.first().map_or("", |bot| &bot.name))
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
    words: &Catalogue,
) -> String {
    let seconds = elapsed.as_secs_f64();
    let rate = if seconds > 0.0 {
        now as f64 / seconds
    } else {
        0.0
    };
    let left = left.map(|left| {
        let left = u64::try_from(left.as_millis()).unwrap_or(u64::MAX);
        crate::duration::left_in(grundy_shared::ids::Millis(left), words)
    });
    Message::new("arena-progress")
        .text("games", games)
        .text("of", of)
        .text("rate", format!("{rate:.0}"))
        .number("faults", faults)
        .text("left", left.unwrap_or_else(|| "none".to_owned()))
        .said(words)
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
