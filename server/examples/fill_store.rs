//! Fills a database with matches, to measure what depends on their number: the start of a server with many live matches,
//! reading one match among many.
//!
//! ```text
//! cargo run --release -p grundy-server --example fill_store -- DATABASE MATCHES PLIES [over]
//! ```
//!
//! Makes MATCHES matches of Nim with PLIES moves each in the file DATABASE, live ones, or with `over` resigned ones. The
//! server must not be running on it.

use std::error::Error;
use std::path::Path;
use std::time::SystemTime;

use grundy_server::store::committer::Committer;
use grundy_server::store::{Commit, MatchRow, NodeId, open};
use grundy_shared::event::{PlayerInfo, TimeControl};
use grundy_shared::ids::{MatchId, Millis, PlayerId, Seat, Seq};
use grundy_shared::referee::{Command, Decision, Referee, Terms};
use tokio::task::JoinSet;

/// Matches that are written at once: the store commits them together.
const AT_ONCE: usize = 256;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [database, matches, plies, rest @ ..] = &arguments[..] else {
        return Err("DATABASE MATCHES PLIES [over]".into());
    };
    let (matches, plies): (u64, u32) = (matches.parse()?, plies.parse()?);
    let over = matches!(rest, [word] if word == "over");
    let store = open::open(Path::new(database)).await?;
    let now = SystemTime::UNIX_EPOCH.elapsed()?.as_millis();
    let start = Millis(u64::try_from(now)?);
    let lease = store.enlist(NodeId::ONLY, start).await?;
    let (committer, commits) = Committer::new(store.clone(), lease);
    let mut committing = JoinSet::new();
    committing.spawn(commits.run());
    let mut writing = JoinSet::new();
    for number in 0..matches {
        if writing.len() >= AT_ONCE {
            writing.join_next().await.transpose()?.transpose()?;
        }
        writing.spawn(write(committer.clone(), number, start, plies, over));
    }
    while writing
        .join_next()
        .await
        .transpose()?
        .transpose()?
        .is_some()
    {}
    committer.close().await;
    while committing.join_next().await.transpose()?.is_some() {}
    store.close().await;
    println!("{matches} matches of {plies} moves in {database}");
    Ok(())
}

/// Plays one match and writes it.
async fn write(
    committer: Committer,
    number: u64,
    now: Millis,
    plies: u32,
    over: bool,
) -> Result<(), String> {
    let player = |seat: u64| PlayerInfo {
        id: PlayerId::from_random(u128::from(number) << 1 | u128::from(seat)),
        name: "filler".to_owned(),
        bot: true,
    };
    let told = |error: &dyn std::fmt::Display| error.to_string();
    let terms = Terms {
        position: "nim:1000,1000,1000".to_owned(),
        clock: TimeControl::Fischer {
            base_ms: Millis(86_400_000),
            increment_ms: Millis(1_000),
        },
        rematch_of: None,
        series: None,
    };
    let (mut referee, created) =
        Referee::create(terms, player(0), Seat::First, now).map_err(|error| told(&error))?;
    // Far apart, as drawn ids are.
    let id = MatchId::from_random((now.0 ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let join = Command::Join { player: player(1) };
    let moves = (1..=plies).map(|ply| Command::Move {
        player: player(u64::from(ply % 2 == 0)).id,
        ply: grundy_shared::ids::Ply(ply),
        client_move_id: format!("m{ply}").parse().ok(),
        text: "A-1".to_owned(),
        opponent_lag: Millis(0),
        hints: 0,
    });
    let resign = over.then(|| Command::Resign {
        player: player(0).id,
    });
    let mut bodies: Vec<_> = created.iter().map(|event| event.to_json().into()).collect();
    for command in std::iter::once(join).chain(moves).chain(resign) {
        let decision = referee
            .handle(now, &command)
            .map_err(|error| format!("{error:?}"))?;
        let Decision::Events(events) = decision else {
            return Err(format!("{command:?} changed nothing"));
        };
        let events = referee.accept(events).map_err(|error| told(&error))?;
        bodies.extend(events.iter().map(|event| event.to_json().into()));
    }
    let row = MatchRow::of(&referee, over.then_some(now));
    let commit = Commit::append(id, Seq(0), bodies).with_row(id, row);
    committer.commit(commit).await.map_err(|error| told(&error))
}
