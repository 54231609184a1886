//! Who players are: passwords, recovery codes and tokens.
//!
//! What an account has is one document in the store, read, changed and replaced as a whole (docs/decisions/0016). Once a change is durable, the
//! connections whose tokens it has revoked are told and closed. Passwords are tried on the solver's threads, so that logins cannot take
//! the cores from those who play.

mod attempts;
mod changes;
mod codes;
mod muting;
mod password;
mod proofs;
mod token;
mod turns;

use std::sync::Arc;

use grundy_shared::bounds::TOKEN_LIFE;
use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{Millis, PlayerId};
use grundy_shared::protocol::identity::{CreateToken, TokenInfo};
use grundy_shared::protocol::{ErrorBody, ErrorCode, Reply, Scope, Scopes};

use self::attempts::Attempts;
pub use self::codes::CODES;
pub use self::muting::MUTED_MAX;
pub use self::password::Cost;
use self::password::Hasher;
pub use self::token::{Token, hash, shown};
use self::turns::Turns;
use crate::addresses::AddressKey;
use crate::analysis::Analysis;
use crate::bans::Bans;
use crate::chance::Chance;
use crate::clock::Clock;
use crate::config::{Config, Limits, Settings};
use crate::connections::Connections;
use crate::ledger::{Ledger, Limit};
use crate::matches::refusal;
use crate::metrics::{ByScope, Metrics};
use crate::names;
use crate::rate::{self, Rates};
use crate::store::committer::Committer;
use crate::store::{AccountRow, AddressSecret, Bearer, SecretHash, Store, TokenRow};

/// Tokens of one account with the scope `account`. A login beyond them revokes the oldest.
pub const LOGINS_MAX: usize = 20;
/// Tokens of one account without it.
pub const TOKENS_MAX: usize = 50;

/// What this needs of the server.
pub struct Services {
    /// What the operator has set.
    pub config: Settings,
    /// Where accounts are.
    pub store: Arc<dyn Store>,
    /// The way to change them.
    pub committer: Committer,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Chance.
    pub chance: Arc<dyn Chance>,
    /// What is counted.
    pub metrics: Arc<Metrics>,
    /// Who is connected.
    pub connections: Arc<Connections>,
    /// Who is banned.
    pub bans: Arc<Bans>,
    /// Where passwords are tried.
    pub analysis: Arc<Analysis>,
    /// What that costs.
    pub cost: Cost,
    /// What goes into the digests of addresses.
    pub address_secret: AddressSecret,
    /// What other servers count.
    pub ledger: Arc<Ledger>,
}

/// The accounts' secrets.
pub struct Identities {
    services: Services,
    hasher: Hasher,
    attempts: Attempts,
    new_tokens: Rates<PlayerId>,
    turns: Turns,
}

/// Who asks about an account: its player, with one of its tokens.
#[derive(Clone, Copy)]
pub struct Asker<'a> {
    /// The player.
    pub player: &'a PlayerInfo,
    /// The token of the connection.
    pub token: &'a TokenRow,
    /// From where.
    pub address: AddressKey,
}

impl Asker<'_> {
    /// Refuses a request that would give more than the asker's token has.
    fn must_have(self, scopes: Scopes, kind: &str) -> Result<(), ErrorBody> {
        let (mine, name) = (self.token.scopes, &self.player.name);
        let beyond = scopes.without(mine);
        if beyond.is_empty() {
            return Ok(());
        }
        let words = format!(
            "`{kind}` would give scopes that this token of {name:?} does not have: {beyond}. Use the token of a login"
        );
        Err(ErrorBody::new(ErrorCode::MissingScope, words)
            .limit(beyond)
            .got(&mine.to_string()))
    }
}

/// What a player may have, whatever its token says: some scopes are given by the operator.
#[must_use]
pub fn grants(config: &Config, player: PlayerId) -> Scopes {
    let all = Scopes::ALL;
    let is_operator = config.operators.contains(player);
    let mut withheld = Vec::new();
    if !is_operator {
        withheld.push(Scope::Admin);
    }
    if !config.lets_organise(is_operator) {
        withheld.push(Scope::Tournament);
    }
    all.without(Scopes::of(&withheld))
}

impl Identities {
    /// Nobody has tried anything yet.
    #[must_use]
    pub fn new(services: Services) -> Self {
        let config = services.config.current();
        let limits = &config.limits;
        Self {
            attempts: Attempts::new(limits, &services.ledger),
            new_tokens: Rates::per_minute(limits.tokens_per_minute_per_player)
                .over(&services.ledger, Limit::Tokens),
            turns: Turns::default(),
            hasher: Hasher::new(services.cost, services.metrics.password_hashes.clone()),
            services,
        }
    }

    /// Other limits are in force. What was counted under a limit that changes is forgotten.
    pub fn set_limits(&self, limits: &Limits) {
        self.attempts.set_limits(limits);
        let new_tokens = Rates::per_minute(limits.tokens_per_minute_per_player);
        self.new_tokens.adopt(&new_tokens);
    }

    /// A new token with every scope, for a new player or a login.
    #[must_use]
    pub fn draw_token(&self) -> Token {
        Token::from_random(self.services.chance.secret())
    }

    /// Forgets attempts of long ago.
    pub fn tidy(&self) {
        self.attempts.tidy();
        self.new_tokens.tidy();
    }

    /// Who has come with this token, if it is good.
    ///
    /// # Errors
    /// The store could not be read.
    pub async fn bearer(&self, hash: SecretHash) -> Result<Option<Bearer>, ErrorBody> {
        let found = self.services.store.bearer(hash).await;
        let found = found.map_err(|error| refusal::of_store(&error))?;
        let now = self.services.clock.now();
        Ok(found.filter(|bearer| !bearer.token.has_expired(now)))
    }

    /// Gives a player new recovery codes who cannot sign in.
    ///
    /// # Errors
    /// The refusal.
    pub async fn help(&self, player: PlayerInfo) -> Result<Reply, ErrorBody> {
        let (codes, hashes) = codes::draw(&*self.services.chance);
        self.change(player.id, |account| {
            account.codes.clone_from(&hashes);
            Ok(())
        })
        .await?;
        Ok(Reply::RecoveryCodes { player, codes })
    }

    /// The tokens of a player.
    ///
    /// # Errors
    /// The store could not be read.
    pub async fn tokens(&self, asker: Asker<'_>) -> Result<Reply, ErrorBody> {
        let account = self.account_of(asker.player.id).await?;
        let now = self.services.clock.now();
        let good = account
            .tokens
            .iter()
            .filter(|token| !token.has_expired(now));
        Ok(Reply::Tokens {
            tokens: good.map(|token| self.info(token, asker)).collect(),
            recovery_codes: account.codes.len() as u32,
        })
    }

    /// What a token is shown as. What the operator has not given is not among its scopes, as in `welcome`.
    fn info(&self, token: &TokenRow, asker: Asker<'_>) -> TokenInfo {
        let granted = grants(&self.services.config.current(), asker.player.id);
        TokenInfo {
            prefix: token.prefix.clone(),
            name: token.name.clone(),
            scopes: token.scopes.and(granted),
            created_at_ms: token.created_at,
            expires_at_ms: token.expires_at,
            this: token.hash == asker.token.hash,
        }
    }

    /// Makes a token with some of the scopes that the player's own has.
    ///
    /// # Errors
    /// `bad_name`, `out_of_range`, `missing_scope`, `too_many`, or the refusal.
    pub async fn create_token(
        &self,
        asker: Asker<'_>,
        ask: &CreateToken,
    ) -> Result<Reply, ErrorBody> {
        names::check_label(&ask.name)?;
        let scopes: Scopes = ask.scopes.iter().copied().collect();
        if scopes.is_empty() {
            let words = "a token needs a scope";
            return Err(ErrorBody::new(ErrorCode::OutOfRange, words)
                .field("scopes")
                .limit(Scopes::ALL));
        }
        let allowed = asker.must_have(scopes, "create_token");
        allowed.map_err(|error| error.field("scopes"))?;
        let now = self.services.clock.now();
        let expires_at = expiry(now, ask.expires_in_ms)?;
        self.count_new_token(asker)?;
        let token = self.draw_token();
        let row = token.row(&ask.name, scopes, now, expires_at);
        self.change_own(asker, |account| {
            let is_login = scopes.has(Scope::Account);
            let alike = |token: &&TokenRow| token.scopes.has(Scope::Account) == is_login;
            let most = if is_login { LOGINS_MAX } else { TOKENS_MAX };
            if account.tokens.iter().filter(alike).count() >= most {
                let words = "you have as many tokens as you may: revoke one first";
                return Err(ErrorBody::new(ErrorCode::TooMany, words).limit(most));
            }
            account.tokens.push(row.clone());
            Ok(())
        })
        .await?;
        Ok(Reply::Token {
            token: self.info(&row, asker),
            secret: token.into_secret(),
        })
    }

    /// Replaces a token, not that of the connection: if the answer were lost, so would be the way into the account.
    ///
    /// # Errors
    /// `no_such_token`, `not_allowed`, `missing_scope`, or the refusal.
    pub async fn rotate_token(&self, asker: Asker<'_>, prefix: &str) -> Result<Reply, ErrorBody> {
        self.count_new_token(asker)?;
        let token = self.draw_token();
        let now = self.services.clock.now();
        let row = self
            .change_own(asker, |account| {
                let old = find(account, prefix)?;
                asker.must_have(old.scopes, "rotate_token")?;
                if old.hash == asker.token.hash {
                    let words = "you are signed in with this token, so it cannot be replaced. \
                                 Create another token and revoke this one with it.";
                    return Err(ErrorBody::new(ErrorCode::NotAllowed, words).field("token"));
                }
                let row = token.row(&old.name, old.scopes, now, old.expires_at);
                *old = row.clone();
                Ok(row)
            })
            .await?;
        Ok(Reply::Token {
            token: self.info(&row, asker),
            secret: token.into_secret(),
        })
    }

    /// Revokes a token.
    ///
    /// # Errors
    /// `no_such_token`, or the refusal.
    pub async fn revoke_token(&self, asker: Asker<'_>, prefix: &str) -> Result<(), ErrorBody> {
        self.change_own(asker, |account| {
            let revoked = find(account, prefix)?.hash;
            account.tokens.retain(|token| token.hash != revoked);
            Ok(())
        })
        .await
    }

    /// Revokes the token of a connection, if that has not been done.
    ///
    /// # Errors
    /// The refusal.
    pub async fn logout(&self, asker: Asker<'_>) -> Result<(), ErrorBody> {
        self.change(asker.player.id, |account| {
            account
                .tokens
                .retain(|token| token.hash != asker.token.hash);
            Ok(())
        })
        .await
    }

    /// Revokes a token of a player, by the order of an operator.
    ///
    /// # Errors
    /// `no_such_token`, or the refusal.
    pub async fn revoke_of(&self, player: PlayerId, prefix: &str) -> Result<(), ErrorBody> {
        self.change(player, |account| {
            let mut tokens = account.tokens.iter();
            let token = tokens.find(|token| token.prefix == prefix);
            let revoked = token.map(|token| token.hash).ok_or_else(|| {
                let words = "the player has no token with this prefix; `player` lists the tokens";
                ErrorBody::new(ErrorCode::NoSuchToken, words).field("token")
            })?;
            account.tokens.retain(|token| token.hash != revoked);
            Ok(())
        })
        .await
    }

    /// Revokes every token of a player.
    ///
    /// # Errors
    /// The refusal.
    pub async fn sign_out(&self, player: PlayerId) -> Result<(), ErrorBody> {
        self.change(player, |account| {
            account.tokens.clear();
            Ok(())
        })
        .await
    }

    /// Counts a token that is about to be made. What adds tokens is bounded, and with it what takes them away.
    fn count_new_token(&self, asker: Asker<'_>) -> Result<(), ErrorBody> {
        self.new_tokens.check(&asker.player.id).map_err(|wait| {
            let (scope, metrics) = ("token", &self.services.metrics);
            metrics.rate_limited.get_or_create(&ByScope { scope }).inc();
            ErrorBody::new(ErrorCode::RateLimited, "too many new tokens")
                .limit(
                    self.services
                        .config
                        .current()
                        .limits
                        .tokens_per_minute_per_player,
                )
                .retry_after_ms(rate::in_ms(wait))
        })
    }

    /// What a player has who is there.
    async fn account_of(&self, player: PlayerId) -> Result<AccountRow, ErrorBody> {
        let account = self.services.store.account(player).await;
        let account = account.map_err(|error| refusal::of_store(&error))?;
        account.ok_or_else(refusal::internal)
    }
}

fn find<'a>(account: &'a mut AccountRow, prefix: &str) -> Result<&'a mut TokenRow, ErrorBody> {
    let mut tokens = account.tokens.iter_mut();
    tokens.find(|token| token.prefix == prefix).ok_or_else(|| {
        // Somebody may have sent the whole token.
        let words = "you have no token with this prefix";
        ErrorBody::new(ErrorCode::NoSuchToken, words).field("token")
    })
}

fn expiry(now: Millis, life: Option<Millis>) -> Result<Option<Millis>, ErrorBody> {
    let (least, most) = (TOKEN_LIFE.start(), TOKEN_LIFE.end());
    match life {
        Some(life) if !TOKEN_LIFE.contains(&life) => {
            let words = format!("`expires_in_ms` must be from {least} to {most}");
            Err(ErrorBody::new(ErrorCode::OutOfRange, words)
                .field("expires_in_ms")
                .limit(format_args!("{least} to {most}"))
                .got(&life.to_string()))
        }
        life => Ok(life.map(|life| now.plus(life))),
    }
}

/// A token is good for nothing.
#[must_use]
pub fn bad_token() -> ErrorBody {
    let words = "the token is unknown, revoked or expired: sign in again, or say `hello` without one to become a guest";
    ErrorBody::new(ErrorCode::BadToken, words)
}

/// A token is not good for what it is used for.
#[must_use]
pub fn missing_scope(player: &PlayerInfo, mine: Scopes, needed: Scopes) -> ErrorBody {
    let words = format!(
        "this needs a token with the scope {}; yours, of the player {:?}, has {mine}. Sign in, or create one with: \
         grundy token create NAME --scope {}",
        needed.to_words().replace(' ', " or "),
        player.name,
        needed.iter().next().map_or("play", Scope::as_str),
    );
    ErrorBody::new(ErrorCode::MissingScope, words)
        .limit(needed)
        .got(&mine.to_string())
}
