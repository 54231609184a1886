//! A tournament as tables for other programs: standings as CSV, results as a tournament file.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use grundy_shared::Position;
use grundy_shared::event::Event;
use grundy_shared::ids::Seat;
use grundy_shared::record::Record;
use grundy_shared::statistics::Accuracy;
use grundy_shared::tournament::{
    Colour, CrossTable, Entry, HalfPoints, Report, Tournament, Trf, TrfPlayer,
};

use crate::arena::Oracle;

/// What a won pairing is worth in a tournament file.
const WIN: HalfPoints = HalfPoints(2);
/// The solver's work on one position; what it cannot decide counts for nobody.
const NODES: u64 = 20_000;

/// Won positions kept, by the player's number less one.
pub(super) fn accuracies(tournament: &Tournament, records: &[Record]) -> Vec<Accuracy> {
    let mut all = vec![Accuracy { kept: 0, won: 0 }; tournament.players().len()];
    let mut oracle = Oracle::new(NODES);
    for record in records {
        let (_, deeds) = oracle.judge(&positions(record));
        for seat in Seat::BOTH {
            let player = record.referee().player(seat).map(|player| player.id);
            let players = tournament.players().iter();
            let place = players
                .map(|other| Some(other.id))
                .position(|id| id == player);
            if let Some(accuracy) = place.and_then(|place| all.get_mut(place)) {
                let deeds = deeds[seat.index()];
                accuracy.kept += u64::from(deeds.kept);
                accuracy.won += u64::from(deeds.won);
            }
        }
    }
    all
}

/// Every position of a game.
fn positions(record: &Record) -> Vec<Position> {
    let mut positions = Vec::new();
    let mut to_move = Seat::First;
    for event in record.events() {
        match event {
            Event::Created { position, .. } => positions.extend(Position::parse(position)),
            Event::Moved { move_text, .. } => {
                let Some(before) = positions.last() else {
                    return positions;
                };
                let Ok(mv) = before.parse_move(to_move, move_text) else {
                    return positions;
                };
                positions.push(before.play(&mv));
                to_move = to_move.other();
            }
            _ => {}
        }
    }
    positions
}

/// The standings as CSV; fields that are not determined are empty.
pub(super) fn csv(report: &Report, accuracies: &[Accuracy]) -> String {
    let breaks: BTreeSet<&String> = report
        .rows
        .iter()
        .flat_map(|row| row.tie_breaks.keys())
        .collect();
    let mut text =
        "rank,player,name,bot,withdrawn,points,games,wins,draws,losses,elo,elo_err,rating,rating_deviation,accuracy,accuracy_lo,accuracy_hi,kept,won"
            .to_owned();
    for name in &breaks {
        write!(text, ",{name}").expect("writing to a String cannot fail");
    }
    text.push('\n');
    let number = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    let share = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.4}"));
    for row in &report.rows {
        let accuracy = accuracies[row.player as usize - 1];
        let interval = accuracy.interval();
        let quoted = format!("\"{}\"", row.name.replace('"', "\"\""));
        write!(
            text,
            "{},{},{quoted},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}",
            row.rank,
            row.player,
            row.bot,
            row.withdrawn,
            row.points,
            row.games,
            row.wins,
            row.draws,
            row.losses,
            number(row.elo),
            number(row.elo_err),
            number(row.rating),
            number(row.rating_deviation),
            share(accuracy.share()),
            share(interval.map(|interval| interval.0)),
            share(interval.map(|interval| interval.1)),
            accuracy.kept,
            accuracy.won,
        )
        .expect("writing to a String cannot fail");
        for name in &breaks {
            let value = row.tie_breaks.get(*name).copied();
            write!(text, ",{}", number(value)).expect("writing to a String cannot fail");
        }
        text.push('\n');
    }
    text
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
