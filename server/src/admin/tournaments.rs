//! Lists and ends tournaments.

use grundy_shared::protocol::ErrorBody;

use super::desk::{Desk, page};
use crate::audit::{Actor, Change};
use crate::operator::{AdminReply, EndTournamentAsk, TournamentEntry, TournamentsAsk};
use crate::tournaments::{ENDED_BY_OPERATOR, Unfinished};

impl Desk {
    pub(super) async fn tournaments(&self, ask: TournamentsAsk) -> Result<AdminReply, ErrorBody> {
        let limit = page(ask.limit)?;
        let player = self.id_of(ask.player.as_deref()).await?;
        // Another server may just have created one.
        self.app.tournaments.look().await;
        let mut found = self.app.tournaments.unfinished();
        found.retain(|one| player.is_none_or(|player| one.organiser.id == player));
        let more = found.len() > limit;
        found.truncate(limit);
        let tournaments = found.into_iter().map(entry).collect();
        Ok(AdminReply::Tournaments { tournaments, more })
    }

    pub(super) async fn end_tournament(
        &self,
        by: Actor,
        ask: EndTournamentAsk,
    ) -> Result<AdminReply, ErrorBody> {
        let tournament = ask.tournament;
        let change = Change::EndTournament { tournament };
        let effect = async {
            let tournaments = &self.app.tournaments;
            tournaments
                .end(&tournament.to_string(), ENDED_BY_OPERATOR)
                .await?;
            Ok(format!("tournament {tournament} is cancelled"))
        };
        let message = self
            .change(by, change, Some(ask.reason), Vec::new(), effect)
            .await?;
        Ok(AdminReply::Done { message })
    }
}

fn entry(one: Unfinished) -> TournamentEntry {
    TournamentEntry {
        tournament: one.id,
        name: one.name,
        status: one.status,
        organiser: one.organiser,
        players: one.players,
        most: one.most,
        created_at_ms: one.created_at,
        expires_at_ms: one.expires_at,
    }
}
