//! What keeps a player from being erased: a match, a tournament or a search for an opponent that goes on.

use grundy_shared::event::PlayerInfo;
use grundy_shared::protocol::{ErrorBody, ErrorCode};

use crate::app::App;
use crate::matches::refusal;
use crate::store::MatchStatus;

/// Checks that the player, who has had these names, takes part in nothing that goes on.
///
/// # Errors
/// What it is, and how to end it; or the store could not be read.
pub(super) async fn check_free(
    app: &App,
    player: &PlayerInfo,
    names: &[String],
) -> Result<(), ErrorBody> {
    let id = player.id;
    let open = app.store.open_matches(id, 1).await;
    let open = open.map_err(|error| refusal::of_store(&error))?;
    if let Some(open) = open.first() {
        return Err(busy(match open.row.status {
            MatchStatus::Waiting => format!(
                "the player's invitation to match {} is open; end it with: grundy-server admin clear-invitations --player {id}",
                open.id
            ),
            MatchStatus::Live | MatchStatus::Over => format!(
                "the player is in match {}, which is not over; end it with: grundy-server admin end-match {} --reason TEXT",
                open.id, open.id
            ),
        }));
    }
    if let Some(tournament) = app.tournaments.unfinished_with(id, names) {
        return Err(busy(format!(
            "tournament {tournament}, which is not over, names the player; wait for its end, \
             or end it with: grundy-server admin end-tournament {tournament} --reason TEXT"
        )));
    }
    let sign_out = format!("grundy-server admin revoke {id} --all");
    if let Some(seek) = app.lobby.seek_of(id) {
        return Err(busy(format!(
            "the player looks for an opponent (seek {seek}); end it with: {sign_out}"
        )));
    }
    if let Some(offered) = app.matches.rematch_offered_by(id) {
        return Err(busy(format!(
            "the player offers a rematch of match {offered}; sign the player out with: {sign_out}. The offer ends soon after"
        )));
    }
    Ok(())
}

fn busy(words: String) -> ErrorBody {
    ErrorBody::new(ErrorCode::NotAllowed, words)
}
