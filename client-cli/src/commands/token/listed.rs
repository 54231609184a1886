//! The tokens of the account.

use grundy_shared::protocol::client::Tokens;
use grundy_shared::protocol::identity::TokenInfo;
use grundy_shared::protocol::server::Reply;
use grundy_words::Message;

use crate::account::SignedIn;
use crate::connection::unexpected;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render::clean;

/// All tokens, and how many recovery codes are left.
pub(super) async fn tokens(signed_in: &mut SignedIn) -> Result<(Vec<TokenInfo>, u32), Failure> {
    match signed_in.connection.ask(Tokens {}).await? {
        Reply::Tokens {
            tokens,
            recovery_codes,
        } => Ok((tokens, recovery_codes)),
        other => Err(unexpected(&other)),
    }
}

/// The one token with this name or these first characters.
pub(super) async fn find(signed_in: &mut SignedIn, wanted: &str) -> Result<TokenInfo, Failure> {
    let (tokens, _) = tokens(signed_in).await?;
    let exact = tokens.iter().find(|token| token.prefix == wanted);
    let mut named = tokens.iter().filter(|token| token.name == wanted);
    match (exact, named.next(), named.next()) {
        (Some(token), ..) | (None, Some(token), None) => Ok(token.clone()),
        (None, Some(_), Some(_)) => {
            let message = Message::new("token-several").text("name", clean(wanted));
            Err(Failure::told(Exit::Usage, "usage", message)
                .help(Message::new("token-several-how")))
        }
        // Somebody may have given the whole token: it is not repeated.
        (None, None, _) => {
            let message = Message::new("token-none");
            Err(Failure::told(Exit::NotFound, "no_such_token", message)
                .help(Message::new("token-none-how")))
        }
    }
}
