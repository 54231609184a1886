//! A store with something in every table.

use std::path::Path;

use grundy_server::names::name_key;
use grundy_server::store::sqlite::SqliteStore;
use grundy_server::store::{
    AddressDigest, Commit, Lease, NewErasure, NewPlayer, Projection, PuzzleAttempt, PuzzleRow,
    Store, StreamId, TokenRow, Unneeded, Usage, UsageOf,
};
use grundy_shared::event::{PlayerInfo, TimeControl};
use grundy_shared::ids::{MatchId, Millis, PlayerId, Seat, Seq};
use grundy_shared::protocol::Scopes;
use grundy_shared::puzzle::{Collection, Given, PuzzleEvent, SolvingEvent, first_rating, rate};
use grundy_shared::rated::RatingState;
use grundy_shared::referee::{Command, Decision, Referee, Terms};

use crate::fsck::kinds::bed::{Bed, Files};
use crate::fsck::store_steps;
use crate::played::{self, commit, match_of};

/// Makes it in this directory: with matches in every state, a tournament, ratings, chat, accounts, bans, puzzles, reviews, an erasure that is not finished, logs that were removed,
/// and a journal. As a server leaves it that was killed, if it is to be so.
pub(super) async fn fill(directory: &Path, is_killed: bool) {
    let bed = Bed::build().await;
    let path = bed.copy(Files::Killed, directory);
    let store = SqliteStore::open(&path).await.expect("a database");
    let lease = played::lease(&store).await;
    puzzles(&store, lease).await;
    removed(&store, lease).await;
    let rows = vec![
        used(UsageOf::Address(AddressDigest(7)), 11),
        used(UsageOf::Player(PlayerId::from_random(1)), 12),
    ];
    let at = Millis(1);
    let usage = Commit::default().with(Projection::Usage { at, rows });
    commit(&store, lease, usage).await.expect("it is stored");
    erasure(&store, lease).await;
    store_steps(&store, lease, &match_of(60, "nim:9,9,9"), 6).await;
    long_log(&store, lease).await;
    match is_killed {
        // The files as they are now. Nothing is written once the store is dropped without being closed.
        true => {
            let copy = directory.with_extension("killed");
            std::fs::create_dir(&copy).expect("a directory");
            copy_files(directory, &copy);
            store.close().await;
            std::fs::remove_dir_all(directory).expect("our files");
            std::fs::rename(&copy, directory).expect("our files");
        }
        false => store.close().await,
    }
}

/// Copies all files of a directory.
pub(super) fn copy_files(from: &Path, to: &Path) {
    for file in std::fs::read_dir(from).expect("a directory") {
        let file = file.expect("a file");
        std::fs::copy(file.path(), to.join(file.file_name())).expect("it is copied");
    }
}

/// A log that is not read at once: 4,000 events are.
async fn long_log(store: &dyn Store, lease: Lease) {
    let begun = store.load(StreamId::Audit, Seq(0), 1_000).await;
    let begun = begun.expect("it is read").expect("a log").len() as u64;
    let numbers: Vec<u64> = (begun..4_300).collect();
    for some in numbers.chunks(500) {
        let records = some.iter().map(|number| {
            let record = format!(
                r#"{{"type":"asked","at_ms":{number},"by":{{"type":"signal"}},"change":{{"type":"reload"}}}}"#
            );
            record.into()
        });
        let append = Commit::append(StreamId::Audit, Seq(some[0]), records.collect());
        commit(store, lease, append).await.expect("it is stored");
    }
}

fn used(of: UsageOf, until: u64) -> Usage {
    let moment = |more| Millis(5_000_000_000_000 + until + more);
    Usage {
        of,
        bytes: moment(1),
        matches: moment(2),
        guests: moment(3),
    }
}

/// Three puzzles, of which one is tried.
async fn puzzles(store: &dyn Store, lease: Lease) {
    let edition = Collection::edition();
    let rows = edition.numbered().take(3).map(|(_, puzzle)| PuzzleRow {
        state: first_rating(puzzle),
        puzzle: puzzle.clone(),
    });
    let rows: Vec<PuzzleRow> = rows.collect();
    for row in &rows {
        let row = Box::new(row.clone());
        let added = Commit::default().with(Projection::Puzzle { row, at_most: 9 });
        commit(store, lease, added).await.expect("it is stored");
    }
    let (player, puzzle) = (PlayerId::from_random(1), rows[0].puzzle.id());
    let (mut solving, mut tried) = (RatingState::default(), rows[0].state);
    let given = Given {
        puzzle,
        at_ms: Millis(5_000),
        mv: None,
        solved: true,
    };
    let (mine, its) = rate(given, &solving, &tried);
    solving.advance(mine.at_ms, mine.after);
    tried.advance(its.at_ms, its.after);
    let events = [
        SolvingEvent::Attempted(mine).to_json(),
        PuzzleEvent::Tried(its).to_json(),
    ];
    let [mine, its] = events.map(|event| vec![event.into()]);
    let attempt = PuzzleAttempt {
        player,
        solving,
        puzzle,
        tried,
    };
    let tried = Commit::append(StreamId::Solving(player), Seq(0), mine)
        .and(StreamId::Puzzle(puzzle), Seq(0), its)
        .with(Projection::Attempt(Box::new(attempt)));
    commit(store, lease, tried).await.expect("it is stored");
}

/// Four matches that came to nothing, of which two neighbours and one more are removed.
async fn removed(store: &dyn Store, lease: Lease) {
    let void = async |bits: u64| {
        let terms = Terms {
            position: "nim:3,4".to_owned(),
            clock: TimeControl::Untimed {},
            rematch_of: None,
            series: None,
        };
        let player = PlayerInfo {
            id: PlayerId::from_random(1),
            name: "player 1".to_owned(),
            bot: false,
        };
        let created = Referee::create(terms, player.clone(), Seat::First, Millis(5));
        let (referee, events) = created.expect("it is lawful");
        let abort = Command::Abort { player: player.id };
        let Ok(Decision::Events(ended)) = referee.handle(Millis(6), &abort) else {
            panic!("it is lawful");
        };
        let mut over = referee.clone();
        for event in &ended {
            over.apply(event).expect("it is lawful");
        }
        let id = MatchId::from_random(bits);
        let bodies = events.iter().chain(&ended);
        let bodies = bodies.map(|event| event.to_json().into()).collect();
        let row = grundy_server::store::MatchRow::of(&over, Some(Millis(6)));
        let all = Commit::append(id, Seq(0), bodies).with_row(id, row);
        commit(store, lease, all).await.expect("it is stored");
    };
    for bits in [71, 72, 73, 74, 75] {
        void(bits).await;
        if bits == 72 {
            store_steps(store, lease, &match_of(80, "nim:2,3"), 3).await;
        }
    }
    let unneeded = Unneeded {
        matches_before: Millis(1_000),
        guests_before: Millis(0),
    };
    let mut gone = 0;
    // What is not settled is removed the next time.
    for _ in 0..3 {
        let mut wanted = store.removable(unneeded).await.expect("it is read");
        wanted
            .matches
            .retain(|id| [71, 72, 73].map(MatchId::from_random).contains(id));
        let removal = store.remove(lease, wanted, unneeded).await;
        gone += removal.expect("it is removed").matches.len();
    }
    assert_eq!(gone, 3, "three logs are removed");
}

/// A player whose erasure was begun.
async fn erasure(store: &dyn Store, lease: Lease) {
    let player = PlayerInfo {
        id: PlayerId::from_random(90),
        name: "tab\there, back\\slash, 王".to_owned(),
        bot: false,
    };
    let new = NewPlayer {
        name_key: name_key(&player.name),
        info: player.clone(),
        token: TokenRow {
            hash: [90; 32].into(),
            prefix: "grg_".to_owned(),
            name: "guest".to_owned(),
            scopes: Scopes::ALL,
            created_at: Millis(0),
            expires_at: None,
        },
        created_at: Millis(12_000),
    };
    let new = Commit::default().with(Projection::Player(new));
    commit(store, lease, new).await.expect("it is stored");
    let name = "erased-2".to_owned();
    let begun = NewErasure {
        player: player.id,
        name_key: name_key(&name),
        name,
        names: vec![player.name],
    };
    let begun = Commit::default().with(Projection::Erase(Box::new(begun)));
    commit(store, lease, begun).await.expect("it is stored");
}
