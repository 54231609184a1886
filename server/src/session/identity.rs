//! What a player asks about its account, and what a token allows.

use grundy_shared::event::PlayerInfo;
use grundy_shared::protocol::client::SetPassword;
use grundy_shared::protocol::identity::{CreateToken, NewRecoveryCodes};
use grundy_shared::protocol::{ClientMessage, ErrorBody, ErrorCode, Reply, Scope, Scopes};

use super::player::Player;
use super::socket::Socket;
use crate::identity::{grants, missing_scope};
use crate::matches::refusal;

impl<S: Socket> Player<S> {
    /// Checks that the token of this connection is good for a request, and that the operator lets the player do it.
    pub(super) fn check_scope(&self, message: &ClientMessage) -> Result<(), ErrorBody> {
        let (mine, needed) = (self.token.scopes, message.scopes());
        if mine.and(needed).is_empty() {
            return Err(missing_scope(&self.info, mine, needed, message.kind()));
        }
        // Who organises a tournament may control it to its end, whatever the operator has set since.
        let is_given = match message {
            ClientMessage::ControlTournament(_) => true,
            _ => !self.granted().and(needed).is_empty(),
        };
        if is_given {
            return Ok(());
        }
        let words = match message {
            ClientMessage::CreateTournament(_) => {
                "this server does not let you create tournaments: its operator can name your player id in `operators`, \
                 or set `tournaments.create`"
            }
            _ => {
                "only operators may do this: the configuration of the server names them in `operators`"
            }
        };
        Err(ErrorBody::new(ErrorCode::NotAllowed, words))
    }

    fn granted(&self) -> Scopes {
        grants(&self.connection.app.config, self.info.id)
    }

    /// Answers a request about accounts.
    pub(super) async fn answer_of_identity(
        &mut self,
        message: ClientMessage,
    ) -> Result<Reply, ErrorBody> {
        let app = self.connection.app.clone();
        let (identities, player, own) = (&app.identities, self.info.id, self.token.hash);
        match message {
            ClientMessage::SetPassword(ask) => self.set_password(ask).await,
            ClientMessage::NewRecoveryCodes(NewRecoveryCodes { password }) => {
                identities.new_codes(&self.info, &password).await
            }
            ClientMessage::Tokens(_) => identities.tokens(player, own).await,
            ClientMessage::CreateToken(ask) => self.create_token(&ask).await,
            ClientMessage::RotateToken(ask) => {
                identities.rotate_token(player, own, &ask.token).await
            }
            ClientMessage::RevokeToken(ask) => {
                identities.revoke_token(player, &ask.token).await?;
                Ok(Reply::done())
            }
            ClientMessage::Logout(_) => {
                identities.logout(player, own).await?;
                Ok(Reply::done())
            }
            ClientMessage::SignOutPlayer(ask) => {
                let other = self.other_player(&ask.player).await?;
                identities.sign_out(other.id).await?;
                Ok(Reply::done())
            }
            ClientMessage::HelpPlayer(ask) => {
                let other = self.other_player(&ask.player).await?;
                identities.help(other).await
            }
            _ => Err(refusal::internal()),
        }
    }

    /// The player of this id or name.
    async fn other_player(&self, named: &str) -> Result<PlayerInfo, ErrorBody> {
        let id = self.player_named("player", named).await?;
        let found = self.connection.app.store.player(id).await;
        let found = found.map_err(|error| refusal::of_store(&error))?;
        found.ok_or_else(|| {
            let words = "no player has this id or name";
            ErrorBody::new(ErrorCode::NoSuchPlayer, words)
                .field("player")
                .got(named)
        })
    }

    async fn set_password(&self, ask: SetPassword) -> Result<Reply, ErrorBody> {
        let identities = &self.connection.app.identities;
        identities
            .set_password(&self.info, self.token.hash, ask)
            .await?;
        Ok(Reply::done())
    }

    /// A token has no scope that the player's own has not. What the operator has not given may still be among them: it is good for
    /// nothing before it is given.
    async fn create_token(&self, ask: &CreateToken) -> Result<Reply, ErrorBody> {
        let own = (self.token.hash, self.token.scopes);
        let identities = &self.connection.app.identities;
        let needs_grant = ask.scopes.contains(&Scope::Admin);
        if needs_grant && !self.granted().has(Scope::Admin) {
            let words = "only operators may have tokens with the scope admin: the configuration of the server names them in `operators`";
            return Err(ErrorBody::new(ErrorCode::NotAllowed, words).field("scopes"));
        }
        identities.create_token(&self.info, own, ask).await
    }
}
