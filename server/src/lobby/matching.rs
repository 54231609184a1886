//! Automatic matching: waves that follow each other while somebody asks for it, and the matches of their pairs.

use std::sync::Arc;

use futures::StreamExt;
use grundy_shared::ids::{MatchId, Seat};
use grundy_shared::protocol::client::Side;

use super::said::{Made, Over, Said};
use super::{Claimed, Lobby, Whose, is_full};
use crate::lifecycle::Lifecycle;

/// Matches of one wave that are stored at once.
const AT_ONCE: usize = 64;

impl Lobby {
    /// Lets waves of automatic matching follow each other while somebody asks for it, until the server begins to stop. Of servers that share a store one makes them.
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
            if self.hall.as_ref().is_none_or(|hall| hall.leads()) {
                self.make_wave().await;
            }
        }
    }

    async fn make_wave(self: &Arc<Self>) {
        let wave = self.state().wave(self.clock.now());
        tracing::debug!(
            pairs = wave.pairs.len(),
            given_up = wave.given_up.len(),
            compared = wave.compared,
            "a wave of automatic matching"
        );
        let given_up = wave.given_up.into_iter().map(|over| self.claimed(over));
        let given_up: Vec<_> = given_up.collect();
        let pairs = wave
            .pairs
            .into_iter()
            .map(|(one, other)| (self.claimed(one), self.claimed(other)));
        let pairs: Vec<_> = pairs.collect();
        futures::stream::iter(given_up)
            .for_each_concurrent(AT_ONCE, |over| async move {
                self.end_alone(over.claim.info.seek, Over::GaveUp).await;
            })
            .await;
        futures::stream::iter(pairs)
            .for_each_concurrent(AT_ONCE, |(one, other)| self.match_up(one, other))
            .await;
    }

    /// Makes the match of a pair. If one of them has no room for it, the other goes on seeking.
    async fn match_up(&self, one: Claimed, other: Claimed) {
        let creator = &one.claim.info.player;
        let rival = &other.claim.info.player;
        let side = match other.claim.info.side {
            Side::First => Side::Second,
            Side::Second => Side::First,
            Side::Random => one.claim.info.side,
        };
        let over = |made: MatchId, seat: Seat| {
            let of = |claimed: &Claimed, seat, opponent: &_| Said::Over {
                seek: claimed.claim.info.seek,
                how: Over::Matched,
                made: Some(Made {
                    id: made,
                    seat,
                    opponent: Clone::clone(opponent),
                }),
            };
            vec![of(&one, seat, rival), of(&other, seat.other(), creator)]
        };
        let takes = match &self.hall {
            // The pairs are players of all servers: that the operator lets this one take no matches does not keep the others'.
            Some(_) => Ok(()),
            None => self.matches.check_takes_matches(),
        };
        let made = match takes {
            Ok(()) => self.make(&one.claim, rival, side, over).await,
            Err(refused) => Err(refused),
        };
        match made {
            Ok(made) => self.conclude(over(made.id, made.seat)).await,
            Err(refused) => {
                let full = match is_full(&refused) {
                    Some(Whose::Creator) => Some(&one),
                    Some(Whose::Rival) => Some(&other),
                    None => None,
                };
                match full {
                    Some(full) => self.end_alone(full.claim.info.seek, Over::Full).await,
                    None => tracing::debug!(%refused, "a pair of the lobby has no match yet"),
                }
            }
        }
    }
}
