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
    fn hear(&self, heard: Heard<'_>) -> Result<(), serde_json::Error> {
        let said: Said = serde_json::from_str(heard.body)?;
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
        Ok(())
    }

    fn gone(&self, life: Life) {
        self.state().gone(life);
    }

    fn sum_up(&self) -> Value {
        serde_json::to_value(self.state().summary()).unwrap_or_default()
    }

    fn take_up(&self, summary: Value) -> Result<(), String> {
        let summary = serde_json::from_value(summary).map_err(|error| error.to_string())?;
        *self.state() = State::of(summary);
        Ok(())
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

#[cfg(test)]
mod tests {
    use grundy_shared::event::{PlayerInfo, TimeControl};
    use grundy_shared::ids::{ChallengeId, MatchId, Seat, Seq};
    use grundy_shared::protocol::AccountEvent;
    use grundy_shared::protocol::account::{ChallengeEnd, OfferInfo};
    use grundy_shared::protocol::client::Side;

    use super::*;
    use crate::accounts::said::Challenge;

    const HERE: Life = Life { node: 2, epoch: 5 };
    const THERE: Life = Life { node: 3, epoch: 1 };

    fn player(number: u128) -> PlayerInfo {
        PlayerInfo {
            id: PlayerId::from_random(number),
            name: format!("p{number}"),
            bot: false,
        }
    }

    fn come(number: u128, stream: &str) -> Said {
        Said::Come {
            player: player(number),
            stream: stream.to_owned(),
        }
    }

    fn go(number: u128) -> Said {
        Said::Go {
            player: player(number).id,
        }
    }

    fn challenge(number: u64, from: u128, to: u128) -> Said {
        let info = ChallengeInfo {
            challenge: ChallengeId::from_random(number),
            from: player(from),
            to: player(to),
            position: "nim:3,5".to_owned(),
            clock: TimeControl::Untimed {},
            games: 1,
            rated: false,
            side: Side::First,
            expires_at_ms: Millis(600_000),
        };
        Said::Challenge(Box::new(Challenge {
            info,
            address: AddressDigest(9),
            at: Millis(1),
            stands_for: Millis(600_000),
        }))
    }

    fn ended(number: u64) -> Said {
        Said::Ended {
            challenge: ChallengeId::from_random(number),
            end: ChallengeEnd::Withdrawn,
            reason: None,
            match_id: None,
            at: Millis(2),
        }
    }

    fn began(number: u128) -> Said {
        let event = AccountEvent::MatchBegan {
            at_ms: Millis(3),
            match_id: MatchId::from_random(7),
            seat: Seat::First,
            opponent: player(99),
            position: "nim:3,5".to_owned(),
            clock: TimeControl::Untimed {},
            series: None,
        };
        Said::Tell {
            player: player(number).id,
            event: Box::new(event),
        }
    }

    fn offer(number: u128) -> Said {
        let offer = OfferInfo {
            player: player(number),
            games: Vec::new(),
            at_once: 1,
            min_base_ms: Millis(0),
            untimed: true,
        };
        Said::Offer { offer, place: 4 }
    }

    fn words() -> Vec<(Said, Life)> {
        let renamed = Said::Renamed {
            player: player(2).id,
            name: "Ada".to_owned(),
        };
        vec![
            (come(1, "one"), HERE),
            (come(2, "two"), THERE),
            (challenge(1, 1, 2), HERE),
            // The account is known by now: its numbering stays.
            (come(2, "another"), HERE),
            (began(1), HERE),
            // The other server has the match as well.
            (began(1), THERE),
            (renamed, HERE),
            (offer(1), THERE),
            (offer(1), HERE),
            // The player has an offer, and one who is absent gets no challenge.
            (challenge(2, 2, 1), THERE),
            (challenge(3, 1, 5), HERE),
            (ended(1), THERE),
            (ended(1), HERE),
            (challenge(4, 1, 2), HERE),
            (go(2), THERE),
            (go(1), HERE),
            (come(3, "three"), THERE),
        ]
    }

    /// All that servers share, but for how long challenges still stand.
    fn text(state: &State) -> String {
        let mut summary = state.summary();
        for standing in &mut summary.challenges {
            standing.left = Millis(0);
        }
        serde_json::to_string(&summary).expect("JSON")
    }

    fn as_heard(said: &Said) -> Said {
        serde_json::from_str(&serde_json::to_string(said).expect("JSON")).expect("a word")
    }

    #[tokio::test(start_paused = true)]
    async fn who_begins_with_a_summary_knows_the_same_as_who_has_heard_all() {
        let words = words();
        for cut in 0..words.len() {
            let (mut all, mut late) = (State::default(), State::default());
            for (number, (said, by)) in words.iter().enumerate() {
                if number == cut {
                    let summary = serde_json::to_string(&all.summary()).expect("JSON");
                    late = State::of(serde_json::from_str(&summary).expect("a summary"));
                }
                let outcome = format!("{:?}", all.apply(as_heard(said), *by));
                if number >= cut {
                    assert_eq!(format!("{:?}", late.apply(as_heard(said), *by)), outcome);
                }
            }
            assert_eq!(text(&late), text(&all), "{cut}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_heard_twice_has_one_number_and_the_gone_take_along_what_was_theirs() {
        let mut state = State::default();
        for (said, by) in words() {
            state.apply(said, by);
        }
        let numbers = |state: &State, number: u128| {
            let account = state.account(player(number).id).expect("it is known");
            account.newest()
        };
        // Challenged, a match, the end of the challenge, challenged again.
        assert_eq!(numbers(&state, 1), ("one".to_owned(), Seq(4)));
        assert_eq!(numbers(&state, 2), ("two".to_owned(), Seq(3)));
        assert_eq!(state.open_challenges(player(1).id).len(), 1);
        // Player 2 is still here, player 1 nowhere: a challenge keeps the account.
        assert_eq!(state.named("Ada"), Some(player(2).id));
        assert_eq!(state.named("p1"), None);
        assert_eq!(state.offers(None, None, 9).0, []);
        state.gone(HERE);
        assert_eq!(state.named("Ada"), None);
        assert_eq!(state.named("p3"), Some(player(3).id));
        assert_eq!(state.open_challenges(player(2).id).len(), 1);
    }
}
