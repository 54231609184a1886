//! A match with a log, connections and a store that does as it is told: what a driver does, without a runtime.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use grundy_shared::event::{Event, PlayerInfo, TimeControl};
use grundy_shared::ids::{JoinCode, MatchId, Millis, PlayerId, Ply, Seat, Seq};
use grundy_shared::protocol::{ErrorBody, ErrorCode, Reply};
use grundy_shared::referee::{Command, Decision, Referee, Terms};
use serde_json::Value;

use crate::matches::builtin;
use crate::matches::machine::{
    Act, Beginning, CommitRefusal, Effect, Input, Machine, Note, Opening, Origin, Policy, Thought,
};
use crate::matches::outbox::{Backlog, Frame};
use crate::store::{AddressDigest, Commit, Logged};

/// A connection.
pub(super) type C = u32;
/// A request.
pub(super) type R = u32;

pub(super) const ADA: u128 = 1;
pub(super) const BEA: u128 = 2;
pub(super) const EVE: u128 = 3;

pub(super) const AWAY_MS: u64 = 5_000;
pub(super) const ROLL_CALL_MS: u64 = 35_000;
pub(super) const JOIN_CODE_MS: u64 = 86_400_000;
pub(super) const INVITATION_AWAY_MS: u64 = JOIN_CODE_MS / 24;
pub(super) const ABANDONED_MS: u64 = 14 * 86_400_000;
/// When matches of the tests begin.
pub(super) const START: u64 = 1_000_000;

/// What a request came to.
#[derive(Clone, Debug)]
pub(super) enum Answer {
    Reply(Reply),
    Refused(ErrorBody),
}

impl Answer {
    pub(super) fn code(&self) -> Option<ErrorCode> {
        match self {
            Self::Refused(error) => Some(error.code),
            Self::Reply(_) => None,
        }
    }
}

/// One match, its log, and all that it has said.
pub(super) struct Rig {
    pub(super) now: u64,
    pub(super) machine: Machine<C, R>,
    /// The bodies of the stored events.
    pub(super) log: Vec<bytes::Bytes>,
    /// What is to be stored.
    pub(super) in_flight: Option<Commit>,
    /// The event after which the tail is to be read.
    pub(super) reading: Option<Seq>,
    /// Of each read of the log, whether it was caused by a hint.
    pub(super) hinted: Vec<bool>,
    pub(super) answers: BTreeMap<R, Answer>,
    /// What each connection was sent, as JSON.
    pub(super) heard: BTreeMap<C, Vec<Value>>,
    pub(super) follows: BTreeMap<C, Option<Seat>>,
    pub(super) backlogs: BTreeMap<C, Backlog>,
    pub(super) notes: Vec<Note>,
    pub(super) opened: Vec<Opening<C>>,
    /// The moment at which a bot was asked to think.
    pub(super) thinking: Option<Seq>,
    pub(super) done: bool,
    pub(super) continues: bool,
    /// Watchers whose queue is full.
    pub(super) full: BTreeSet<C>,
    next_request: R,
    /// Whether commits succeed at once.
    pub(super) stores_at_once: bool,
}

pub(super) fn player(number: u128) -> PlayerInfo {
    PlayerInfo {
        id: id(number),
        name: format!("p{number}"),
        bot: false,
    }
}

pub(super) fn id(number: u128) -> PlayerId {
    PlayerId::from_random(number)
}

pub(super) fn match_id() -> MatchId {
    MatchId::from_random(7)
}

pub(super) fn policy() -> Arc<Policy> {
    Arc::new(Policy {
        join_code_ms: Millis(JOIN_CODE_MS),
        invitation_away_ms: Millis(INVITATION_AWAY_MS),
        away_ms: Millis(AWAY_MS),
        roll_call_ms: Millis(ROLL_CALL_MS),
        abandoned_ms: Millis(ABANDONED_MS),
        rematch_start_ms: Policy::REMATCH_START_MS,
        shared: false,
        matches_per_player: 20,
        matches_per_bot: 200,
        matches_per_address: 400,
        live_matches: 100,
        address_share: 0,
        rated_delay_moves: 2,
    })
}

fn clock(text: &str) -> TimeControl {
    text.parse().expect("a time control")
}

impl Rig {
    /// A match of Ada, who moves first and is connected at 1, and waits for somebody.
    pub(super) fn waiting(position: &str, control: &str) -> Self {
        let terms = Terms {
            position: position.to_owned(),
            clock: clock(control),
            rematch_of: None,
            series: None,
        };
        let made = Referee::create(terms, player(ADA), Seat::First, Millis(START));
        let (referee, events) = made.expect("lawful terms");
        let mut rig = Self::of(referee, &events, Origin::Made);
        let code = JoinCode::from_random(5);
        rig.machine.invitation = Some((code, Millis(START + JOIN_CODE_MS)));
        rig.attach(1, ADA, true, 0);
        rig
    }

    /// A match of Ada at 1, who moves first, and Bea at 2.
    pub(super) fn begun(position: &str, control: &str) -> Self {
        let mut rig = Self::waiting(position, control);
        rig.join(2, BEA);
        rig.forget();
        rig
    }

    /// A match of Ada at 1 and the bot that moves perfectly.
    pub(super) fn with_bot(position: &str, bot_seat: Seat) -> Self {
        Self::with_timed_bot(position, bot_seat, "none")
    }

    /// The same with clocks.
    pub(super) fn with_timed_bot(position: &str, bot_seat: Seat, control: &str) -> Self {
        let terms = Terms {
            position: position.to_owned(),
            clock: clock(control),
            rematch_of: None,
            series: None,
        };
        let made = Referee::create(terms, player(ADA), bot_seat.other(), Millis(START));
        let (mut referee, mut events) = made.expect("lawful terms");
        let bot = "perfect".parse().expect("a bot");
        let join = Command::Join {
            player: builtin::player(&bot),
        };
        let Ok(Decision::Events(joined)) = referee.handle(Millis(START), &join) else {
            panic!("the seat is free");
        };
        events.extend(referee.accept(joined).expect("fresh"));
        let mut rig = Self::of(referee, &events, Origin::Made);
        rig.attach(1, ADA, true, 0);
        rig
    }

    /// From a state and all its events.
    pub(super) fn of(referee: Referee, events: &[Event], origin: Origin) -> Self {
        let now = referee.last_at().0.max(START);
        let (frames, log): (Vec<_>, Vec<_>) = (1..)
            .zip(events)
            .map(|(number, event)| Frame::of_event(match_id(), Seq(number), event))
            .unzip();
        let from = frames.len().saturating_sub(8);
        let beginning = Beginning {
            referee,
            recent: frames[from..].to_vec(),
            invitation: None,
            lasts: false,
            address: None,
            origin,
        };
        Self::with(now, beginning, log)
    }

    fn with(now: u64, beginning: Beginning, log: Vec<bytes::Bytes>) -> Self {
        let machine = Machine::new(Millis(now), match_id(), policy(), beginning);
        let mut rig = Self {
            now,
            machine,
            log,
            in_flight: None,
            reading: None,
            hinted: Vec::new(),
            answers: BTreeMap::new(),
            heard: BTreeMap::new(),
            follows: BTreeMap::new(),
            backlogs: BTreeMap::new(),
            notes: Vec::new(),
            opened: Vec::new(),
            thinking: None,
            done: false,
            continues: false,
            full: BTreeSet::new(),
            next_request: 0,
            stores_at_once: true,
        };
        rig.tell(Input::Time);
        rig
    }

    /// The same log, taken up after an outage, or read again.
    pub(super) fn restarted(self, at: u64, origin: Origin) -> Self {
        let events = self.events();
        let referee = Referee::replay(&events).expect("a lawful log");
        let beginning = Beginning {
            referee,
            recent: Vec::new(),
            invitation: None,
            lasts: false,
            address: None,
            origin,
        };
        Self::with(at, beginning, self.log)
    }

    /// Writes into the log beside the match, as another server would.
    pub(super) fn write_elsewhere(&mut self, command: &Command) {
        let mut referee = Referee::replay(&self.events()).expect("a lawful log");
        let Ok(Decision::Events(ruling)) = referee.handle(Millis(self.now), command) else {
            panic!("{command:?} does nothing");
        };
        let events = referee.accept(ruling).expect("fresh");
        let bodies = events.iter().map(|event| event.to_json().into());
        self.log.extend(bodies);
    }

    /// The server looks at the logs of all its matches at once, and tells this one how far its log has come.
    pub(super) fn look(&mut self) {
        self.tell(Input::Hint(Seq(self.log.len() as u64)));
    }

    pub(super) fn events(&self) -> Vec<Event> {
        let read = |body: &bytes::Bytes| serde_json::from_slice(body).expect("an event");
        self.log.iter().map(read).collect()
    }

    /// The types of the stored events.
    pub(super) fn kinds(&self) -> Vec<String> {
        let kind = |body: &bytes::Bytes| {
            let value: Value = serde_json::from_slice(body).expect("JSON");
            value["type"].as_str().expect("a type").to_owned()
        };
        self.log.iter().map(kind).collect()
    }

    pub(super) fn last(&self) -> Event {
        self.events().pop().expect("a log is not empty")
    }

    /// Forgets what was said so far.
    pub(super) fn forget(&mut self) {
        self.heard.clear();
        self.notes.clear();
    }

    /// What this connection was sent, in short: the type, for events with their number.
    pub(super) fn heard(&self, connection: C) -> Vec<String> {
        let short = |frame: &Value| {
            let kind = frame["body"]["type"].as_str().expect("a type");
            match frame["seq"].as_u64() {
                Some(seq) => format!("{seq} {kind}"),
                None => kind.to_owned(),
            }
        };
        let heard = self.heard.get(&connection);
        heard.into_iter().flatten().map(short).collect()
    }

    /// Tells the match something, and carries out what follows.
    pub(super) fn tell(&mut self, input: Input<C, R>) {
        if matches!(input, Input::Continue) {
            self.continues = false;
        }
        let mut inputs = VecDeque::from([input]);
        while let Some(input) = inputs.pop_front() {
            let mut effects = Vec::new();
            self.machine.step(Millis(self.now), input, &mut effects);
            let mut lagging = BTreeSet::new();
            for effect in effects {
                self.carry_out(effect, &mut lagging);
            }
            inputs.extend(lagging.into_iter().map(Input::Lagging));
            if self.stores_at_once {
                if self.in_flight.is_some() {
                    inputs.push_back(self.commit());
                } else if self.reading.is_some() {
                    inputs.push_back(self.tail());
                }
            }
        }
    }

    fn carry_out(&mut self, effect: Effect<C, R>, lagging: &mut BTreeSet<C>) {
        match effect {
            Effect::Reply(request, reply) => self.answered(request, Answer::Reply(reply)),
            Effect::Refuse(request, error) => self.answered(request, Answer::Refused(error)),
            Effect::Send { to, frame, seated } => {
                if !seated && (self.full.contains(&to) || lagging.contains(&to)) {
                    lagging.insert(to);
                    return;
                }
                let text = frame.into_bytes();
                let frame: Value = serde_json::from_slice(&text).expect("JSON");
                let seq = frame["seq"].as_u64().unwrap_or(0) as usize;
                assert!(seq <= self.log.len(), "{frame} is not stored");
                self.heard.entry(to).or_default().push(frame);
            }
            Effect::Follow(connection, seat) => {
                self.follows.insert(connection, seat);
            }
            Effect::Unfollow(connection) => {
                self.follows.remove(&connection);
            }
            Effect::Backlog(connection, backlog) => {
                self.backlogs.insert(connection, backlog);
            }
            Effect::Commit(commit) | Effect::CommitEnd { commit, .. } => {
                assert!(self.in_flight.is_none() && self.reading.is_none());
                self.in_flight = Some(*commit);
            }
            Effect::ReadTail { after, hinted } => {
                self.hinted.push(hinted);
                assert!(self.in_flight.is_none() && self.reading.is_none());
                self.reading = Some(after);
            }
            Effect::Think { after, .. } => self.thinking = Some(after),
            Effect::Continue => {
                assert!(!self.continues, "asked for twice");
                self.continues = true;
            }
            Effect::Open(opening) => self.opened.push(*opening),
            Effect::Note(note) => self.notes.push(note),
            Effect::Done => self.done = true,
        }
    }

    fn answered(&mut self, request: R, answer: Answer) {
        let before = self.answers.insert(request, answer);
        assert!(before.is_none(), "request {request} was answered twice");
    }

    /// The store keeps what is in flight, if the log ends where it should.
    fn commit(&mut self) -> Input<C, R> {
        let commit = self.in_flight.take().expect("something is in flight");
        let own = &commit.appends[0];
        if own.expected != Seq(self.log.len() as u64) {
            return Input::Committed(Err(CommitRefusal::Conflict));
        }
        self.log.extend(own.events.iter().cloned());
        Input::Committed(Ok(()))
    }

    fn tail(&mut self) -> Input<C, R> {
        let after = self.reading.take().expect("the tail is asked for");
        let stored = (1..).zip(&self.log).skip(after.0 as usize);
        let stored = stored.map(|(seq, body)| Logged {
            seq: Seq(seq),
            body: body.clone(),
        });
        Input::Tail(Ok(stored.collect()))
    }

    /// The store keeps what is in flight.
    pub(super) fn store(&mut self) {
        let committed = self.commit();
        self.tell(committed);
    }

    /// The store answers that it cannot keep what is in flight.
    pub(super) fn store_fails(&mut self, refusal: CommitRefusal) {
        self.in_flight.take().expect("something is in flight");
        self.tell(Input::Committed(Err(refusal)));
    }

    pub(super) fn read(&mut self) {
        let tail = self.tail();
        self.tell(tail);
    }

    /// Nothing new was in the log when it was read.
    pub(super) fn reads_nothing(&mut self) {
        self.reading.take().expect("somebody reads");
        self.tell(Input::Tail(Ok(Vec::new())));
    }

    /// The log cannot be read now.
    pub(super) fn read_fails(&mut self, error: ErrorBody) {
        self.reading.take().expect("somebody reads");
        self.tell(Input::Tail(Err(error)));
    }

    /// Time passes, and the match is woken whenever it wants to be.
    pub(super) fn wait(&mut self, ms: u64) {
        let until = self.now + ms;
        for _ in 0..1_000 {
            match self.machine.wake_at() {
                Some(at) if at.0 <= until => {
                    self.now = self.now.max(at.0);
                    self.tell(Input::Time);
                }
                _ => {
                    self.now = until;
                    return;
                }
            }
        }
        panic!("the match wants to be woken again and again");
    }

    pub(super) fn request(&mut self) -> R {
        self.next_request += 1;
        self.next_request
    }

    /// A player acts by a connection; the number of the request.
    pub(super) fn act(&mut self, connection: C, who: u128, act: Act) -> R {
        let received = self.now;
        self.act_at(received, connection, who, act)
    }

    pub(super) fn act_at(&mut self, received: u64, connection: C, who: u128, act: Act) -> R {
        let reply = self.request();
        self.tell(Input::Act {
            reply,
            connection,
            received: Millis(received),
            player: id(who),
            act,
        });
        reply
    }

    /// Ada moves by connection 1, Bea by 2.
    pub(super) fn moves(&mut self, who: u128, ply: u32, text: &str) -> R {
        self.act(who as C, who, a_move(ply, text))
    }

    pub(super) fn join(&mut self, connection: C, who: u128) -> R {
        let reply = self.request();
        self.tell(Input::Join {
            reply,
            connection,
            received: Millis(self.now),
            player: player(who),
        });
        reply
    }

    pub(super) fn attach(&mut self, connection: C, who: u128, seated: bool, since: u64) -> R {
        let reply = self.request();
        self.tell(Input::Attach {
            reply: Some(reply),
            connection,
            player: id(who),
            seated,
            invites: true,
            since: Seq(since),
        });
        reply
    }

    /// A request for this match, as `create` makes it, is done.
    pub(super) fn seat(&mut self, connection: C, who: u128) -> R {
        let reply = self.request();
        let created = Reply::Created {
            match_id: self.machine.id(),
            seat: self.machine.referee().seat_of(id(who)).expect("a player"),
            code: None,
            expires_at_ms: None,
        };
        self.tell(Input::Seat {
            reply,
            answer: Box::new(created),
            connection,
            player: id(who),
        });
        reply
    }

    /// The connection is lost.
    pub(super) fn lose(&mut self, connection: C) {
        self.tell(Input::Gone {
            connection,
            said_bye: false,
        });
    }

    pub(super) fn says_bye(&mut self, connection: C) {
        self.tell(Input::Gone {
            connection,
            said_bye: true,
        });
    }

    pub(super) fn leave(&mut self, connection: C) -> R {
        let reply = self.request();
        // Connections 1 and 2 are those of Ada and Bea.
        self.tell(Input::Leave {
            reply,
            connection,
            player: id(u128::from(connection)),
        });
        reply
    }

    pub(super) fn answer(&self, request: R) -> &Answer {
        self.answers.get(&request).expect("it was answered")
    }

    pub(super) fn code(&self, request: R) -> Option<ErrorCode> {
        self.answer(request).code()
    }

    /// Time left to both now.
    pub(super) fn left(&self) -> (u64, u64) {
        let clocks = self.machine.referee().clocks_at(Millis(self.now));
        let clocks = clocks.expect("a timed match");
        (clocks.first_ms.0, clocks.second_ms.0)
    }
}

/// What a bot came to after this event, at once.
pub(super) fn thought_of(after: Seq, thought: Thought) -> Input<C, R> {
    thought_for(after, thought, 0)
}

/// What a bot came to after this event, and for how many milliseconds it thought.
pub(super) fn thought_for(after: Seq, thought: Thought, took: u64) -> Input<C, R> {
    Input::Thought {
        after,
        thought,
        took: Millis(took),
    }
}

pub(super) fn a_move(ply: u32, text: &str) -> Act {
    named_move(ply, text, None)
}

pub(super) fn named_move(ply: u32, text: &str, name: Option<&str>) -> Act {
    Act::Move {
        ply: Ply(ply),
        text: text.to_owned(),
        client_move_id: name.map(|name| name.parse().expect("a move id")),
        lag: Millis(0),
        hints: 0,
    }
}

pub(super) fn rematch() -> Act {
    Act::Rematch {
        room: Ok(AddressDigest(7)),
    }
}

pub(super) fn read_only() -> CommitRefusal {
    CommitRefusal::Stalled(ErrorBody::new(ErrorCode::ReadOnly, "read-only"))
}
