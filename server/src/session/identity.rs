//! What a player asks about its account, and what a token allows.

use grundy_shared::event::PlayerInfo;
use grundy_shared::protocol::identity::{CreateToken, NewRecoveryCodes};
use grundy_shared::protocol::{ClientMessage, ErrorBody, ErrorCode, Reply, Scope, Scopes};

use super::answers::no_such_player;
use super::player::Player;
use super::socket::Socket;
use crate::audit::{Actor, Change};
use crate::identity::{grants, missing_scope};
use crate::matches::refusal;

impl<S: Socket> Player<S> {
    /// Checks that the token of this connection is good for a request, and that the operator lets the player do it.
    pub(super) fn check_scope(&self, message: &ClientMessage) -> Result<(), ErrorBody> {
        let (mine, needed) = (self.token.scopes, message.scopes());
        if mine.and(needed).is_empty() {
            return Err(missing_scope(&self.info, mine, needed));
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

    /// Whether the configuration names this player as an operator.
    pub(super) fn is_operator(&self) -> bool {
        let config = self.connection.app.config.current();
        config.operators.contains(self.info.id)
    }

    fn granted(&self) -> Scopes {
        grants(&self.connection.app.config.current(), self.info.id)
    }

    /// Answers a request about accounts.
    pub(super) async fn answer_of_identity(
        &mut self,
        message: ClientMessage,
    ) -> Result<Reply, ErrorBody> {
        let app = self.connection.app.clone();
        let (identities, asker) = (&app.identities, self.asker());
        match message {
            ClientMessage::SetPassword(ask) => {
                identities.set_password(asker, ask).await?;
                Ok(Reply::done())
            }
            ClientMessage::NewRecoveryCodes(NewRecoveryCodes { password }) => {
                identities.new_codes(asker, &password).await
            }
            ClientMessage::Tokens(_) => identities.tokens(asker).await,
            ClientMessage::CreateToken(ask) => self.create_token(&ask).await,
            ClientMessage::RotateToken(ask) => identities.rotate_token(asker, &ask.token).await,
            ClientMessage::RevokeToken(ask) => {
                identities.revoke_token(asker, &ask.token).await?;
                Ok(Reply::done())
            }
            ClientMessage::Logout(_) => {
                identities.logout(asker).await?;
                Ok(Reply::done())
            }
            ClientMessage::SignOutPlayer(ask) => {
                let player = self.player_in_care(&ask.player).await?.id;
                let change = Change::Revoke {
                    player,
                    token: None,
                };
                self.audited(change, identities.sign_out(player)).await?;
                Ok(Reply::done())
            }
            ClientMessage::HelpPlayer(ask) => {
                let other = self.player_in_care(&ask.player).await?;
                let change = Change::Help { player: other.id };
                self.audited(change, identities.help(other)).await
            }
            _ => Err(refusal::internal()),
        }
    }

    /// Makes a change that this player asks for as an operator: it is recorded before it is begun, and again with what came of it.
    pub(super) async fn audited<T>(
        &self,
        change: Change,
        effect: impl Future<Output = Result<T, ErrorBody>>,
    ) -> Result<T, ErrorBody> {
        let audit = &self.connection.app.audit;
        let by = Actor::Player { id: self.info.id };
        let asked = audit.ask(by, change, None, Vec::new()).await;
        let asked = asked.map_err(|error| refusal::of_commit(&error))?;
        let done = effect.await;
        let outcome = match &done {
            Ok(_) => Ok("done".to_owned()),
            Err(error) => Err(error.message.clone()),
        };
        audit.answer(asked, outcome).await;
        done
    }

    /// The player of this id or name, whom an operator wants to help. A token with the scope `admin` alone must not open the account of an
    /// operator, its own or another's.
    async fn player_in_care(&self, named: &str) -> Result<PlayerInfo, ErrorBody> {
        let id = self.player_named("player", named).await?;
        let app = &self.connection.app;
        if app.config.current().operators.contains(id) {
            let words = "this player is an operator, whose account only its own password and recovery codes open: take the player \
                         out of `operators` in the configuration first";
            return Err(ErrorBody::new(ErrorCode::NotAllowed, words).field("player"));
        }
        let found = app.store.player(id).await;
        let found = found.map_err(|error| refusal::of_store(&error))?;
        found.ok_or_else(|| no_such_player("player", named))
    }

    /// A token has no scope that the player's own has not. What the operator has not given may still be among them: it is good for
    /// nothing before it is given.
    async fn create_token(&self, ask: &CreateToken) -> Result<Reply, ErrorBody> {
        let identities = &self.connection.app.identities;
        let needs_grant = ask.scopes.contains(&Scope::Admin);
        if needs_grant && !self.granted().has(Scope::Admin) {
            let words = "only operators may have tokens with the scope admin: the configuration of the server names them in `operators`";
            return Err(ErrorBody::new(ErrorCode::NotAllowed, words).field("scopes"));
        }
        identities.create_token(self.asker(), ask).await
    }
}
