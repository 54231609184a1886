//! A tournament with a log, matches, connections and a store that does as it is told.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bytes::Bytes;
use grundy_shared::chain;
use grundy_shared::event::{EndReason, Outcome, PlayerInfo, TimeControl, TournamentGame};
use grundy_shared::ids::{MatchId, Millis, PlayerId, Seat, Seq, TournamentId};
use grundy_shared::protocol::account::AccountEvent;
use grundy_shared::protocol::tournament::TournamentState;
use grundy_shared::protocol::{ErrorBody, ErrorCode, Reply};
use grundy_shared::tournament::{
    Admission, Dated, Edition, Format, Pace, Rules, Seed, Starts, Tournament, TournamentEvent, Who,
};
use serde_json::Value;

use crate::matches::{NewGame, refusal};
use crate::store::{Commit, CommitError, Logged, StoreError, StreamId};
use crate::tournaments::machine::{Ask, Begun, Effect, Ended, Input, Machine};

/// A connection.
pub(super) type C = u32;
/// A request.
pub(super) type R = u32;
/// A match that waits for its commit.
pub(super) type D = MatchId;

/// When tournaments of the tests are created.
pub(super) const START: u64 = 1_000_000;

/// What a request came to.
#[derive(Clone, Debug)]
pub(super) enum Answer {
    State(Box<TournamentState>),
    Refused(ErrorBody),
}

impl Answer {
    pub(super) fn code(&self) -> Option<ErrorCode> {
        match self {
            Self::Refused(error) => Some(error.code),
            Self::State(_) => None,
        }
    }

    pub(super) fn state(&self) -> &TournamentState {
        match self {
            Self::State(state) => state,
            Self::Refused(error) => panic!("{error}"),
        }
    }
}

/// What the store does with the next commit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Storing {
    /// It stores it at once.
    #[default]
    AtOnce,
    /// It fails.
    Fails,
    /// It keeps it until it is told.
    Later,
}

/// One tournament, its log, its matches, and all that it has said.
pub(super) struct Rig {
    pub(super) now: u64,
    pub(super) machine: Machine<C, R, D>,
    /// The bodies of the stored events.
    pub(super) log: Vec<Bytes>,
    pub(super) storing: Storing,
    pub(super) in_flight: Option<Commit>,
    /// Matches that were made; a match outlives the machine.
    pub(super) matches: BTreeMap<MatchId, NewGame>,
    /// Matches whose end is stored, with whether it counted.
    pub(super) over: BTreeMap<MatchId, bool>,
    /// What matches were told of their commits.
    pub(super) told: Vec<(MatchId, Result<(), CommitError>)>,
    /// Matches that were stopped, and who loses.
    pub(super) stopped: BTreeMap<MatchId, (Option<Seat>, EndReason)>,
    pub(super) answers: BTreeMap<R, Answer>,
    /// What each connection was sent, as JSON.
    pub(super) heard: BTreeMap<C, Vec<Value>>,
    pub(super) seated: BTreeSet<(C, PlayerId, MatchId)>,
    pub(super) rung: Vec<(PlayerId, AccountEvent)>,
    pub(super) finished: bool,
    /// Whether matches can be made.
    pub(super) makes_matches: bool,
    /// Whether the log can be read, and how often that was tried in vain.
    pub(super) reads: bool,
    pub(super) failed_reads: u32,
    pub(super) conflicts: u32,
    next_request: R,
}

pub(super) fn id() -> TournamentId {
    TournamentId::from_random(7)
}

pub(super) fn seed() -> Seed {
    Seed::new([9; 32])
}

pub(super) fn player(number: u32) -> PlayerInfo {
    PlayerInfo {
        id: PlayerId::from_random(u128::from(number)),
        name: format!("p{number}"),
        bot: number.is_multiple_of(2),
    }
}

/// What a tournament of the tests begins with; its organiser is player 0.
pub(super) fn created(format: Format, games: u32, most: u32) -> TournamentEvent {
    TournamentEvent::Created {
        name: "Cup".to_owned(),
        organiser: player(0),
        format,
        rules: Rules {
            games,
            clock: TimeControl::Fischer {
                base_ms: Millis(60_000),
                increment_ms: Millis(0),
            },
            starts: Starts::List {
                positions: vec!["nim:3,5,7".to_owned()],
            },
            start_ms: Millis(10_000),
            away_ms: Millis(10_000),
        },
        admission: Admission {
            who: Who::Both,
            most,
            names: Vec::new(),
        },
        starts_at_ms: None,
        commitment: seed().commitment(),
        tie_breaks: Edition::default(),
    }
}

impl Rig {
    /// A tournament that nobody has entered.
    pub(super) fn of(created: TournamentEvent) -> Self {
        let body = Dated {
            at_ms: Millis(START),
            event: created,
        };
        Self::from_log(vec![Bytes::from(body.to_json())])
    }

    /// One with this many players, which begins when the last of them enters.
    pub(super) fn begun(format: Format, players: u32, games: u32) -> Self {
        let mut rig = Self::of(created(format, games, players));
        for number in 1..=players {
            rig.enter(number);
        }
        assert!(rig.tournament().has_begun());
        rig
    }

    fn from_log(log: Vec<Bytes>) -> Self {
        let machine = Machine::new(id(), begun_of(&log));
        Self {
            now: START,
            machine,
            log,
            storing: Storing::default(),
            in_flight: None,
            matches: BTreeMap::new(),
            over: BTreeMap::new(),
            told: Vec::new(),
            stopped: BTreeMap::new(),
            answers: BTreeMap::new(),
            heard: BTreeMap::new(),
            seated: BTreeSet::new(),
            rung: Vec::new(),
            finished: false,
            makes_matches: true,
            reads: true,
            failed_reads: 0,
            conflicts: 0,
            next_request: 0,
        }
    }

    /// The server dies, and comes back with what is stored. Matches go on: they are stored, too.
    pub(super) fn die(&mut self) {
        self.machine = Machine::new(id(), begun_of(&self.log));
        self.in_flight = None;
        self.storing = Storing::AtOnce;
        self.heard.clear();
        self.give(Input::Time);
    }

    pub(super) fn tournament(&self) -> &Tournament {
        self.machine.tournament()
    }

    /// The events that are stored.
    pub(super) fn events(&self) -> Vec<TournamentEvent> {
        let read = |body: &Bytes| {
            serde_json::from_slice::<Dated>(body)
                .expect("an event")
                .event
        };
        self.log.iter().map(read).collect()
    }

    pub(super) fn enter(&mut self, number: u32) -> Answer {
        self.ask_as(player(number), Ask::Enter)
    }

    /// Asks as the player with this number; 0 is the organiser.
    pub(super) fn ask(&mut self, number: u32, ask: Ask) -> Answer {
        self.ask_as(player(number), ask)
    }

    pub(super) fn ask_as(&mut self, player: PlayerInfo, ask: Ask) -> Answer {
        let reply = self.send(player, ask);
        let answer = self.answers.get(&reply);
        answer.expect("an answer").clone()
    }

    /// Asks without waiting for the answer.
    pub(super) fn send(&mut self, player: PlayerInfo, ask: Ask) -> R {
        self.next_request += 1;
        let reply = self.next_request;
        self.give(Input::Ask { reply, player, ask });
        reply
    }

    pub(super) fn follow(&mut self, connection: C, number: u32, play: bool) {
        self.next_request += 1;
        self.give(Input::Follow {
            reply: self.next_request,
            connection,
            player: player(number).id,
            play,
        });
    }

    pub(super) fn wait(&mut self, millis: u64) {
        self.now += millis;
        self.give(Input::Time);
    }

    /// Matches that are neither over nor stopped.
    pub(super) fn running(&self) -> Vec<NewGame> {
        let running = self.matches.values();
        let is_over = |game: &&NewGame| !self.over.contains_key(&game.id);
        running.filter(is_over).cloned().collect()
    }

    /// A match ends.
    pub(super) fn end(&mut self, game: &NewGame, outcome: Outcome, reason: EndReason) {
        self.now += 10;
        let commit = Commit::append(game.id, Seq(1), vec![Bytes::from("{\"type\":\"ended\"}")]);
        let ended = Ended {
            game: game.game,
            outcome,
            reason,
            head: "ab".repeat(32),
            commit,
            done: game.id,
            read: false,
        };
        self.give(Input::Ended(Box::new(ended)));
    }

    /// Ends the match that runs on the first board.
    pub(super) fn end_first(&mut self, outcome: Outcome, reason: EndReason) -> NewGame {
        let running = self.running();
        let first = running
            .iter()
            .min_by_key(|game| game.game.board)
            .expect("a match runs")
            .clone();
        self.end(&first, outcome, reason);
        first
    }

    /// Plays to the end; each game is won by whom `choose` names. Matches that were stopped end as they were stopped.
    pub(super) fn play_out(&mut self, mut choose: impl FnMut(&NewGame) -> (Outcome, EndReason)) {
        while !self.tournament().is_over() {
            let running = self.running();
            let game = running.first().expect("something runs until it is over");
            let (outcome, reason) = self.end_of(game).unwrap_or_else(|| choose(game));
            self.end(&game.clone(), outcome, reason);
        }
    }

    /// How a match ends that was stopped.
    pub(super) fn end_of(&self, game: &NewGame) -> Option<(Outcome, EndReason)> {
        let (loser, reason) = self.stopped.get(&game.id)?;
        let outcome = match loser {
            Some(Seat::First) => Outcome::Second,
            Some(Seat::Second) => Outcome::First,
            None => Outcome::Void,
        };
        Some((outcome, *reason))
    }

    /// What became of the commit that was kept.
    pub(super) fn settle(&mut self, outcome: Result<(), CommitError>) {
        let commit = self.in_flight.take().expect("something is being stored");
        if outcome.is_ok() {
            self.apply(&commit);
        }
        self.give(Input::Committed(outcome));
    }

    /// Another node appends to the tournament's log.
    pub(super) fn write_as_another(&mut self, event: TournamentEvent) {
        let at_ms = Millis(self.now);
        let dated = Dated { at_ms, event };
        self.log.push(Bytes::from(dated.to_json()));
    }

    pub(super) fn give(&mut self, input: Input<C, R, D>) {
        let mut inputs = vec![input];
        while let Some(input) = inputs.pop() {
            let mut effects = Vec::new();
            self.machine.step(Millis(self.now), input, &mut effects);
            let mut then = Vec::new();
            for effect in effects {
                then.extend(self.carry_out(effect));
            }
            inputs.extend(then.into_iter().rev());
        }
    }

    fn carry_out(&mut self, effect: Effect<C, R, D>) -> Option<Input<C, R, D>> {
        match effect {
            Effect::Reply(to, reply) => {
                let Reply::Tournament(state) = *reply else {
                    panic!("{reply:?}");
                };
                assert!(self.answers.insert(to, Answer::State(state)).is_none());
            }
            Effect::Refuse(to, error) => {
                assert!(self.answers.insert(to, Answer::Refused(error)).is_none());
            }
            Effect::Send(to, frame) => {
                let frame = serde_json::from_slice(&frame.into_bytes()).expect("JSON");
                self.heard.entry(to).or_default().push(frame);
            }
            Effect::Ring(player, event) => {
                // Stored before it is announced.
                assert!(self.tournament().running_round().is_some() || self.log.len() > 1);
                self.rung.push((player, *event));
            }
            Effect::Commit(commit) => return self.commit(*commit),
            Effect::Pass(commit, done) => {
                self.apply_match(&commit, false);
                self.told.push((done, Ok(())));
            }
            Effect::Tell(done, outcome) => self.told.push((done, outcome)),
            Effect::ReadTail { .. } if !self.reads => {
                self.failed_reads += 1;
                assert!(self.failed_reads < 10, "it does not wait");
                return Some(Input::Tail(Err(refusal::busy("the disk is slow"))));
            }
            Effect::ReadTail { after } => {
                let tail = (1..).map(Seq).zip(&self.log).skip(after.0 as usize);
                let tail = tail.map(|(seq, body)| Logged {
                    seq,
                    body: body.clone(),
                });
                return Some(Input::Tail(Ok(tail.collect())));
            }
            Effect::Open(game) => return Some(self.open(*game)),
            Effect::Seat(connection, player, id) => {
                assert!(self.matches.contains_key(&id), "seated before it is made");
                self.seated.insert((connection, player, id));
            }
            Effect::Stop(id, loser, reason) => match self.matches.contains_key(&id) {
                true => drop(self.stopped.insert(id, (loser, reason))),
                // What may be there from before a start.
                false => assert!(
                    reason == EndReason::Cancelled || self.tournament().is_paused(),
                    "stopped before it is made"
                ),
            },
            Effect::Finished => {
                assert!(!self.finished || self.tournament().is_over());
                self.finished = true;
            }
        }
        None
    }

    fn open(&mut self, game: NewGame) -> Input<C, R, D> {
        let of: TournamentGame = game.game;
        if !self.makes_matches {
            return Input::Opened(of, Err(refusal::busy("no room")));
        }
        let paired = self.events().iter().any(|event| {
            matches!(event, TournamentEvent::RoundPaired { round, pairs, .. }
                if *round == of.round && pairs.len() >= of.board as usize)
        });
        assert!(paired, "a match of a pairing that is not stored");
        // As the server does: a match that is there already is not made again.
        let made = self.matches.entry(game.id).or_insert_with(|| game.clone());
        assert_eq!(*made, game, "the same game, made from the same log");
        Input::Opened(of, Ok(()))
    }

    fn commit(&mut self, commit: Commit) -> Option<Input<C, R, D>> {
        assert!(self.in_flight.is_none(), "one thing is stored at a time");
        match self.storing {
            Storing::Later => {
                self.in_flight = Some(commit);
                None
            }
            Storing::Fails => {
                self.storing = Storing::AtOnce;
                let why = "the disk is full".to_owned();
                Some(Input::Committed(Err(StoreError::Busy { why }.into())))
            }
            Storing::AtOnce => {
                let own = self.append_of(&commit).map(|(expected, _)| expected);
                let actual = Seq(self.log.len() as u64);
                if own != Some(actual) {
                    self.conflicts += 1;
                    let stream = StreamId::Tournament(id());
                    return Some(Input::Committed(Err(CommitError::Conflict {
                        stream,
                        actual,
                    })));
                }
                self.apply(&commit);
                Some(Input::Committed(Ok(())))
            }
        }
    }

    fn append_of<'c>(&self, commit: &'c Commit) -> Option<(Seq, &'c [Bytes])> {
        let own = StreamId::Tournament(id());
        let mut appends = commit.appends.iter();
        let append = appends.find(|append| append.stream == own)?;
        Some((append.expected, &append.events))
    }

    /// The store does all of a commit, or nothing.
    pub(super) fn apply(&mut self, commit: &Commit) {
        let (expected, bodies) = self.append_of(commit).expect("its own log");
        assert_eq!(expected.0, self.log.len() as u64);
        let bodies = bodies.to_vec();
        self.log.extend(bodies);
        self.apply_match(commit, true);
    }

    fn apply_match(&mut self, commit: &Commit, counts: bool) {
        for append in &commit.appends {
            if let StreamId::Match(id) = append.stream {
                let before = self.over.insert(id, counts);
                assert_eq!(before, None, "a match ends once");
            }
        }
    }
}

/// What the log says, as the server reads it at a start.
fn begun_of(log: &[Bytes]) -> Begun {
    let mut pace = Pace::default();
    let mut events = Vec::new();
    let (mut head, mut last_at, mut began_at) =
        (chain::genesis_of_tournament(id()), Millis(0), None);
    for body in log {
        let dated: Dated = serde_json::from_slice(body).expect("an event");
        head = chain::link(&head, body);
        last_at = dated.at_ms;
        pace.note(&dated);
        if matches!(dated.event, TournamentEvent::EntriesClosed {}) {
            began_at = Some(dated.at_ms);
        }
        events.push(dated.event);
    }
    let tournament = Tournament::replay(&events).expect("the log is lawful");
    Begun {
        tournament: Arc::new(tournament.expect("it was created")),
        seq: Seq(log.len() as u64),
        head,
        last_at,
        created_at: Millis(START),
        began_at,
        pace,
        seed: seed(),
        starts: vec!["nim:3,5,7".to_owned(), "nim:2,4".to_owned()],
    }
}
