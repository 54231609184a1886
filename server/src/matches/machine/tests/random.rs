//! A match that two servers run over one log, driven at random, against what the log says.
//!
//! Whatever is asked, stored, refused, lost or read again, in whatever order: every request gets one answer; nothing is sent
//! that is not in the log; every follower gets each event once and in order; and the log stays lawful.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use bytes::Bytes;
use grundy_shared::event::{Event, Proposal, TimeControl};
use grundy_shared::ids::{Millis, PlayerId, Ply, Seat, Seq};
use grundy_shared::protocol::Reply;
use grundy_shared::referee::{Referee, Status, Terms};
use proptest::prelude::*;
use serde_json::Value;

use super::rig::{
    C, R, START, a_move, id, match_id, named_move, player, policy, read_only, rematch,
};
use crate::matches::machine::{
    Act, Beginning, CommitRefusal, Effect, Input, Machine, Note, Origin,
};
use crate::matches::outbox::{Backlog, Frame};
use crate::store::{Commit, Logged, StreamId};

/// Connections of each server; of the six, two belong to each player and two to a stranger.
const CONNECTIONS: u32 = 6;

#[derive(Clone, Debug)]
enum Doing {
    /// By which connection; what.
    Ask(u32, Asking),
    Attach(u32, bool),
    Leave(u32, Going),
    /// The store of this server does what it has to do, well or badly.
    Store(usize, Storing),
    /// A connection reads its backlog.
    Read(u32),
    /// A connection's queue is full, or has room again.
    Fill(u32, bool),
    Continue(usize),
    Pass(u64),
    Crash(usize),
}

#[derive(Clone, Debug)]
enum Asking {
    Join,
    /// How far the ply is from the right one, whether the move is named by its ply.
    Move(i64, bool),
    Resign,
    Abort,
    Rematch,
    Withdraw,
    Propose(Proposal),
    /// Whether the newest proposal of the other player is agreed to.
    Answer(bool),
    Continue,
}

#[derive(Clone, Debug)]
enum Going {
    Asked,
    Bye,
    Lost,
}

#[derive(Clone, Debug)]
enum Storing {
    Well,
    Stalled,
    /// It was stored, and the server dies before it hears so.
    AndDies,
}

fn doing() -> impl Strategy<Value = Doing> {
    let server = 0usize..2;
    let connection = 0..2 * CONNECTIONS;
    let ply_error = prop_oneof![6 => Just(0i64), 1 => -2i64..=2];
    let asking = prop_oneof![
        4 => Just(Asking::Join),
        20 => (ply_error, any::<bool>()).prop_map(|(error, named)| Asking::Move(error, named)),
        1 => Just(Asking::Resign),
        1 => Just(Asking::Abort),
        4 => Just(Asking::Rematch),
        2 => Just(Asking::Withdraw),
        3 => Just(Asking::Propose(Proposal::Takeback)),
        1 => Just(Asking::Propose(Proposal::Pause)),
        4 => any::<bool>().prop_map(Asking::Answer),
        2 => Just(Asking::Continue),
    ];
    let going = prop_oneof![Just(Going::Asked), Just(Going::Bye), Just(Going::Lost)];
    let storing = prop_oneof![
        20 => Just(Storing::Well),
        2 => Just(Storing::Stalled),
        1 => Just(Storing::AndDies),
    ];
    prop_oneof![
        20 => (connection.clone(), asking).prop_map(|(by, what)| Doing::Ask(by, what)),
        8 => (connection.clone(), any::<bool>()).prop_map(|(by, seated)| Doing::Attach(by, seated)),
        3 => (connection.clone(), going).prop_map(|(by, how)| Doing::Leave(by, how)),
        30 => (server.clone(), storing).prop_map(|(server, how)| Doing::Store(server, how)),
        6 => connection.clone().prop_map(Doing::Read),
        3 => (connection, any::<bool>()).prop_map(|(by, full)| Doing::Fill(by, full)),
        5 => server.clone().prop_map(Doing::Continue),
        6 => (0u64..9_000).prop_map(Doing::Pass),
        1 => server.prop_map(Doing::Crash),
    ]
}

/// One server.
struct Server {
    machine: Machine<C, R>,
    in_flight: Option<Commit>,
    reading: Option<Seq>,
    continues: bool,
}

/// What one connection knows.
#[derive(Default)]
struct Client {
    /// Follows the match, by a seat or not.
    follows: Option<Option<Seat>>,
    /// The newest event that it has.
    has: u64,
    backlog: Option<Backlog>,
    full: bool,
    lagging: bool,
}

struct World {
    now: u64,
    log: Vec<Bytes>,
    rematch_made: bool,
    servers: [Server; 2],
    clients: BTreeMap<C, Client>,
    /// Requests without an answer: by which connection.
    open: BTreeMap<R, C>,
    answered: BTreeSet<R>,
    /// The event that each named move became.
    named: BTreeMap<(PlayerId, String), Seq>,
    asked: BTreeMap<R, (PlayerId, Option<String>)>,
    damaged: bool,
    next: R,
}

fn server_of(connection: C) -> usize {
    usize::from(connection >= CONNECTIONS)
}

fn player_of(connection: C) -> u128 {
    u128::from(connection % 3) + 1
}

impl World {
    fn new(timed: bool) -> Self {
        let terms = Terms {
            position: "nim:9,9".to_owned(),
            clock: match timed {
                true => TimeControl::Fischer {
                    base_ms: Millis(30_000),
                    increment_ms: Millis(1_000),
                },
                false => TimeControl::Untimed {},
            },
            rematch_of: None,
            series: None,
        };
        let made = Referee::create(terms, player(1), Seat::First, Millis(START));
        let (_, events) = made.expect("lawful terms");
        let log: Vec<Bytes> = events.iter().map(|event| event.to_json().into()).collect();
        let servers = [(); 2].map(|()| Server::load(START, &log, Origin::Asked));
        let clients = (0..2 * CONNECTIONS).map(|c| (c, Client::default()));
        Self {
            now: START,
            log,
            rematch_made: false,
            servers,
            clients: clients.collect(),
            open: BTreeMap::new(),
            answered: BTreeSet::new(),
            named: BTreeMap::new(),
            asked: BTreeMap::new(),
            damaged: false,
            next: 0,
        }
    }

    fn request(&mut self, connection: C) -> R {
        self.next += 1;
        self.open.insert(self.next, connection);
        self.next
    }

    fn tell(&mut self, server: usize, input: Input<C, R>) {
        let mut inputs = VecDeque::from([input]);
        while let Some(input) = inputs.pop_front() {
            let mut effects = Vec::new();
            let machine = &mut self.servers[server].machine;
            machine.step(Millis(self.now), input, &mut effects);
            let mut lagging = BTreeSet::new();
            for effect in effects {
                self.carry_out(server, effect, &mut lagging);
            }
            inputs.extend(lagging.into_iter().map(Input::Lagging));
        }
    }

    fn carry_out(&mut self, server: usize, effect: Effect<C, R>, lagging: &mut BTreeSet<C>) {
        match effect {
            Effect::Reply(request, reply) => {
                // Who joins, also again, follows from event 1 on.
                if matches!(reply, Reply::Joined { .. }) {
                    let connection = self.open[&request];
                    self.client(connection).has = 0;
                }
                self.answered(request);
                self.check_reply(request, &reply);
            }
            Effect::Refuse(request, _) => self.answered(request),
            Effect::Send { to, frame, seated } => self.send(server, to, frame, seated, lagging),
            Effect::Follow(connection, seat) => {
                let client = self.client(connection);
                client.follows = Some(seat);
                client.backlog = None;
            }
            Effect::Unfollow(connection) => {
                let client = self.client(connection);
                client.follows = None;
                client.backlog = None;
            }
            Effect::Backlog(connection, backlog) => {
                let client = self.client(connection);
                assert_eq!(Seq(client.has), backlog.after);
                client.backlog = Some(backlog);
            }
            Effect::Commit(commit) | Effect::CommitEnd { commit, .. } => {
                let server = &mut self.servers[server];
                assert!(server.in_flight.is_none() && server.reading.is_none());
                server.in_flight = Some(*commit);
            }
            Effect::ReadTail { after, .. } => {
                let server = &mut self.servers[server];
                assert!(server.in_flight.is_none() && server.reading.is_none());
                server.reading = Some(after);
            }
            Effect::Continue => {
                assert!(!self.servers[server].continues);
                self.servers[server].continues = true;
            }
            Effect::Note(Note::Damaged) => self.damaged = true,
            Effect::Open(opening) => assert!(self.rematch_made, "{opening:?} is not stored"),
            Effect::Think { .. } | Effect::Note(_) | Effect::Done => {}
        }
    }

    fn client(&mut self, connection: C) -> &mut Client {
        self.clients.get_mut(&connection).expect("a connection")
    }

    fn answered(&mut self, request: R) {
        assert!(
            self.open.remove(&request).is_some(),
            "{request} is answered"
        );
        assert!(self.answered.insert(request));
    }

    /// What is acknowledged is in the log, and a repeat names the same event.
    fn check_reply(&mut self, request: R, reply: &Reply) {
        let Reply::Accepted {
            seq, ply, clocks, ..
        } = reply
        else {
            return;
        };
        let (player, name) = self.asked[&request].clone();
        let event: Event = serde_json::from_slice(&self.log[seq.0 as usize - 1]).expect("an event");
        let Event::Moved {
            ply: stored,
            clocks: left,
            client_move_id,
            ..
        } = event
        else {
            panic!("{event:?} is no move");
        };
        assert_eq!((stored, left), (*ply, *clocks));
        assert_eq!(client_move_id.map(|id| id.to_string()), name);
        if let Some(name) = name {
            let first = *self.named.entry((player, name)).or_insert(*seq);
            assert_eq!(first, *seq);
        }
    }

    fn send(
        &mut self,
        server: usize,
        to: C,
        frame: Frame,
        seated: bool,
        lagging: &mut BTreeSet<C>,
    ) {
        let text = frame.into_bytes();
        let frame: Value = serde_json::from_slice(&text).expect("JSON");
        let log = self.log.clone();
        let client = self.client(to);
        assert_eq!(server_of(to), server);
        let Some(seat) = client.follows else {
            panic!("{frame} is sent to {to}, which does not follow");
        };
        let _ = seat;
        if client.full && !seated || lagging.contains(&to) {
            client.lagging = true;
            lagging.insert(to);
            return;
        }
        if let Some(seq) = frame["seq"].as_u64() {
            assert!(client.backlog.is_none(), "{to} still reads");
            assert_eq!(seq, client.has + 1, "{to} misses events");
            let stored: Value = serde_json::from_slice(&log[seq as usize - 1]).expect("JSON");
            assert_eq!(frame["body"], stored);
            client.has = seq;
        } else if frame["body"]["type"] == "snapshot" {
            let seq = frame["body"]["seq"].as_u64().expect("a number");
            assert!(seq >= client.has && seq <= log.len() as u64);
            client.has = seq;
            client.lagging = false;
        }
    }

    fn ask(&mut self, by: C, asking: &Asking) {
        let who = player_of(by);
        let server = server_of(by);
        let ply = i64::from(self.servers[server].machine.ply().0);
        let reply = self.request(by);
        let received = Millis(self.now);
        let act = match asking {
            Asking::Join => {
                let (connection, player) = (by, player(who));
                self.asked.insert(reply, (id(who), None));
                if self.client(by).follows.is_none() {
                    let input = Input::Join {
                        reply,
                        connection,
                        received,
                        player,
                    };
                    return self.tell(server, input);
                }
                Act::Abort
            }
            Asking::Move(error, named) => {
                let ply = u32::try_from((ply + 1 + error).max(0)).expect("small");
                let name = named.then(|| format!("m{ply}"));
                self.asked.insert(reply, (id(who), name.clone()));
                let text = if ply % 2 == 1 { "A-1" } else { "B-1" };
                match name {
                    Some(name) => named_move(ply, text, Some(&name)),
                    None => a_move(ply, text),
                }
            }
            Asking::Resign => Act::Resign,
            Asking::Abort => Act::Abort,
            Asking::Rematch => rematch(),
            Asking::Withdraw => Act::WithdrawRematch,
            Asking::Propose(proposal) => Act::Propose(*proposal),
            Asking::Answer(agree) => {
                let referee = self.servers[server].machine.referee();
                let other = referee.seat_of(id(who)).map(Seat::other);
                let open = other.and_then(|other| referee.proposal(other));
                Act::Answer {
                    proposed: open.map_or(Seq(1), |open| open.seq),
                    agree: *agree,
                }
            }
            Asking::Continue => Act::Continue,
        };
        self.asked.entry(reply).or_insert((id(who), None));
        let input = Input::Act {
            reply,
            connection: by,
            received,
            player: id(who),
            act,
        };
        self.tell(server, input);
    }

    fn attach(&mut self, by: C, seated: bool) {
        // A connection whose join may be on its way asks for nothing else.
        if self.open.values().any(|open| *open == by) {
            return;
        }
        let reply = self.request(by);
        let client = self.client(by);
        let since = Seq(client.has);
        let connection = by;
        let player = id(player_of(by));
        let before = self.client(by).follows.take();
        let input = Input::Attach {
            reply: Some(reply),
            connection,
            player,
            seated,
            invites: true,
            since,
        };
        // Until it is told that it follows again it may be sent nothing, unless it was refused.
        self.tell(server_of(by), input);
        let client = self.client(by);
        if client.follows.is_none() && before.is_some() {
            client.follows = before;
        }
    }

    fn leave(&mut self, by: C, how: &Going) {
        let input = match how {
            Going::Asked => Input::Leave {
                reply: self.request(by),
                connection: by,
                player: id(player_of(by)),
            },
            Going::Bye | Going::Lost => Input::Gone {
                connection: by,
                said_bye: matches!(how, Going::Bye),
            },
        };
        self.tell(server_of(by), input);
        let client = self.client(by);
        client.follows = None;
        client.backlog = None;
        client.lagging = false;
    }

    fn store(&mut self, server: usize, how: &Storing) {
        if let Some(after) = self.servers[server].reading.take() {
            let logged = (1..).zip(&self.log).skip(after.0 as usize).take(3);
            let logged = logged.map(|(seq, body)| Logged {
                seq: Seq(seq),
                body: body.clone(),
            });
            let logged = logged.collect();
            return self.tell(server, Input::Tail(Ok(logged)));
        }
        let Some(commit) = self.servers[server].in_flight.take() else {
            return;
        };
        if matches!(how, Storing::Stalled) {
            return self.tell(server, Input::Committed(Err(read_only())));
        }
        let result = self.keep(commit);
        match how {
            Storing::AndDies => self.crash(server),
            _ => self.tell(server, Input::Committed(result)),
        }
    }

    fn keep(&mut self, commit: Commit) -> Result<(), CommitRefusal> {
        for append in &commit.appends {
            let own = append.stream == StreamId::Match(match_id());
            if own && append.expected.0 != self.log.len() as u64 {
                return Err(CommitRefusal::Conflict);
            }
            if !own && self.rematch_made {
                return Err(CommitRefusal::RematchExists);
            }
        }
        for append in commit.appends {
            if append.stream == StreamId::Match(match_id()) {
                self.log.extend(append.events);
            } else {
                self.rematch_made = true;
            }
        }
        Ok(())
    }

    /// The server dies and starts again: who was connected to it is not any more.
    fn crash(&mut self, server: usize) {
        self.open
            .retain(|_, connection| server_of(*connection) != server);
        for (connection, client) in &mut self.clients {
            if server_of(*connection) == server {
                *client = Client {
                    has: client.has,
                    ..Client::default()
                };
            }
        }
        self.servers[server] = Server::load(self.now, &self.log, Origin::Asked);
        self.tell(server, Input::Time);
    }

    fn read(&mut self, by: C) {
        let Some(backlog) = self.client(by).backlog.take() else {
            return;
        };
        let client = self.client(by);
        client.has = backlog.upto.0;
        let read = Backlog {
            after: backlog.upto,
            ..backlog
        };
        self.tell(server_of(by), Input::GoLive(by, read));
    }

    fn pass(&mut self, ms: u64) {
        self.now += ms;
        for server in 0..2 {
            for _ in 0..20 {
                let at = self.servers[server].machine.wake_at();
                if at.is_none_or(|at| at.0 > self.now) {
                    break;
                }
                self.tell(server, Input::Time);
            }
            let at = self.servers[server].machine.wake_at();
            assert!(at.is_none_or(|at| at.0 > self.now), "it wakes for nothing");
        }
    }

    fn go_on(&mut self, server: usize) {
        if std::mem::take(&mut self.servers[server].continues) {
            self.tell(server, Input::Continue);
        }
    }

    fn carry(&mut self, doing: &Doing) {
        match doing {
            Doing::Ask(by, asking) => self.ask(*by, asking),
            Doing::Attach(by, seated) => self.attach(*by, *seated),
            Doing::Leave(by, how) => self.leave(*by, how),
            Doing::Store(server, how) => self.store(*server, how),
            Doing::Read(by) => self.read(*by),
            Doing::Fill(by, full) => {
                self.client(*by).full = *full;
                if !full && self.client(*by).lagging {
                    self.tell(server_of(*by), Input::CatchUp(*by));
                }
            }
            Doing::Continue(server) => self.go_on(*server),
            Doing::Pass(ms) => self.pass(*ms),
            Doing::Crash(server) => self.crash(*server),
        }
        let log = self.log.len() as u64;
        for server in &self.servers {
            assert!(server.machine.seq().0 <= log);
        }
    }

    /// The store works, everybody reads: nothing stays undone.
    fn settle(&mut self) {
        for by in 0..2 * CONNECTIONS {
            self.carry(&Doing::Fill(by, false));
        }
        for _ in 0..400 {
            for server in 0..2 {
                self.store(server, &Storing::Well);
                self.go_on(server);
            }
            for by in 0..2 * CONNECTIONS {
                self.read(by);
            }
        }
        assert_eq!(self.open, BTreeMap::new(), "without an answer");
        for (connection, client) in &self.clients {
            let machine = &self.servers[server_of(*connection)].machine;
            if client.follows.is_some() && !client.lagging {
                assert_eq!(
                    client.has,
                    machine.seq().0,
                    "{connection} has not heard all"
                );
            }
        }
    }
}

impl Server {
    fn load(now: u64, log: &[Bytes], origin: Origin) -> Self {
        let events: Vec<Event> = log
            .iter()
            .map(|body| serde_json::from_slice(body).expect("an event"))
            .collect();
        let referee = Referee::replay(&events).expect("a lawful log");
        let beginning = Beginning {
            referee,
            recent: Vec::new(),
            invitation: None,
            lasts: false,
            address: None,
            origin,
        };
        Self {
            machine: Machine::new(Millis(now), match_id(), policy(), beginning),
            in_flight: None,
            reading: None,
            continues: false,
        }
    }
}

/// Both are answered once the proposal before them is stored.
#[test]
fn a_join_that_is_sent_twice_at_once_is_answered_twice() {
    let mut world = World::new(true);
    world.carry(&Doing::Ask(0, Asking::Move(0, false)));
    world.carry(&Doing::Ask(1, Asking::Join));
    world.store(0, &Storing::Well);
    for (by, asking) in [
        (7, Asking::Join),
        (9, Asking::Propose(Proposal::Pause)),
        (7, Asking::Join),
    ] {
        world.carry(&Doing::Ask(by, asking));
    }
    world.settle();
    let log = world.log.len() as u64;
    assert_eq!(world.client(7).has, log);
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 400,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn two_servers_agree_with_the_log(
        timed: bool,
        begins in prop::bool::weighted(0.8),
        doings in prop::collection::vec(doing(), 0..150),
    ) {
        let mut world = World::new(timed);
        if begins {
            world.carry(&Doing::Ask(0, Asking::Move(0, false)));
            world.carry(&Doing::Ask(1, Asking::Join));
            world.store(0, &Storing::Well);
        }
        for doing in &doings {
            world.carry(doing);
        }
        world.settle();
        prop_assert!(!world.damaged);
        let events: Vec<Event> = world
            .log
            .iter()
            .map(|body| serde_json::from_slice(body).expect("an event"))
            .collect();
        let referee = Referee::replay(&events).expect("a lawful log");
        prop_assert!(referee.ply() >= Ply(0) && (begins || referee.status() != Status::Live || events.len() > 1));
    }
}
