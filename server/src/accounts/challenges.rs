//! Challenges: made, answered, expired. Each ends exactly once.

use std::time::Duration;

use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{ChallengeId, MatchId, Millis, PlayerId};
use grundy_shared::protocol::account::{ChallengeEnd, ChallengeInfo, DeclineReason};
use grundy_shared::protocol::{AccountEvent, ErrorBody, ErrorCode};
use tokio::time::Instant;

use super::challenge::{Open, Terms};
use super::offers::verdict;
use super::refusals::{being_accepted, declined, no_such_challenge};
use super::said::{Challenge, Outcome};
use super::state::State;
use crate::matches::refusal;
use crate::store::AddressDigest;

/// Open challenges from one player.
const SENT_MAX: usize = 20;
/// Open challenges to one player.
const RECEIVED_MAX: usize = 50;
/// Open challenges of the server.
const OPEN_MAX: usize = 10_000;

/// What a challenge comes to, as things stand.
#[derive(Debug)]
pub(super) enum Called {
    /// It waits for this player.
    Waits(PlayerInfo),
    /// This player has a standing offer that fits, for so many matches.
    Fits(PlayerInfo, u32),
}

impl State {
    /// The player who is meant: of those who follow their account now.
    fn player_named(&self, named: &str) -> Result<PlayerInfo, ErrorBody> {
        let absent = || {
            let words = "no player with this name or id is waiting for challenges";
            ErrorBody::new(ErrorCode::PlayerAbsent, words)
                .field("player")
                .got(named)
        };
        let id = named.parse().ok().or_else(|| self.named(named));
        let account = id.and_then(|id: PlayerId| self.accounts.get(&id));
        let present = account.filter(|account| account.is_present());
        present
            .map(|account| account.facts.info.clone())
            .ok_or_else(absent)
    }

    /// Whom a challenge is for, or that a standing offer answers it.
    pub(super) fn challenged(
        &self,
        from: &PlayerInfo,
        player: &str,
        terms: &Terms,
    ) -> Result<Called, ErrorBody> {
        let to = self.player_named(player)?;
        if to.id == from.id {
            let words = "you cannot challenge yourself";
            return Err(ErrorBody::new(ErrorCode::OwnMatch, words).field("player"));
        }
        let account = self.accounts.get(&to.id);
        let Some(offer) = account.and_then(|to| to.facts.offer.as_ref()) else {
            self.check_room(from, &to)?;
            return Ok(Called::Waits(to));
        };
        match verdict(&offer.info, terms) {
            Ok(()) => Ok(Called::Fits(to, offer.info.at_once)),
            Err(reason) => Err(declined(reason)),
        }
    }

    /// Makes a challenge and tells both. It stands from this moment on.
    pub(super) fn open(&mut self, challenge: Challenge, moment: Instant) -> Outcome {
        let Challenge {
            info,
            address,
            at,
            stands_for,
        } = challenge;
        let to = match self.player_named(&info.to.id.to_string()) {
            Ok(to) => to,
            Err(absent) => return Outcome::Refused(absent),
        };
        let account = self.accounts.get(&to.id);
        if account.is_some_and(|account| account.facts.offer.is_some()) {
            return Outcome::Offered;
        }
        if let Err(full) = self.check_room(&info.from, &to) {
            return Outcome::Refused(full);
        }
        let event = AccountEvent::Challenged {
            at_ms: at,
            challenge: info.clone(),
        };
        let (from, to) = (info.from.id, info.to.id);
        self.put_challenge(info, address, moment + Duration::from_millis(stands_for.0));
        self.tell(from, &event);
        self.tell(to, &event);
        Outcome::Done
    }

    /// Takes in an open challenge.
    pub(super) fn put_challenge(
        &mut self,
        info: ChallengeInfo,
        address: AddressDigest,
        until: Instant,
    ) {
        let id = info.challenge;
        for (player, is_sender) in [(info.from.id, true), (info.to.id, false)] {
            if let Some(account) = self.accounts.get_mut(&player) {
                match is_sender {
                    true => account.sent += 1,
                    false => account.received += 1,
                }
            }
        }
        let open = Open {
            info,
            address,
            until,
            accepting: false,
        };
        self.expiry.insert((until, id));
        self.challenges.insert(id, open);
    }

    fn check_room(&self, from: &PlayerInfo, to: &PlayerInfo) -> Result<(), ErrorBody> {
        let too_many = |words, limit| Err(ErrorBody::new(ErrorCode::TooMany, words).limit(limit));
        if self.challenges.len() >= OPEN_MAX {
            return Err(refusal::busy(
                "the server has as many challenges as it takes",
            ));
        }
        let account = |player: &PlayerInfo| self.accounts.get(&player.id);
        if account(from).is_some_and(|account| account.sent >= SENT_MAX) {
            return too_many(
                "too many challenges of yours are open: withdraw one first",
                SENT_MAX,
            );
        }
        if account(to).is_some_and(|account| account.received >= RECEIVED_MAX) {
            return too_many("too many challenges to this player are open", RECEIVED_MAX);
        }
        Ok(())
    }

    /// The open challenges from a player and to it, the first to expire first.
    pub(super) fn open_challenges(&self, player: PlayerId) -> Vec<ChallengeInfo> {
        let concerned = self
            .accounts
            .get(&player)
            .is_some_and(|account| account.sent + account.received > 0);
        if !concerned {
            return Vec::new();
        }
        let open = self
            .expiry
            .iter()
            .filter_map(|(_, id)| self.challenges.get(id));
        open.map(|open| &open.info)
            .filter(|info| info.from.id == player || info.to.id == player)
            .cloned()
            .collect()
    }

    /// Checks that this challenge may be ended by whoever is meant by `is_theirs`.
    pub(super) fn check_ends(
        &self,
        id: ChallengeId,
        is_theirs: impl Fn(&ChallengeInfo) -> bool,
    ) -> Result<(), ErrorBody> {
        match self
            .challenges
            .get(&id)
            .filter(|open| is_theirs(&open.info))
        {
            None => Err(no_such_challenge(&id.to_string())),
            Some(open) if open.accepting => Err(being_accepted()),
            Some(_) => Ok(()),
        }
    }

    /// Takes a challenge in order to make its match.
    pub(super) fn take(
        &mut self,
        id: ChallengeId,
        player: PlayerId,
    ) -> Result<(ChallengeInfo, AddressDigest), ErrorBody> {
        self.check_ends(id, |info| info.to.id == player)?;
        let open = self.challenges.get_mut(&id).expect("just checked");
        open.accepting = true;
        Ok((open.info.clone(), open.address))
    }

    /// The match could not be made: the challenge stands as before.
    pub(super) fn reopen(&mut self, id: ChallengeId) {
        if let Some(open) = self.challenges.get_mut(&id) {
            open.accepting = false;
            self.expiry.insert((open.until, id));
        }
    }

    /// Ends a challenge, and tells both.
    pub(super) fn end(
        &mut self,
        id: ChallengeId,
        end: ChallengeEnd,
        reason: Option<DeclineReason>,
        match_id: Option<MatchId>,
        now: Millis,
    ) {
        let Some(open) = self.challenges.remove(&id) else {
            return;
        };
        self.expiry.remove(&(open.until, id));
        let event = AccountEvent::ChallengeEnded {
            at_ms: now,
            challenge: id,
            end,
            reason,
            match_id,
        };
        for (player, is_sender) in [(open.info.from.id, true), (open.info.to.id, false)] {
            if let Some(account) = self.accounts.get_mut(&player) {
                let count = match is_sender {
                    true => &mut account.sent,
                    false => &mut account.received,
                };
                *count = count.saturating_sub(1);
                account.tell(&event);
            }
            self.forget_if_unneeded(player);
        }
    }

    /// When the next challenge expires.
    pub(super) fn next_expiry(&self) -> Option<Instant> {
        self.expiry.first().map(|(at, _)| *at)
    }

    /// Takes the challenges whose time is over; one that is being accepted is left to that.
    pub(super) fn take_expired(&mut self, moment: Instant) -> Vec<ChallengeId> {
        let mut expired = Vec::new();
        while let Some((at, id)) = self.expiry.first().copied()
            && at <= moment
        {
            self.expiry.pop_first();
            if self.challenges.get(&id).is_some_and(|open| !open.accepting) {
                expired.push(id);
            }
        }
        expired
    }

    /// Ends the challenges from a player and to it: the player is erased.
    pub(super) fn end_all_of(&mut self, player: PlayerId, now: Millis) {
        for info in self.open_challenges(player) {
            let end = if info.from.id == player {
                ChallengeEnd::Withdrawn
            } else {
                ChallengeEnd::Expired
            };
            self.end(info.challenge, end, None, None, now);
        }
    }

    /// Ends every challenge that is not being accepted: the only server stops.
    pub(super) fn end_all(&mut self, now: Millis) {
        let open = self.challenges.iter().filter(|(_, open)| !open.accepting);
        let ids: Vec<_> = open.map(|(id, _)| *id).collect();
        for id in ids {
            self.end(id, ChallengeEnd::ServerStopped, None, None, now);
        }
    }
}
