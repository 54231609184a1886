//! The order of the bots, and what the numbers say about them.

use grundy_shared::statistics::{
    BtResult, MatchSummary, PairCounts, Sample, SprtVerdict, bradley_terry, error_rate_bound, sprt,
    summarise,
};
use grundy_shared::tournament::{TieBreak, TieBreakRules, standings};
use grundy_words::Message;
use serde::Serialize;

use super::cross_table::{self, Worth};
use super::open_figure::{NOT_ASKED, OpenFigure};
use super::plan::Plan;
use super::scores::Scores;
use super::settings::{Format, Settings, Sprt};

const NO_WIN_AT_STAKE: &str = "no won position of the bot is known in which the win could be lost";
const NO_LOST_POSITION: &str = "no reply to a move of the bot from a lost position is known";

/// One bot in the final table.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) rank: u32,
    pub(crate) name: String,
    pub(crate) points: f64,
    /// In a Swiss tournament: 1 for each match won, 1/2 for a level one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) match_points: Option<f64>,
    pub(crate) games: u64,
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
    pub(crate) won_as_first: u64,
    pub(crate) won_as_second: u64,
    /// Pairs that brought 0, 1/2, 1, 3/2 and 2 points.
    pub(crate) pairs: [u64; 5],
    /// Bradley-Terry over all games, in Elo above the mean.
    pub(crate) elo: Option<f64>,
    /// Half the width of its 95 % interval.
    pub(crate) elo_err: Option<f64>,
    pub(crate) accuracy: Option<f64>,
    /// Its 95 % interval (Wilson).
    pub(crate) accuracy_lo: Option<f64>,
    pub(crate) accuracy_hi: Option<f64>,
    /// Won positions kept, and won positions in which the win could be lost; absent if the solver was not asked.
    pub(crate) kept: Option<u64>,
    pub(crate) won: Option<u64>,
    /// Why there is no accuracy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) accuracy_why: Option<&'static str>,
    pub(crate) trickiness: Option<f64>,
    /// Why there is no trickiness.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) trickiness_why: Option<&'static str>,
    pub(crate) tie_breaks: Vec<(String, f64)>,
    pub(crate) faults: std::collections::BTreeMap<String, u64>,
    pub(crate) withdrawn: bool,
}

/// What two bots that met alone show.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Duel {
    pub(crate) a: String,
    pub(crate) b: String,
    /// Pairs that brought a 0, 1/2, 1, 3/2 and 2 points.
    pub(crate) pairs: [u64; 5],
    /// Absent if the solver was not asked.
    pub(crate) sound: Option<u64>,
    pub(crate) double_upsets: Option<u64>,
    pub(crate) score: Option<f64>,
    pub(crate) elo: Option<f64>,
    pub(crate) elo_lo: Option<f64>,
    pub(crate) elo_hi: Option<f64>,
    pub(crate) nelo: Option<f64>,
    pub(crate) nelo_err: Option<f64>,
    pub(crate) los: Option<f64>,
    /// Why a figure is missing.
    pub(crate) why: Vec<OpenFigure>,
}

/// Where the sequential test stands.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Test {
    pub(crate) elo0: f64,
    pub(crate) elo1: f64,
    pub(crate) llr: Option<f64>,
    pub(crate) lower: f64,
    pub(crate) upper: f64,
    #[serde(serialize_with = "verdict_word")]
    pub(crate) verdict: SprtVerdict,
    pub(crate) pairs: u64,
}

fn verdict_word<S: serde::Serializer>(verdict: &SprtVerdict, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(verdict.as_str())
}

/// Everything at the end, or so far.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) rows: Vec<Row>,
    /// Why there are no Elo figures.
    pub(crate) elo_why: Option<String>,
    pub(crate) duel: Option<Duel>,
    pub(crate) sprt: Option<Test>,
}

/// The pairs of the first two bots, for a match or a test.
pub(crate) fn first_two(scores: &Scores) -> PairCounts {
    scores
        .meetings
        .get(&(0, 1))
        .copied()
        .unwrap_or_default()
        .pairs
}

/// Where the test stands; `None` before the first pair.
pub(crate) fn test(sprt_settings: Sprt, scores: &Scores) -> Option<Test> {
    let counts = first_two(scores);
    let report = sprt(&Sample::from(counts), &sprt_settings.test()).ok()?;
    Some(Test {
        elo0: sprt_settings.elo0,
        elo1: sprt_settings.elo1,
        llr: report.llr.ok(),
        lower: report.lower,
        upper: report.upper,
        verdict: report.verdict,
        pairs: counts.0.iter().sum(),
    })
}

/// The table so far.
pub(crate) fn table(settings: &Settings, scores: &Scores, plan: &Plan) -> Table {
    let (order, tie_breaks) = order(settings, scores, plan);
    let (elo, elo_why) = ratings(settings, scores);
    let is_asked = settings.oracle_nodes > 0;
    let why = |is_known: bool, without: &'static str| match (is_known, is_asked) {
        (true, _) => None,
        (false, true) => Some(without),
        (false, false) => Some(NOT_ASKED),
    };
    let rows = order.into_iter().map(|(bot, rank)| {
        let score = &scores.bots[bot];
        let interval = score.accuracy.interval();
        let faults = score.faults.iter();
        Row {
            rank,
            name: settings.bots[bot].name.clone(),
            points: score.half_points() as f64 / 2.0,
            match_points: match settings.format {
                Format::Swiss => tie_breaks[bot].first().map(|(_, points)| *points),
                _ => None,
            },
            games: score.games,
            wins: score.wins,
            draws: score.draws,
            losses: score.losses,
            won_as_first: score.wins_as[0],
            won_as_second: score.wins_as[1],
            pairs: score.pairs.0,
            elo: elo.as_ref().map(|elo| elo[bot].0),
            elo_err: elo.as_ref().and_then(|elo| elo[bot].1),
            accuracy: score.accuracy.share(),
            accuracy_lo: interval.map(|interval| interval.0),
            accuracy_hi: interval.map(|interval| interval.1),
            kept: is_asked.then_some(score.accuracy.kept),
            won: is_asked.then_some(score.accuracy.won),
            accuracy_why: why(score.accuracy.share().is_some(), NO_WIN_AT_STAKE),
            trickiness: score.trickiness(),
            trickiness_why: why(score.trickiness().is_some(), NO_LOST_POSITION),
            tie_breaks: tie_breaks[bot].clone(),
            faults: faults
                .map(|(cause, count)| (cause.word().to_owned(), *count))
                .collect(),
            withdrawn: score.withdrawn,
        }
    });
    Table {
        rows: rows.collect(),
        elo_why,
        duel: (settings.bots.len() == 2).then(|| duel(settings, scores)),
        sprt: settings.sprt.and_then(|sprt| test(sprt, scores)),
    }
}

/// The tie-breaks of all formats but the Swiss one, before the matches won.
const BEFORE_WINS: [TieBreak; 3] = [
    TieBreak::Points,
    TieBreak::DirectEncounter,
    TieBreak::SonnebornBerger,
];

/// Separates bots of one rank by the matches that they won. The points of a match are those of its games, so that FIDE's own count, of
/// rounds that brought all the points of a win, would count only matches without a lost game.
fn by_matches_won(
    settings: &Settings,
    scores: &Scores,
    plan: &Plan,
    keys: &mut [(u32, usize)],
    values: &mut [Vec<(String, f64)>],
) {
    let table = cross_table::of(settings, scores, plan, Worth::Matches);
    let mut won = vec![0; values.len()];
    for player in table.numbers() {
        let matches = table.row(player).iter();
        let matches = matches.filter(|entry| entry.points(table.win()) == table.win());
        won[player as usize - 1] = matches.count();
    }
    for (bot, values) in values.iter_mut().enumerate() {
        values.push((TieBreak::Wins.acronym().to_owned(), won[bot] as f64));
    }
    let before = keys.to_vec();
    for (rank, bot) in keys {
        let of_rank = before.iter().filter(|(other, _)| other == rank);
        let ahead = of_rank.filter(|(_, other)| won[*other] > won[*bot]);
        *rank += ahead.count() as u32;
    }
}

type Order = (Vec<(usize, u32)>, Vec<Vec<(String, f64)>>);

/// The bots from the first to the last with their ranks, and the tie-breaks of each.
fn order(settings: &Settings, scores: &Scores, plan: &Plan) -> Order {
    let bots = settings.bots.len();
    // Behind the tie-breaks: the points of all games, then accuracy.
    let behind = |bot: usize| {
        let score = &scores.bots[bot];
        (score.half_points(), score.accuracy.share().unwrap_or(0.0))
    };
    let mut values = vec![Vec::new(); bots];
    // A smaller key is better.
    let mut keys: Vec<(u32, usize)> = match settings.format {
        Format::Knockout => {
            let out = plan.out();
            let last_round = |bot: usize| {
                let found = out.iter().find(|(loser, _)| *loser == bot);
                found.map_or(u32::MAX, |(_, round)| *round)
            };
            (0..bots)
                .map(|bot| (u32::MAX - last_round(bot), bot))
                .collect()
        }
        format => {
            let breaks: &[TieBreak] = match format {
                Format::Swiss => &TieBreak::SWISS,
                _ => &BEFORE_WINS,
            };
            let rules = TieBreakRules {
                predetermined: format != Format::Swiss,
                edition: settings.tie_breaks,
            };
            let worth = match format {
                Format::Swiss => Worth::Matches,
                _ => Worth::Games,
            };
            let table = cross_table::of(settings, scores, plan, worth);
            let rows = standings(&table, breaks, rules);
            let keys = rows.into_iter().map(|row| {
                let bot = row.player as usize - 1;
                let named = breaks.iter().zip(&row.values);
                values[bot] = named
                    .map(|(tie_break, value)| (tie_break.acronym().to_owned(), value.to_f64()))
                    .collect();
                (row.rank, bot)
            });
            let mut keys: Vec<(u32, usize)> = keys.collect();
            if worth == Worth::Games {
                by_matches_won(settings, scores, plan, &mut keys, &mut values);
            }
            keys
        }
    };
    keys.sort_by(|one, two| {
        let (a, b) = (behind(one.1), behind(two.1));
        (one.0.cmp(&two.0))
            .then(b.0.cmp(&a.0))
            .then(b.1.total_cmp(&a.1))
            .then(one.1.cmp(&two.1))
    });
    let mut ranked: Vec<(usize, u32)> = Vec::with_capacity(bots);
    let mut before: Option<(u32, (u64, f64))> = None;
    for (at, (key, bot)) in keys.into_iter().enumerate() {
        let now = (key, behind(bot));
        let rank = match (before == Some(now), ranked.last()) {
            (true, Some((_, rank))) => *rank,
            _ => at as u32 + 1,
        };
        before = Some(now);
        ranked.push((bot, rank));
    }
    (ranked, values)
}

type Ratings = Vec<(f64, Option<f64>)>;

fn ratings(settings: &Settings, scores: &Scores) -> (Option<Ratings>, Option<String>) {
    let mut results = Vec::new();
    let mut meetings: Vec<_> = scores.meetings.iter().collect();
    meetings.sort_by_key(|(key, _)| **key);
    for ((one, two), meeting) in meetings {
        let [won, drawn, lost] = meeting.games;
        let half = drawn as f64 / 2.0;
        for (winner, loser, count) in [
            (*one, *two, won as f64 + half),
            (*two, *one, lost as f64 + half),
        ] {
            if count > 0.0 {
                results.push(BtResult {
                    winner,
                    loser,
                    count,
                });
            }
        }
    }
    match bradley_terry(settings.bots.len(), &results) {
        Ok(ratings) => {
            let ratings = ratings.iter().map(|rating| (rating.elo, rating.err));
            (Some(ratings.collect()), None)
        }
        Err(error) => (None, Some(error.to_string())),
    }
}

fn duel(settings: &Settings, scores: &Scores) -> Duel {
    let meeting = scores.meetings.get(&(0, 1)).copied().unwrap_or_default();
    let summary: Option<MatchSummary> = summarise(&Sample::from(meeting.pairs));
    let figure = |pick: fn(&MatchSummary) -> grundy_shared::statistics::Figure| {
        summary.as_ref().and_then(|summary| pick(summary).ok())
    };
    let mut why: Vec<OpenFigure> = match &summary {
        Some(summary) => {
            let reasons = summary.reasons().into_iter();
            reasons.map(OpenFigure::Undetermined).collect()
        }
        None => vec![OpenFigure::NoPair],
    };
    let is_asked = settings.oracle_nodes > 0;
    if !is_asked {
        why.push(OpenFigure::NotAsked);
    }
    Duel {
        a: settings.bots[0].name.clone(),
        b: settings.bots[1].name.clone(),
        pairs: meeting.pairs.0,
        sound: is_asked.then_some(meeting.sound),
        double_upsets: is_asked.then_some(meeting.double_upsets),
        score: summary.as_ref().map(|summary| summary.score),
        elo: figure(|summary| summary.elo),
        elo_lo: figure(|summary| summary.elo_lo),
        elo_hi: figure(|summary| summary.elo_hi),
        nelo: figure(|summary| summary.nelo),
        nelo_err: figure(|summary| summary.nelo_err),
        los: figure(|summary| summary.los),
        why,
    }
}

/// What may be said of a bot in whose won positions no error was seen: `error rate below 1.2 % (95 %)`.
pub(crate) fn faultless(row: &Row) -> Option<Message> {
    let (kept, won) = (row.kept?, row.won?);
    if won == 0 || kept < won {
        return None;
    }
    let bound = error_rate_bound(won)?;
    let message = Message::new("arena-faultless")
        .text("name", &row.name)
        .text("won", won)
        .text("bound", format!("{:.2}", 100.0 * bound));
    Some(message)
}
