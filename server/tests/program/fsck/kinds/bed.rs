//! The databases that are changed: built once, copied for each trial.

use std::fs;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use grundy_server::names::name_key;
use grundy_server::store::sqlite::SqliteStore;
use grundy_server::store::{
    AccountRow, AddressDigest, BanRow, Commit, Lease, MatchRow, Mistakes, NewPlayer, PasswordHash,
    Projection, RatingRow, Store, StreamId, TokenRow,
};
use grundy_shared::event::{Event, PlayerInfo, Series, TimeControl};
use grundy_shared::ids::{JoinCode, MatchId, Millis, PlayerId, Seat, Seq, ServerId};
use grundy_shared::protocol::Scopes;
use grundy_shared::protocol::chat::Room;
use grundy_shared::rated::{RatedPair, RatingEvent, RatingState};
use grundy_shared::referee::{Referee, Terms};
use grundy_shared::tournament::Dated;
use tempfile::TempDir;

use super::super::reviews::{keep, review_of};
use super::super::store_steps;
use super::super::tournaments::Cup;
use crate::played::{self, Played};

/// Commits after which the write-ahead log is emptied into the database and begun anew.
const UNTIL_CHECKPOINT: u64 = 700;

/// The databases, each in a directory of its own with the name `grundy.db`.
pub(crate) struct Bed {
    directory: TempDir,
}

/// The state of the files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Files {
    /// A server has stopped cleanly.
    Closed,
    /// A server was killed, or the files are a copy of one moment.
    Killed,
    /// The same, earlier: since then the write-ahead log was begun anew.
    Earlier,
    /// Of another server that has stopped cleanly.
    Another,
}

impl Bed {
    pub(crate) async fn build() -> Self {
        let directory = TempDir::new().unwrap();
        let bed = Self { directory };
        let work = bed.directory.path().join("work");
        fs::create_dir(&work).unwrap();
        let path = work.join("grundy.db");
        let store = SqliteStore::open(&path).await.unwrap();
        let lease = played::lease(&store).await;
        fill(&store, lease).await;
        store.close().await;
        copy(&work, &bed.of(Files::Closed));

        let store = SqliteStore::open(&path).await.unwrap();
        let lease = played::lease(&store).await;
        let running = played::match_of(20, "nim:9,9,9");
        store_steps(&store, lease, &running, 6).await;
        store.heartbeat(lease, Millis(10_000)).await.unwrap();
        copy(&work, &bed.of(Files::Earlier));
        // Where the early log has no page.
        let new = NewPlayer {
            info: player(3),
            name_key: name_key("player 3"),
            token: TokenRow {
                hash: [99; 32].into(),
                ..account(1).tokens.remove(0)
            },
            created_at: Millis(12_000),
        };
        let new = Commit::default().with(Projection::Player(new));
        played::commit(&store, lease, new).await.unwrap();
        for beat in 0..UNTIL_CHECKPOINT {
            store.heartbeat(lease, Millis(20_000 + beat)).await.unwrap();
        }
        let late = played::match_of(21, "nim:9,9,9");
        store_steps(&store, lease, &late, 6).await;
        for step in 6..9 {
            running.store(&store, lease, step).await.unwrap();
        }
        store.heartbeat(lease, Millis(90_000)).await.unwrap();
        for step in 9..12 {
            running.store(&store, lease, step).await.unwrap();
        }
        copy(&work, &bed.of(Files::Killed));
        store.close().await;

        let another = bed.of(Files::Another);
        fs::create_dir(&another).unwrap();
        let store = SqliteStore::open(&another.join("grundy.db")).await.unwrap();
        let lease = played::lease(&store).await;
        played::players(&store, lease).await;
        let other = played::match_of(50, "nim:2,3");
        store_steps(&store, lease, &other, other.steps.len()).await;
        store.close().await;
        bed
    }

    /// Where the files of this state are.
    pub(super) fn of(&self, files: Files) -> PathBuf {
        self.directory.path().join(format!("{files:?}"))
    }

    /// A copy of them; the path of its database.
    pub(crate) fn copy(&self, files: Files, to: &Path) -> PathBuf {
        copy(&self.of(files), to);
        to.join("grundy.db")
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for file in fs::read_dir(from).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), to.join(file.file_name())).unwrap();
    }
}

fn player(bits: u128) -> PlayerInfo {
    PlayerInfo {
        id: PlayerId::from_random(bits),
        name: format!("player {bits}"),
        bot: false,
    }
}

/// Finished, running and waiting matches, a tournament, a rated pair, chat, accounts, an address, and counted mistakes.
async fn fill(store: &dyn Store, lease: Lease) {
    played::players(store, lease).await;
    for (bits, position) in [(1, "nim:2,3"), (2, "nim:4,1,1"), (3, "nim:7,7")] {
        let finished = played::match_of(bits, position);
        store_steps(store, lease, &finished, finished.steps.len()).await;
    }
    for (bits, steps) in [(4, 4), (5, 6), (6, 1), (7, 1)] {
        store_steps(store, lease, &played::match_of(bits, "nim:5,5"), steps).await;
    }
    let tell = async |projection| {
        let commit = Commit::default().with(projection);
        played::commit(store, lease, commit).await.unwrap();
    };
    for (bits, code) in [(6, "KWQHRMTB"), (7, "BTMRHQWK")] {
        let match_id = MatchId::from_random(bits);
        let code: JoinCode = code.parse().unwrap();
        let (at, expires_at) = (Millis(5), Millis(1_000_000));
        tell(Projection::JoinCode {
            code,
            match_id,
            at,
            expires_at,
        })
        .await;
        tell(Projection::CreateId {
            player: PlayerId::from_random(1),
            client_create_id: format!("try-{bits}").parse().unwrap(),
            match_id,
        })
        .await;
        let address = AddressDigest(u16::try_from(bits).unwrap());
        tell(Projection::Address { match_id, address }).await;
    }
    for bits in [2, 3] {
        let review = review_of(&played::match_of(
            bits,
            if bits == 2 { "nim:4,1,1" } else { "nim:7,7" },
        ));
        keep(store, lease, bits, review).await;
    }
    let mistakes = Mistakes::Unknown;
    let match_id = MatchId::from_random(1);
    tell(Projection::Mistakes { match_id, mistakes }).await;
    for bits in [1, 2] {
        let (player, account) = (PlayerId::from_random(bits), Box::new(account(bits)));
        tell(Projection::Account { player, account }).await;
    }
    for (subject, until) in [
        ("player 67e55044-10b1-426f-9247-bb680e5fe0c8", None),
        ("address 192.0.2.0/24", Some(Millis(1_000_000))),
    ] {
        tell(Projection::Ban(BanRow {
            subject: subject.parse().unwrap(),
            reason: "flood".to_owned(),
            created_at: Millis(5),
            until,
        }))
        .await;
    }
    tell(Projection::Server(ServerId::from_random(7))).await;
    tell(Projection::AddressSecret([7; 32].into())).await;
    logs(store, lease).await;
    rated_pair(store, lease).await;
    cup(store, lease).await;
    store.heartbeat(lease, Millis(9_000)).await.unwrap();
}

fn account(bits: u128) -> AccountRow {
    let mark = u8::try_from(bits).unwrap();
    let token = |hash: u8, name: &str, expires_at| TokenRow {
        hash: [hash; 32].into(),
        prefix: match name {
            "guest" => "grg_".to_owned(),
            _ => "grt_Ab3d".to_owned(),
        },
        name: name.to_owned(),
        scopes: Scopes::ALL,
        created_at: Millis(0),
        expires_at,
    };
    AccountRow {
        version: 0,
        password: Some(PasswordHash(format!(
            "$argon2id$v=19$m=8,t=1,p=1$c2FsdA${bits}"
        ))),
        codes: vec![[mark + 100; 32].into(), [mark + 110; 32].into()],
        tokens: vec![
            token(mark, "guest", None),
            token(mark + 50, "laptop", Some(Millis(7_000_000))),
        ],
        muted: vec![PlayerId::from_random(3 - bits)],
        known: vec![AddressDigest(bits as u16 + 7)],
        erased: false,
    }
}

/// The logs of two accounts and of a room.
async fn logs(store: &dyn Store, lease: Lease) {
    let line = |number: u64| {
        let said = format!(
            r#"{{"type":"said","at_ms":{number},"player":{{"id":"67e55044-10b1-426f-9247-bb680e5fe0c8","name":"Ada","bot":false}},"preset":"hello"}}"#
        );
        Bytes::from(said)
    };
    let room = StreamId::Chat(MatchId::from_random(1), Room::Players);
    let account = StreamId::Account(PlayerId::from_random(1));
    let record = |number: u64| {
        Bytes::from(format!(
            r#"{{"type":"asked","at_ms":{number},"by":{{"type":"signal"}},"change":{{"type":"reload"}}}}"#
        ))
    };
    let append = async |stream, number, body| {
        let append = Commit::append(stream, Seq(number), vec![body]);
        played::commit(store, lease, append).await.unwrap();
    };
    for (stream, wanted) in [(room, 5), (account, 4)] {
        for number in 0..wanted {
            append(stream, number, line(number)).await;
        }
    }
    for number in 0..3 {
        append(StreamId::Audit, number, record(number)).await;
    }
}

/// A rated pair, with what its players get for it.
async fn rated_pair(store: &dyn Store, lease: Lease) {
    let pair = MatchId::from_random(30);
    let terms = |series| Terms {
        position: "nim:2,3".to_owned(),
        clock: TimeControl::Fischer {
            base_ms: Millis(60_000),
            increment_ms: Millis(0),
        },
        rematch_of: None,
        series,
    };
    let series = Series::first(pair, 2, true).unwrap();
    let created = Referee::create(terms(series), player(1), Seat::First, Millis(5)).unwrap();
    let first = played::play(pair, created, Millis(5));
    let events = events_of(&first);
    let (end, _) = events.split_last().unwrap();
    let (id, next, _) = Referee::replay(&events[..2])
        .unwrap()
        .open_next(end)
        .unwrap()
        .unwrap();
    store_steps(store, lease, &first, first.steps.len()).await;
    // The same players with the sides swapped: the second player joins.
    let created =
        Referee::create(terms(next.series()), player(1), Seat::Second, Millis(900)).unwrap();
    let second = played::play(id, created, Millis(900));
    let events = events_of(&second);
    let (end, _) = events.split_last().unwrap();
    let referee = Referee::replay(&events).unwrap();
    let ended = RatedPair::ended(&referee, end).unwrap();
    let last = second.steps.len() - 1;
    store_steps(store, lease, &second, last).await;
    let before: usize = second.steps[..last]
        .iter()
        .map(|step| step.events.len())
        .sum();
    let bodies = second.steps[last].events.iter();
    let bodies = bodies.map(|body| body.clone().into()).collect();
    let row: MatchRow = second.steps[last].row.clone().unwrap();
    let mut commit = Commit::append(id, Seq(before as u64), bodies).with_row(id, row);
    let rated = ended.rate([&RatingState::default(), &RatingState::default()]);
    for (player, rated) in ended.players.iter().zip(rated) {
        let event = RatingEvent::Rated(rated.clone());
        let stream = StreamId::Rating(player.id, ended.family);
        let mut state = RatingState::default();
        state.take(&rated);
        let bot = player.bot;
        commit = commit
            .and(stream, Seq(0), vec![Bytes::from(event.to_json())])
            .with(Projection::Rating {
                player: player.id,
                family: ended.family,
                row: RatingRow { state, bot },
            });
    }
    played::commit(store, lease, commit).await.unwrap();
}

fn events_of(game: &Played) -> Vec<Event> {
    let bodies = game.steps.iter().flat_map(|step| &step.events);
    bodies
        .map(|body| serde_json::from_str(body).unwrap())
        .collect()
}

/// A tournament, of which the first game is over.
async fn cup(store: &dyn Store, lease: Lease) {
    let Cup { id, events, game } = Cup::new();
    let bodies = events.into_iter().map(|event| {
        let at_ms = Millis(5);
        Dated { at_ms, event }.to_json().into()
    });
    let log = Commit::append(StreamId::Tournament(id), Seq(0), bodies.collect());
    played::commit(store, lease, log).await.unwrap();
    store_steps(store, lease, &game, game.steps.len()).await;
}
