//! Taking up the matches of a server that has ended and are not over: at a start, and by another server.

use bytes::Bytes;
use grundy_shared::event::Event;
use grundy_shared::ids::{MatchId, Millis, Seat};
use grundy_shared::referee::{Command, Decision, Referee, Status};
use rustc_hash::{FxHashMap, FxHashSet};

use super::machine::{Beginning, Origin, Policy};
use super::rebuild::{self, RebuildError};
use super::refusal;
use super::registry::Matches;
use crate::costly::OffServing;
use crate::lifecycle::RECONNECT_MOST;
use crate::planted;
use crate::store::{Commit, CommitError, NodeId, OpenMatchLog, StoreError};

/// Outages that are written down at the same time at a start.
const RECOVERY_WIDTH: usize = 512;

/// After a start, a player who was told when to come back has so much longer before the own clock starts.
const FINDING_BACK: Millis = Millis(5_000);
const _: () = assert!(Policy::FIND_BACK_MS.0 == RECONNECT_MOST.0 + FINDING_BACK.0);

/// Conflicts in a row after which an outage is not credited.
const CONFLICTS_MAX: u8 = 5;

/// What became of a credit.
enum Credited {
    Done(Referee),
    /// The log has grown since this state of it.
    Behind(Referee),
}

/// The moments that a start goes by.
#[derive(Clone, Copy)]
struct Moments {
    now: Millis,
    last_heartbeat: Option<Millis>,
    /// When the clocks of players start who have not come back.
    clocks_at: Millis,
}

impl Moments {
    /// A moment at which the server was certainly running and owed no player time.
    fn alive(self) -> Millis {
        self.last_heartbeat.unwrap_or_default()
    }

    /// For how long the players of this match could not play. The server was certainly there at the last heartbeat, and owed nobody time
    /// then, and at the match's last event.
    fn away(self, referee: &Referee) -> Millis {
        self.now.since(self.alive().max(referee.last_at()))
    }
}

/// Seats that players had at a node, and whether their opponents have stayed at another one.
#[derive(Debug, Default)]
struct Seats(FxHashMap<(MatchId, Seat), bool>);

impl Seats {
    fn forget(&mut self, id: MatchId) {
        for seat in Seat::BOTH {
            self.0.remove(&(id, seat));
        }
    }

    fn matches(&self) -> Vec<MatchId> {
        let matches: FxHashSet<MatchId> = self.0.keys().map(|(id, _)| *id).collect();
        matches.into_iter().collect()
    }

    /// For how long the player to move could not play in this match, which continues on another server. `None` if there is nothing to do for its players:
    /// neither was connected to the node, or the time owed to the player to move is not known here.
    fn away(&self, id: MatchId, referee: &Referee, moments: Moments) -> Option<Millis> {
        let seat = referee.to_move();
        if self.0.contains_key(&(id, seat)) {
            return Some(moments.away(referee));
        }
        // The opponent is the one who reconnects. The player to move may come from a dead server, too, and a hold would end the period that can still be
        // credited.
        let opponent_stays = self.0.get(&(id, seat.other()));
        opponent_stays
            .is_some_and(|stays| *stays)
            .then_some(Millis(0))
    }
}

impl Matches {
    /// Takes up every match of this node that is not over. The outage since the last heartbeat is credited to the clocks that ran,
    /// which are held until their players are back; that is durable when this returns. The same is done for players who were connected to a life of the node up to
    /// this one and whose match another node has. How many matches that are. Cost: linear in the events of those matches.
    ///
    /// # Errors
    /// The store could not be read or written.
    pub async fn recover(
        &self,
        node: NodeId,
        until: u64,
        last_heartbeat: Option<Millis>,
    ) -> Result<usize, StoreError> {
        let host = &self.host;
        let now = host.clock.now();
        let moments = Moments {
            now,
            last_heartbeat,
            clocks_at: now.plus(Policy::FIND_BACK_MS),
        };
        let mut seats = self.seats_of(node, until, moments.alive()).await?;
        let mut recovered = 0;
        let mut after = None;
        loop {
            let page = host.store.live(node, after).await?;
            let Some(last) = page.last() else {
                break;
            };
            after = Some(last.cursor.clone());
            recovered += page.len();
            for chunk in page.chunks(RECOVERY_WIDTH) {
                let each = chunk
                    .iter()
                    .map(|live| self.recover_one(live, &seats, moments));
                futures::future::try_join_all(each).await?;
            }
            for live in &page {
                seats.forget(live.id);
            }
        }
        let others = seats.matches();
        for chunk in others.chunks(RECOVERY_WIDTH) {
            let each = chunk
                .iter()
                .map(|id| self.recover_seats(*id, &seats, moments));
            futures::future::try_join_all(each).await?;
        }
        Ok(recovered + others.len())
    }

    /// All seats of this life of a node and of its earlier ones, and whether their opponents have been connected elsewhere since this moment.
    async fn seats_of(&self, node: NodeId, until: u64, since: Millis) -> Result<Seats, StoreError> {
        let (mut seats, mut after) = (Seats::default(), None);
        loop {
            let page = self.host.store.seats_of(node, until, since, after).await?;
            let Some(last) = page.last() else {
                return Ok(seats);
            };
            after = Some((last.id, last.seat));
            let lost = page.iter();
            seats
                .0
                .extend(lost.map(|lost| ((lost.id, lost.seat), lost.opponent_stays)));
        }
    }

    /// A match that another node has, or that is played here already: its players were not cut off, except those who were connected to the other node.
    async fn credit_seats(
        &self,
        id: MatchId,
        seats: &Seats,
        referee: Referee,
        moments: Moments,
    ) -> Result<(), StoreError> {
        if referee.status() == Status::Live {
            let away = |referee: &Referee| seats.away(id, referee, moments);
            let credited = self.credit(id, referee, moments.now, away).await?;
            self.hint(id, credited.seq());
        }
        Ok(())
    }

    async fn recover_seats(
        &self,
        id: MatchId,
        seats: &Seats,
        moments: Moments,
    ) -> Result<(), StoreError> {
        match rebuild::load_at_once(&*self.host.store, id).await {
            Ok(Some(referee)) => self.credit_seats(id, seats, referee, moments).await,
            Err(RebuildError::Store(error)) if !error.is_damage() => Err(error),
            // Who has the match will say what is wrong with it.
            Ok(None) | Err(_) => Ok(()),
        }
    }

    async fn recover_one(
        &self,
        live: &OpenMatchLog,
        seats: &Seats,
        moments: Moments,
    ) -> Result<(), StoreError> {
        let log = live.log.as_ref().map_err(|error| error.clone().into());
        // At a start, and at a take-over of matches that no living server serves meanwhile.
        let replayed = log.and_then(|log| rebuild::replay(OffServing::by_design(), log));
        // The players of a dead server have come to this one.
        if self.get(live.id).is_some() {
            return match replayed {
                Ok(referee) => self.credit_seats(live.id, seats, referee, moments).await,
                Err(_) => Ok(()),
            };
        }
        let referee = match replayed {
            Ok(referee) => {
                let away = |referee: &Referee| Some(moments.away(referee));
                self.credit(live.id, referee, moments.now, away).await?
            }
            Err(RebuildError::Store(error)) if !error.is_damage() => {
                tracing::error!(match_id = %live.id, %error, "the match cannot be taken up");
                self.host.metrics.matches_quarantined.inc();
                self.quarantine(live.id, refusal::quarantined());
                return Ok(());
            }
            Err(error) => {
                self.put_aside(live.id, &error);
                return Ok(());
            }
        };
        if referee.status() == Status::Over {
            return Ok(());
        }
        let game = referee.tournament();
        let beginning = Beginning {
            invitation: rebuild::invitation(&*self.host.store, live.id, &referee).await?,
            lasts: rebuild::lasts(&*self.host.store, &referee).await?,
            address: rebuild::address(&*self.host.store, live.id, &referee).await?,
            referee,
            recent: Vec::new(),
            origin: Origin::Recovered {
                clocks_at: moments.clocks_at,
            },
        };
        self.add(live.id, beginning);
        if let (Some(game), Some(live)) = (game, self.get(live.id)) {
            live.heed_cancellation(game.id);
        }
        Ok(())
    }

    /// Credits the time of the outage and holds the clocks, if a player was away. If another server has stored events first, the log is read again.
    async fn credit(
        &self,
        id: MatchId,
        mut referee: Referee,
        now: Millis,
        away: impl Fn(&Referee) -> Option<Millis>,
    ) -> Result<Referee, StoreError> {
        for _ in 0..CONFLICTS_MAX {
            let Some(away_ms) = away(&referee) else {
                return Ok(referee);
            };
            match self.credit_once(id, referee, now, away_ms).await? {
                Credited::Done(credited) => return Ok(credited),
                Credited::Behind(behind) => {
                    let read = rebuild::load_at_once(&*self.host.store, id).await;
                    referee = match read {
                        Ok(Some(read)) => read,
                        Err(RebuildError::Store(error)) => return Err(error),
                        _ => return Ok(behind),
                    };
                }
            }
        }
        tracing::error!(match_id = %id, "the outage was not credited");
        Ok(referee)
    }

    async fn credit_once(
        &self,
        id: MatchId,
        mut referee: Referee,
        now: Millis,
        away_ms: Millis,
    ) -> Result<Credited, StoreError> {
        if planted::is("charge_the_outage") {
            return Ok(Credited::Done(referee));
        }
        let away_ms = match planted::is("credit_twice") {
            true => Millis(away_ms.0 * 2),
            false => away_ms,
        };
        let outage = Command::Outage {
            away_ms,
            hold: true,
        };
        let Ok(Decision::Events(ruling)) = referee.handle(now, &outage) else {
            return Ok(Credited::Done(referee));
        };
        let bodies = ruling.iter().map(Event::to_json).map(Bytes::from);
        let commit = Commit::append(id, referee.seq(), bodies.collect());
        match self.host.committer.commit(commit).await {
            Ok(()) => {
                if let Err(error) = referee.accept(ruling) {
                    tracing::error!(match_id = %id, %error, "the credit does not fit the match");
                }
                Ok(Credited::Done(referee))
            }
            Err(CommitError::Conflict { .. }) => Ok(Credited::Behind(referee)),
            Err(CommitError::Store(error)) if !error.is_damage() => Err(error),
            Err(error) => {
                tracing::error!(match_id = %id, %error, "the outage was not credited");
                Ok(Credited::Done(referee))
            }
        }
    }
}
