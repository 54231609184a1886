//! A tournament as a file: its log, the record of each game, and the standings, so that anybody can compute all of it again.
//!
//! The file is NDJSON. The first line counts what follows and gives the head of the log's hash chain; then come the events of the
//! log, then for each game in the order of their ends its record as in [`crate::record`], then one line with the standings and, if
//! the solver was asked, the accuracy of each player.
//! [`verify()`] trusts nothing in it but the log's head, which the reader can compare with the one that the server shows.

mod fault;
mod lines;
mod verify;

use std::io::{self, Write};

use serde::{Deserialize, Serialize};

pub use fault::Fault;
pub use verify::{Verified, verify};

use crate::chain;
use crate::ids::{Seq, TournamentId};
use crate::oracle::PlayerAccuracy;
use crate::record::Record;
use crate::tournament::Report;

/// The form described here.
pub const SCHEMA: &str = "grundy/tournament/1";
/// The largest export that is read, in bytes: 1 GiB.
pub const MAX_BYTES: usize = 1 << 30;

/// The first line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    schema: String,
    tournament: TournamentId,
    events: u64,
    head: String,
    games: u64,
}

/// A line of the log. The event is kept as it came.
#[derive(Serialize)]
struct Line<'e> {
    seq: Seq,
    body: &'e serde_json::value::RawValue,
}

/// The last line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Standings {
    standings: Report,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    accuracy: Option<Vec<PlayerAccuracy>>,
}

/// Writes an export from the log as stored, the records of the games in the order of their ends, the standings, and the accuracy of
/// each player, in the order of their numbers, unless the solver was not asked.
///
/// # Errors
/// Those of the writer; an event that is not JSON.
pub fn write(
    mut out: impl Write,
    tournament: TournamentId,
    events: &[String],
    records: &[Record],
    standings: &Report,
    accuracy: Option<&[PlayerAccuracy]>,
) -> io::Result<()> {
    let header = Header {
        schema: SCHEMA.to_owned(),
        tournament,
        events: events.len() as u64,
        head: hex(&head_of(tournament, events.iter().map(String::as_bytes))),
        games: records.len() as u64,
    };
    line(&mut out, &header)?;
    for (number, event) in (1..).zip(events) {
        let body = serde_json::from_str(event)?;
        let seq = Seq(number);
        line(&mut out, &Line { seq, body })?;
    }
    for record in records {
        record.write(&mut out)?;
    }
    line(
        &mut out,
        &Standings {
            standings: standings.clone(),
            accuracy: accuracy.map(<[_]>::to_vec),
        },
    )
}

fn line(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
}

/// The head of the hash chain of a tournament's log.
fn head_of<'e>(
    tournament: TournamentId,
    events: impl IntoIterator<Item = &'e [u8]>,
) -> chain::Hash {
    let genesis = chain::genesis_of_tournament(tournament);
    events
        .into_iter()
        .fold(genesis, |link, event| chain::link(&link, event))
}

/// A hash in hexadecimal digits.
fn hex(hash: &chain::Hash) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests;
