//! What concerns players outside their matches: the events of accounts, challenges, and standing offers.
//!
//! All of it is in memory, bounded, and ends with the process: what an event says is stored elsewhere before it is announced, and a
//! challenge that was not accepted leaves nothing behind (docs/decisions/0011). Nothing here waits while it holds the lock, and the lock
//! of a match may be held by the caller.

mod account;
mod challenge;
mod challenges;
mod offers;
mod refusals;
mod state;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{ChallengeId, MatchId, Millis, PlayerId, Seat, Seq};
use grundy_shared::protocol::account::{ChallengeEnd, ChallengeInfo, DeclineReason, OfferInfo};
use grundy_shared::protocol::{AccountEvent, ErrorBody, ErrorCode, Reply};
use grundy_shared::referee::Referee;
use tokio::sync::Notify;
use tokio::time::Instant;

pub use self::challenge::{Asked, Challenged, Terms};
pub use self::refusals::{challenger_is_full, no_such_challenge};
use self::state::State;
use crate::addresses::AddressKey;
use crate::chance::Chance;
use crate::clock::Clock;
use crate::lifecycle::Lifecycle;
use crate::matches::{Frame, Herald, Outbox, ReplyTo};
use crate::planted;

/// Connections that may follow one account.
const FOLLOWERS_MAX: usize = 16;

/// The accounts that somebody follows, or has followed lately.
pub struct Accounts {
    state: Mutex<State>,
    clock: Arc<dyn Clock>,
    chance: Arc<dyn Chance>,
    /// The first challenge to expire is another.
    expiry_changed: Notify,
}

/// A challenge that is being accepted. Dropped without [`Accepting::done`], it is open again.
pub struct Accepting {
    accounts: Arc<Accounts>,
    /// The challenge.
    pub info: ChallengeInfo,
    /// The address that it came from: the match counts for it.
    pub address: AddressKey,
    made: Option<MatchId>,
}

impl Accepting {
    /// The match is stored.
    pub fn done(mut self, made: MatchId) {
        self.made = Some(made);
    }
}

impl Drop for Accepting {
    fn drop(&mut self) {
        let now = self.accounts.clock.now();
        let id = self.info.challenge;
        let mut state = self.accounts.state();
        match self.made {
            Some(_) if planted::is("challenge_stays_open") => state.reopen(id, now),
            Some(made) => state.end(id, ChallengeEnd::Accepted, None, Some(made), now),
            None => state.reopen(id, now),
        }
        drop(state);
        self.accounts.expiry_changed.notify_one();
    }
}

impl Accounts {
    /// Nobody is here yet. [`Accounts::keep_time`] has to run.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>, chance: Arc<dyn Chance>) -> Arc<Self> {
        Arc::new(Self {
            state: Mutex::default(),
            clock,
            chance,
            expiry_changed: Notify::new(),
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Announces something to whoever follows this account. Nothing happens if nobody has followed it lately.
    pub fn tell(&self, player: PlayerId, event: &AccountEvent) {
        self.state().tell(player, event);
    }

    /// The player has another name, which is stored.
    pub fn rename(&self, player: PlayerId, name: &str) {
        self.state().rename(player, name);
    }

    /// Gives an erased player this name, ends the player's open challenges, and drops kept events that mention the player. Cost: linear in the
    /// bytes of all kept events.
    pub fn erase(&self, player: PlayerId, name: &str) {
        let text = player.to_string();
        let now = self.clock.now();
        let mut state = self.state();
        state.end_all_of(player, now);
        state.rename(player, name);
        for account in state.accounts.values_mut() {
            account.drop_kept_if_any_has(text.as_bytes());
        }
    }

    /// Follows the account of this player from now on: answers with what is open, as far as `room` bytes hold it, then sends what was
    /// missed, if that is still known and fits into the queue.
    pub fn follow(
        &self,
        reply: ReplyTo,
        player: &PlayerInfo,
        connection: &Outbox,
        since: (Option<&str>, Seq),
        room: usize,
    ) {
        let fresh = || format!("{:016x}", self.chance.bits());
        let mut state = self.state();
        if state.followers(player.id) >= FOLLOWERS_MAX
            && !state.is_followed_by(player.id, connection)
        {
            drop(state);
            let words = "too many connections follow this account: close one first";
            return reply.refuse(ErrorBody::new(ErrorCode::TooMany, words).limit(FOLLOWERS_MAX));
        }
        state.come(player, connection, fresh);
        let mut challenges = state.open_challenges(player.id);
        challenges.truncate(how_many_fit(&challenges, room));
        let Some(account) = state.account(player.id) else {
            return;
        };
        let (stream, seq) = account.newest();
        // What does not fit would close the connection, and again whenever it comes back.
        let (messages, bytes) = connection.room();
        let fits = |missed: &Vec<Frame>| {
            let size: usize = missed.iter().map(Frame::len).sum();
            missed.len() < messages && size + room <= bytes
        };
        let missed = account.missed(since.0, since.1).filter(fits);
        // The reply and what was missed are in the queue before anything that is told later.
        reply.send(&Reply::Account {
            stream,
            seq,
            complete: missed.is_some(),
            challenges,
        });
        for frame in missed.into_iter().flatten() {
            connection.push_or_close(crate::matches::Outgoing::Frame(frame));
        }
    }

    /// The connection follows the account of this player no longer; its standing offer ends.
    pub fn leave(&self, player: PlayerId, connection: &Outbox) {
        self.state().go(player, connection);
    }

    /// Makes or replaces the standing offer of this player.
    ///
    /// # Errors
    /// The connection does not follow the account.
    pub fn offer(&self, connection: &Outbox, offer: OfferInfo) -> Result<(), ErrorBody> {
        self.state().offer(connection, offer)
    }

    /// Standing offers after this player, by the ids of their players, and whether there are more.
    pub fn offers(
        &self,
        game: Option<&str>,
        after: Option<PlayerId>,
        limit: usize,
    ) -> (Vec<OfferInfo>, bool) {
        self.state().offers(game, after, limit)
    }

    /// Challenges a player.
    ///
    /// # Errors
    /// The player is not here, or its standing offer does not fit; or there are too many challenges.
    pub fn challenge(
        &self,
        from: &PlayerInfo,
        connection: &Outbox,
        asked: Asked,
    ) -> Result<Challenged, ErrorBody> {
        let id = ChallengeId::from_random(self.chance.bits());
        let (now, until) = (self.clock.now(), Instant::now() + asked.stands_for());
        let challenged = self
            .state()
            .challenge(from, connection, asked, id, (now, until));
        self.expiry_changed.notify_one();
        challenged
    }

    /// Takes a challenge in order to make its match. Nobody else can end it meanwhile.
    ///
    /// # Errors
    /// There is no such challenge to this player.
    pub fn accept(
        self: &Arc<Self>,
        id: ChallengeId,
        player: PlayerId,
    ) -> Result<Accepting, ErrorBody> {
        let (info, address) = self.state().take(id, player)?;
        Ok(Accepting {
            accounts: self.clone(),
            info,
            address,
            made: None,
        })
    }

    /// Declines a challenge to this player.
    ///
    /// # Errors
    /// There is no such challenge to this player.
    pub fn decline(
        &self,
        id: ChallengeId,
        player: PlayerId,
        reason: DeclineReason,
    ) -> Result<(), ErrorBody> {
        let now = self.clock.now();
        let mut state = self.state();
        state.check_ends(id, |info| info.to.id == player)?;
        state.end(id, ChallengeEnd::Declined, Some(reason), None, now);
        Ok(())
    }

    /// Withdraws a challenge of this player.
    ///
    /// # Errors
    /// There is no such challenge from this player.
    pub fn withdraw(&self, id: ChallengeId, player: PlayerId) -> Result<(), ErrorBody> {
        let now = self.clock.now();
        let mut state = self.state();
        state.check_ends(id, |info| info.from.id == player)?;
        state.end(id, ChallengeEnd::Withdrawn, None, None, now);
        Ok(())
    }

    /// Ends challenges that expire, until the server begins to stop; then all that are open.
    pub async fn keep_time(self: Arc<Self>, lifecycle: Lifecycle) {
        let draining = lifecycle.draining();
        loop {
            let next = self.state().next_expiry();
            let wait = async {
                match next {
                    Some(at) => tokio::time::sleep_until(at).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                biased;
                () = draining.cancelled() => break,
                () = wait => self.state().expire(Instant::now(), self.clock.now()),
                () = self.expiry_changed.notified() => {}
            }
        }
        self.state().end_all(self.clock.now());
    }
}

/// How many of these fit into a reply with so much room, from the first on.
fn how_many_fit(challenges: &[ChallengeInfo], mut room: usize) -> usize {
    let mut fits = |info: &ChallengeInfo| {
        let size = serde_json::to_string(info).map_or(usize::MAX, |text| text.len() + 1);
        let left = room.checked_sub(size);
        room = left.unwrap_or(0);
        left.is_some()
    };
    challenges.iter().take_while(|info| fits(info)).count()
}

impl Herald for Accounts {
    fn began(&self, id: MatchId, referee: &Referee) {
        let at_ms = self.clock.now();
        let mut state = self.state();
        for seat in Seat::BOTH {
            let (Some(player), Some(opponent)) =
                (referee.player(seat), referee.player(seat.other()))
            else {
                continue;
            };
            // Whoever follows nothing costs a look-up.
            if state.account(player.id).is_none() {
                continue;
            }
            let event = AccountEvent::MatchBegan {
                at_ms,
                match_id: id,
                seat,
                opponent: opponent.clone(),
                position: referee.start().to_string(),
                clock: referee.clock_control(),
                series: referee.series(),
            };
            state.tell(player.id, &event);
        }
    }

    fn ended(&self, id: MatchId, referee: &Referee) {
        let Some((outcome, reason)) = referee.outcome() else {
            return;
        };
        let event = AccountEvent::MatchEnded {
            at_ms: self.clock.now(),
            match_id: id,
            outcome,
            reason,
        };
        let mut state = self.state();
        for seat in Seat::BOTH {
            if let Some(player) = referee.player(seat) {
                state.tell(player.id, &event);
            }
        }
    }
}

/// How long a challenge stands if nobody says.
pub const STANDS_FOR_MS: Millis = Millis(60_000);
