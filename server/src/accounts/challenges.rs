//! Challenges: made, answered, expired. Each ends exactly once.

use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{ChallengeId, MatchId, Millis, PlayerId};
use grundy_shared::protocol::account::{ChallengeEnd, ChallengeInfo, DeclineReason};
use grundy_shared::protocol::{AccountEvent, ErrorBody, ErrorCode};
use tokio::time::Instant;

use super::challenge::{Asked, Challenged, Open};
use super::offers::verdict;
use super::refusals::{being_accepted, declined, no_such_challenge, not_followed};
use super::state::State;
use crate::addresses::AddressKey;
use crate::matches::{Outbox, refusal};

/// Open challenges from one player.
const SENT_MAX: usize = 20;
/// Open challenges to one player.
const RECEIVED_MAX: usize = 50;
/// Open challenges of the server.
const OPEN_MAX: usize = 10_000;

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
            .map(|account| account.info.clone())
            .ok_or_else(absent)
    }

    /// Makes a challenge and tells both, or finds that a standing offer answers it. `now` is the server's time and the moment at which
    /// the challenge expires.
    pub(super) fn challenge(
        &mut self,
        from: &PlayerInfo,
        connection: &Outbox,
        asked: Asked,
        id: ChallengeId,
        (now, until): (Millis, Instant),
    ) -> Result<Challenged, ErrorBody> {
        let to = self.player_named(&asked.player)?;
        if to.id == from.id {
            let words = "you cannot challenge yourself";
            return Err(ErrorBody::new(ErrorCode::OwnMatch, words).field("player"));
        }
        let offer = self.accounts.get(&to.id).and_then(|to| to.offer.as_ref());
        if let Some((_, offer)) = offer {
            return match verdict(offer, &asked.terms) {
                Ok(()) => Ok(Challenged::Fits {
                    at_once: offer.at_once,
                    opponent: to,
                }),
                Err(reason) => Err(declined(reason)),
            };
        }
        if !self.is_followed_by(from.id, connection) {
            return Err(not_followed());
        }
        self.check_room(from, &to)?;
        let Asked {
            terms,
            stands_for,
            address,
            ..
        } = asked;
        let info = ChallengeInfo {
            challenge: id,
            from: from.clone(),
            to,
            position: terms.position,
            clock: terms.clock,
            games: terms.count,
            rated: terms.rated,
            side: terms.side,
            expires_at_ms: now.plus(stands_for),
        };
        for (player, is_sender) in [(info.from.id, true), (info.to.id, false)] {
            if let Some(account) = self.accounts.get_mut(&player) {
                match is_sender {
                    true => account.sent += 1,
                    false => account.received += 1,
                }
            }
        }
        let open = Open {
            info: info.clone(),
            address,
            until,
            accepting: false,
        };
        self.expiry.insert((until, id));
        self.challenges.insert(id, open);
        let event = AccountEvent::Challenged {
            at_ms: now,
            challenge: info.clone(),
        };
        self.tell(info.from.id, &event);
        self.tell(info.to.id, &event);
        Ok(Challenged::Waits(info))
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
    ) -> Result<(ChallengeInfo, AddressKey), ErrorBody> {
        self.check_ends(id, |info| info.to.id == player)?;
        let open = self.challenges.get_mut(&id).expect("just checked");
        open.accepting = true;
        Ok((open.info.clone(), open.address))
    }

    /// The match could not be made: the challenge stands as before, unless its time is over.
    pub(super) fn reopen(&mut self, id: ChallengeId, now: Millis) {
        let Some(open) = self.challenges.get_mut(&id) else {
            return;
        };
        open.accepting = false;
        match open.until <= Instant::now() {
            true => self.end(id, ChallengeEnd::Expired, None, None, now),
            false => {
                self.expiry.insert((open.until, id));
            }
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
                match is_sender {
                    true => account.sent -= 1,
                    false => account.received -= 1,
                }
                account.tell(&event);
            }
            self.forget_if_unneeded(player);
        }
    }

    /// When the next challenge expires.
    pub(super) fn next_expiry(&self) -> Option<Instant> {
        self.expiry.first().map(|(at, _)| *at)
    }

    /// Ends the challenges whose time is over; one that is being accepted is left to that.
    pub(super) fn expire(&mut self, moment: Instant, now: Millis) {
        while let Some((at, id)) = self.expiry.first().copied()
            && at <= moment
        {
            self.expiry.pop_first();
            if self.challenges.get(&id).is_some_and(|open| !open.accepting) {
                self.end(id, ChallengeEnd::Expired, None, None, now);
            }
        }
    }

    /// Ends the challenges from a player and to it that are not being accepted: the player is erased.
    pub(super) fn end_all_of(&mut self, player: PlayerId, now: Millis) {
        for info in self.open_challenges(player) {
            let end = if info.from.id == player {
                ChallengeEnd::Withdrawn
            } else {
                ChallengeEnd::Expired
            };
            if self.check_ends(info.challenge, |_| true).is_ok() {
                self.end(info.challenge, end, None, None, now);
            }
        }
    }

    /// Ends every challenge that is not being accepted: the server stops.
    pub(super) fn end_all(&mut self, now: Millis) {
        let open = self.challenges.iter().filter(|(_, open)| !open.accepting);
        let ids: Vec<_> = open.map(|(id, _)| *id).collect();
        for id in ids {
            self.end(id, ChallengeEnd::ServerStopped, None, None, now);
        }
    }
}
