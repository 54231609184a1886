//! The finished matches of a player on a server, one record at a time.

use std::collections::HashSet;

use grundy_shared::ids::MatchId;
use grundy_shared::protocol::client::{List, ListOnly, ListOrder, ListStatus};
use grundy_shared::protocol::server::MatchSummary;
use grundy_shared::record::Record;
use grundy_shared::referee::Status;
use grundy_words::Message;

use super::who::Who;
use super::{list, stream};
use crate::account::sign_in;
use crate::connection::Connection;
use crate::context::Context;
use crate::failure::Failure;
use crate::output::Output;
use crate::record;

/// The finished matches of a player on a server.
pub(crate) struct OfServer {
    connection: Connection,
    matches: Vec<MatchSummary>,
    /// The ids of all of them.
    over: HashSet<MatchId>,
}

impl OfServer {
    /// Signs in and asks for the matches that pass this filter, the oldest first. From then on, the identity with which the user signed in is one of
    /// the user's.
    ///
    /// # Errors
    /// The server cannot be reached, or refuses.
    pub(crate) async fn listed(
        context: &Context,
        who: &mut Who,
        only: ListOnly,
    ) -> Result<Self, Failure> {
        let mut signed_in = sign_in(context, 0).await?;
        let player = match who {
            Who::Named(name) => Some(name.clone()),
            Who::Mine(ids) => {
                ids.push(signed_in.welcome.player.id);
                None
            }
        };
        let all = List {
            mine: player.is_none(),
            player,
            status: Some(ListStatus::Over),
            only: (only != ListOnly::default()).then(|| Box::new(only)),
            order: Some(ListOrder::Oldest),
            ..List::default()
        };
        let found = list::matches(&mut signed_in.connection, &all, u32::MAX).await?;
        let matches: Vec<MatchSummary> = found.matches.into_iter().map(|one| one.summary).collect();
        Ok(Self {
            connection: signed_in.connection,
            over: matches.iter().map(|one| one.match_id).collect(),
            matches,
        })
    }

    /// The matches that were not taken yet.
    pub(crate) fn matches(&self) -> &[MatchSummary] {
        &self.matches
    }

    /// The matches, to be gone through.
    pub(crate) fn take_matches(&mut self) -> Vec<MatchSummary> {
        std::mem::take(&mut self.matches)
    }

    /// The record of one of the matches. A damaged record is named on stderr and left out, as is the first game of a rated pair whose second game goes
    /// on: knowing more of it would help there. Then `None`.
    ///
    /// # Errors
    /// The server is not there, or refuses for another reason.
    pub(crate) async fn record(
        &mut self,
        output: Output,
        id: MatchId,
    ) -> Result<Option<Record>, Failure> {
        let words = output.words();
        let leave_out = |why: String| {
            let warning = Message::new("career-left-out").text("match", id);
            output.warn(&warning.text("why", why).said(words));
        };
        let record = match record::fetch(&mut self.connection, id).await {
            Err(failure) if stream::is_of_one_match(&failure) => {
                leave_out(failure.message_in(words));
                return Ok(None);
            }
            record => record?,
        };
        if self.is_between_rated_games(&record).await? {
            leave_out(words.say("career-second-game"));
            return Ok(None);
        }
        Ok(Some(record))
    }

    /// Says goodbye.
    pub(crate) async fn close(self) {
        self.connection.close().await;
    }

    async fn is_between_rated_games(&mut self, record: &Record) -> Result<bool, Failure> {
        let referee = record.referee();
        let next = referee.next_match().filter(|_| referee.is_rated());
        let Some(next) = next.filter(|next| !self.over.contains(next)) else {
            return Ok(false);
        };
        let next = record::fetch(&mut self.connection, next).await?;
        Ok(next.referee().status() != Status::Over)
    }
}
