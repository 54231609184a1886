//! What concerns players outside their matches: the events of accounts, challenges, and standing offers.
//!
//! All of it is in memory and bounded: what an event says is stored elsewhere before it is announced, and a challenge that was not accepted leaves nothing
//! behind (docs/decisions/0011). Every change is something that is [`said`]: here and at once where one server has the store for itself, and in the hall, in one
//! order for all servers, where several share it (docs/decisions/0062). Nothing here waits while it holds the lock, and the lock of a match may be held by the caller
//! of [`Accounts::tell`] and of the herald.

mod account;
mod challenge;
mod challenges;
mod hearing;
mod heralding;
mod offers;
mod refusals;
mod said;
mod state;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{ChallengeId, MatchId, Millis, PlayerId, Seq};
use grundy_shared::protocol::account::{ChallengeEnd, ChallengeInfo, DeclineReason, OfferInfo};
use grundy_shared::protocol::{AccountEvent, ErrorBody, ErrorCode, Reply};
use tokio::sync::Notify;
use tokio::time::Instant;

pub use self::challenge::{Asked, Challenged, Terms};
use self::challenges::Called;
use self::refusals::not_followed;
pub use self::refusals::{challenger_is_full, no_such_challenge};
use self::said::{Challenge, Outcome, Said, announcement, end_of};
use self::state::State;
use crate::chance::Chance;
use crate::clock::Clock;
use crate::hall::{Hall, Life, Tickets, Topic};
use crate::lifecycle::Lifecycle;
use crate::matches::{Frame, Outbox, ReplyTo, refusal};
use crate::planted;
use crate::store::{AddressDigest, CommitError, Projection, Unique};

/// Connections of one server that may follow one account.
const FOLLOWERS_MAX: usize = 16;
/// Times that something is said again because things have changed meanwhile.
const TRIES: usize = 4;
/// Where several servers could end a challenge whose time is over, those that do not lead look again after so long.
const LOOK_AGAIN: Duration = Duration::from_millis(500);
/// The accounts that somebody follows, or has followed lately.
pub struct Accounts {
    state: Mutex<State>,
    clock: Arc<dyn Clock>,
    chance: Arc<dyn Chance>,
    /// Where several servers share the store.
    hall: Option<Arc<Hall>>,
    life: Life,
    tickets: Tickets<(), Outcome>,
    places: AtomicU64,
    /// The first challenge to expire is another.
    expiry_changed: Notify,
}

/// A challenge that is being accepted. Dropped without [`Accepting::done`], it is open again.
pub struct Accepting {
    accounts: Arc<Accounts>,
    /// The challenge.
    pub info: ChallengeInfo,
    /// The address that it came from: the match counts for it.
    pub address: AddressDigest,
    made: Option<MatchId>,
}

impl Accepting {
    /// What is to be committed with this match, which ends the challenge; nothing where one server decides alone.
    #[must_use]
    pub fn ends_with(&self, made: MatchId) -> Vec<Projection> {
        let (accounts, id) = (&self.accounts, self.info.challenge);
        let ended = || accounts.ended(id, ChallengeEnd::Accepted, None, Some(made));
        let word = |hall: &Arc<Hall>| hall.word(Topic::Accounts, 0, Some(end_of(id)), &ended());
        accounts.hall.iter().map(word).collect()
    }

    /// The match is stored.
    pub async fn done(mut self, made: MatchId) {
        self.made = Some(made);
        if let Some(hall) = &self.accounts.hall {
            hall.hear_own().await;
        }
    }
}

impl Drop for Accepting {
    fn drop(&mut self) {
        let id = self.info.challenge;
        match self.made {
            Some(made) if !planted::is("challenge_stays_open") => {
                if self.accounts.hall.is_none() {
                    let ended = self
                        .accounts
                        .ended(id, ChallengeEnd::Accepted, None, Some(made));
                    self.accounts.apply_own(ended);
                }
            }
            _ => self.accounts.state().reopen(id),
        }
        self.accounts.expiry_changed.notify_one();
    }
}

/// A connection that is about to follow an account.
struct Joining<'a>(&'a Accounts, PlayerId);

impl<'a> Joining<'a> {
    fn new(accounts: &'a Accounts, player: PlayerId) -> Self {
        accounts.state().join(player, true);
        Self(accounts, player)
    }
}

impl Drop for Joining<'_> {
    fn drop(&mut self) {
        self.0.state().join(self.1, false);
    }
}

impl Accounts {
    /// Nobody is here yet. [`Accounts::keep_time`] has to run. `hall` is there where several servers share the store.
    #[must_use]
    pub fn new(
        clock: Arc<dyn Clock>,
        chance: Arc<dyn Chance>,
        hall: Option<Arc<Hall>>,
    ) -> Arc<Self> {
        let life = hall.as_ref().map_or(Life::ONLY, |hall| hall.life());
        Arc::new(Self {
            state: Mutex::default(),
            clock,
            chance,
            hall,
            life,
            tickets: Tickets::default(),
            places: AtomicU64::new(0),
            expiry_changed: Notify::new(),
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says something; what came of it.
    async fn say(&self, said: Said, settles: Option<String>) -> Result<Outcome, CommitError> {
        let Some(hall) = &self.hall else {
            return Ok(self.apply_own(said));
        };
        let ticket = self.tickets.draw(());
        let word = hall.word(Topic::Accounts, ticket.number(), settles, &said);
        hall.say(word).await?;
        // It is heard later if the store does not answer.
        let lost = || {
            Outcome::Refused(refusal::busy(
                "what servers say to each other cannot be read",
            ))
        };
        Ok(ticket.outcome().unwrap_or_else(lost))
    }

    /// The same for who does not wait.
    fn mutter(&self, said: Said, settles: Option<String>) {
        match &self.hall {
            None => drop(self.apply_own(said)),
            Some(hall) => hall.mutter(hall.word(Topic::Accounts, 0, settles, &said)),
        }
    }

    fn ended(
        &self,
        challenge: ChallengeId,
        end: ChallengeEnd,
        reason: Option<DeclineReason>,
        match_id: Option<MatchId>,
    ) -> Said {
        Said::Ended {
            challenge,
            end,
            reason,
            match_id,
            at: self.clock.now(),
        }
    }

    async fn catch_up(&self) -> Result<(), ErrorBody> {
        match &self.hall {
            None => Ok(()),
            Some(hall) => hall
                .catch_up()
                .await
                .map_err(|error| refusal::of_store(&error)),
        }
    }

    /// Announces something to whoever follows this account. Nothing happens if nobody has followed it lately.
    pub fn tell(&self, player: PlayerId, event: &AccountEvent) {
        if self.state().account(player).is_none() {
            return;
        }
        if self.hall.is_none() {
            return self.state().tell(player, event);
        }
        let tell = Said::Tell {
            player,
            event: Box::new(event.clone()),
        };
        self.mutter(tell, announcement(player, event));
    }

    /// The player has another name, which is stored.
    pub fn rename(&self, player: PlayerId, name: &str) {
        let name = name.to_owned();
        self.mutter(Said::Renamed { player, name }, None);
    }

    /// Gives an erased player this name, ends the player's open challenges, and drops kept events that mention the player. Cost: linear in the
    /// bytes of all kept events.
    pub fn erase(&self, player: PlayerId, name: &str) {
        let (name, at) = (name.to_owned(), self.clock.now());
        self.mutter(Said::Erased { player, name, at }, None);
    }

    /// Follows the account of this player from now on: answers with what is open, as far as `room` bytes hold it, then sends what was
    /// missed, if that is still known and fits into the queue.
    pub async fn follow(
        &self,
        reply: ReplyTo,
        player: &PlayerInfo,
        connection: &Outbox,
        since: (Option<&str>, Seq),
        room: usize,
    ) {
        let full = {
            let state = self.state();
            state.followers(player.id) >= FOLLOWERS_MAX
                && state.place_of(player.id, connection).is_none()
        };
        if full {
            let words = "too many connections follow this account: close one first";
            return reply.refuse(ErrorBody::new(ErrorCode::TooMany, words).limit(FOLLOWERS_MAX));
        }
        let joining = Joining::new(self, player.id);
        if let Err(refused) = self.come(player).await {
            return reply.refuse(refused);
        }
        let mut state = self.state();
        let place = self.places.fetch_add(1, Ordering::Relaxed);
        state.follow(player.id, connection, place);
        let mut challenges = state.open_challenges(player.id);
        challenges.truncate(how_many_fit(&challenges, room));
        let Some(account) = state.account(player.id) else {
            drop(state);
            return reply.refuse(refusal::busy("the account could not be followed"));
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
        drop(state);
        drop(joining);
    }

    /// Lets all know that this player is here, unless they do.
    async fn come(&self, player: &PlayerInfo) -> Result<(), ErrorBody> {
        self.catch_up().await?;
        for _ in 0..TRIES {
            if self.state().is_known_here(player, self.life) {
                break;
            }
            let come = Said::Come {
                player: player.clone(),
                stream: format!("{:016x}", self.chance.bits()),
            };
            let said = self.say(come, None).await;
            said.map_err(|error| refusal::of_commit(&error))?;
        }
        Ok(())
    }

    /// The connection follows the account of this player no longer; its standing offer ends.
    pub fn leave(&self, player: PlayerId, connection: &Outbox) {
        let (place, last) = {
            let mut state = self.state();
            let place = state.unfollow(player, connection);
            (place, state.followers(player) == 0)
        };
        let Some(place) = place else {
            return;
        };
        if let Some(hall) = &self.hall {
            return hall.amend_soon();
        }
        self.apply_own(Said::OfferEnds { player, place });
        if last {
            self.apply_own(Said::Go { player });
        }
    }

    /// Makes or replaces the standing offer of this player.
    ///
    /// # Errors
    /// The connection does not follow the account, or the store cannot write.
    pub async fn offer(&self, connection: &Outbox, offer: OfferInfo) -> Result<(), ErrorBody> {
        let place = self.state().place_of(offer.player.id, connection);
        let place = place.ok_or_else(not_followed)?;
        let said = self.say(Said::Offer { offer, place }, None).await;
        said.map(drop).map_err(|error| refusal::of_commit(&error))
    }

    /// Standing offers after this player, by the ids of their players, and whether there are more.
    ///
    /// # Errors
    /// The store could not be read.
    pub async fn offers(
        &self,
        game: Option<&str>,
        after: Option<PlayerId>,
        limit: usize,
    ) -> Result<(Vec<OfferInfo>, bool), ErrorBody> {
        self.catch_up().await?;
        Ok(self.state().offers(game, after, limit))
    }

    /// Challenges a player.
    ///
    /// # Errors
    /// The player is not here, or its standing offer does not fit; or there are too many challenges; or the store cannot write.
    pub async fn challenge(
        &self,
        from: &PlayerInfo,
        connection: &Outbox,
        asked: Asked,
    ) -> Result<Challenged, ErrorBody> {
        self.catch_up().await?;
        for _ in 0..TRIES {
            let to = {
                let state = self.state();
                match state.challenged(from, &asked.player, &asked.terms)? {
                    Called::Fits(opponent, at_once) => {
                        return Ok(Challenged::Fits { opponent, at_once });
                    }
                    Called::Waits(_) if state.place_of(from.id, connection).is_none() => {
                        return Err(not_followed());
                    }
                    Called::Waits(to) => to,
                }
            };
            let at = self.clock.now();
            let challenge = Challenge {
                info: asked.info(ChallengeId::from_random(self.chance.bits()), from, to, at),
                address: asked.address,
                at,
                stands_for: asked.stands_for,
            };
            let info = challenge.info.clone();
            let said = self.say(Said::Challenge(Box::new(challenge)), None).await;
            match said.map_err(|error| refusal::of_commit(&error))? {
                Outcome::Done => return Ok(Challenged::Waits(info)),
                Outcome::Refused(refused) => return Err(refused),
                Outcome::Offered => {}
            }
        }
        Err(refusal::busy("the player's standing offer changes"))
    }

    /// Takes a challenge in order to make its match. Nobody else on this server can end it meanwhile, and the commit decides against others.
    ///
    /// # Errors
    /// There is no such challenge to this player.
    pub async fn accept(
        self: &Arc<Self>,
        id: ChallengeId,
        player: PlayerId,
    ) -> Result<Accepting, ErrorBody> {
        self.catch_up().await?;
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
    pub async fn decline(
        &self,
        id: ChallengeId,
        player: PlayerId,
        reason: DeclineReason,
    ) -> Result<(), ErrorBody> {
        self.catch_up().await?;
        self.state().check_ends(id, |info| info.to.id == player)?;
        self.end(id, ChallengeEnd::Declined, Some(reason)).await
    }

    /// Withdraws a challenge of this player.
    ///
    /// # Errors
    /// There is no such challenge from this player.
    pub async fn withdraw(&self, id: ChallengeId, player: PlayerId) -> Result<(), ErrorBody> {
        self.catch_up().await?;
        self.state().check_ends(id, |info| info.from.id == player)?;
        self.end(id, ChallengeEnd::Withdrawn, None).await
    }

    async fn end(
        &self,
        id: ChallengeId,
        end: ChallengeEnd,
        reason: Option<DeclineReason>,
    ) -> Result<(), ErrorBody> {
        let ended = self.ended(id, end, reason, None);
        match self.say(ended, Some(end_of(id))).await {
            Ok(_) => Ok(()),
            Err(CommitError::Taken(Unique::Word)) => Err(self.was_over(id).await),
            Err(error) => Err(refusal::of_commit(&error)),
        }
    }

    /// What somebody is told who ends a challenge that another server has ended; the end itself is told first.
    pub async fn was_over(&self, id: ChallengeId) -> ErrorBody {
        let heard = self.catch_up().await;
        heard.map_or_else(|busy| busy, |()| no_such_challenge(&id.to_string()))
    }

    /// Ends challenges that expire, until the server begins to stop; then all that are open, if no other server knows them.
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
                () = wait => {}
                () = self.expiry_changed.notified() => continue,
            }
            if self.hall.as_ref().is_some_and(|hall| !hall.leads()) {
                let again = tokio::time::sleep(LOOK_AGAIN);
                let _ = draining.run_until_cancelled(again).await;
                continue;
            }
            let expired = self.state().take_expired(Instant::now());
            let ends = expired.into_iter().map(|id| self.expire(id));
            futures::future::join_all(ends).await;
        }
        if self.hall.is_none() {
            self.state().end_all(self.clock.now());
        }
    }

    /// Ends a challenge whose time is over. What cannot be said is tried again.
    async fn expire(&self, id: ChallengeId) {
        if self.end(id, ChallengeEnd::Expired, None).await.is_err() {
            tokio::time::sleep(LOOK_AGAIN).await;
            self.state().reopen(id);
        }
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

/// How long a challenge stands if nobody says.
pub const STANDS_FOR_MS: Millis = Millis(60_000);
