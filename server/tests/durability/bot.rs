//! A client that plays match after match at random, through any number of crashes of the server.
//!
//! Bots come in pairs: the host creates matches and the guest joins them. After a crash a bot comes back with its token,
//! resumes after the last event that it has, and sends again what was not answered, as docs/PROTOCOL.md tells.

use std::path::{Path, PathBuf};

use grundy_shared::event::{Event, PlayerInfo, TimeControl};
use grundy_shared::ids::{ClientMoveId, JoinCode, MatchId, Millis, PlayerId, Ply, Seq};
use grundy_shared::protocol::client::{
    Abort, Bye, Create, Hello, Join, Move, Opponent, Resign, Resume, Side,
};
use grundy_shared::protocol::{ClientMessage, ErrorCode, Reply};
use grundy_shared::referee::{Referee, Status};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;

use crate::client::{Client, Gone, Heard};
use crate::journal::Journal;
use crate::process::PATIENCE;

/// Time on a clock: much more than any bot needs, less than a server could be away in a long run.
const BASE: Millis = Millis(60_000);

/// An invitation from a host to its guest.
#[derive(Clone, Copy, Debug)]
struct Invitation {
    match_id: MatchId,
    code: JoinCode,
}

/// The other bot of the pair.
enum Partner {
    /// `None` once no match comes any more.
    Guest(Option<mpsc::Sender<Invitation>>),
    Host(mpsc::Receiver<Invitation>),
}

/// The match that a bot plays, as its events tell it.
struct Contest {
    id: MatchId,
    referee: Option<Referee>,
}

impl Contest {
    fn seq(&self) -> Seq {
        self.referee.as_ref().map_or(Seq(0), Referee::seq)
    }

    fn is_over(&self) -> bool {
        self.referee
            .as_ref()
            .is_some_and(|referee| referee.status() == Status::Over)
    }
}

/// A request that must be answered before the bot goes on, in this life of the server or a later one.
#[derive(Clone)]
enum Pending {
    Create(Create),
    Join(Invitation),
    Move(Move),
    Resign(MatchId),
    Abort(MatchId),
}

impl Pending {
    fn message(&self) -> ClientMessage {
        match self {
            Self::Create(create) => create.clone().into(),
            Self::Join(invitation) => Join {
                code: invitation.code.to_string(),
            }
            .into(),
            Self::Move(mv) => mv.clone().into(),
            Self::Resign(id) => Resign {
                match_id: id.to_string(),
            }
            .into(),
            Self::Abort(id) => Abort {
                match_id: id.to_string(),
            }
            .into(),
        }
    }
}

/// A bot between two lives of the server.
pub(crate) struct Bot {
    name: String,
    journal: Journal,
    path: PathBuf,
    memory: Memory,
}

/// What a bot knows.
struct Memory {
    random: StdRng,
    partner: Partner,
    acks: watch::Sender<u64>,
    requests: u64,
    moves: u64,
    identity: Option<(String, PlayerInfo)>,
    contest: Option<Contest>,
    pending: Option<Pending>,
    finished: bool,
}

impl Bot {
    /// A host and its guest, with journals in `directory`. `acks` counts what they are told.
    pub(crate) fn pair(
        directory: &Path,
        number: usize,
        seed: u64,
        acks: &watch::Sender<u64>,
    ) -> [Self; 2] {
        let (to_guest, from_host) = mpsc::channel(1);
        let bot = |role: &str, partner| {
            let name = format!("{role}-{number}");
            Self {
                journal: Journal::create(&directory.join(format!("{name}.journal"))),
                path: directory.join(format!("{name}.journal")),
                name,
                memory: Memory {
                    random: StdRng::seed_from_u64(seed ^ (number as u64) << 8 ^ role.len() as u64),
                    partner,
                    acks: acks.clone(),
                    requests: 0,
                    moves: 0,
                    identity: None,
                    contest: None,
                    pending: None,
                    finished: false,
                },
            }
        };
        [
            bot("host", Partner::Guest(Some(to_guest))),
            bot("guest", Partner::Host(from_host)),
        ]
    }

    /// Where its journal is.
    pub(crate) fn journal(&self) -> &Path {
        &self.path
    }

    /// Whether it has ended its last match and said goodbye.
    pub(crate) fn is_finished(&self) -> bool {
        self.memory.finished
    }

    /// Plays until the server is gone, or after `finish` until its match is over.
    pub(crate) async fn live(mut self, address: String, finish: CancellationToken) -> Self {
        if let Ok(client) = Client::connect(&address, &mut self.journal).await {
            let mut session = Session {
                name: &self.name,
                client,
                memory: &mut self.memory,
                finish,
            };
            // The server is gone: the next life goes on from what the bot remembers.
            let _: Result<(), Gone> = session.play().await;
        }
        self
    }
}

/// A bot while it is connected.
struct Session<'b> {
    name: &'b str,
    client: Client<&'b mut Journal>,
    memory: &'b mut Memory,
    finish: CancellationToken,
}

impl Session<'_> {
    async fn play(&mut self) -> Result<(), Gone> {
        self.come_back().await?;
        loop {
            if let Some(pending) = self.memory.pending.clone() {
                self.settle(pending).await?;
            } else if self
                .memory
                .contest
                .as_ref()
                .is_some_and(|contest| !contest.is_over())
            {
                match self.choose() {
                    Some(pending) => self.memory.pending = Some(pending),
                    None => self.hear_in_time().await.map(drop)?,
                }
            } else if !self.next_match().await? {
                self.ask(Bye {}).await?;
                self.memory.finished = true;
                return Ok(());
            }
        }
    }

    /// Says who it is, and picks up what was left.
    async fn come_back(&mut self) -> Result<(), Gone> {
        let hello = Hello {
            protocol: 1,
            client: Some("durability/1".to_owned()),
            token: self
                .memory
                .identity
                .as_ref()
                .map(|(token, _)| token.clone().into()),
            // A name would be taken if the server had died between its commit and the reply.
            name: None,
            bot: self.memory.identity.is_none().then_some(true),
            session: false,
            language: None,
        };
        let Reply::Welcome {
            player,
            token,
            obligations,
            ..
        } = self.ask(hello).await?
        else {
            panic!("{}: no welcome", self.name);
        };
        if let Some(token) = token {
            self.memory.identity = Some((token.reveal().to_owned(), player));
        }
        for obligation in obligations {
            let id = obligation.match_id;
            match self.memory.pending {
                Some(Pending::Join(invitation)) if invitation.match_id == id => {
                    // It has joined, and the answer was lost.
                    self.memory.pending = None;
                    self.begin(id);
                }
                // It was created, and the answer with the code was lost: nobody can ever join.
                Some(Pending::Create(_)) => {
                    self.memory.contest = None;
                    self.ask(Abort {
                        match_id: id.to_string(),
                    })
                    .await?;
                }
                _ => {}
            }
        }
        self.resume().await
    }

    /// Takes up the match after the last event that it has.
    async fn resume(&mut self) -> Result<(), Gone> {
        if let Some(contest) = self
            .memory
            .contest
            .as_ref()
            .filter(|contest| !contest.is_over())
        {
            let resume = Resume {
                match_id: contest.id.to_string(),
                since_seq: contest.seq(),
            };
            match self.ask(resume).await? {
                Reply::Attached { snapshot, .. } => self.hear_until(snapshot.seq).await?,
                reply => panic!("{}: resume was answered by {reply:?}", self.name),
            }
        }
        Ok(())
    }

    /// Waits for the events of its match up to this one.
    async fn hear_until(&mut self, seq: Seq) -> Result<(), Gone> {
        while self
            .memory
            .contest
            .as_ref()
            .is_some_and(|contest| contest.seq() < seq)
        {
            self.hear_in_time().await?;
        }
        Ok(())
    }

    /// Sends what is pending, sometimes twice, and takes the answer.
    async fn settle(&mut self, pending: Pending) -> Result<(), Gone> {
        let gives_up = matches!(pending, Pending::Resign(_) | Pending::Abort(_));
        if gives_up && self.memory.contest.as_ref().is_some_and(Contest::is_over) {
            self.memory.pending = None;
            return Ok(());
        }
        if matches!(pending, Pending::Move(_)) && self.memory.random.random_ratio(1, 20) {
            let id = self.next_request();
            self.client.send(id, pending.message()).await?;
        }
        match (self.ask(pending.message()).await?, &pending) {
            (
                Reply::Created {
                    match_id,
                    code: Some(code),
                    ..
                },
                Pending::Create(_),
            ) => {
                self.begin(match_id);
                if let Partner::Guest(Some(guest)) = &self.memory.partner {
                    // The guest ends only after its host.
                    let _ = guest.try_send(Invitation { match_id, code });
                }
            }
            (Reply::Joined { match_id, .. }, Pending::Join(_)) => self.begin(match_id),
            // The answer was lost, and the match is over since.
            (Reply::Error(refusal), Pending::Join(_))
                if matches!(
                    refusal.code,
                    ErrorCode::NoSuchCode | ErrorCode::SeatTaken | ErrorCode::MatchOver
                ) => {}
            (Reply::Accepted { seq, .. } | Reply::Done { seq: Some(seq), .. }, _) => {
                self.hear_until(seq).await?
            }
            (reply, _) => panic!(
                "{}: {} was answered by {reply:?}",
                self.name,
                pending.message().kind()
            ),
        }
        self.memory.pending = None;
        Ok(())
    }

    /// Follows a match from here on; its first events may have come before the answer.
    fn begin(&mut self, id: MatchId) {
        if self
            .memory
            .contest
            .as_ref()
            .is_none_or(|contest| contest.id != id)
        {
            self.memory.contest = Some(Contest { id, referee: None });
        }
    }

    /// Gets the next match going; `false` when there is none.
    async fn next_match(&mut self) -> Result<bool, Gone> {
        let pending = match &mut self.memory.partner {
            Partner::Guest(_) if self.finish.is_cancelled() => None,
            Partner::Guest(_) => Some(Pending::Create(any_match(&mut self.memory.random))),
            Partner::Host(invitations) => tokio::select! {
                invitation = invitations.recv() => invitation.map(Pending::Join),
                heard = self.client.hear() => {
                    self.memory.note(&heard?);
                    return Ok(true);
                }
            },
        };
        if pending.is_none()
            && let Partner::Guest(guest) = &mut self.memory.partner
        {
            *guest = None;
        }
        self.memory.pending = pending;
        Ok(self.memory.pending.is_some())
    }

    /// What it does on its turn; `None` when it is not.
    fn choose(&mut self) -> Option<Pending> {
        let contest = self.memory.contest.as_ref()?;
        let referee = contest
            .referee
            .as_ref()
            .filter(|referee| referee.status() == Status::Live)?;
        let seat = referee.seat_of(self.memory.player()?)?;
        // After the last move its end comes as an event of its own.
        if referee.to_move() != seat || referee.position().is_over(seat) {
            return None;
        }
        let ply = referee.ply().next();
        let lot = self.memory.random.random_range(0..200);
        if self.finish.is_cancelled() || lot == 0 {
            return Some(Pending::Resign(contest.id));
        }
        if lot == 1 && ply <= Ply(2) {
            return Some(Pending::Abort(contest.id));
        }
        let position = referee.position();
        let number = self
            .memory
            .random
            .random_range(0..position.move_count(seat));
        let mv = position
            .nth_move(seat, number)
            .expect("a number below the count names a move");
        self.memory.moves += 1;
        let name: ClientMoveId = format!("{}-{}", self.name, self.memory.moves)
            .parse()
            .expect("letters, digits and hyphens");
        Some(Pending::Move(Move {
            match_id: contest.id.to_string(),
            ply,
            move_text: mv.to_string(),
            client_move_id: Some(name),
            hints: 0,
        }))
    }

    fn next_request(&mut self) -> u64 {
        self.memory.requests += 1;
        self.memory.requests
    }

    /// Asks and waits for the answer; takes the events that come in between.
    async fn ask(&mut self, request: impl Into<ClientMessage>) -> Result<Reply, Gone> {
        let request_id = self.next_request();
        self.client.send(request_id, request).await?;
        loop {
            if let Heard::Reply(id, reply) = self.hear_in_time().await?
                && id == request_id
            {
                return Ok(reply);
            }
        }
    }

    async fn hear_in_time(&mut self) -> Result<Heard, Gone> {
        let heard = tokio::time::timeout(PATIENCE, self.client.hear())
            .await
            .unwrap_or_else(|_| panic!("{}: the server lives and says nothing", self.name))?;
        self.memory.note(&heard);
        Ok(heard)
    }
}

impl Memory {
    fn player(&self) -> Option<PlayerId> {
        self.identity.as_ref().map(|(_, player)| player.id)
    }

    fn note(&mut self, heard: &Heard) {
        match heard {
            Heard::Event(id, seq, event) => self.take(*id, *seq, event),
            Heard::Reply(_, reply) if is_ack(reply) => self.acks.send_modify(|acks| *acks += 1),
            Heard::Reply(..) | Heard::Other => {}
        }
    }

    fn take(&mut self, id: MatchId, seq: Seq, event: &Event) {
        if seq == Seq(1) {
            let referee = Referee::begin(event).expect("event 1 begins a match");
            self.contest = Some(Contest {
                id,
                referee: Some(referee),
            });
            return;
        }
        let Some(contest) = self.contest.as_mut().filter(|contest| contest.id == id) else {
            // The end of a match that was called off because its code was lost.
            return;
        };
        assert_eq!(
            seq,
            contest.seq().next(),
            "the events of {id} come in order, each once"
        );
        let referee = contest.referee.as_mut().expect("event 1 came before");
        referee
            .apply(event)
            .unwrap_or_else(|error| panic!("{id}: {error}"));
    }
}

/// Whether the server has promised with this reply that something stays.
pub(crate) fn is_ack(reply: &Reply) -> bool {
    match reply {
        Reply::Created { .. } | Reply::Joined { .. } | Reply::Accepted { .. } => true,
        Reply::Done { seq, .. } => seq.is_some(),
        _ => false,
    }
}

/// Terms of a match: Nim with a few heaps, with or without a clock.
fn any_match(random: &mut StdRng) -> Create {
    let heaps: Vec<String> = (0..random.random_range(1..=6))
        .map(|_| random.random_range(1..=20).to_string())
        .collect();
    let clock = if random.random_ratio(2, 3) {
        TimeControl::Fischer {
            base_ms: BASE,
            increment_ms: Millis(random.random_range(0..2_000)),
        }
    } else {
        TimeControl::Untimed {}
    };
    Create {
        position: format!("nim:{}", heaps.join(",")),
        clock,
        games: 1,
        rated: false,
        side: Side::Random,
        opponent: Opponent::Invite {},
        client_create_id: None,
    }
}
