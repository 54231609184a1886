//! Computes a tournament again from its export, and names the first thing that is not as it should be.

use serde::{Deserialize, Serialize};

use super::fault::Fault;
use super::lines::Lines;
use super::{Header, SCHEMA, Standings, head_of, hex};
use crate::event::{PlayerInfo, TournamentGame};
use crate::ids::{Seat, Seq, TournamentId};
use crate::oracle::{PlayerAccuracy, accuracies};
use crate::position::Position;
use crate::record::Record;
use crate::suite::{check_starts, starts_of};
use crate::tournament::{
    Dated, Next, OpenGame, Report, Seed, Tournament, TournamentEvent, match_of_game,
};

/// What was found right.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Verified {
    /// The tournament.
    pub tournament: TournamentId,
    /// Its name.
    pub name: String,
    /// Events of the log.
    pub events: u64,
    /// The head of its hash chain, to be compared with what the server shows.
    pub head: String,
    /// Players.
    pub players: usize,
    /// Finished rounds.
    pub rounds: u32,
    /// Games, each with its record.
    pub games: u64,
    /// The seed that all chance came from.
    pub seed: Seed,
    /// The standings.
    pub standings: Report,
    /// The accuracy of each player, if the file has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<Vec<PlayerAccuracy>>,
}

/// An event of the log that tells of a game's end, and what the tournament asked for.
struct Ended {
    /// The number of its line.
    line: usize,
    dated: Dated,
    open: OpenGame,
    players: [PlayerInfo; 2],
    paired_at: u64,
}

/// Verifies an export: hash chain, order of events, commitment and seed, pairings, the match ids, players, clocks and starts of all
/// games, their moves and results, standings, tie-breaks, ratings and accuracy. Cost: linear in the file, that of all pairings, and if
/// the file has accuracy the solver's work on every position.
///
/// # Errors
/// The first [`Fault`], by what is computed first: the log, the records in their order, the standings.
pub fn verify(bytes: &[u8]) -> Result<Verified, Fault> {
    let mut lines = Lines::new(bytes);
    let header = header(&mut lines)?;
    let (tournament, ended, seed) = read_log(&mut lines, &header)?;
    let starts = starts_of(&tournament.rules().starts, &seed)
        .map_err(|bad| lines.fault(format!("the starts cannot be made again: {bad}")))?;
    if header.games != ended.len() as u64 {
        return Err(Fault {
            line: 1,
            why: format!(
                "the header promises {} games, and the log has {}",
                header.games,
                ended.len()
            ),
        });
    }
    let mut records = Vec::with_capacity(ended.len());
    for game in &ended {
        let record = check_game(&mut lines, header.tournament, &tournament, game, &starts)?;
        records.push(record);
    }
    let Standings {
        standings,
        accuracy,
    } = check_standings(&mut lines, &tournament)?;
    if let Some(accuracy) = &accuracy {
        check_accuracy(&lines, &tournament, &records, accuracy)?;
    }
    if !lines.is_at_end() {
        lines.number += 1;
        return Err(lines.fault("the file goes on after its last line".to_owned()));
    }
    Ok(Verified {
        tournament: header.tournament,
        name: tournament.name().to_owned(),
        events: header.events,
        head: header.head,
        players: tournament.players().len(),
        rounds: tournament.table().rounds() as u32,
        games: header.games,
        seed,
        standings,
        accuracy,
    })
}

/// Reads a line that must be written as its value is.
fn canonical<T>(lines: &Lines<'_>, line: &[u8], what: &str) -> Result<T, Fault>
where
    T: Serialize + for<'de> Deserialize<'de>,
{
    let value: T = serde_json::from_slice(line)
        .map_err(|error| lines.fault(format!("this is not {what}: {error}")))?;
    let written = serde_json::to_vec(&value)
        .map_err(|error| lines.fault(format!("this cannot be written: {error}")))?;
    match written == line {
        true => Ok(value),
        false => {
            let same = written.iter().zip(line).take_while(|(a, b)| a == b);
            let column = same.count() + 1;
            let why = format!("column {column}: this is not the canonical form of {what}");
            Err(lines.fault(why))
        }
    }
}

fn header(lines: &mut Lines<'_>) -> Result<Header, Fault> {
    let line = lines.next("the header of a tournament")?;
    let header: Header = canonical(lines, line, "the header of a tournament")?;
    if header.schema != SCHEMA {
        let why = format!(
            "the schema is {:?}: this program reads {SCHEMA}",
            header.schema
        );
        return Err(lines.fault(why));
    }
    Ok(header)
}

/// A line of the log as it is read.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LogLine {
    seq: Seq,
    body: Dated,
}

/// Replays the log: the tournament at its end, the games in the order of their ends, and the seed.
fn read_log(
    lines: &mut Lines<'_>,
    header: &Header,
) -> Result<(Tournament, Vec<Ended>, Seed), Fault> {
    let mut bodies = Vec::new();
    let mut tournament: Option<Tournament> = None;
    let mut ended = Vec::new();
    let (mut last_at, mut paired_at) = (0, 0);
    for number in 1..=header.events {
        let line = lines.next("an event of the log")?;
        let LogLine { seq, body: dated } = canonical(lines, line, "an event")?;
        if seq != Seq(number) {
            return Err(lines.fault(format!("this is event {seq}, not {number}")));
        }
        if dated.at_ms.0 < last_at {
            return Err(lines.fault("this event is dated before the event before it".to_owned()));
        }
        last_at = dated.at_ms.0;
        bodies.push(dated.to_json());
        if let (TournamentEvent::GameEnded { .. }, Some(tournament)) = (&dated.event, &tournament) {
            ended.push(open_game(lines, tournament, &dated, paired_at)?);
        }
        if matches!(dated.event, TournamentEvent::RoundPaired { .. }) {
            paired_at = last_at;
        }
        let unlawful = |error| lines.fault(format!("this cannot have happened: {error}"));
        match &mut tournament {
            None => {
                let created = Tournament::created(&dated.event).map_err(unlawful)?;
                check_starts(&created.rules().starts)
                    .map_err(|bad| lines.fault(bad.to_string()))?;
                tournament = Some(created);
            }
            Some(tournament) => tournament.apply(&dated.event).map_err(unlawful)?,
        }
    }
    let head = hex(&head_of(
        header.tournament,
        bodies.iter().map(String::as_bytes),
    ));
    if head != header.head {
        return Err(Fault {
            line: 1,
            why: format!("the log was changed: the head of its events is {head}"),
        });
    }
    let over = tournament.and_then(|tournament| {
        let seed = tournament.seed()?;
        Some((tournament, seed))
    });
    let Some((tournament, seed)) = over else {
        return Err(lines.fault("the tournament is not over: its seed is not opened".to_owned()));
    };
    Ok((tournament, ended, seed))
}

/// What the tournament asked for when this game ended.
fn open_game(
    lines: &Lines<'_>,
    tournament: &Tournament,
    dated: &Dated,
    paired_at: u64,
) -> Result<Ended, Fault> {
    let TournamentEvent::GameEnded {
        round, board, game, ..
    } = dated.event
    else {
        return Err(lines.fault("this is not the end of a game".to_owned()));
    };
    let open = match tournament.next() {
        Ok(Next::Play(open)) => open,
        _ => Vec::new(),
    };
    let asked = open
        .into_iter()
        .find(|open| (open.round, open.board, open.game) == (round, board, game));
    let players = asked.and_then(|open| {
        let [one, two] = [open.players.0, open.players.1].map(|number| tournament.player(number));
        Some((open, [one?.clone(), two?.clone()]))
    });
    let Some((open, players)) = players else {
        let why = format!("game {game} of board {board} in round {round} was not to be played");
        return Err(lines.fault(why));
    };
    Ok(Ended {
        line: lines.number,
        dated: dated.clone(),
        open,
        players,
        paired_at,
    })
}

fn check_game(
    lines: &mut Lines<'_>,
    id: TournamentId,
    tournament: &Tournament,
    ended: &Ended,
    starts: &[Position],
) -> Result<Record, Fault> {
    let Ended { dated, open, .. } = ended;
    let TournamentEvent::GameEnded {
        match_id,
        outcome,
        reason,
        head,
        ..
    } = &dated.event
    else {
        return Err(lines.fault("this is not the end of a game".to_owned()));
    };
    let name = format!(
        "game {} of board {} in round {}",
        open.game, open.board, open.round
    );
    let in_log = |why: String| Fault {
        line: ended.line,
        why,
    };
    let expected = match_of_game(id, open.round, open.board, open.game);
    if *match_id != expected {
        return Err(in_log(format!(
            "the match of {name} is {expected}, not {match_id}"
        )));
    }
    let first_line = lines.number + 1;
    let record = read_record(lines, &name)?;
    let fault = |why: String| Fault {
        line: first_line,
        why: format!("{name}: {why}"),
    };
    if record.match_id() != expected {
        return Err(fault(format!(
            "this is the record of match {}",
            record.match_id()
        )));
    }
    let referee = record.referee();
    let rules = tournament.rules();
    let asked = TournamentGame {
        id,
        round: open.round,
        board: open.board,
        game: open.game,
        start_ms: rules.start_ms,
        away_ms: rules.away_ms,
    };
    if referee.tournament() != Some(asked) {
        return Err(fault("the match was not made for this game".to_owned()));
    }
    for (seat, player) in Seat::BOTH.into_iter().zip(&ended.players) {
        if referee.player(seat) != Some(player) {
            return Err(fault(format!("the {seat} player is not {}", player.name)));
        }
    }
    if referee.clock_control() != rules.clock {
        return Err(fault("the clock is not that of the tournament".to_owned()));
    }
    let start = usize::try_from(open.start % starts.len().max(1) as u64).unwrap_or(0);
    if starts.get(start) != Some(referee.start()) {
        let drawn = starts.get(start).map(ToString::to_string);
        return Err(fault(format!(
            "the start is {}, and the seed gives {}",
            referee.start(),
            drawn.unwrap_or_default()
        )));
    }
    if referee.outcome() != Some((*outcome, *reason)) {
        let why = match referee.outcome() {
            Some((won, how)) => format!(
                "the record ends with {} by {}, the tournament counts {} by {}",
                won.as_str(),
                how.as_str(),
                outcome.as_str(),
                reason.as_str()
            ),
            None => "the record does not end".to_owned(),
        };
        return Err(fault(why));
    }
    let (created, last) = (referee.created_at().0, referee.last_at().0);
    if created < ended.paired_at || last > dated.at_ms.0 {
        return Err(fault(
            "the match was not played between the pairing and the result".to_owned(),
        ));
    }
    match record.head() == *head {
        true => Ok(record),
        false => Err(fault(format!(
            "the record was changed: the head of its events is {}, and the tournament's log says {head}",
            record.head()
        ))),
    }
}

/// The next record, whose header says how many lines it has.
fn read_record(lines: &mut Lines<'_>, name: &str) -> Result<Record, Fault> {
    #[derive(Deserialize)]
    struct Count {
        events: u64,
    }
    let first = lines.number;
    let what = format!("the record of {name}");
    let count: Count = serde_json::from_slice(lines.peek()).map_err(|_| {
        lines.number += 1;
        lines.fault(format!("this is not {what}"))
    })?;
    let bytes = lines.take(count.events.saturating_add(1), &what)?;
    Record::read(bytes).map_err(|error| Fault {
        line: first + error.line,
        why: format!("{name}: column {}: {}", error.column, error.message),
    })
}

/// Compares the standings; figures that come from iterations may differ in their last digit between machines.
fn check_standings(lines: &mut Lines<'_>, tournament: &Tournament) -> Result<Standings, Fault> {
    let line = lines.next("the standings")?;
    let last: Standings = canonical(lines, line, "the standings")?;
    let standings = &last.standings;
    let expected = Report::of(tournament);
    let plain = |report: &Report| {
        let mut report = report.clone();
        for row in &mut report.rows {
            (row.elo, row.elo_err) = (None, None);
            (row.rating, row.rating_deviation) = (None, None);
        }
        report
    };
    let (found, due) = (plain(standings), plain(&expected));
    if found != due {
        let rows = found.rows.iter().zip(&due.rows).enumerate();
        let wrong = rows
            .filter(|(_, (found, due))| found != due)
            .map(|(at, (_, due))| {
                format!(
                    "row {} of the standings is wrong: rank {} belongs to {} with {} points",
                    at + 1,
                    due.rank,
                    due.name,
                    due.points
                )
            })
            .next();
        let why = wrong.unwrap_or_else(|| {
            "the standings have another number of rows, rounds or games".to_owned()
        });
        return Err(lines.fault(why));
    }
    for (found, due) in standings.rows.iter().zip(&expected.rows) {
        let who = &due.name;
        let figures = [
            ("Elo", found.elo, due.elo),
            ("Elo error", found.elo_err, due.elo_err),
            ("rating", found.rating, due.rating),
            (
                "rating deviation",
                found.rating_deviation,
                due.rating_deviation,
            ),
        ];
        for (name, found, due) in figures {
            let agree = match (found, due) {
                (Some(found), Some(due)) => (found - due).abs() < 0.015,
                (found, due) => found.is_none() && due.is_none(),
            };
            if !agree {
                let due = due.map_or_else(|| "none".to_owned(), |due| due.to_string());
                return Err(lines.fault(format!("the {name} of {who} is wrong: it is {due}")));
            }
        }
    }
    Ok(last)
}

fn check_accuracy(
    lines: &Lines<'_>,
    tournament: &Tournament,
    records: &[Record],
    found: &[PlayerAccuracy],
) -> Result<(), Fault> {
    let players = tournament.players();
    let expected = accuracies(players, records);
    if found.len() != expected.len() {
        let why = format!(
            "the accuracy is that of {} players, and the tournament has {}",
            found.len(),
            expected.len()
        );
        return Err(lines.fault(why));
    }
    let mut rows = players.iter().zip(found.iter().zip(&expected));
    match rows.find(|(_, (found, due))| found != due) {
        None => Ok(()),
        Some((player, (_, due))) => Err(lines.fault(format!(
            "the accuracy of {} is wrong: {} of {} won positions were kept",
            player.name, due.kept, due.won
        ))),
    }
}
