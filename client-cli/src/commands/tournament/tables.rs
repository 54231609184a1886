//! A tournament as tables for other programs: standings as CSV, results as a tournament file.

use std::collections::{BTreeMap, BTreeSet};

use grundy_shared::oracle::PlayerAccuracy;
use grundy_shared::tournament::{
    Colour, CrossTable, Entry, HalfPoints, Report, Tournament, Trf, TrfPlayer,
};

/// What a won pairing is worth in a tournament file.
const WIN: HalfPoints = HalfPoints(2);

/// The standings as CSV; fields that are not determined are empty.
pub(super) fn csv(report: &Report, accuracies: Option<&[PlayerAccuracy]>) -> String {
    let breaks: BTreeSet<&String> = report
        .rows
        .iter()
        .flat_map(|row| row.tie_breaks.keys())
        .collect();
    let mut titles = vec![
        "rank",
        "player",
        "name",
        "bot",
        "withdrawn",
        "points",
        "games",
        "wins",
        "draws",
        "losses",
        "elo",
        "elo_err",
        "rating",
        "rating_deviation",
        "accuracy",
        "accuracy_lo",
        "accuracy_hi",
        "kept",
        "won",
    ];
    titles.extend(breaks.iter().map(|name| name.as_str()));
    let number = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    let rows = report.rows.iter().map(|row| {
        let place = row.player as usize - 1;
        let accuracy = accuracies.and_then(|accuracies| accuracies.get(place));
        let share = |of: fn(&PlayerAccuracy) -> Option<f64>| {
            let share = accuracy.and_then(of);
            share.map_or(String::new(), |share| format!("{share:.4}"))
        };
        let count = |of: fn(&PlayerAccuracy) -> u64| {
            accuracy.map_or(String::new(), |accuracy| of(accuracy).to_string())
        };
        let mut fields = vec![
            row.rank.to_string(),
            row.player.to_string(),
            row.name.clone(),
            row.bot.to_string(),
            row.withdrawn.to_string(),
            row.points.to_string(),
            row.games.to_string(),
            row.wins.to_string(),
            row.draws.to_string(),
            row.losses.to_string(),
            number(row.elo),
            number(row.elo_err),
            number(row.rating),
            number(row.rating_deviation),
            share(|accuracy| accuracy.accuracy),
            share(|accuracy| accuracy.accuracy_lo),
            share(|accuracy| accuracy.accuracy_hi),
            count(|accuracy| accuracy.kept),
            count(|accuracy| accuracy.won),
        ];
        fields.extend(
            breaks
                .iter()
                .map(|name| number(row.tie_breaks.get(*name).copied())),
        );
        fields
    });
    crate::spreadsheet::table(&titles, rows)
}

/// The finished rounds as a tournament file (TRF-16): a won pairing is a won game of it.
pub(super) fn trf(tournament: &Tournament, report: &Report) -> String {
    let rows = tournament.table().numbers().map(|player| {
        let row = tournament.table().row(player).iter().enumerate();
        row.map(|(round, entry)| in_file(tournament.table(), round, *entry))
            .collect()
    });
    let players = tournament.players();
    let table = CrossTable::from_rows(rows.collect(), WIN);
    let ranks: BTreeMap<u32, u32> = report
        .rows
        .iter()
        .map(|row| (row.player, row.rank))
        .collect();
    let header = |code: &str, text: &str| (code.to_owned(), format!(" {text}"));
    let trf = Trf {
        headers: vec![
            header("012", tournament.name()),
            header("062", &players.len().to_string()),
        ],
        players: (1..)
            .zip(players)
            .map(|(number, player)| TrfPlayer {
                name: player.name.clone(),
                rank: ranks.get(&number).copied(),
                ..TrfPlayer::default()
            })
            .collect(),
        table: table.unwrap_or_else(|_| CrossTable::new(players.len() as u32, WIN)),
        next_byes: BTreeMap::new(),
        total_rounds: Some(tournament.table().rounds()),
        initial_colour: Some(Colour::White),
        absent: BTreeSet::new(),
        forbidden: BTreeSet::new(),
    };
    trf.to_string()
}

/// An entry in whose file a pairing is won, drawn or lost as a whole.
fn in_file(table: &CrossTable, round: usize, entry: Entry) -> Entry {
    let Entry::Played {
        opponent,
        colour,
        score,
    } = entry
    else {
        return entry;
    };
    let other = match table.row(opponent).get(round) {
        Some(Entry::Played { score, .. }) => *score,
        _ => HalfPoints(0),
    };
    let score = match score.cmp(&other) {
        std::cmp::Ordering::Greater => WIN,
        std::cmp::Ordering::Equal => HalfPoints(WIN.0 / 2),
        std::cmp::Ordering::Less => HalfPoints(0),
    };
    Entry::Played {
        opponent,
        colour,
        score,
    }
}
