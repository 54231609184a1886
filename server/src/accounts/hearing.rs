//! What follows from what is said: here at once, or in the hall in its order.

use std::time::Duration;

use grundy_shared::ids::{Millis, PlayerId};
use grundy_shared::protocol::account::ChallengeInfo;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::time::Instant;

use super::Accounts;
use super::account::{Account, Facts};
use super::said::{Outcome, Said};
use super::state::State;
use crate::hall::{Heard, Hearer, Life, Topic};
use crate::store::{AddressDigest, Projection};

/// What all accounts come to.
#[derive(Serialize, Deserialize)]
struct Summary {
    accounts: Vec<Facts>,
    absent: Vec<PlayerId>,
    challenges: Vec<Standing>,
}

/// An open challenge, and for how long it still stands.
#[derive(Serialize, Deserialize)]
struct Standing {
    info: ChallengeInfo,
    address: AddressDigest,
    left: Millis,
}

impl State {
    /// Makes a change that this life of a server has said. It must depend on nothing that servers do not share.
    fn apply(&mut self, said: Said, by: Life) -> Outcome {
        match said {
            Said::Come { player, stream } => self.come(&player, by, stream),
            Said::Go { player } => self.go(player, by),
            Said::Offer { offer, place } => self.offer(offer, by, place),
            Said::OfferEnds { player, place } => {
                self.end_offer(player, |offer| (offer.by, offer.place) == (by, place));
            }
            Said::Challenge(challenge) => return self.open(*challenge, Instant::now()),
            Said::Ended {
                challenge,
                end,
                reason,
                match_id,
                at,
            } => self.end(challenge, end, reason, match_id, at),
            Said::Tell { player, event } => self.tell(player, &event),
            Said::Renamed { player, name } => self.rename(player, &name),
            Said::Erased { player, name, at } => {
                self.end_all_of(player, at);
                self.rename(player, &name);
                let text = player.to_string();
                for account in self.accounts.values_mut() {
                    account.drop_kept_if_any_has(text.as_bytes());
                }
            }
        }
        Outcome::Done
    }

    fn summary(&self) -> Summary {
        let now = Instant::now();
        let mut accounts: Vec<Facts> = self
            .accounts
            .values()
            .map(|account| account.facts.clone())
            .collect();
        accounts.sort_unstable_by_key(|facts| facts.info.id);
        let challenges = self.challenges.values().map(|open| Standing {
            info: open.info.clone(),
            address: open.address,
            left: Millis(millis(open.until.saturating_duration_since(now))),
        });
        Summary {
            accounts,
            absent: self.absent.iter().copied().collect(),
            challenges: challenges.collect(),
        }
    }

    /// What was summed up. Connections of this server do not follow anything yet.
    fn of(summary: Summary) -> Self {
        let mut state = Self::default();
        for facts in summary.accounts {
            state.put(Account::of(facts));
        }
        state.absent = summary.absent.into();
        let now = Instant::now();
        for Standing {
            info,
            address,
            left,
        } in summary.challenges
        {
            state.put_challenge(info, address, now + Duration::from_millis(left.0));
        }
        state
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl Accounts {
    /// Makes a change here, where no other server has to know of it.
    pub(super) fn apply_own(&self, said: Said) -> Outcome {
        let outcome = self.state().apply(said, self.life);
        self.expiry_changed.notify_one();
        outcome
    }
}

impl Hearer for Accounts {
    fn hear(&self, heard: Heard<'_>) {
        let said: Said = match serde_json::from_str(heard.body) {
            Ok(said) => said,
            Err(error) => {
                return tracing::warn!(number = %heard.number, %error, "a word about accounts that is not understood");
            }
        };
        // Nobody is present on a server that is gone.
        let void = heard.stale && matches!(said, Said::Come { .. } | Said::Offer { .. });
        let outcome = match void {
            true => Outcome::Done,
            false => self.state().apply(said, heard.by),
        };
        if let Some(ticket) = heard.ticket {
            self.tickets.settle(ticket, outcome);
        }
        self.expiry_changed.notify_one();
    }

    fn gone(&self, life: Life) {
        self.state().gone(life);
    }

    fn sum_up(&self) -> Value {
        serde_json::to_value(self.state().summary()).unwrap_or_default()
    }

    fn take_up(&self, summary: Value) {
        match serde_json::from_value(summary) {
            Ok(summary) => *self.state() = State::of(summary),
            Err(error) => tracing::error!(%error, "what is known of accounts cannot be read"),
        }
    }

    fn amend(&self) -> Vec<Projection> {
        let Some(hall) = &self.hall else {
            return Vec::new();
        };
        let (left, came, deserted) = {
            let state = self.state();
            let (left, came) = state.misplaced(self.life);
            (left, came, state.deserted_offers(self.life))
        };
        let ends = deserted.into_iter();
        let ends = ends.map(|(player, place)| Said::OfferEnds { player, place });
        let goes = left.into_iter().map(|player| Said::Go { player });
        let comes = came.into_iter().map(|player| Said::Come {
            player,
            stream: format!("{:016x}", self.chance.bits()),
        });
        ends.chain(goes)
            .chain(comes)
            .map(|said| hall.word(Topic::Accounts, 0, None, &said))
            .collect()
    }
}
