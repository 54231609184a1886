//! What a tournament comes to: the standings with tie-breaks and ratings, from the log alone.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::event::Format;
use super::log::Tournament;
use super::pairing::knockout_places;
use super::standings::standings;
use super::tie_break::{TieBreak, TieBreakRules};
use crate::statistics::{BtResult, bradley_terry};

/// The most players whose Bradley-Terry ratings are computed with the standings.
pub const MOST_RATED: usize = 200;

/// One player in the standings.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Row {
    /// The place, from 1; players whom nothing separates share one.
    pub rank: u32,
    /// The player's number.
    pub player: u32,
    /// The player's name.
    pub name: String,
    /// Whether a program plays.
    pub bot: bool,
    /// Whether the player has withdrawn.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub withdrawn: bool,
    /// Points of all finished rounds; a won game is 1.
    pub points: f64,
    /// Games that were played.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// The tie-breaks by FIDE's acronyms, as far as the format has any.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tie_breaks: BTreeMap<String, f64>,
    /// Bradley-Terry over all games, in Elo above the mean, to two decimals; absent if the games do not determine it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elo: Option<f64>,
    /// Half the width of its 95 % interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elo_err: Option<f64>,
    /// In a ladder: the Glicko-2 rating, to two decimals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<f64>,
    /// In a ladder: its deviation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating_deviation: Option<f64>,
}

impl Row {
    /// The value of a tie-break, if the format has it.
    #[must_use]
    pub fn tie_break(&self, tie_break: TieBreak) -> Option<f64> {
        self.tie_breaks.get(tie_break.acronym()).copied()
    }

    /// The tie-breaks that these rows have besides the points, in the order in which they count.
    #[must_use]
    pub fn tie_breaks_of(rows: &[Self]) -> Vec<TieBreak> {
        let has = |tie_break: &TieBreak| rows.iter().all(|row| row.tie_break(*tie_break).is_some());
        let orders = [&TieBreak::SWISS[..], &TieBreak::ROUND_ROBIN];
        let order = orders.into_iter().find(|order| order.iter().all(has));
        let order = order.filter(|_| !rows.is_empty()).unwrap_or_default();
        let besides = order.iter().filter(|of| **of != TieBreak::Points);
        besides.copied().collect()
    }
}

/// The standings.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// Finished rounds that they rest on.
    pub rounds: u32,
    /// Games with a result.
    pub games: u64,
    /// The players, best first.
    pub rows: Vec<Row>,
    /// Why there is no Elo.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elo_why: Option<String>,
}

/// Wins, draws and losses of a player.
type Score = [u64; 3];

impl Report {
    /// The standings now. Cost: players times rounds, the square of the players for direct encounters, and for at most
    /// [`MOST_RATED`] players their ratings.
    #[must_use]
    pub fn of(tournament: &Tournament) -> Self {
        let (elo, elo_why) = match elo(tournament) {
            Ok(elo) => (elo, None),
            Err(why) => (Vec::new(), Some(why)),
        };
        let scores = scores(tournament);
        let ladder = matches!(tournament.format(), Format::Ladder { .. });
        let rows = order(tournament).into_iter().map(|(player, rank, values)| {
            let place = player as usize - 1;
            let info = &tournament.players()[place];
            let [wins, draws, losses] = scores[place];
            let rating = tournament.ratings().get(place).filter(|_| ladder);
            Row {
                rank,
                player,
                name: info.name.clone(),
                bot: info.bot,
                withdrawn: tournament.has_withdrawn(player),
                points: tournament.table().points(player).to_f64(),
                games: wins + draws + losses,
                wins,
                draws,
                losses,
                tie_breaks: values,
                elo: elo.get(place).map(|(elo, _)| rounded(*elo)),
                elo_err: elo.get(place).and_then(|(_, err)| err.map(rounded)),
                rating: rating.map(|rating| rounded(rating.rating)),
                rating_deviation: rating.map(|rating| rounded(rating.deviation)),
            }
        });
        Self {
            rounds: tournament.table().rounds() as u32,
            games: tournament.games_ended(),
            rows: rows.collect(),
            elo_why,
        }
    }
}

fn rounded(number: f64) -> f64 {
    let cents = (number * 100.0).round() / 100.0;
    // No "-0.0".
    cents + 0.0
}

fn scores(tournament: &Tournament) -> Vec<Score> {
    let mut scores = vec![Score::default(); tournament.players().len()];
    for ((one, two), [won, drawn, lost]) in tournament.tallies() {
        for (player, [wins, draws, losses]) in
            [(one, [won, drawn, lost]), (two, [lost, drawn, won])]
        {
            let score = &mut scores[*player as usize - 1];
            score[0] += wins;
            score[1] += draws;
            score[2] += losses;
        }
    }
    scores
}

fn elo(tournament: &Tournament) -> Result<Vec<(f64, Option<f64>)>, String> {
    let players = tournament.players().len();
    if players > MOST_RATED {
        return Err(format!(
            "ratings are computed for at most {MOST_RATED} players"
        ));
    }
    let mut results = Vec::new();
    for ((one, two), [won, drawn, lost]) in tournament.tallies() {
        let (one, two) = (*one as usize - 1, *two as usize - 1);
        let half = *drawn as f64 / 2.0;
        for (winner, loser, count) in [
            (one, two, *won as f64 + half),
            (two, one, *lost as f64 + half),
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
    let ratings = bradley_terry(players, &results).map_err(|error| error.to_string())?;
    let pairs = ratings.iter().map(|rating| (rating.elo, rating.err));
    Ok(pairs.collect())
}

/// The players, best first, with their ranks and tie-breaks.
fn order(tournament: &Tournament) -> Vec<(u32, u32, BTreeMap<String, f64>)> {
    let table = tournament.table();
    let breaks: &[TieBreak] = match tournament.format() {
        Format::Swiss { .. } => &TieBreak::SWISS,
        Format::Knockout {} | Format::Ladder { .. } => {
            return by_key(tournament);
        }
        _ => &TieBreak::ROUND_ROBIN,
    };
    let rules = TieBreakRules {
        predetermined: !matches!(tournament.format(), Format::Swiss { .. }),
        edition: tournament.tie_breaks(),
    };
    let rows = standings(table, breaks, rules);
    let named = rows.into_iter().map(|row| {
        let values = breaks.iter().zip(&row.values);
        let values = values.map(|(of, value)| (of.acronym().to_owned(), rounded(value.to_f64())));
        (row.player, row.rank, values.collect())
    });
    named.collect()
}

/// In a knockout by the round reached, in a ladder by the rating.
fn by_key(tournament: &Tournament) -> Vec<(u32, u32, BTreeMap<String, f64>)> {
    let table = tournament.table();
    let mut keys: Vec<(f64, u32)> = table.numbers().map(|player| (0.0, player)).collect();
    match tournament.format() {
        Format::Ladder { .. } => {
            for (rating, (key, _)) in tournament.ratings().iter().zip(&mut keys) {
                *key = rounded(rating.rating);
            }
        }
        _ => {
            for round in 1..=table.rounds() {
                let places = knockout_places(table, round).unwrap_or_default();
                for player in places.into_iter().flatten() {
                    keys[player as usize - 1].0 = round as f64;
                }
            }
        }
    }
    keys.sort_by(|one, two| two.0.total_cmp(&one.0).then(one.1.cmp(&two.1)));
    let mut ranked: Vec<(u32, u32, BTreeMap<String, f64>)> = Vec::with_capacity(keys.len());
    for (at, (key, player)) in keys.iter().enumerate() {
        let shared = at > 0 && keys[at - 1].0.total_cmp(key).is_eq();
        let rank = match shared {
            true => ranked[at - 1].1,
            false => at as u32 + 1,
        };
        ranked.push((*player, rank, BTreeMap::new()));
    }
    ranked
}
