//! What the laws are tried with: matches, bodies, and a store of every backend with the right to write to it.

use std::future::Future;
use std::sync::Arc;

use bytes::Bytes;
use grundy_server::store::memory::MemoryStore;
use grundy_server::store::sqlite::SqliteStore;
use grundy_server::store::{
    AccountRow, AddressDigest, Commit, CommitError, LOAD_PAGE, Lease, MatchRow, MatchStatus,
    NewPlayer, NodeId, PasswordHash, Projection, Store, StreamId, TokenRow,
};
use grundy_shared::event::{EndReason, Outcome, PlayerInfo, TimeControl};
use grundy_shared::ids::{JoinCode, MatchId, Millis, PlayerId, Ply, PuzzleId, Seq, TournamentId};
use grundy_shared::protocol::chat::Room;
use grundy_shared::protocol::{Scope, Scopes};
use tempfile::TempDir;

use crate::cluster;

pub(crate) fn player(bits: u128) -> PlayerInfo {
    PlayerInfo {
        id: PlayerId::from_random(bits),
        name: format!("player {bits}"),
        bot: bits.is_multiple_of(2),
    }
}

pub(crate) fn id(bits: u64) -> MatchId {
    MatchId::from_random(bits)
}

pub(crate) fn row(first: u128) -> MatchRow {
    MatchRow {
        start: "nim:3,5,7".to_owned(),
        clock: TimeControl::Fischer {
            base_ms: Millis(180_000),
            increment_ms: Millis(2_000),
        },
        first: Some(player(first)),
        second: None,
        status: MatchStatus::Waiting,
        outcome: None,
        reason: None,
        plies: Ply(0),
        created_at: Millis(1_000),
        ended_at: None,
        rematch_of: None,
        series: None,
    }
}

pub(crate) fn over(first: u128, second: u128) -> MatchRow {
    MatchRow {
        second: Some(player(second)),
        status: MatchStatus::Over,
        outcome: Some(Outcome::Second),
        reason: Some(EndReason::LastMove),
        plies: Ply(3),
        ended_at: Some(Millis(9_000)),
        rematch_of: Some(id(77)),
        series: None,
        ..row(first)
    }
}

/// A commit that makes a match with one event.
pub(crate) fn new_match(bits: u64) -> Commit {
    with_row(bits, row(1))
}

pub(crate) fn with_row(bits: u64, row: MatchRow) -> Commit {
    Commit::append(id(bits), Seq(0), bodies([1])).with_row(id(bits), row)
}

/// Bodies with everything that quoting could harm.
pub(crate) fn bodies(numbers: impl IntoIterator<Item = u64>) -> Vec<Bytes> {
    numbers
        .into_iter()
        .map(|n| format!("{{\"n\":{n},\"text\":\"a\\\"b\\\\ é \u{1F3B2} \u{7f} ','\"}}").into())
        .collect()
}

/// A store with the right to write to it.
#[derive(Clone)]
pub(crate) struct Desk {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) lease: Lease,
}

impl Desk {
    pub(crate) async fn new(store: Arc<dyn Store>) -> Self {
        let lease = store.enlist(NodeId::ONLY, Millis(1)).await.unwrap();
        Self { store, lease }
    }

    pub(crate) async fn commit(&self, commit: Commit) -> Result<(), CommitError> {
        let mut outcomes = self.store.commit(self.lease, vec![commit]).await;
        assert_eq!(outcomes.len(), 1);
        outcomes.remove(0)
    }

    pub(crate) async fn append(
        &self,
        stream: impl Into<StreamId>,
        expected: u64,
        events: Vec<Bytes>,
    ) -> Result<(), CommitError> {
        self.commit(Commit::append(stream, Seq(expected), events))
            .await
    }

    pub(crate) async fn texts(&self, stream: impl Into<StreamId>) -> Vec<(u64, Bytes)> {
        let logged = self.store.load(stream.into(), Seq(0), LOAD_PAGE).await;
        let logged = logged.unwrap().unwrap_or_default();
        let pairs = logged.into_iter().map(|event| (event.seq.0, event.body));
        pairs.collect()
    }

    pub(crate) async fn length(&self, stream: impl Into<StreamId>) -> usize {
        self.texts(stream).await.len()
    }
}

/// One stream of each kind.
pub(crate) fn kinds() -> [StreamId; 8] {
    [
        StreamId::Match(id(1)),
        StreamId::Tournament(TournamentId::from_random(1)),
        StreamId::Account(player(1).id),
        StreamId::Rating(player(1).id, "nim".parse().unwrap()),
        StreamId::Chat(id(1), Room::Players),
        StreamId::Chat(id(1), Room::Watchers),
        StreamId::Solving(player(1).id),
        StreamId::Puzzle(PuzzleId::from_bytes(&[1; 16]).unwrap()),
    ]
}

pub(crate) fn conflict(stream: impl Into<StreamId>, actual: u64) -> CommitError {
    CommitError::Conflict {
        stream: stream.into(),
        actual: Seq(actual),
    }
}

/// Runs one law on every backend.
pub(crate) fn on_every_backend<F>(law: impl Fn(Desk) -> F)
where
    F: Future<Output = ()>,
{
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        law(Desk::new(Arc::new(MemoryStore::new())).await).await;
        let directory = TempDir::new().unwrap();
        let store = SqliteStore::open(&directory.path().join("grundy.db"))
            .await
            .unwrap();
        law(Desk::new(Arc::new(store)).await).await;
        let store: Arc<dyn Store> = Arc::new(cluster::new_store().await);
        law(Desk::new(Arc::clone(&store)).await).await;
        store.close().await;
    });
}

pub(crate) fn code(bits: u64, of: u64, at: u64, expires_at: u64) -> Projection {
    Projection::JoinCode {
        code: JoinCode::from_random(bits),
        match_id: id(of),
        at: Millis(at),
        expires_at: Millis(expires_at),
    }
}

pub(crate) fn created_at(of: u64, address: u16) -> Projection {
    Projection::Address {
        match_id: id(of),
        address: AddressDigest(address),
    }
}

pub(crate) fn create_id(who: u128, name: &str, of: u64) -> Projection {
    Projection::CreateId {
        player: player(who).id,
        client_create_id: name.parse().unwrap(),
        match_id: id(of),
    }
}

pub(crate) fn new_player(bits: u128, token: u8) -> Commit {
    Commit::default().with(Projection::Player(NewPlayer {
        info: player(bits),
        name_key: player(bits).name,
        token: self::token(token),
        created_at: Millis(1),
    }))
}

/// A token whose hash is this byte again and again.
pub(crate) fn token(byte: u8) -> TokenRow {
    TokenRow {
        hash: [byte; 32].into(),
        prefix: format!("grg_{byte}"),
        name: "a token".to_owned(),
        scopes: Scopes::of(&[Scope::Play, Scope::Admin]),
        created_at: Millis(3),
        expires_at: byte.is_multiple_of(2).then_some(Millis(9)),
    }
}

/// What the account of a player has from now on, if this is its version.
pub(crate) fn account(bits: u128, version: u64, tokens: &[u8]) -> Projection {
    Projection::Account {
        player: player(bits).id,
        account: Box::new(AccountRow {
            version,
            password: (version > 0).then(|| PasswordHash(format!("$argon2id${version}"))),
            codes: vec![[7; 32].into(); version as usize % 3],
            tokens: tokens.iter().map(|byte| token(*byte)).collect(),
            erased: false,
            known: (0..version % 3)
                .map(|digest| AddressDigest(digest as u16))
                .collect(),
            muted: (0..version % 3)
                .map(|bits| player(bits.into()).id)
                .collect(),
        }),
    }
}

/// Another name of a player, whose key is itself.
pub(crate) fn rename(bits: u128, name: &str) -> Projection {
    Projection::Rename {
        player: player(bits).id,
        name: name.to_owned(),
        name_key: name.to_owned(),
    }
}
