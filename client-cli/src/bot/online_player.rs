//! Our bot on a server: all its matches on one connection, played by a pool of programs. A connection that breaks is made again, and every
//! match is read again from its beginning.

mod purpose;
mod seats;
mod state;

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use futures::{FutureExt as _, StreamExt as _};
use grundy_shared::protocol::client::{self, ClientMessage, FollowAccount};
use grundy_shared::protocol::server::{Notice, Reply};
use grundy_shared::protocol::{AccountEvent, ErrorCode};
use grundy_shared::tournament::TournamentEvent;
use grundy_words::Message;
use rand::RngExt as _;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep};

use self::state::{Asked, Progress, Tally, Thinking, is_passing, new_create_id};
pub(crate) use self::state::{OnlinePlayer, Purpose};
use super::pool::Pool;
use super::table::Table;
use crate::account::sign_in_bot;
use crate::challenge::shown;
use crate::connection::{Answer, Connection, Incoming};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;

/// How often to look whether the server is there, and to ask again for what it refused for the moment.
const TICK: Duration = Duration::from_secs(1);
/// Silence after which the connection counts as broken.
const SILENCE: Duration = Duration::from_secs(5);
/// Waits before attempts to reach the server, in milliseconds.
const WAITS_MS: [std::ops::Range<u64>; 3] = [30..70, 100..300, 250..750];
/// A server that has been unreachable for this long is tried less often.
const LONG_AWAY: Duration = Duration::from_secs(60);
const RARELY_MS: std::ops::Range<u64> = 2_000..4_000;
/// After a first temporary refusal the bot waits at least this long, then twice as long each time, up to a bound: many bots may be waiting.
const REFUSED: Duration = Duration::from_millis(250);
const REFUSED_MOST: Duration = Duration::from_secs(16);

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
    /// The server refuses the bot for good. If it is unreachable or refuses temporarily, the bot waits.
    pub(crate) async fn run(mut self) -> Result<Exit, Failure> {
        let result = self.play().await;
        self.pool.quit();
        result
    }

    async fn play(&mut self) -> Result<Exit, Failure> {
        let mut interrupted = std::pin::pin!(tokio::signal::ctrl_c());
        let mut connection = tokio::select! {
            connection = self.come_in() => connection?,
            _ = &mut interrupted => return Ok(Exit::Done),
        };
        let mut thinking = Thinking::new();
        let mut tick = interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
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
                    self.say_what_waits();
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
            if !failure.is_away() {
                return Err(failure);
            }
            connection = tokio::select! {
                connection = self.come_back(failure) => connection?,
                _ = &mut interrupted => return Ok(Exit::Done),
            };
        }
    }

    /// Whether nothing is left to do. Other matches without a clock are not waited for while they wait for an opponent, unless they are
    /// what the bot is there for.
    fn is_done(&self) -> bool {
        let is_done = matches!(self.progress, Progress::Done) && self.waiting.is_empty();
        let mut seats = self.seats.values();
        match self.purpose {
            Purpose::Offer(_) => false,
            Purpose::Finish => is_done && self.seats.is_empty(),
            _ => is_done && seats.all(|seat| seat.table.waits_without_end()),
        }
    }

    fn say_what_waits(&self) {
        let count = self.seats.len();
        if count > 0 {
            let output = &self.context.output;
            let waits = Message::new("bot-waits").number("n", count as u64);
            output.talk(&waits.said(output.words()));
        }
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
                    let why = self.context.output.words().say("bot-taken-over");
                    self.give_up(match_id, &why);
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
            // Bot programs do not use chat.
            Incoming::Account(_) | Incoming::Notice(_) | Incoming::Chat(..) => Ok(()),
        }
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

    /// Once a second: what was refused for the moment is asked for again, and a server that is silent is noticed.
    async fn look_after(&mut self, connection: &mut Connection) -> Result<(), Failure> {
        if self.heard_at.elapsed() > SILENCE {
            let message = Message::new("bot-silence").text("seconds", SILENCE.as_secs());
            return Err(Failure::told(Exit::Unreachable, "connection_lost", message));
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
            let output = &self.context.output;
            let takes = Message::new("bot-takes")
                .text("name", shown(&welcome.player, output.words()))
                .text("most", offer.at_once)
                .text("id", us);
            output.talk(&takes.said(output.words()));
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

    /// Makes the first connection.
    async fn come_in(&mut self) -> Result<Connection, Failure> {
        match self.connect().await {
            Err(failure) if may_pass(&failure) => self.come_back(failure).await,
            first => first,
        }
    }

    /// Tries again until the bot is in, however long that takes, or is refused for good. Reports why it waits, once for each reason in turn, and
    /// once that it is in.
    async fn come_back(&mut self, failure: Failure) -> Result<Connection, Failure> {
        let output = self.context.output;
        let words = output.words();
        // It was in, or the server stopped while it entered.
        let (is_out, is_in) = match self.us {
            Some(_) => ("bot-lost", "bot-reconnected"),
            None => ("bot-waits-for-server", "bot-connected"),
        };
        let had_entered = self.us.is_some();
        let why = Message::new(is_out).text("why", failure.message_in(words));
        output.talk(&why.said(words));
        let since = Instant::now();
        let mut stated = self.comes_back_in.take();
        let mut reported = failure.code().to_owned();
        let (mut failure, mut refusals) = (failure, 0);
        for attempt in 0.. {
            let wait = match failure.is_away() {
                true => stated
                    .take()
                    .unwrap_or_else(|| pause(attempt, since.elapsed())),
                false => {
                    refusals += 1;
                    after_refusal(refusals, failure.wait())
                }
            };
            sleep(wait).await;
            failure = match self.connect().await {
                Ok(connection) => {
                    let away = format!("{:.1}", since.elapsed().as_secs_f64());
                    let back = Message::new(is_in).text("seconds", away);
                    output.talk(&back.said(words));
                    return Ok(connection);
                }
                Err(failure) => failure,
            };
            // The broken connection may still count toward the limit.
            let too_many = had_entered && failure.has_code(ErrorCode::TooMany);
            if !may_pass(&failure) && !too_many {
                break;
            }
            if failure.code() != reported {
                failure.code().clone_into(&mut reported);
                let why =
                    Message::new("bot-waits-for-server").text("why", failure.message_in(words));
                output.talk(&why.said(words));
            }
        }
        Err(failure)
    }
}

/// Whether waiting may help: the server is unreachable, or refuses temporarily.
fn may_pass(failure: &Failure) -> bool {
    failure.is_away() || is_passing(failure)
}

/// How long to wait before the next attempt to reach a server that has been unreachable for this long.
fn pause(attempt: usize, away: Duration) -> Duration {
    let range = match away > LONG_AWAY {
        true => RARELY_MS,
        false => WAITS_MS[usize::min(attempt, WAITS_MS.len() - 1)].clone(),
    };
    Duration::from_millis(rand::rng().random_range(range))
}

/// How long to wait after this many temporary refusals: at least as long as the server asked for, and not all bots equally long.
fn after_refusal(refusals: u32, asked_for: Option<Duration>) -> Duration {
    let growing = REFUSED
        .saturating_mul(1 << refusals.min(8))
        .min(REFUSED_MOST);
    let least = asked_for.unwrap_or_default().max(growing);
    least.mul_f64(rand::rng().random_range(1.0..1.5))
}
