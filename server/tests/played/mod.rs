//! Whole lawful matches, as the referee makes them, for tests that need a log.

use grundy_server::names::name_key;
use grundy_server::store::{
    Commit, CommitError, Lease, MatchRow, NewPlayer, NodeId, Projection, Store, TokenRow,
};
use grundy_shared::event::{Event, PlayerInfo, TimeControl};
use grundy_shared::ids::{MatchId, Millis, PlayerId, Seat, Seq};
use grundy_shared::protocol::Scopes;
use grundy_shared::referee::{Command, Decision, Referee, Terms};

/// One append of a match.
pub(crate) struct Step {
    /// The events, as stored.
    pub(crate) events: Vec<String>,
    /// The summary, where it changes.
    pub(crate) row: Option<MatchRow>,
}

/// A match from its creation to its end.
pub(crate) struct Played {
    /// Its id.
    pub(crate) id: MatchId,
    /// Its appends; the first creates it.
    pub(crate) steps: Vec<Step>,
}

fn player(bits: u128) -> PlayerInfo {
    PlayerInfo {
        id: PlayerId::from_random(bits),
        name: format!("player {bits}"),
        bot: false,
    }
}

/// A match of Nim in which both players always make the first move of the list: as many moves as there are counters at
/// most.
pub(crate) fn match_of(bits: u64, position: &str) -> Played {
    let now = Millis(1_000_000 * bits);
    let terms = Terms {
        position: position.to_owned(),
        clock: TimeControl::Untimed {},
        rematch_of: None,
        series: None,
    };
    let created = Referee::create(terms, player(1), Seat::First, now).unwrap();
    play(MatchId::from_random(bits), created, now)
}

/// Plays a match to its end: both players always make the first move of the list.
pub(crate) fn play(
    id: MatchId,
    (mut referee, created): (Referee, Vec<Event>),
    mut now: Millis,
) -> Played {
    let mut steps = vec![Step {
        events: created.iter().map(Event::to_json).collect(),
        row: Some(MatchRow::of(&referee, None)),
    }];
    let mut command = match referee.tournament() {
        None => Command::Join { player: player(2) },
        Some(_) => Command::StartClock { seat: None },
    };
    while referee.outcome().is_none() {
        now = now.plus(Millis(10));
        let Ok(Decision::Events(events)) = referee.handle(now, &command) else {
            panic!("{command:?} is refused");
        };
        for event in &events {
            referee.apply(event).unwrap();
        }
        let ended_at = referee.outcome().map(|_| now);
        let summarise = ended_at.is_some() || steps.len() == 1;
        steps.push(Step {
            events: events.iter().map(Event::to_json).collect(),
            row: summarise.then(|| MatchRow::of(&referee, ended_at)),
        });
        let seat = referee.to_move();
        let Some(first) = referee.position().nth_move(seat, 0) else {
            break;
        };
        command = Command::Move {
            player: referee.player(seat).unwrap().id,
            ply: referee.ply().next(),
            client_move_id: None,
            text: first.to_string(),
            opponent_lag: Millis(0),
            hints: 0,
        };
    }
    Played { id, steps }
}

/// Commits one thing alone.
pub(crate) async fn commit(
    store: &dyn Store,
    lease: Lease,
    commit: Commit,
) -> Result<(), CommitError> {
    let mut outcomes = store.commit(lease, vec![commit]).await;
    assert_eq!(outcomes.len(), 1);
    outcomes.remove(0)
}

/// The right to write, anew.
pub(crate) async fn lease(store: &dyn Store) -> Lease {
    let enlisted = store.enlist(NodeId::ONLY, Millis(0)).await;
    enlisted.expect("the store takes a node")
}

/// Stores the players of these matches, as the server does before they play.
pub(crate) async fn players(store: &dyn Store, lease: Lease) {
    for bits in [1, 2] {
        let new = NewPlayer {
            info: player(bits),
            name_key: name_key(&player(bits).name),
            token: TokenRow {
                hash: [bits as u8; 32].into(),
                prefix: "grg_".to_owned(),
                name: "guest".to_owned(),
                scopes: Scopes::ALL,
                created_at: Millis(0),
                expires_at: None,
            },
            created_at: Millis(0),
        };
        let new = Commit::default().with(Projection::Player(new));
        match commit(store, lease, new).await {
            Ok(()) | Err(CommitError::Taken(_)) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

impl Played {
    /// Stores one append, and says with which number the log ends then.
    pub(crate) async fn store(
        &self,
        store: &dyn Store,
        lease: Lease,
        number: usize,
    ) -> Result<Seq, CommitError> {
        let before: usize = self.steps[..number]
            .iter()
            .map(|step| step.events.len())
            .sum();
        let before = Seq(before as u64);
        let Step { events, row } = &self.steps[number];
        let bodies = events.iter().map(|body| body.clone().into()).collect();
        let mut step = Commit::append(self.id, before, bodies);
        if let Some(row) = row {
            step = step.with_row(self.id, row.clone());
        }
        commit(store, lease, step).await?;
        Ok(Seq(before.0 + events.len() as u64))
    }
}
