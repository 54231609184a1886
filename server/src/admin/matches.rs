//! Lists and ends matches.

use std::net::IpAddr;

use futures::StreamExt;
use grundy_shared::event::Outcome;
use grundy_shared::ids::{MatchId, Millis, PlayerId};
use grundy_shared::protocol::ErrorBody;

use super::desk::{Desk, page};
use crate::addresses::AddressKey;
use crate::audit::{Actor, Change};
use crate::matches::{Act, Input, LocalRequest, refusal};
use crate::operator::{AdminReply, ClearAsk, EndMatchAsk, ListAsk, MatchEntry, Span, Status};
use crate::store::{
    AddressDigest, LIST_PAGE, ListFilter, Listed, MatchStatus, Order, Page, StoreError,
};

/// Pages of the store that one request reads.
const PAGES_MAX: usize = 200;
/// Matches that are ended at the same time.
const AT_ONCE: usize = 32;

/// Which matches are looked for.
struct Wanted {
    filter: ListFilter,
    address: Option<AddressDigest>,
    until: Option<Millis>,
}

impl Desk {
    pub(super) async fn matches(&self, ask: ListAsk) -> Result<AdminReply, ErrorBody> {
        let limit = page(ask.limit)?;
        let player = self.id_of(ask.player.as_deref()).await?;
        let wanted = Wanted {
            filter: ListFilter {
                player,
                status: ask.status.map(|status| match status {
                    Status::Waiting => MatchStatus::Waiting,
                    Status::Live => MatchStatus::Live,
                    Status::Over => MatchStatus::Over,
                }),
                ..ListFilter::default()
            },
            address: ask.address.map(|address| self.digest(address)),
            until: None,
        };
        let (found, more) = self.find_matches(&wanted, limit).await?;
        let matches = found.into_iter().map(|listed| self.entry(listed)).collect();
        Ok(AdminReply::Matches { matches, more })
    }

    fn digest(&self, address: IpAddr) -> AddressDigest {
        AddressKey::from(address).digest(&self.app.address_secret)
    }

    pub(super) async fn id_of(&self, named: Option<&str>) -> Result<Option<PlayerId>, ErrorBody> {
        match named {
            Some(named) => Ok(Some(self.player_named(named).await?.id)),
            None => Ok(None),
        }
    }

    /// At most so many matches, the newest first, and whether there may be more.
    async fn find_matches(
        &self,
        wanted: &Wanted,
        limit: usize,
    ) -> Result<(Vec<Listed>, bool), ErrorBody> {
        let store = &self.app.store;
        let of_store = |error: StoreError| refusal::of_store(&error);
        let (mut found, mut from) = (Vec::new(), None);
        for _ in 0..PAGES_MAX {
            let page = Page {
                order: Order::Newest,
                from,
                limit: LIST_PAGE,
            };
            let listing = store
                .list(wanted.filter.clone(), page)
                .await
                .map_err(of_store)?;
            for listed in listing.found {
                if wanted
                    .until
                    .is_some_and(|until| listed.row.created_at > until)
                {
                    continue;
                }
                if wanted.address.is_some()
                    && store.address_of(listed.id).await.map_err(of_store)? != wanted.address
                {
                    continue;
                }
                if found.len() == limit {
                    return Ok((found, true));
                }
                found.push(listed);
            }
            from = listing.next;
            if from.is_none() {
                return Ok((found, false));
            }
        }
        Ok((found, true))
    }

    fn entry(&self, listed: Listed) -> MatchEntry {
        let row = listed.row;
        // The row was written when the match began.
        let plies = self.app.matches.plies(listed.id);
        MatchEntry {
            match_id: listed.id,
            status: match row.status {
                MatchStatus::Waiting => Status::Waiting,
                MatchStatus::Live => Status::Live,
                MatchStatus::Over => Status::Over,
            },
            position: row.start,
            first: row.first,
            second: row.second,
            plies: plies.unwrap_or(row.plies).0,
            created_at_ms: row.created_at,
            outcome: row.outcome,
            reason: row.reason,
        }
    }

    pub(super) async fn end_match(
        &self,
        by: Actor,
        ask: EndMatchAsk,
    ) -> Result<AdminReply, ErrorBody> {
        let (match_id, outcome) = (ask.match_id, ask.result);
        let change = Change::EndMatch { match_id, outcome };
        let effect = async {
            self.end(match_id, outcome).await?;
            let how = match outcome.winner() {
                None => "nobody wins, and it counts for nobody".to_owned(),
                Some(seat) => format!("the {seat} player wins"),
            };
            Ok(format!("match {match_id} is over: {how}"))
        };
        let message = self
            .change(by, change, Some(ask.reason), Vec::new(), effect)
            .await?;
        Ok(AdminReply::Done { message })
    }

    /// Ends a match, as its players would: the end is stored when this returns.
    async fn end(&self, id: MatchId, outcome: Outcome) -> Result<(), ErrorBody> {
        let app = &self.app;
        let request = LocalRequest::new(app.metrics.refusals.clone());
        let act = Input::Act {
            reply: request.reply_to(),
            connection: request.connection(),
            received: app.clock.now(),
            player: PlayerId::from_random(0),
            act: Act::EndByOperator(outcome),
        };
        app.matches.give(id, act);
        request.done().await
    }

    pub(super) async fn clear_invitations(
        &self,
        by: Actor,
        ask: ClearAsk,
    ) -> Result<AdminReply, ErrorBody> {
        let player = self.id_of(ask.player.as_deref()).await?;
        let older_than = ask.older_than.map(Span::millis);
        let wanted = Wanted {
            filter: ListFilter {
                player,
                status: Some(MatchStatus::Waiting),
                ..ListFilter::default()
            },
            address: ask.address.map(|address| self.digest(address)),
            until: older_than.map(|age| Millis(self.app.clock.now().0.saturating_sub(age.0))),
        };
        let change = Change::ClearInvitations {
            older_than_ms: older_than,
            player,
            address: ask.address,
        };
        let mut counts = (0, 0);
        let effect = async {
            let (found, more) = self.find_matches(&wanted, PAGES_MAX * LIST_PAGE).await?;
            let ends = found
                .into_iter()
                .map(|listed| self.end(listed.id, Outcome::Void));
            let ended: Vec<_> = futures::stream::iter(ends)
                .buffer_unordered(AT_ONCE)
                .collect()
                .await;
            let done = ended.iter().filter(|ended| ended.is_ok()).count() as u64;
            counts = (done, ended.len() as u64 - done + u64::from(more));
            Ok(format!("{} ended, {} not", counts.0, counts.1))
        };
        self.change(by, change, ask.reason, Vec::new(), effect)
            .await?;
        let (ended, left) = counts;
        Ok(AdminReply::Cleared { ended, left })
    }
}
