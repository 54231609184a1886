//! A player who keeps playing, whatever happens to the servers: who goes to another one when this one fails, and writes down everything that was said and heard.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use grundy_shared::event::Event;
use grundy_shared::ids::{ClientMoveId, MatchId, PlayerId, Seq};
use grundy_shared::protocol::client::{Hello, Leave, Move, Resign, Resume};
use grundy_shared::protocol::server::Obligation;
use grundy_shared::protocol::{ClientMessage, ErrorCode, Reply};
use grundy_shared::referee::{Referee, Status};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::facts::Facts;
use crate::journal::Journal;
use crate::ledger::Ledger;
use crate::role::Role;
use crate::wire::{Failed, Heard, Wire};

/// A server that says nothing for so long is given up.
pub(crate) const SILENT: Duration = Duration::from_millis(1_500);
/// An answer that takes longer never comes: then the player goes to another server, as our client does after five seconds.
pub(crate) const ANSWER: Duration = Duration::from_secs(5);
/// After a refusal, or when no server can be reached, the player comes back after so long.
pub(crate) const PAUSE: Duration = Duration::from_millis(50);
/// The pause before each move. Without it, moves use all processors, and comparing them with the database takes longer than the faults.
const THOUGHT: Duration = Duration::from_millis(50);

/// What players of a campaign have in common.
pub(crate) struct Table {
    /// For journals.
    pub(crate) directory: PathBuf,
    pub(crate) nodes: Vec<String>,
    pub(crate) ledger: Ledger,
    pub(crate) seed: u64,
    pub(crate) facts: Mutex<Facts>,
}

impl Table {
    /// What visitors have received.
    pub(crate) fn facts(&self) -> MutexGuard<'_, Facts> {
        self.facts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A player.
pub(crate) struct Player {
    pub(super) name: String,
    /// The row of the ledger.
    row: usize,
    pub(super) role: Role,
    table: Arc<Table>,
    /// The node where a match is begun, if it can be.
    home: usize,
    at: usize,
    /// Whether there was a match since the player has tried to be at home.
    away: bool,
    pub(super) random: StdRng,
    pub(super) journal: Journal,
    path: PathBuf,
    pub(super) identity: Option<(String, PlayerId)>,
    pub(super) contest: Option<(MatchId, Option<Referee>)>,
    pub(super) matches: u32,
    /// The position of the match that was asked for and not yet answered.
    pub(super) wish: Option<String>,
    moves: u64,
    requests: u64,
}

/// How a visit at a node has ended well.
enum Visited {
    /// The player goes home.
    ToGoHome,
    /// All is played.
    ToTheEnd,
}

impl Player {
    /// One with a journal, who begins on this node.
    pub(crate) fn new(
        table: &Arc<Table>,
        role: Role,
        name: String,
        row: usize,
        home: usize,
    ) -> Self {
        let path = table.directory.join(format!("{name}.journal"));
        let home = home % table.nodes.len();
        let seed = table.seed ^ (row as u64) << 8 ^ home as u64;
        Self {
            name,
            row,
            role,
            table: Arc::clone(table),
            home,
            at: home,
            away: false,
            random: StdRng::seed_from_u64(seed),
            journal: Journal::create(&path),
            path,
            identity: None,
            contest: None,
            matches: 0,
            wish: None,
            moves: 0,
            requests: 0,
        }
    }

    /// Where the journal is.
    pub(crate) fn journal(&self) -> &Path {
        &self.path
    }

    /// Plays match after match until it is to finish, and then to the end of the last one.
    pub(crate) async fn play(mut self, finish: CancellationToken) {
        loop {
            match self.visit(&finish).await {
                Ok(Visited::ToTheEnd) => return,
                Ok(Visited::ToGoHome) => self.at = self.home,
                Err(Failed) => {
                    self.at = (self.at + 1) % self.table.nodes.len();
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
    }

    /// Plays on one node until it fails, or everything is done.
    async fn visit(&mut self, finish: &CancellationToken) -> Result<Visited, Failed> {
        let connecting = Wire::connect(&self.table.nodes[self.at]);
        let mut wire = timeout(SILENT, connecting).await.map_err(|_| Failed)??;
        self.greet(&mut wire).await?;
        let begun = self
            .contest
            .as_ref()
            .filter(|(_, state)| !is_over(state.as_ref()));
        if let Some((id, _)) = begun {
            let id = *id;
            self.resume(&mut wire, id).await?;
        }
        loop {
            if self.is_playing() {
                self.go_on(&mut wire, finish).await?;
            } else if std::mem::take(&mut self.away) && self.at != self.home {
                return Ok(Visited::ToGoHome);
            } else if !self.next_match(&mut wire, finish).await? {
                return Ok(Visited::ToTheEnd);
            }
        }
    }

    async fn greet(&mut self, wire: &mut Wire) -> Result<(), Failed> {
        let hello = Hello {
            protocol: 1,
            client: Some("cluster/1".to_owned()),
            token: self
                .identity
                .as_ref()
                .map(|(token, _)| token.clone().into()),
            name: None,
            bot: self.identity.is_none().then_some(true),
            session: false,
            language: None,
        };
        match self.ask(wire, hello).await? {
            Reply::Welcome {
                player,
                token,
                obligations,
                ..
            } => {
                self.go_on_with(&obligations);
                if let Some(token) = token {
                    self.identity = Some((token.reveal().to_owned(), player.id));
                }
                Ok(())
            }
            _ => Err(Failed),
        }
    }

    /// Nobody has two matches at once here. A player who was matched may not have heard of it.
    fn go_on_with(&mut self, obligations: &[Obligation]) {
        assert!(obligations.len() < 2, "{}: {obligations:?}", self.name);
        if let (Role::Seeker(_), [open]) = (&self.role, obligations) {
            self.begin(open.match_id);
        }
    }

    /// Follows a match from the last event that is known.
    pub(super) async fn resume(&mut self, wire: &mut Wire, id: MatchId) -> Result<(), Failed> {
        let since = self.seq();
        let resume = Resume {
            match_id: id.to_string(),
            since_seq: since,
        };
        match self.ask(wire, resume).await? {
            Reply::Attached { snapshot, .. } => {
                while self.seq() < snapshot.seq {
                    self.hear(wire).await?;
                }
                Ok(())
            }
            _ => Err(Failed),
        }
    }

    fn is_playing(&self) -> bool {
        self.contest
            .as_ref()
            .is_some_and(|(_, state)| !is_over(state.as_ref()))
    }

    fn seq(&self) -> Seq {
        let state = self.contest.as_ref().and_then(|(_, state)| state.as_ref());
        state.map_or(Seq(0), Referee::seq)
    }

    /// Makes a move, if it is this player's turn, or waits for something to happen.
    async fn go_on(&mut self, wire: &mut Wire, finish: &CancellationToken) -> Result<(), Failed> {
        let Some((id, _)) = self.contest else {
            return Ok(());
        };
        let Some(request) = self.choose(id, finish.is_cancelled()) else {
            return match timeout(SILENT, self.hear(wire)).await {
                Ok(heard) => heard.map(drop),
                // The other player takes long, or this server is frozen: that shows.
                Err(_) => self.resume_again(wire, id).await,
            };
        };
        tokio::time::sleep(THOUGHT).await;
        match self.ask(wire, request).await? {
            Reply::Accepted { seq, .. } | Reply::Done { seq: Some(seq), .. } => {
                while self.seq() < seq {
                    self.hear(wire).await?;
                }
                Ok(())
            }
            // What was asked for is no longer possible: something has happened meanwhile.
            Reply::Error(refusal) if is_news(refusal.code) => self.resume_again(wire, id).await,
            _ => Err(Failed),
        }
    }

    /// The same on a connection that follows the match. First it leaves: an event that is on its way while it asks would come twice.
    async fn resume_again(&mut self, wire: &mut Wire, id: MatchId) -> Result<(), Failed> {
        let leave = Leave {
            match_id: id.to_string(),
        };
        match self.ask(wire, leave).await? {
            Reply::Done { .. } => self.resume(wire, id).await,
            _ => Err(Failed),
        }
    }

    /// What to do; nothing if it is not this player's turn.
    fn choose(&mut self, id: MatchId, finish: bool) -> Option<ClientMessage> {
        let (_, state) = self.contest.as_ref()?;
        let state = state
            .as_ref()
            .filter(|state| state.status() == Status::Live)?;
        let seat = state.seat_of(self.identity.as_ref()?.1)?;
        let match_id = id.to_string();
        // The opponent may have been told to finish before it has heard of the match.
        if finish && let Role::Seeker(_) = self.role {
            return Some(Resign { match_id }.into());
        }
        if state.to_move() != seat || state.position().is_over(seat) {
            return None;
        }
        if finish {
            return Some(Resign { match_id }.into());
        }
        let number = self
            .random
            .random_range(0..state.position().move_count(seat));
        let text = state.position().nth_move(seat, number)?.to_string();
        self.moves += 1;
        let name: ClientMoveId = format!("{}-{}", self.name, self.moves).parse().ok()?;
        let mv = Move {
            match_id,
            ply: state.ply().next(),
            move_text: text,
            client_move_id: Some(name),
            hints: 0,
        };
        Some(mv.into())
    }

    /// Follows a match from here on; its first events may have come before the answer.
    pub(super) fn begin(&mut self, id: MatchId) {
        self.away = true;
        if self.contest.as_ref().is_none_or(|(here, _)| *here != id) {
            self.contest = Some((id, None));
        }
    }

    pub(super) async fn ask(
        &mut self,
        wire: &mut Wire,
        request: impl Into<ClientMessage>,
    ) -> Result<Reply, Failed> {
        self.requests += 1;
        let number = self.requests;
        wire.send(&mut self.journal, number, request.into()).await?;
        let answer = async {
            loop {
                if let Heard::Reply(id, reply) = self.hear(wire).await?
                    && id == number
                {
                    return Ok(reply);
                }
            }
        };
        timeout(ANSWER, answer).await.map_err(|_| Failed)?
    }

    pub(super) async fn hear(&mut self, wire: &mut Wire) -> Result<Heard, Failed> {
        let heard = wire.hear(&mut self.journal).await?;
        match &heard {
            Heard::Event(id, seq, event) => self.take(*id, *seq, event),
            Heard::Reply(_, Reply::Accepted { .. }) => self.table.ledger.note(self.row),
            Heard::Reply(..) | Heard::Notice(_) => {}
        }
        Ok(heard)
    }

    fn take(&mut self, id: MatchId, seq: Seq, event: &Event) {
        let is_next = self.contest.as_ref().is_none_or(|(here, _)| *here == id) || seq == Seq(1);
        if !is_next {
            // Of a match before.
            return;
        }
        if seq == Seq(1) {
            let referee = Referee::begin(event).expect("event 1 begins a match");
            self.contest = Some((id, Some(referee)));
            return;
        }
        let Some((_, Some(referee))) = &mut self.contest else {
            panic!("{}: event {seq} of {id} came first", self.name);
        };
        assert_eq!(
            seq,
            referee.seq().next(),
            "{}: events of {id} come in order",
            self.name
        );
        let applied = referee.apply(event);
        applied.unwrap_or_else(|error| panic!("{}: {id}: {error}", self.name));
    }
}

/// Whether a refusal with this code says that the match has gone on.
pub(crate) fn is_news(code: ErrorCode) -> bool {
    matches!(
        code,
        ErrorCode::StalePly
            | ErrorCode::NotYourTurn
            | ErrorCode::MatchOver
            | ErrorCode::NoSuchCode
            | ErrorCode::SeatTaken
    )
}

fn is_over(state: Option<&Referee>) -> bool {
    state.is_some_and(|state| state.status() == Status::Over)
}
