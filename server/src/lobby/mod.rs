//! The lobby: players who look for an opponent, and how they find one.
//!
//! A seek lives and dies with its connection; only its match is stored, before anybody hears of it (docs/decisions/0014). [`state`] decides, and is told the time.
//! Every change is something that is [`said`]: here and at once where one server has the store for itself, and in the hall, in one order for all servers, where several
//! share it. There the commit of a match also says that its seeks have ended, so whoever races, each leads to one match (docs/decisions/0062). Nothing here waits
//! while it holds the lock.

mod hearing;
mod matching;
mod pairing;
mod refusals;
mod said;
mod state;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use grundy_shared::event::{PlayerInfo, TimeControl};
use grundy_shared::ids::{MatchId, Millis, PlayerId, Seat, SeekId};
use grundy_shared::protocol::account::DeclineReason;
use grundy_shared::protocol::client::Side;
use grundy_shared::protocol::lobby::{Automatic, BotFilter, SeekInfo, Window};
use grundy_shared::protocol::rating::RatingInfo;
use grundy_shared::protocol::{ErrorBody, ErrorCode};
use tokio::sync::Notify;

use self::refusals::declined;
pub use self::refusals::no_such_seek;
use self::said::{Made, Over, Place, Said, Sought, end_of};
use self::state::{Bounds, Claim, Settled, State, Take};
use crate::chance::Chance;
use crate::clock::Clock;
use crate::config::Config;
use crate::hall::{Hall, Life, Tickets, Topic};
use crate::matches::{Created, Matches, NewMatch, Outbox, Rival, refusal};
use crate::store::{AddressDigest, CommitError, Projection, Unique};

/// The window of a seek becomes `near` after this part of the time until the server gives up, and `any` after twice as long.
const STEPS: u64 = 5;

/// The players who look for an opponent.
pub struct Lobby {
    state: Mutex<State<Place>>,
    clock: Arc<dyn Clock>,
    chance: Arc<dyn Chance>,
    matches: Arc<Matches>,
    /// Where several servers share the store.
    hall: Option<Arc<Hall>>,
    life: Life,
    tickets: Tickets<Option<Outbox>, Result<(), ErrorBody>>,
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
    /// Where the player is.
    pub address: AddressDigest,
}

/// A seek whose match this server is making. Dropped, it is open again, unless it has ended.
struct Claimed {
    lobby: Arc<Lobby>,
    claim: Claim<Place>,
}

impl Drop for Claimed {
    fn drop(&mut self) {
        let id = self.claim.info.seek;
        // One that has ended is not there any more.
        let _ = self.lobby.state().settle(id, Settled::Failed);
    }
}

impl Lobby {
    /// An empty lobby. [`Lobby::keep_time`] has to run. `hall` is there where several servers share the store.
    #[must_use]
    pub fn new(
        config: &Config,
        clock: Arc<dyn Clock>,
        chance: Arc<dyn Chance>,
        matches: Arc<Matches>,
        hall: Option<Arc<Hall>>,
    ) -> Arc<Self> {
        Arc::new(Self {
            state: Mutex::default(),
            clock,
            chance,
            matches,
            life: hall.as_ref().map_or(Life::ONLY, |hall| hall.life()),
            hall,
            tickets: Tickets::default(),
            bounds: Bounds {
                per_player: config.limits.seeks_per_player as usize,
                in_all: config.limits.seeks as usize,
            },
            wave: Duration::from_millis(config.times.wave_ms.0),
            give_up: config.times.give_up_ms,
            wanted: Notify::new(),
        })
    }

    fn state(&self) -> MutexGuard<'_, State<Place>> {
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

    /// Says something; what came of it.
    async fn say(
        &self,
        said: Said,
        settles: Option<String>,
        connection: Option<Outbox>,
    ) -> Result<Result<(), ErrorBody>, CommitError> {
        let Some(hall) = &self.hall else {
            return Ok(self.apply(said, self.life, connection));
        };
        let ticket = self.tickets.draw(connection);
        let word = hall.word(Topic::Lobby, ticket.number(), settles, &said);
        hall.say(word).await?;
        // It is heard later if the store does not answer.
        let lost = || {
            Err(refusal::busy(
                "what servers say to each other cannot be read",
            ))
        };
        Ok(ticket.outcome().unwrap_or_else(lost))
    }

    /// What is to be committed with a match that ends seeks; nothing where one server decides alone.
    fn words(&self, over: &[Said]) -> Vec<Projection> {
        let Some(hall) = &self.hall else {
            return Vec::new();
        };
        let words = over.iter().map(|said| {
            let settles = match said {
                Said::Over { seek, .. } => Some(end_of(*seek)),
                Said::Seek(_) | Said::Renamed { .. } => None,
            };
            hall.word(Topic::Lobby, 0, settles, said)
        });
        words.collect()
    }

    /// A match is stored that ended these seeks.
    async fn conclude(&self, over: Vec<Said>) {
        match &self.hall {
            Some(hall) => hall.hear_own().await,
            None => {
                for said in over {
                    // An end is not refused.
                    let _ = self.apply(said, self.life, None);
                }
            }
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

    /// Adds a seek of this player, which ends with this connection.
    ///
    /// # Errors
    /// The player, or the server, has as many as it may have; or the store cannot write.
    pub async fn seek(
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
        let sought = Sought {
            info: info.clone(),
            games: wanted.games.into_iter().map(str::to_owned).collect(),
            address: wanted.address,
            bounds: self.bounds,
        };
        let seek = Said::Seek(Box::new(sought));
        let said = self.say(seek, None, Some(connection.clone())).await;
        said.map_err(|error| refusal::of_commit(&error))??;
        Ok(info)
    }

    /// The seeks that a player can take, and the player's own, after this one by their ids; and whether there are more.
    ///
    /// # Errors
    /// The store could not be read.
    pub async fn list(
        &self,
        asker: &PlayerInfo,
        game: Option<&str>,
        after: Option<SeekId>,
        limit: usize,
    ) -> Result<(Vec<SeekInfo>, bool), ErrorBody> {
        self.catch_up().await?;
        Ok(self.state().list(asker, game, after, limit))
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
        self.catch_up().await?;
        let claim = match self.state().take(id, by)? {
            Take::Again(taken) => return Ok((taken.made, taken.seat)),
            Take::Now(claim) => claim,
        };
        let claimed = self.claimed(claim);
        self.matches.check_takes_matches()?;
        let over = |made: MatchId, seat: Seat| Said::Over {
            seek: id,
            how: Over::Taken(by.id, seat.other()),
            made: Some(Made {
                id: made,
                seat,
                opponent: by.clone(),
            }),
        };
        let side = claimed.claim.info.side;
        let made = self.make(&claimed.claim, by, side, |made, seat| {
            vec![over(made, seat)]
        });
        match made.await {
            Ok(made) => {
                self.conclude(vec![over(made.id, made.seat)]).await;
                Ok((made.id, made.seat.other()))
            }
            Err(refused) if refusal::is_settled(&refused) => Err(self.was_over(id).await),
            Err(refused) if is_full(&refused) == Some(Whose::Creator) => {
                self.end_alone(id, Over::Full).await;
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
    /// There is no such seek of this player, or its match is being made; or the store cannot write.
    pub async fn withdraw(&self, id: SeekId, player: PlayerId) -> Result<(), ErrorBody> {
        self.catch_up().await?;
        self.state().check_withdraws(id, player)?;
        let said = Said::Over {
            seek: id,
            how: Over::Withdrawn,
            made: None,
        };
        match self.say(said, Some(end_of(id)), None).await {
            Ok(outcome) => outcome,
            Err(CommitError::Taken(Unique::Word)) => Err(self.was_over(id).await),
            Err(error) => Err(refusal::of_commit(&error)),
        }
    }

    /// What somebody is told who ends a seek that another server has ended; the end itself is told first.
    async fn was_over(&self, id: SeekId) -> ErrorBody {
        let heard = self.catch_up().await;
        heard.map_or_else(|busy| busy, |()| no_such_seek(&id.to_string()))
    }

    /// Ends a seek without a match. If that cannot be said, it stands.
    async fn end_alone(&self, seek: SeekId, how: Over) {
        let said = Said::Over {
            seek,
            how,
            made: None,
        };
        if let Err(error) = self.say(said, Some(end_of(seek)), None).await {
            tracing::debug!(%seek, %error, "a seek does not end yet");
        }
    }

    /// A connection of this player ends: its seeks end with it.
    pub fn leave(&self, player: PlayerId, connection: &Outbox) {
        let place = Place {
            life: self.life,
            connection: Some(connection.clone()),
            address: AddressDigest(0),
        };
        match &self.hall {
            None => self.state().leave(player, &place),
            Some(hall) => {
                self.state().desert(player, &place);
                hall.amend_soon();
            }
        }
    }

    /// A seek of this player, if there is one.
    #[must_use]
    pub fn seek_of(&self, player: PlayerId) -> Option<SeekId> {
        self.state().seek_of(player)
    }

    /// The player has another name, which is stored.
    pub fn rename(&self, player: PlayerId, name: &str) {
        let Some(hall) = &self.hall else {
            return self.state().rename(player, name);
        };
        let name = name.to_owned();
        let renamed = Said::Renamed { player, name };
        hall.mutter(hall.word(Topic::Lobby, 0, None, &renamed));
    }

    fn claimed(self: &Arc<Self>, claim: Claim<Place>) -> Claimed {
        Claimed {
            lobby: self.clone(),
            claim,
        }
    }

    /// Stores the match of a seek, with its terms, and with it that these have ended.
    async fn make(
        &self,
        seek: &Claim<Place>,
        rival: &PlayerInfo,
        side: Side,
        over: impl Fn(MatchId, Seat) -> Vec<Said>,
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
        let from = self.matches.source(seek.connection.address);
        let changes = |made, seat| self.words(&over(made, seat));
        self.matches
            .create_with(info.player.clone(), wanted, from, changes)
            .await
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
