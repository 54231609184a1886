//! The code of an invitation, and the match to which it leads.

use grundy_shared::ids::{JoinCode, MatchId};
use grundy_shared::protocol::ErrorBody;

use crate::addresses::{AddressKey, Wait};
use crate::app::App;
use crate::matches::refusal::{self, rate_limited};

/// The match of this code. A code that leads nowhere counts as a guess of this address, whether it came in a message or as the address of a page.
///
/// # Errors
/// `no_such_code`; `rate_limited` if the address has guessed too often; or the store cannot be read.
pub async fn find(app: &App, address: AddressKey, code: &str) -> Result<MatchId, ErrorBody> {
    let received = app.clock.now();
    let too_often = |wait: Wait| {
        let what = "too many wrong join codes from your address";
        rate_limited(&app.metrics, "code", what, wait.0)
    };
    app.addresses.may_try_code(address).map_err(too_often)?;
    let found = match code.parse::<JoinCode>() {
        Ok(code) => app.store.find_code(code).await,
        Err(_) => Ok(None),
    };
    let found = found.map_err(|error| refusal::of_store(&error))?;
    match found.filter(|(_, expires_at)| received < *expires_at) {
        Some((match_id, _)) => Ok(match_id),
        None => {
            app.addresses.wrong_code(address).map_err(too_often)?;
            Err(refusal::no_such_code())
        }
    }
}
