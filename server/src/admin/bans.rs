//! Bans and lifts bans.

use grundy_shared::protocol::{ErrorBody, ErrorCode};

use super::desk::Desk;
use crate::audit::{Actor, Change};
use crate::matches::refusal;
use crate::operator::{AdminReply, BanAsk, BanEntry, PlayerEntry, SubjectAsk};
use crate::planted;
use crate::store::{BANS_MAX, BanRow, BanSubject, Projection};

/// Bans that have ended and are removed with a new one.
const ENDED_AT_ONCE: usize = 100;

impl Desk {
    pub(super) async fn ban(&self, by: Actor, ask: BanAsk) -> Result<AdminReply, ErrorBody> {
        let (subject, terms) = match ask {
            BanAsk::Player { player, terms } => {
                let player = self.player_named(&player).await?;
                (BanSubject::Player(player.id), terms)
            }
            BanAsk::Address { address, terms } => (BanSubject::Address(address), terms),
        };
        let (bans, now) = (&self.app.bans, self.app.clock.now());
        // Those that have ended make room, at most so many in one commit.
        let mut ended = bans.that_ended(now);
        ended.retain(|ended| *ended != subject);
        ended.truncate(ENDED_AT_ONCE);
        if bans.len() - ended.len() >= BANS_MAX && !bans.keeps(subject) {
            let words = format!(
                "the server keeps at most {BANS_MAX} bans: lift some, or ban a range instead of its addresses"
            );
            return Err(ErrorBody::new(ErrorCode::TooMany, words));
        }
        let ban = BanRow {
            subject,
            reason: terms.reason.clone(),
            created_at: now,
            until: terms.span.map(|span| now.plus(span.millis())),
        };
        let change = Change::Ban {
            subject: subject.to_string(),
            until_ms: ban.until,
        };
        let mut stored = vec![Projection::Ban(ban.clone())];
        if planted::is("forget_bans") {
            stored.clear();
        }
        stored.extend(ended.iter().copied().map(Projection::Unban));
        let effect = async {
            for ended in ended {
                bans.remove(ended);
            }
            bans.put(ban);
            self.app.hearing.close_banned();
            Ok(format!("{subject} is banned"))
        };
        let message = self
            .change(by, change, Some(terms.reason), stored, effect)
            .await?;
        Ok(AdminReply::Done { message })
    }

    pub(super) async fn unban(&self, by: Actor, ask: SubjectAsk) -> Result<AdminReply, ErrorBody> {
        let subject = match ask {
            SubjectAsk::Player { player } => {
                BanSubject::Player(self.player_named(&player).await?.id)
            }
            SubjectAsk::Address { address } => BanSubject::Address(address),
        };
        let bans = &self.app.bans;
        if !bans.keeps(subject) {
            let words = format!("{subject} is not banned; `bans` lists the bans");
            return Err(ErrorBody::new(ErrorCode::OutOfRange, words));
        }
        let change = Change::Unban {
            subject: subject.to_string(),
        };
        let effect = async {
            bans.remove(subject);
            Ok(format!("{subject} is no longer banned"))
        };
        let stored = vec![Projection::Unban(subject)];
        let message = self.change(by, change, None, stored, effect).await?;
        Ok(AdminReply::Done { message })
    }

    pub(super) async fn bans(&self) -> Result<AdminReply, ErrorBody> {
        let mut bans = Vec::new();
        for ban in self.app.bans.that_hold(self.app.clock.now()) {
            bans.push(self.ban_entry(ban).await?);
        }
        Ok(AdminReply::Bans { bans })
    }

    pub(super) async fn ban_entry(&self, ban: BanRow) -> Result<BanEntry, ErrorBody> {
        let (player, address) = match ban.subject {
            BanSubject::Player(id) => {
                let known = self.app.store.player(id).await;
                let known = known.map_err(|error| refusal::of_store(&error))?;
                let name = known.map(|player| player.name);
                (Some(PlayerEntry { id, name }), None)
            }
            BanSubject::Address(range) => (None, Some(range.to_string())),
        };
        Ok(BanEntry {
            player,
            address,
            reason: ban.reason,
            since_ms: ban.created_at,
            until_ms: ban.until,
        })
    }
}
