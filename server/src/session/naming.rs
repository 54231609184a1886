//! What a player is called from now on.

use grundy_shared::ids::PlayerId;
use grundy_shared::protocol::{ErrorBody, ErrorCode};

use crate::app::App;
use crate::matches::refusal;
use crate::names;
use crate::store::{Commit, CommitError, Projection, Unique};

/// Gives a player another name, everywhere.
///
/// # Errors
/// The name cannot be used or belongs to somebody else, or the store fails.
pub(super) async fn rename(app: &App, player: PlayerId, name: &str) -> Result<(), ErrorBody> {
    names::check_name(name)?;
    let rename = Projection::Rename {
        player,
        name: name.to_owned(),
        name_key: names::name_key(name),
    };
    match app.committer.commit(Commit::default().with(rename)).await {
        Ok(()) => {}
        Err(CommitError::Taken(Unique::Name)) => {
            return Err(name_taken(name, app.chance.below(10_000)));
        }
        Err(error) => return Err(refusal::of_commit(&error)),
    }
    app.connections.rename(player, name);
    app.accounts.rename(player, name);
    app.lobby.rename(player, name);
    Ok(())
}

/// Another player has this name, or one that looks like it. `number` makes one like it that is probably free.
pub(super) fn name_taken(name: &str, number: u64) -> ErrorBody {
    let words = format!("another player has the name {name:?}, or one that looks like it");
    let mut error = ErrorBody::new(ErrorCode::NameTaken, words).field("name");
    error.example = Some(names::numbered(name, number));
    error
}
