//! A player who keeps playing, whatever happens to the servers: who goes to another one when this one fails, and writes down everything that was said and heard.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use grundy_shared::event::{Event, TimeControl};
use grundy_shared::ids::{ClientMoveId, JoinCode, MatchId, Millis, PlayerId, Seq};
use grundy_shared::protocol::client::{
    Create, Hello, Join, Leave, Move, Opponent, Resign, Resume, Side,
};
use grundy_shared::protocol::{ClientMessage, ErrorCode, Reply};
use grundy_shared::referee::{Referee, Status};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::journal::Journal;
use crate::ledger::Ledger;
use crate::wire::{Failed, Heard, Wire};

/// A server that says nothing for so long is given up.
const SILENT: Duration = Duration::from_millis(1_500);
/// After a refusal, or when no server can be reached, the player comes back after so long.
const PAUSE: Duration = Duration::from_millis(50);

/// An invitation of the one player to the other.
#[derive(Clone, Debug)]
pub(crate) struct Invitation {
    id: MatchId,
    code: JoinCode,
}

/// What a player of a pair does besides playing.
pub(crate) enum Role {
    /// Makes the matches.
    Host(watch::Sender<Option<Invitation>>),
    /// Joins them. Ends when no more come.
    Guest(watch::Receiver<Option<Invitation>>),
}

/// A player.
pub(crate) struct Player {
    name: String,
    pair: usize,
    role: Role,
    nodes: Arc<[String]>,
    at: usize,
    random: StdRng,
    journal: Journal,
    path: PathBuf,
    ledger: Arc<Ledger>,
    identity: Option<(String, PlayerId)>,
    contest: Option<(MatchId, Option<Referee>)>,
    matches: u32,
    moves: u64,
    requests: u64,
}

/// Two players of matches against each other, with journals in this directory. They begin on different nodes.
pub(crate) fn pair(
    directory: &Path,
    number: usize,
    seed: u64,
    nodes: &Arc<[String]>,
    ledger: &Arc<Ledger>,
) -> [Player; 2] {
    let (inviting, invited) = watch::channel(None);
    let player = |role: Role, name: String, at: usize| {
        let path = directory.join(format!("{name}.journal"));
        Player {
            pair: number,
            role,
            nodes: nodes.clone(),
            at: at % nodes.len(),
            random: StdRng::seed_from_u64(seed ^ (number as u64) << 8 ^ at as u64),
            journal: Journal::create(&path),
            path,
            ledger: ledger.clone(),
            identity: None,
            contest: None,
            matches: 0,
            moves: 0,
            requests: 0,
            name,
        }
    };
    [
        player(Role::Host(inviting), format!("host-{number}"), number),
        player(Role::Guest(invited), format!("guest-{number}"), number + 1),
    ]
}

impl Player {
    /// Where the journal is.
    pub(crate) fn journal(&self) -> &Path {
        &self.path
    }

    /// Plays match after match until it is to finish, and then to the end of the last one.
    pub(crate) async fn play(mut self, finish: CancellationToken) {
        loop {
            match self.visit(&finish).await {
                Ok(()) => return,
                Err(Failed) => {
                    self.at = (self.at + 1) % self.nodes.len();
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
    }

    /// Plays on one node until it fails, or everything is done.
    async fn visit(&mut self, finish: &CancellationToken) -> Result<(), Failed> {
        let connecting = Wire::connect(&self.nodes[self.at]);
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
            } else if !self.next_match(&mut wire, finish).await? {
                return Ok(());
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
            Reply::Welcome { player, token, .. } => {
                if let Some(token) = token {
                    self.identity = Some((token.reveal().to_owned(), player.id));
                }
                Ok(())
            }
            _ => Err(Failed),
        }
    }

    /// Follows a match from the last event that is known.
    async fn resume(&mut self, wire: &mut Wire, id: MatchId) -> Result<(), Failed> {
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

    /// Gets the next match going; `false` if there is none.
    async fn next_match(
        &mut self,
        wire: &mut Wire,
        finish: &CancellationToken,
    ) -> Result<bool, Failed> {
        match &mut self.role {
            Role::Host(_) if finish.is_cancelled() => Ok(false),
            Role::Host(_) => self.create(wire).await.map(|()| true),
            Role::Guest(invited) => {
                let last = self.contest.as_ref().map(|(id, _)| *id);
                let is_new = |next: &Option<Invitation>| {
                    next.as_ref().is_some_and(|next| Some(next.id) != last)
                };
                // Whoever waits hears what the server says.
                let waited = tokio::select! {
                    waited = invited.wait_for(is_new) => waited.map(|next| next.clone()),
                    heard = wire.hear(&mut self.journal) => return heard.map(|_| true),
                };
                let Ok(Some(invitation)) = waited else {
                    return Ok(false);
                };
                self.join(wire, invitation).await.map(|()| true)
            }
        }
    }

    async fn create(&mut self, wire: &mut Wire) -> Result<(), Failed> {
        let heaps: Vec<String> = (0..self.random.random_range(2..=5))
            .map(|_| self.random.random_range(1..=9).to_string())
            .collect();
        // The same wish until it is answered: its own name makes it one match.
        let wish = match &self.identity {
            Some((_, player)) => format!("{player}-{}", self.matches),
            None => return Err(Failed),
        };
        let create = Create {
            position: format!("nim:{}", heaps.join(",")),
            clock: TimeControl::Fischer {
                base_ms: Millis(3_600_000),
                increment_ms: Millis(0),
            },
            games: 1,
            rated: false,
            side: Side::Random,
            opponent: Opponent::Invite {},
            client_create_id: wish.parse().ok(),
        };
        match self.ask(wire, create).await? {
            Reply::Created {
                match_id,
                code: Some(code),
                ..
            } => {
                self.matches += 1;
                self.begin(match_id);
                if let Role::Host(inviting) = &self.role {
                    inviting.send_replace(Some(Invitation { id: match_id, code }));
                }
                Ok(())
            }
            // The match of an earlier try has other heaps.
            Reply::Error(refusal) if refusal.code == ErrorCode::IdempotencyConflict => {
                self.matches += 1;
                Ok(())
            }
            _ => Err(Failed),
        }
    }

    async fn join(&mut self, wire: &mut Wire, invitation: Invitation) -> Result<(), Failed> {
        let join = Join {
            code: invitation.code.to_string(),
        };
        match self.ask(wire, join).await? {
            Reply::Joined { match_id, .. } => {
                self.begin(match_id);
                Ok(())
            }
            // The answer to an earlier try was lost.
            Reply::Error(refusal) if is_news(refusal.code) => {
                self.begin(invitation.id);
                self.resume(wire, invitation.id).await
            }
            _ => Err(Failed),
        }
    }

    /// Follows a match from here on; its first events may have come before the answer.
    fn begin(&mut self, id: MatchId) {
        if self.contest.as_ref().is_none_or(|(here, _)| *here != id) {
            self.contest = Some((id, None));
        }
    }

    async fn ask(
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
        timeout(SILENT * 4, answer).await.map_err(|_| Failed)?
    }

    async fn hear(&mut self, wire: &mut Wire) -> Result<Heard, Failed> {
        let heard = wire.hear(&mut self.journal).await?;
        match &heard {
            Heard::Event(id, seq, event) => self.take(*id, *seq, event),
            Heard::Reply(_, Reply::Accepted { .. }) => self.ledger.note(self.pair),
            Heard::Reply(..) | Heard::Other => {}
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
fn is_news(code: ErrorCode) -> bool {
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
