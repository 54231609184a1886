//! What keeps a player from being erased: a match, a tournament or a search for an opponent that goes on.

use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{MatchId, TournamentId};
use grundy_shared::protocol::{ErrorBody, ErrorCode};

use crate::analysis::Owner;
use crate::app::App;
use crate::matches::refusal;
use crate::store::{LIST_PAGE, MatchStatus};

/// Checks that the player, who has had these names, takes part in nothing that goes on besides these tournaments and their games.
///
/// # Errors
/// What it is, and how to end it; or the store could not be read.
pub(super) async fn check_free(
    app: &App,
    player: &PlayerInfo,
    names: &[String],
    besides: &[TournamentId],
) -> Result<(), ErrorBody> {
    let id = player.id;
    let most = if besides.is_empty() { 1 } else { LIST_PAGE };
    let open = app.store.open_matches(id, most).await;
    for open in open.map_err(|error| refusal::of_store(&error))? {
        if is_game_of(app, open.id, besides).await? {
            continue;
        }
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
    if let Some(tournament) = app.tournaments.unfinished_with(id, names, besides) {
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

/// Whether a match is a game of one of these tournaments. Cost: reads its log if there are any.
async fn is_game_of(
    app: &App,
    id: MatchId,
    tournaments: &[TournamentId],
) -> Result<bool, ErrorBody> {
    if tournaments.is_empty() {
        return Ok(false);
    }
    let referee = app.matches.replay(Owner::SERVER, id).await?;
    let game = referee.and_then(|referee| referee.tournament());
    Ok(game.is_some_and(|game| tournaments.contains(&game.id)))
}

fn busy(words: String) -> ErrorBody {
    ErrorBody::new(ErrorCode::NotAllowed, words)
}
