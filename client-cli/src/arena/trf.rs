//! The arena as a tournament file, so that another program can check it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use grundy_shared::tournament::{Colour, Trf, TrfPlayer};

use super::cross_table::{self, Worth};
use super::plan::Plan;
use super::scores::Scores;
use super::settings::{Format, Settings};
use super::standings::Row;

/// The arena as a tournament file (TRF-16): a won match is a won game of it. Of a Swiss tournament anybody can pair the rounds anew
/// from it, without colours.
pub(crate) fn text(settings: &Settings, scores: &Scores, plan: &Plan, rows: &[Row]) -> String {
    let table = cross_table::of(settings, scores, plan, Worth::Matches);
    let kind = match settings.format {
        Format::RoundRobin => "Round Robin",
        Format::DoubleRoundRobin => "Double Round Robin",
        Format::Gauntlet => "Gauntlet",
        Format::Swiss => "Swiss Dutch System, without colours",
        Format::Knockout => "Knockout",
    };
    let header = |code: &str, text: String| (code.to_owned(), format!(" {text}"));
    let ranks = rows.iter().map(|row| (&*row.name, row.rank));
    let ranks: HashMap<&str, u32> = ranks.collect();
    let players = settings.bots.iter().map(|bot| TrfPlayer {
        name: bot.name.clone(),
        rank: ranks.get(&*bot.name).copied(),
        ..TrfPlayer::default()
    });
    let rounds = match settings.format {
        Format::Swiss => settings.rounds as usize,
        _ => table.rounds().max(1),
    };
    let trf = Trf {
        headers: vec![
            header("012", format!("Arena, seed {}", settings.seed)),
            header("062", settings.bots.len().to_string()),
            header("092", format!("Individual: {kind}")),
            header(
                "122",
                format!("{} per match, {}", plural(settings), settings.start),
            ),
        ],
        players: players.collect(),
        table,
        next_byes: BTreeMap::new(),
        total_rounds: Some(rounds),
        initial_colour: Some(Colour::White),
        absent: BTreeSet::new(),
        forbidden: BTreeSet::new(),
    };
    trf.to_string()
}

fn plural(settings: &Settings) -> String {
    // A test ends a match when it is decided.
    let most = if settings.sprt.is_some() {
        "at most "
    } else {
        ""
    };
    match settings.pairs {
        1 => "1 pair of games".to_owned(),
        pairs => format!("{most}{pairs} pairs of games"),
    }
}
