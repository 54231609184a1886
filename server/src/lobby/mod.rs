//! The lobby: players who look for an opponent, and how they find one.
//!
//! A seek is in memory and lives and dies with its connection; only its match is stored, before anybody hears of it
//! (docs/decisions/0014). [`state`] decides, and is told the time; this file makes the matches and tells
//! the seekers. Nothing here waits while it holds the lock.

mod pairing;
mod refusals;
mod state;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::StreamExt;
use grundy_shared::bot::Bot;
use grundy_shared::event::{PlayerInfo, TimeControl};
use grundy_shared::ids::{MatchId, Millis, PlayerId, Seat, SeekId};
use grundy_shared::protocol::account::DeclineReason;
use grundy_shared::protocol::client::Side;
use grundy_shared::protocol::lobby::{Automatic, BotFilter, SeekEnd, SeekInfo, Window};
use grundy_shared::protocol::rating::RatingInfo;
use grundy_shared::protocol::{ErrorBody, ErrorCode, Notice};
use tokio::sync::Notify;

use self::refusals::declined;
pub use self::refusals::no_such_seek;
use self::state::{Bounds, Claim, NewSeek, Settled, State, Take};
use crate::chance::Chance;
use crate::clock::Clock;
use crate::config::Config;
use crate::lifecycle::Lifecycle;
use crate::matches::{Created, Frame, Matches, NewMatch, Outbox, Outgoing, Rival, refusal};

/// Matches of one wave that are stored at once.
const AT_ONCE: usize = 64;
/// The window of a seek becomes `near` after this part of the time until the server gives up, and `any` after twice as long.
const STEPS: u64 = 5;

/// The players who look for an opponent.
pub struct Lobby {
    state: Mutex<State<Outbox>>,
    clock: Arc<dyn Clock>,
    chance: Arc<dyn Chance>,
    matches: Arc<Matches>,
    bounds: Bounds,
    wave: Duration,
    give_up: Millis,
    /// Somebody asks for automatic matching.
    wanted: Notify,
}

/// What a player asks for, checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// The start position, canonical.
    pub position: String,
    /// The names of its games.
    pub games: Vec<&'static str>,
    /// The clocks.
    pub clock: TimeControl,
    /// How many games are played.
    pub count: u32,
    /// Whether they are a rated pair.
    pub rated: bool,
    /// The player's rating for them, if there is one.
    pub rating: Option<RatingInfo>,
    /// The player's side.
    pub side: Side,
    /// Whether against bots.
    pub bots: BotFilter,
    /// Automatic matching within this window.
    pub automatic: Option<Window>,
}

/// A seek whose match is being made. Dropped without being settled, it is open again.
struct Claimed {
    lobby: Arc<Lobby>,
    claim: Claim<Outbox>,
    settled: Settled,
    /// The match with the seeker's seat and opponent, for the notice.
    made: Option<(MatchId, Seat, PlayerInfo)>,
}

impl Claimed {
    fn settle(mut self, settled: Settled, made: Option<(MatchId, Seat, PlayerInfo)>) {
        self.settled = settled;
        self.made = made;
    }
}

impl Drop for Claimed {
    fn drop(&mut self) {
        let id = self.claim.info.seek;
        if let Some(end) = self.lobby.state().settle(id, self.settled) {
            tell(&self.claim, end, self.made.take());
        }
    }
}

/// Tells the connection of a seek how it ended.
fn tell(claim: &Claim<Outbox>, end: SeekEnd, made: Option<(MatchId, Seat, PlayerInfo)>) {
    let (match_id, seat, opponent) = match made {
        None => (None, None, None),
        Some((match_id, seat, opponent)) => (Some(match_id), Some(seat), Some(opponent)),
    };
    let notice = Notice::SeekEnded {
        seek: claim.info.seek,
        end,
        match_id,
        seat,
        opponent,
        // Nothing is known yet of how strong the player is.
        bot: (end == SeekEnd::GaveUp).then(|| Bot::default().to_string()),
    };
    claim
        .connection
        .push_or_close(Outgoing::Frame(Frame::notice(&notice)));
}

impl Lobby {
    /// An empty lobby. [`Lobby::keep_time`] has to run.
    #[must_use]
    pub fn new(
        config: &Config,
        clock: Arc<dyn Clock>,
        chance: Arc<dyn Chance>,
        matches: Arc<Matches>,
    ) -> Arc<Self> {
        Arc::new(Self {
            state: Mutex::default(),
            clock,
            chance,
            matches,
            bounds: Bounds {
                per_player: config.limits.seeks_per_player as usize,
                in_all: config.limits.seeks as usize,
            },
            wave: Duration::from_millis(config.times.wave_ms.0),
            give_up: config.times.give_up_ms,
            wanted: Notify::new(),
        })
    }

    fn state(&self) -> MutexGuard<'_, State<Outbox>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many seeks there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.state().len()
    }

    /// Whether nobody seeks.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a seek of this player, which ends with this connection.
    ///
    /// # Errors
    /// The player, or the server, has as many as it may have.
    pub fn seek(
        &self,
        player: &PlayerInfo,
        connection: &Outbox,
        wanted: Wanted,
    ) -> Result<SeekInfo, ErrorBody> {
        let now = self.clock.now();
        let after = |fifths: u64| now.plus(Millis(self.give_up.0 / STEPS * fifths));
        let automatic = wanted.automatic.map(|widest| Automatic {
            widest,
            near_at_ms: after(1),
            any_at_ms: after(2),
            gives_up_at_ms: now.plus(self.give_up),
        });
        let info = SeekInfo {
            seek: SeekId::from_random(self.chance.bits()),
            player: player.clone(),
            position: wanted.position,
            clock: wanted.clock,
            games: wanted.count,
            rated: wanted.rated,
            rating: wanted.rating,
            side: wanted.side,
            bots: wanted.bots,
            opened_at_ms: now,
            automatic,
        };
        let new = NewSeek {
            info: info.clone(),
            games: wanted.games,
            connection: connection.clone(),
        };
        self.state().open(new, self.bounds)?;
        if automatic.is_some() {
            self.wanted.notify_one();
        }
        Ok(info)
    }

    /// The seeks that a player can take, and the player's own, after this one by their ids; and whether there are more.
    pub fn list(
        &self,
        asker: &PlayerInfo,
        game: Option<&str>,
        after: Option<SeekId>,
        limit: usize,
    ) -> (Vec<SeekInfo>, bool) {
        self.state().list(asker, game, after, limit)
    }

    /// Makes the match of a seek that this player takes, or finds the one that it has made before. The match, and the player's seat.
    ///
    /// # Errors
    /// There is no such seek, it is not for this player, or the match cannot be made.
    pub async fn take(
        self: &Arc<Self>,
        id: SeekId,
        by: &PlayerInfo,
    ) -> Result<(MatchId, Seat), ErrorBody> {
        let claim = match self.state().take(id, by)? {
            Take::Again(taken) => return Ok((taken.made, taken.seat)),
            Take::Now(claim) => claim,
        };
        let claimed = self.claimed(claim);
        match self.make(&claimed.claim, by, claimed.claim.info.side).await {
            Ok(made) => {
                let taken = (by.id, made.id, made.seat.other());
                claimed.settle(
                    Settled::Made(Some(taken)),
                    Some((made.id, made.seat, by.clone())),
                );
                Ok((made.id, made.seat.other()))
            }
            Err(refused) if is_full(&refused) == Some(Whose::Creator) => {
                claimed.settle(Settled::Full, None);
                Err(declined(DeclineReason::TooManyMatches))
            }
            Err(mut refused) => {
                if is_full(&refused) == Some(Whose::Rival) {
                    refused.field = None;
                    refused.reason = None;
                }
                Err(refused)
            }
        }
    }

    /// Withdraws a seek of this player.
    ///
    /// # Errors
    /// There is no such seek of this player, or its match is being made.
    pub fn withdraw(&self, id: SeekId, player: PlayerId) -> Result<(), ErrorBody> {
        self.state().withdraw(id, player)
    }

    /// A connection of this player ends: its seeks end with it.
    pub fn leave(&self, player: PlayerId, connection: &Outbox) {
        self.state().leave(player, connection);
    }

    /// A seek of this player, if there is one.
    #[must_use]
    pub fn seek_of(&self, player: PlayerId) -> Option<SeekId> {
        self.state().seek_of(player)
    }

    /// The player has another name, which is stored.
    pub fn rename(&self, player: PlayerId, name: &str) {
        self.state().rename(player, name);
    }

    fn claimed(self: &Arc<Self>, claim: Claim<Outbox>) -> Claimed {
        Claimed {
            lobby: self.clone(),
            claim,
            settled: Settled::Failed,
            made: None,
        }
    }

    /// Stores the match of a seek, with its terms.
    async fn make(
        &self,
        seek: &Claim<Outbox>,
        rival: &PlayerInfo,
        side: Side,
    ) -> Result<Created, ErrorBody> {
        let info = &seek.info;
        let wanted = NewMatch {
            position: info.position.clone(),
            clock: info.clock,
            games: info.games,
            rated: info.rated,
            seat: match side {
                Side::First => Some(Seat::First),
                Side::Second => Some(Seat::Second),
                Side::Random => None,
            },
            against: Rival::Player {
                info: rival.clone(),
                at_most: None,
            },
            client_create_id: None,
        };
        let address = seek.connection.address();
        self.matches
            .create(info.player.clone(), wanted, address)
            .await
    }

    /// Lets waves of automatic matching follow each other while somebody asks for it, until the server begins to stop.
    pub async fn keep_time(self: Arc<Self>, lifecycle: Lifecycle) {
        let draining = lifecycle.draining();
        loop {
            let wait = async {
                if !self.state().needs_waves() {
                    self.wanted.notified().await;
                }
                tokio::time::sleep(self.wave).await;
            };
            if draining.run_until_cancelled(wait).await.is_none() {
                return;
            }
            let wave = self.state().wave(self.clock.now());
            tracing::debug!(
                pairs = wave.pairs.len(),
                given_up = wave.given_up.len(),
                compared = wave.compared,
                "a wave of automatic matching"
            );
            for over in &wave.given_up {
                tell(over, SeekEnd::GaveUp, None);
            }
            let pairs = wave
                .pairs
                .into_iter()
                .map(|(one, other)| (self.claimed(one), self.claimed(other)));
            let pairs = pairs.collect::<Vec<_>>();
            futures::stream::iter(pairs)
                .for_each_concurrent(AT_ONCE, |(one, other)| self.match_up(one, other))
                .await;
        }
    }

    /// Makes the match of a pair. If one of them has no room for it, the other goes on seeking.
    async fn match_up(&self, one: Claimed, other: Claimed) {
        let rival = other.claim.info.player.clone();
        let side = match other.claim.info.side {
            Side::First => Side::Second,
            Side::Second => Side::First,
            Side::Random => one.claim.info.side,
        };
        match self.make(&one.claim, &rival, side).await {
            Ok(made) => {
                let creator = one.claim.info.player.clone();
                one.settle(Settled::Made(None), Some((made.id, made.seat, rival)));
                let seat = made.seat.other();
                other.settle(Settled::Made(None), Some((made.id, seat, creator)));
            }
            Err(refused) => match is_full(&refused) {
                Some(Whose::Creator) => one.settle(Settled::Full, None),
                Some(Whose::Rival) => other.settle(Settled::Full, None),
                None => tracing::debug!(%refused, "a pair of the lobby has no match yet"),
            },
        }
    }
}

/// Who has no room for another match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Whose {
    Creator,
    Rival,
}

fn is_full(refused: &ErrorBody) -> Option<Whose> {
    match refused.code {
        _ if refusal::is_of_creator(refused) => Some(Whose::Creator),
        ErrorCode::TooMany => Some(Whose::Rival),
        _ => None,
    }
}
