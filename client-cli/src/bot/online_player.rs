//! Our bot on a server: all its matches on one connection, played by a pool of programs. A connection that breaks is made again, and every
//! match is read again from its beginning.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use futures::stream::FuturesUnordered;
use futures::{FutureExt as _, StreamExt as _};
use grundy_shared::event::Event;
use grundy_shared::ids::{ClientCreateId, JoinCode, MatchId, PlayerId, Ply, Seq};
use grundy_shared::protocol::client::{
    self, ClientMessage, Create, FollowAccount, Join, Move, Offer, Resign, Resume, Side,
};
use grundy_shared::protocol::server::{Notice, Reply};
use grundy_shared::protocol::tournament::{JoinTournament, TournamentStatus, WatchTournament};
use grundy_shared::protocol::{AccountEvent, ErrorCode};
use grundy_shared::tournament::TournamentEvent;
use rand::RngExt as _;
use serde_json::json;
use tokio::task::JoinError;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep};

use super::pool::{Pool, Recall, Thought};
use super::table::{End, Table};
use crate::account::sign_in_bot;
use crate::challenge::shown;
use crate::connection::{Answer, Connection, Incoming};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::match_source::remote::GIVE_UP;

/// How often to look whether the server is there, and to ask again for what it refused for the moment.
const TICK: Duration = Duration::from_secs(1);
/// Silence after which the connection counts as broken.
const SILENCE: Duration = Duration::from_secs(5);
/// Waits before attempts to come back, in milliseconds.
const WAITS_MS: [std::ops::Range<u64>; 3] = [30..70, 100..300, 250..750];

/// What the bot is there for, besides the matches that it has not finished.
#[derive(Clone, Debug)]
pub(crate) enum Purpose {
    /// Nothing else.
    Finish,
    /// To take challenges, until it is stopped.
    Offer(Offer),
    /// To take a seat.
    Join(JoinCode),
    /// To create so many matches, one after another, with the sides changing.
    Create(Create, u32),
    /// To enter this tournament, and to play all its games.
    Tournament(String),
}

/// What became of the games of a tournament.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    games: u64,
    wins: u64,
    losses: u64,
}

/// A match that is played.
struct Seat {
    table: Table,
    /// Its number for the programs.
    game: u64,
    /// Whether this connection has the seat, or has asked for it.
    is_attached: bool,
    thinking: Option<(Ply, Recall)>,
    /// What a program has answered, until the match shows it.
    answer: Option<(Ply, Choice)>,
    /// The answer has been sent on this connection.
    is_sent: bool,
}

/// What a program wants to do.
#[derive(Clone, Debug)]
enum Choice {
    Move(String),
    Resign,
}

/// What a request was for.
enum Asked {
    Attach(MatchId),
    Act(MatchId, Ply),
    /// The purpose: a seat, or a new match.
    Begin,
    Nothing,
}

/// How far the purpose is.
enum Progress {
    /// It is to be asked for.
    Due,
    Asked,
    /// This match has come of it.
    Playing(MatchId),
    Done,
}

/// Our bot on a server.
pub(crate) struct OnlinePlayer<'c> {
    context: &'c Context,
    pool: Pool,
    purpose: Purpose,
    progress: Progress,
    us: Option<PlayerId>,
    seats: HashMap<MatchId, Seat>,
    games: u64,
    /// Matches that wait for room on the connection.
    waiting: VecDeque<MatchId>,
    /// Matches that one connection may follow.
    room: usize,
    requests: HashMap<u64, Asked>,
    heard_at: Instant,
    comes_back_in: Option<Duration>,
    create_id: ClientCreateId,
    /// The tournament was entered.
    has_entered: bool,
    tally: Tally,
}

type Thinking = FuturesUnordered<
    std::pin::Pin<Box<dyn Future<Output = (MatchId, Ply, Result<Thought, JoinError>)>>>,
>;

impl<'c> OnlinePlayer<'c> {
    /// A player that is not connected yet.
    pub(crate) fn new(context: &'c Context, pool: Pool, purpose: Purpose) -> Self {
        let progress = match &purpose {
            Purpose::Finish | Purpose::Offer(_) | Purpose::Create(_, 0) => Progress::Done,
            Purpose::Tournament(_) => Progress::Asked,
            Purpose::Join(_) | Purpose::Create(..) => Progress::Due,
        };
        Self {
            context,
            pool,
            purpose,
            progress,
            us: None,
            seats: HashMap::new(),
            games: 0,
            waiting: VecDeque::new(),
            room: 1,
            requests: HashMap::new(),
            heard_at: Instant::now(),
            comes_back_in: None,
            create_id: new_create_id(),
            has_entered: false,
            tally: Tally::default(),
        }
    }

    /// Plays until there is nothing more to play, or until Ctrl-C.
    ///
    /// # Errors
    /// The server refuses what the bot is there for, or is gone for too long.
    pub(crate) async fn run(mut self) -> Result<Exit, Failure> {
        let result = self.play().await;
        self.pool.quit();
        result
    }

    async fn play(&mut self) -> Result<Exit, Failure> {
        let mut connection = self.connect().await?;
        let mut thinking = Thinking::new();
        let mut tick = interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut interrupted = std::pin::pin!(tokio::signal::ctrl_c());
        loop {
            // What has come is heard first: a program is not asked about a turn that is past.
            let mut went_on = Ok(());
            while went_on.is_ok()
                && let Some(incoming) = connection.receive().now_or_never()
            {
                went_on = match incoming {
                    Ok(incoming) => self.take(&mut connection, incoming).await,
                    Err(failure) => Err(failure),
                };
            }
            if went_on.is_ok() {
                self.set_to_work(&mut thinking);
                if self.is_done() {
                    connection.close().await;
                    self.report_tournament()?;
                    return Ok(Exit::Done);
                }
                went_on = tokio::select! {
                    incoming = connection.receive() => match incoming {
                        Ok(incoming) => self.take(&mut connection, incoming).await,
                        Err(failure) => Err(failure),
                    },
                    Some((match_id, ply, thought)) = thinking.next(), if !thinking.is_empty() => {
                        self.thought(match_id, ply, thought);
                        self.act(&mut connection, match_id).await
                    }
                    _ = tick.tick() => self.look_after(&mut connection).await,
                    _ = &mut interrupted => {
                        connection.close().await;
                        return Ok(Exit::Done);
                    }
                };
            }
            let Err(failure) = went_on else { continue };
            if failure.exit() != Exit::Unreachable {
                return Err(failure);
            }
            connection = tokio::select! {
                connection = self.come_back(failure) => connection?,
                _ = &mut interrupted => return Ok(Exit::Done),
            };
        }
    }

    fn is_done(&self) -> bool {
        let may_begin = matches!(self.purpose, Purpose::Offer(_));
        let is_done = matches!(self.progress, Progress::Done);
        !may_begin && is_done && self.seats.is_empty() && self.waiting.is_empty()
    }

    /// Lets programs think wherever it is our turn.
    fn set_to_work(&mut self, thinking: &mut Thinking) {
        let mut due: Vec<_> = self
            .seats
            .iter()
            .filter(|(_, seat)| seat.thinking.is_none())
            .filter_map(|(match_id, seat)| {
                let turn = seat.table.turn()?;
                let answered = seat.answer.as_ref();
                let is_new = answered.is_none_or(|(ply, _)| *ply != turn.ply);
                is_new.then_some((*match_id, turn))
            })
            .collect();
        due.sort_by_key(|(_, turn)| turn.since);
        for (match_id, turn) in due {
            let Some(seat) = self.seats.get_mut(&match_id) else {
                continue;
            };
            if !self.pool.has_room() {
                return;
            }
            let ply = turn.ply;
            let (handle, recall) = self.pool.think(seat.game, turn, self.context.output);
            seat.thinking = Some((ply, recall));
            thinking.push(Box::pin(async move { (match_id, ply, handle.await) }));
        }
    }

    fn thought(&mut self, match_id: MatchId, ply: Ply, thought: Result<Thought, JoinError>) {
        let chosen = match thought {
            Ok((program, chosen)) => {
                self.pool.take_back(program);
                chosen
            }
            Err(_) => {
                self.pool.lose();
                let words = "the thread of the bot ended";
                Err(Failure::new(Exit::Failed, "bot", words))
            }
        };
        let Some(seat) = self.seats.get_mut(&match_id) else {
            return;
        };
        seat.thinking = None;
        let choice = match chosen {
            Ok(Some(text)) => Choice::Move(text),
            Ok(None) => Choice::Resign,
            Err(failure) => {
                let output = self.context.output;
                output.warn(&format!(
                    "match {match_id}: {failure}; the match is resigned"
                ));
                Choice::Resign
            }
        };
        seat.answer = Some((ply, choice));
        seat.is_sent = false;
    }

    /// Sends the answer of a program, if it is still wanted.
    async fn act(&mut self, connection: &mut Connection, match_id: MatchId) -> Result<(), Failure> {
        let Some(seat) = self.seats.get_mut(&match_id) else {
            return Ok(());
        };
        let (Some(turn), Some((ply, choice))) = (seat.table.turn(), &seat.answer) else {
            return Ok(());
        };
        if turn.ply != *ply || seat.is_sent {
            return Ok(());
        }
        let ply = *ply;
        let id = match_id.to_string();
        let request: ClientMessage = match choice {
            Choice::Move(text) => Move {
                match_id: id,
                ply,
                move_text: text.clone(),
                client_move_id: None,
            }
            .into(),
            Choice::Resign => Resign { match_id: id }.into(),
        };
        seat.is_sent = true;
        self.ask(connection, request, Asked::Act(match_id, ply))
            .await
    }

    async fn ask(
        &mut self,
        connection: &mut Connection,
        request: impl Into<ClientMessage>,
        asked: Asked,
    ) -> Result<(), Failure> {
        let id = connection.send(request).await?;
        self.requests.insert(id, asked);
        Ok(())
    }

    /// Takes a seat in this match, as soon as there is room.
    async fn sit(&mut self, connection: &mut Connection, match_id: MatchId) -> Result<(), Failure> {
        if !self.seats.contains_key(&match_id) {
            if self.seats.len() >= self.room {
                if !self.waiting.contains(&match_id) {
                    self.waiting.push_back(match_id);
                }
                return Ok(());
            }
            self.take_seat(match_id, false);
        }
        self.attach(connection, match_id).await
    }

    /// Notes a match, unless it is known. If it is attached, its events come by themselves.
    fn take_seat(&mut self, match_id: MatchId, is_attached: bool) {
        let Some(us) = self.us else {
            return;
        };
        let games = &mut self.games;
        let seat = self.seats.entry(match_id).or_insert_with(|| {
            *games += 1;
            Seat {
                table: Table::new(us),
                game: *games,
                is_attached,
                thinking: None,
                answer: None,
                is_sent: false,
            }
        });
        if is_attached {
            seat.is_attached = true;
            seat.table.past.get_or_insert(Seq(0));
        }
    }

    async fn attach(
        &mut self,
        connection: &mut Connection,
        match_id: MatchId,
    ) -> Result<(), Failure> {
        let Some(seat) = self
            .seats
            .get_mut(&match_id)
            .filter(|seat| !seat.is_attached)
        else {
            return Ok(());
        };
        seat.is_attached = true;
        let resume = Resume {
            match_id: match_id.to_string(),
            since_seq: seat.table.seq,
        };
        self.ask(connection, resume, Asked::Attach(match_id)).await
    }

    async fn take(
        &mut self,
        connection: &mut Connection,
        incoming: Incoming,
    ) -> Result<(), Failure> {
        self.heard_at = Instant::now();
        match incoming {
            Incoming::Event(match_id, seq, event) => {
                self.event(connection, match_id, seq, Some(event)).await
            }
            Incoming::Unknown(match_id, seq, _) => {
                self.event(connection, match_id, seq, None).await
            }
            Incoming::Account(AccountEvent::MatchBegan { match_id, .. }) => {
                self.sit(connection, match_id).await
            }
            Incoming::Reply(id, answer) => match self.requests.remove(&id) {
                Some(asked) => self.answered(connection, asked, *answer).await,
                None => Ok(()),
            },
            Incoming::Notice(Notice::Superseded { match_id }) => {
                if self.seats.contains_key(&match_id) {
                    let words = "another program of yours has taken it over";
                    self.give_up(match_id, words);
                }
                self.fill_room(connection).await
            }
            Incoming::Notice(Notice::ShuttingDown { reconnect_after_ms }) => {
                self.comes_back_in = Some(Duration::from_millis(reconnect_after_ms.0));
                Ok(())
            }
            Incoming::Tournament(_, dated) => {
                if matches!(
                    dated.event,
                    TournamentEvent::SeedOpened { .. } | TournamentEvent::Cancelled { .. }
                ) {
                    self.progress = Progress::Done;
                }
                Ok(())
            }
            Incoming::Account(_) | Incoming::Notice(_) => Ok(()),
        }
    }

    async fn event(
        &mut self,
        connection: &mut Connection,
        match_id: MatchId,
        seq: Seq,
        event: Option<Event>,
    ) -> Result<(), Failure> {
        if seq == Seq(1) && matches!(self.purpose, Purpose::Tournament(_)) {
            // The server seats us in the games of a tournament by itself.
            self.take_seat(match_id, true);
        }
        let Some(seat) = self.seats.get_mut(&match_id) else {
            return Ok(());
        };
        if seq != seat.table.seq.next() {
            // A repeat; or what is missing is on its way.
            return Ok(());
        }
        let applied = match event {
            Some(event) => seat.table.apply(event),
            None => {
                seat.table.skip();
                Ok(None)
            }
        };
        match applied {
            Ok(None) => self.act(connection, match_id).await,
            Ok(Some(end)) => self.ended(connection, match_id, end).await,
            Err(failure) => {
                self.give_up(match_id, failure.message());
                Ok(())
            }
        }
    }

    async fn ended(
        &mut self,
        connection: &mut Connection,
        match_id: MatchId,
        end: End,
    ) -> Result<(), Failure> {
        let Some(seat) = self.seats.remove(&match_id) else {
            return Ok(());
        };
        if let Some((_, recall)) = &seat.thinking {
            // A program that still thinks is not waited for: it is started anew.
            self.pool.call_off(recall);
        }
        let result = seat.table.result(end.outcome);
        self.pool.tell_result(seat.game, result);
        self.tally.games += 1;
        self.tally.wins += u64::from(result == "win");
        self.tally.losses += u64::from(result == "loss");
        self.report(match_id, end.outcome.as_str())?;
        match end.next {
            Some(next) => {
                if matches!(self.progress, Progress::Playing(playing) if playing == match_id) {
                    self.progress = Progress::Playing(next);
                }
                self.sit(connection, next).await?;
            }
            None => {
                // An opponent who asks for a rematch need not wait for an answer.
                let leave = client::Leave {
                    match_id: match_id.to_string(),
                };
                self.ask(connection, leave, Asked::Nothing).await?;
            }
        }
        self.go_on(match_id);
        self.begin(connection).await?;
        self.fill_room(connection).await
    }

    fn report(&self, match_id: MatchId, outcome: &str) -> Result<(), Failure> {
        let output = &self.context.output;
        if matches!(self.purpose, Purpose::Tournament(_)) {
            output.detail(&format!("{match_id}  {outcome}"));
            return Ok(());
        }
        match output.json {
            true => output.object(&json!({
                "type": "match",
                "match": match_id.to_string(),
                "outcome": outcome,
            })),
            false => output.line(&format!(
                "{match_id}  {outcome}   again: grundy review {match_id}"
            )),
        }
    }

    fn report_tournament(&self) -> Result<(), Failure> {
        let Purpose::Tournament(tournament) = &self.purpose else {
            return Ok(());
        };
        let Tally {
            games,
            wins,
            losses,
        } = self.tally;
        let output = &self.context.output;
        match output.json {
            true => output.object(&json!({
                "type": "tournament",
                "tournament": tournament,
                "games": games,
                "wins": wins,
                "losses": losses,
            })),
            false => output.line(&format!(
                "{tournament}  over: {games} games, {wins} won, {losses} lost   standings: grundy tournament show {tournament}"
            )),
        }
    }

    /// A match that cannot be played on from here.
    fn give_up(&mut self, match_id: MatchId, why: &str) {
        if let Some(seat) = self.seats.remove(&match_id)
            && let Some((_, recall)) = &seat.thinking
        {
            self.pool.call_off(recall);
        }
        self.context
            .output
            .warn(&format!("match {match_id}: {why}"));
        self.go_on(match_id);
    }

    /// After the end of a match: the purpose has come further, if that was its match.
    fn go_on(&mut self, ended: MatchId) {
        if !matches!(self.progress, Progress::Playing(playing) if playing == ended) {
            return;
        }
        self.progress = match &mut self.purpose {
            Purpose::Create(create, left) if *left > 1 => {
                *left -= 1;
                create.side = match create.side {
                    Side::First => Side::Second,
                    Side::Second | Side::Random => Side::First,
                };
                self.create_id = new_create_id();
                Progress::Due
            }
            _ => Progress::Done,
        };
    }

    async fn fill_room(&mut self, connection: &mut Connection) -> Result<(), Failure> {
        while self.seats.len() < self.room
            && let Some(match_id) = self.waiting.pop_front()
        {
            self.sit(connection, match_id).await?;
        }
        Ok(())
    }

    /// Asks for what the bot is there for, if that is due.
    async fn begin(&mut self, connection: &mut Connection) -> Result<(), Failure> {
        if !matches!(self.progress, Progress::Due) {
            return Ok(());
        }
        let request: ClientMessage = match &self.purpose {
            Purpose::Join(code) => Join {
                code: code.to_string(),
            }
            .into(),
            Purpose::Create(create, _) => {
                let mut create = create.clone();
                create.client_create_id = Some(self.create_id.clone());
                create.into()
            }
            Purpose::Finish | Purpose::Offer(_) | Purpose::Tournament(_) => return Ok(()),
        };
        self.progress = Progress::Asked;
        self.ask(connection, request, Asked::Begin).await
    }

    async fn answered(
        &mut self,
        connection: &mut Connection,
        asked: Asked,
        answer: Answer,
    ) -> Result<(), Failure> {
        match (asked, answer) {
            (
                Asked::Begin,
                Ok(Reply::Joined { match_id, .. } | Reply::Created { match_id, .. }),
            ) => {
                self.progress = Progress::Playing(match_id);
                self.sit(connection, match_id).await
            }
            (Asked::Begin, Err(failure)) if is_passing(&failure) => {
                self.progress = Progress::Due;
                Ok(())
            }
            (Asked::Begin, Err(failure)) => Err(failure),
            (Asked::Attach(match_id), Ok(Reply::Attached { snapshot, .. })) => {
                if let Some(seat) = self.seats.get_mut(&match_id) {
                    seat.table.past = Some(snapshot.seq);
                }
                self.act(connection, match_id).await
            }
            (Asked::Attach(match_id), Err(failure)) if is_passing(&failure) => {
                if let Some(seat) = self.seats.get_mut(&match_id) {
                    seat.is_attached = false;
                }
                Ok(())
            }
            (Asked::Attach(match_id), Err(failure)) => {
                self.give_up(match_id, failure.message());
                self.begin(connection).await?;
                self.fill_room(connection).await
            }
            (Asked::Act(match_id, ply), Err(failure)) => {
                self.refused(match_id, ply, &failure);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// A move or a resignation was refused.
    fn refused(&mut self, match_id: MatchId, ply: Ply, failure: &Failure) {
        let is_late = [
            ErrorCode::StalePly,
            ErrorCode::MatchOver,
            ErrorCode::NotYourTurn,
        ];
        if is_late.iter().any(|code| failure.has_code(*code)) {
            return;
        }
        let Some(seat) = self.seats.get_mut(&match_id) else {
            return;
        };
        // What is refused for the moment is sent again at the next tick.
        seat.is_sent = false;
        if !is_passing(failure) {
            let output = self.context.output;
            output.warn(&format!(
                "match {match_id}: {failure}; the match is resigned"
            ));
            seat.answer = Some((ply, Choice::Resign));
        }
    }

    /// Once a second: what was refused for the moment is asked for again, and a server that is silent is noticed.
    async fn look_after(&mut self, connection: &mut Connection) -> Result<(), Failure> {
        if self.heard_at.elapsed() > SILENCE {
            let words = format!(
                "the server has been silent for {} seconds",
                SILENCE.as_secs()
            );
            return Err(Failure::new(Exit::Unreachable, "connection_lost", words));
        }
        self.begin(connection).await?;
        let seats: Vec<_> = self.seats.keys().copied().collect();
        for match_id in seats {
            self.attach(connection, match_id).await?;
            self.act(connection, match_id).await?;
        }
        self.ask(connection, client::Ping {}, Asked::Nothing).await
    }

    /// Signs in, and takes up what is open.
    async fn connect(&mut self) -> Result<Connection, Failure> {
        let mut signed_in = sign_in_bot(self.context, self.pool.name()).await?;
        self.heard_at = Instant::now();
        self.requests.clear();
        let welcome = &signed_in.welcome;
        let us = welcome.player.id;
        self.us = Some(us);
        self.room = welcome.limits.follows_per_connection as usize;
        if let Purpose::Offer(offer) = &self.purpose {
            signed_in.connection.ask(FollowAccount::default()).await?;
            signed_in.connection.ask(offer.clone()).await?;
            self.context.output.talk(&format!(
                "{} takes up to {} matches at once, id {}. Ctrl-C ends it.",
                shown(&welcome.player),
                offer.at_once,
                us
            ));
        }
        let mut connection = signed_in.connection;
        for seat in self.seats.values_mut() {
            seat.table = Table::new(us);
            (seat.is_attached, seat.is_sent) = (false, false);
        }
        let known: Vec<_> = self.seats.keys().copied().collect();
        let open = signed_in.welcome.obligations.iter();
        // An invitation of ours that nobody has taken is no match yet.
        let open = open.filter(|open| open.code.is_none());
        let open: Vec<_> = known
            .into_iter()
            .chain(open.map(|open| open.match_id))
            .collect();
        for match_id in open {
            self.sit(&mut connection, match_id).await?;
        }
        if matches!(self.progress, Progress::Asked) {
            self.progress = Progress::Due;
        }
        self.begin(&mut connection).await?;
        self.enter(&mut connection).await?;
        Ok(connection)
    }

    /// Enters the tournament once, and follows it from our seat.
    async fn enter(&mut self, connection: &mut Connection) -> Result<(), Failure> {
        let Purpose::Tournament(tournament) = &self.purpose else {
            return Ok(());
        };
        let tournament = tournament.clone();
        if !self.has_entered {
            let join = JoinTournament {
                tournament: tournament.clone(),
            };
            connection.ask(join).await?;
            self.has_entered = true;
        }
        let watch = WatchTournament {
            tournament,
            play: true,
        };
        if let Reply::Tournament(state) = connection.ask(watch).await?
            && matches!(
                state.status,
                TournamentStatus::Over | TournamentStatus::Cancelled
            )
        {
            self.progress = Progress::Done;
        }
        Ok(())
    }

    /// Makes the connection again.
    async fn come_back(&mut self, failure: Failure) -> Result<Connection, Failure> {
        let output = self.context.output;
        output.talk(&format!("connection lost: {}", failure.message()));
        let lost_at = Instant::now();
        let mut wait = self.comes_back_in.take();
        for attempt in 0.. {
            let range = &WAITS_MS[usize::min(attempt, WAITS_MS.len() - 1)];
            let random = Duration::from_millis(rand::rng().random_range(range.clone()));
            sleep(wait.take().unwrap_or(random)).await;
            match self.connect().await {
                Ok(connection) => {
                    let away = lost_at.elapsed().as_secs_f64();
                    output.talk(&format!("reconnected after {away:.1} s, no event lost"));
                    return Ok(connection);
                }
                Err(failure) if lost_at.elapsed() > GIVE_UP || !comes_back(&failure) => {
                    return Err(failure);
                }
                Err(_) => {}
            }
        }
        Err(failure)
    }
}

fn new_create_id() -> ClientCreateId {
    let id = uuid::Uuid::new_v4().simple().to_string();
    id.parse().expect("a UUID is 32 letters and digits")
}

/// Whether the server may take the same request a little later.
fn is_passing(failure: &Failure) -> bool {
    let codes = [
        ErrorCode::ServerBusy,
        ErrorCode::ReadOnly,
        ErrorCode::RateLimited,
        ErrorCode::ShuttingDown,
    ];
    codes.iter().any(|code| failure.has_code(*code))
}

/// Whether a server that could not be reached may be back later.
fn comes_back(failure: &Failure) -> bool {
    matches!(failure.exit(), Exit::Unreachable | Exit::Refused)
}
