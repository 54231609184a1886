//! Who players are: passwords, recovery codes and tokens.
//!
//! What an account has is one document in the store, read, changed and replaced as a whole (docs/decisions/0016). Once a change is durable, the
//! connections whose tokens it has revoked are told and closed. Passwords are tried on the solver's threads, so that logins cannot take
//! the cores from those who play.

mod attempts;
mod codes;
mod password;
mod token;

use std::sync::Arc;

use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{Millis, PlayerId};
use grundy_shared::protocol::identity::{CreateToken, Login, Recover, SetPassword, TokenInfo};
use grundy_shared::protocol::{ErrorBody, ErrorCode, Reply, Scope, Scopes, Secret};
use tokio::sync::oneshot;

use self::attempts::Attempts;
pub use self::codes::CODES;
use self::password::Password;
pub use self::password::{Cost, PASSWORD_BYTES_MAX, PASSWORD_MIN};
pub use self::token::{Token, hash};
use crate::addresses::AddressKey;
use crate::analysis::{Analysis, Job, Purpose, QueueFull};
use crate::chance::Chance;
use crate::clock::Clock;
use crate::config::Config;
use crate::connections::Connections;
use crate::matches::refusal;
use crate::metrics::Metrics;
use crate::names;
use crate::store::committer::Committer;
use crate::store::{
    AccountRow, Bearer, Commit, CommitError, PasswordHash, Projection, SecretHash, Store, TokenRow,
};

/// Tokens of one account with the scope `account`. A login beyond them revokes the oldest.
pub const LOGINS_MAX: usize = 20;
/// Tokens of one account without it.
pub const TOKENS_MAX: usize = 50;
/// How long a token is valid that expires.
pub const TOKEN_LIFE: [Millis; 2] = [Millis(60_000), Millis(315_360_000_000)];
/// What the token of a login is called if nobody says.
const LABEL: &str = "login";
/// Times that a change is tried again because another one was quicker.
const ROUNDS: usize = 10;

/// What this needs of the server.
pub struct Services {
    /// What the operator has set.
    pub config: Arc<Config>,
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
    /// Where passwords are tried.
    pub analysis: Arc<Analysis>,
    /// What that costs.
    pub cost: Cost,
}

/// The accounts' secrets.
pub struct Identities {
    services: Services,
    attempts: Attempts,
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
        let attempts = Attempts::new(&services.config.limits);
        Self { services, attempts }
    }

    /// A new token with every scope, for a new player or a login.
    #[must_use]
    pub fn draw_token(&self) -> Token {
        Token::from_random(self.services.chance.secret())
    }

    /// Forgets attempts of long ago.
    pub fn tidy(&self) {
        self.attempts.tidy();
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

    /// Proves by a password who somebody is.
    ///
    /// # Errors
    /// `bad_credentials`, whatever is wrong; or the refusal.
    pub async fn login(&self, ask: Login, address: AddressKey) -> Result<Reply, ErrorBody> {
        let label = label(ask.label)?;
        let password = Password::claimed(ask.password.reveal(), "password")?;
        let key = self.attempt(&ask.name, Some(address))?;
        let (player, account) = self.account_named(&key).await?;
        let kept = account.and_then(|account| account.password);
        let right = self.fits(password, kept.clone()).await?;
        let Some(player) = player.filter(|_| right) else {
            return Err(bad_password());
        };
        let token = self.draw_token();
        let now = self.services.clock.now();
        let row = token.row(&label, Scopes::ALL, now, None);
        self.change(player.id, |account| {
            // Changed while it was tried.
            if account.password != kept {
                return Err(bad_password());
            }
            add_login(account, row.clone());
            Ok(())
        })
        .await?;
        Ok(Reply::LoggedIn {
            player,
            token: token.into_secret(),
        })
    }

    /// Sets a new password with a recovery code. Whoever else had a way into the account has none any more.
    ///
    /// # Errors
    /// `bad_credentials`, whatever is wrong; or the refusal.
    pub async fn recover(&self, ask: Recover, address: AddressKey) -> Result<Reply, ErrorBody> {
        let label = label(ask.label)?;
        let password = Password::new(ask.password.reveal(), &ask.name)?;
        let key = self.attempt(&ask.name, Some(address))?;
        // First, so that a wrong code takes as long as a right one.
        let hashed = self.hashed(password).await?;
        let (player, _) = self.account_named(&key).await?;
        let player = player.ok_or_else(bad_code)?;
        let token = self.draw_token();
        let row = token.row(&label, Scopes::ALL, self.services.clock.now(), None);
        let spent = codes::hash(ask.code.reveal());
        self.change(player.id, |account| {
            let code = account.codes.iter().position(|code| *code == spent);
            account.codes.remove(code.ok_or_else(bad_code)?);
            account.password = Some(hashed.clone());
            account.tokens = vec![row.clone()];
            Ok(())
        })
        .await?;
        Ok(Reply::LoggedIn {
            player,
            token: token.into_secret(),
        })
    }

    /// Gives an account a password, or another one. Other ways to manage the account than this token are revoked.
    ///
    /// # Errors
    /// `bad_password`, `bad_credentials`, or the refusal.
    pub async fn set_password(
        &self,
        player: &PlayerInfo,
        own: SecretHash,
        ask: SetPassword,
    ) -> Result<(), ErrorBody> {
        let password = Password::new(ask.password.reveal(), &player.name)?;
        let kept = self.prove(player, ask.current.as_ref()).await?;
        let hashed = self.hashed(password).await?;
        self.change(player.id, |account| {
            if account.password != kept {
                return Err(bad_password());
            }
            account.password = Some(hashed.clone());
            let stays = |token: &TokenRow| token.hash == own || !token.scopes.has(Scope::Account);
            account.tokens.retain(stays);
            Ok(())
        })
        .await
    }

    /// Checks the password of a player who is connected; the hash of it. An account without one needs none.
    async fn prove(
        &self,
        player: &PlayerInfo,
        password: Option<&Secret>,
    ) -> Result<Option<PasswordHash>, ErrorBody> {
        let claimed = password.map(|text| Password::claimed(text.reveal(), "current"));
        let claimed = claimed.transpose()?;
        self.attempt(&player.name, None)?;
        let account = self.services.store.account(player.id).await;
        let account = account.map_err(|error| refusal::of_store(&error))?;
        let kept = account.and_then(|account| account.password);
        let (Some(claimed), Some(_)) = (claimed, &kept) else {
            return kept.map_or(Ok(None), |_| Err(bad_password()));
        };
        match self.fits(claimed, kept.clone()).await? {
            true => Ok(kept),
            false => Err(bad_password()),
        }
    }

    /// Replaces the recovery codes of the player.
    ///
    /// # Errors
    /// `bad_credentials`, or the refusal.
    pub async fn new_codes(
        &self,
        player: &PlayerInfo,
        password: &Secret,
    ) -> Result<Reply, ErrorBody> {
        let kept = self.prove(player, Some(password)).await?;
        if kept.is_none() {
            let words = "recovery codes are for accounts with a password: set one first";
            return Err(ErrorBody::new(ErrorCode::NotAllowed, words));
        }
        self.give_codes(player.clone(), kept).await
    }

    /// Gives a player new recovery codes who cannot sign in.
    ///
    /// # Errors
    /// `no_such_player`, or the refusal.
    pub async fn help(&self, player: PlayerInfo) -> Result<Reply, ErrorBody> {
        let account = self.services.store.account(player.id).await;
        let account = account.map_err(|error| refusal::of_store(&error))?;
        let kept = account.and_then(|account| account.password);
        self.give_codes(player, kept).await
    }

    async fn give_codes(
        &self,
        player: PlayerInfo,
        kept: Option<PasswordHash>,
    ) -> Result<Reply, ErrorBody> {
        let (codes, hashes) = codes::draw(&*self.services.chance);
        self.change(player.id, |account| {
            if account.password != kept {
                return Err(bad_password());
            }
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
    pub async fn tokens(&self, player: PlayerId, own: SecretHash) -> Result<Reply, ErrorBody> {
        let account = self.services.store.account(player).await;
        let account = account.map_err(|error| refusal::of_store(&error))?;
        let account = account.ok_or_else(refusal::internal)?;
        let now = self.services.clock.now();
        let good = account
            .tokens
            .iter()
            .filter(|token| !token.has_expired(now));
        Ok(Reply::Tokens {
            tokens: good.map(|token| info(token, own)).collect(),
            recovery_codes: account.codes.len() as u32,
        })
    }

    /// Makes a token with some of the scopes that the player's own has.
    ///
    /// # Errors
    /// `bad_name`, `out_of_range`, `missing_scope`, `too_many`, or the refusal.
    pub async fn create_token(
        &self,
        player: &PlayerInfo,
        (own, mine): (SecretHash, Scopes),
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
        let beyond = scopes.without(mine);
        if !beyond.is_empty() {
            return Err(missing_scope(player, mine, beyond, "create_token").field("scopes"));
        }
        let now = self.services.clock.now();
        let expires_at = expiry(now, ask.expires_in_ms)?;
        let token = self.draw_token();
        let row = token.row(&ask.name, scopes, now, expires_at);
        self.change(player.id, |account| {
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
            token: info(&row, own),
            secret: token.into_secret(),
        })
    }

    /// Replaces a token, not that of the connection: if the answer were lost, so would be the way into the account.
    ///
    /// # Errors
    /// `no_such_token`, `not_allowed`, or the refusal.
    pub async fn rotate_token(
        &self,
        player: PlayerId,
        own: SecretHash,
        prefix: &str,
    ) -> Result<Reply, ErrorBody> {
        let token = self.draw_token();
        let now = self.services.clock.now();
        let row = self
            .change(player, |account| {
                let old = find(account, prefix)?;
                if old.hash == own {
                    let words = "this connection uses that token: if the answer were lost, so would be your way into the account. \
                                 Create another one, and revoke this one with the other";
                    return Err(ErrorBody::new(ErrorCode::NotAllowed, words).field("token"));
                }
                let row = token.row(&old.name, old.scopes, now, old.expires_at);
                *old = row.clone();
                Ok(row)
            })
            .await?;
        Ok(Reply::Token {
            token: info(&row, own),
            secret: token.into_secret(),
        })
    }

    /// Revokes a token.
    ///
    /// # Errors
    /// `no_such_token`, or the refusal.
    pub async fn revoke_token(&self, player: PlayerId, prefix: &str) -> Result<(), ErrorBody> {
        self.change(player, |account| {
            let revoked = find(account, prefix)?.hash;
            account.tokens.retain(|token| token.hash != revoked);
            Ok(())
        })
        .await
    }

    /// Revokes the token of a connection.
    ///
    /// # Errors
    /// The refusal.
    pub async fn logout(&self, player: PlayerId, own: SecretHash) -> Result<(), ErrorBody> {
        self.change(player, |account| {
            account.tokens.retain(|token| token.hash != own);
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

    /// Counts an attempt to prove to be the player of this name; the key of the name.
    fn attempt(&self, name: &str, address: Option<AddressKey>) -> Result<String, ErrorBody> {
        if name.chars().count() > names::NAME_MAX {
            let words = format!("a name has at most {} characters", names::NAME_MAX);
            return Err(ErrorBody::new(ErrorCode::OutOfRange, words)
                .field("name")
                .limit(names::NAME_MAX));
        }
        let key = names::name_key(name);
        self.attempts.count(address, &key, &self.services.metrics)?;
        Ok(key)
    }

    /// A player and its account. It is asked for as much where there is none.
    async fn account_named(
        &self,
        key: &str,
    ) -> Result<(Option<PlayerInfo>, Option<AccountRow>), ErrorBody> {
        let of_store = |error| refusal::of_store(&error);
        let store = &self.services.store;
        let player = store.player_by_name(key).await.map_err(of_store)?;
        let nobody = || PlayerId::from_random(0);
        let id = player.as_ref().map_or_else(nobody, |player| player.id);
        let account = store.account(id).await.map_err(of_store)?;
        Ok((player, account))
    }

    async fn fits(
        &self,
        password: Password,
        kept: Option<PasswordHash>,
    ) -> Result<bool, ErrorBody> {
        let cost = self.services.cost;
        self.on_a_thread(move || password.fits(kept.as_ref(), cost))
            .await
    }

    async fn hashed(&self, password: Password) -> Result<PasswordHash, ErrorBody> {
        let cost = self.services.cost;
        let mut salt = [0; 16];
        salt.copy_from_slice(&self.services.chance.secret()[..16]);
        let hashed = self.on_a_thread(move || password.hash(cost, &salt)).await?;
        hashed.ok_or_else(refusal::internal)
    }

    /// Works something out where few do so at a time, and behind those who play.
    async fn on_a_thread<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ErrorBody> {
        let (answer, answered) = oneshot::channel();
        // Nobody waits any more once this is dropped.
        let waits = Arc::new(());
        let still = Arc::downgrade(&waits);
        let job = || {
            Job::new(
                move || still.strong_count() == 0,
                move |_| drop(answer.send(work())),
            )
        };
        let submitted = self.services.analysis.submit(Purpose::Secret, job);
        submitted.map_err(|QueueFull| refusal::busy("too many sign in at once"))?;
        let answered = answered.await;
        drop(waits);
        answered.map_err(|_| refusal::internal())
    }

    /// Changes what an account has. When this returns, the change is durable, and connections whose tokens are gone are told.
    async fn change<T>(
        &self,
        player: PlayerId,
        change: impl Fn(&mut AccountRow) -> Result<T, ErrorBody>,
    ) -> Result<T, ErrorBody> {
        let services = &self.services;
        for _ in 0..ROUNDS {
            let account = services.store.account(player).await;
            let account = account.map_err(|error| refusal::of_store(&error))?;
            let mut account = account.ok_or_else(refusal::internal)?;
            let now = services.clock.now();
            account.tokens.retain(|token| !token.has_expired(now));
            let changed = change(&mut account)?;
            let good: Vec<SecretHash> = account.tokens.iter().map(|token| token.hash).collect();
            let account = Box::new(account);
            let commit = Commit::default().with(Projection::Account { player, account });
            match services.committer.commit(commit).await {
                Ok(()) => {
                    let is_good = |hash: &SecretHash| good.contains(hash);
                    services.connections.sign_out(player, is_good);
                    return Ok(changed);
                }
                // Another change was quicker.
                Err(CommitError::Conflict { .. }) => {}
                Err(error) => return Err(refusal::of_commit(&error)),
            }
        }
        Err(refusal::busy("the account is changed again and again"))
    }
}

/// Adds the token of a login; where there are too many, the oldest go.
fn add_login(account: &mut AccountRow, row: TokenRow) {
    let is_login = |token: &&TokenRow| token.scopes.has(Scope::Account);
    let logins = account.tokens.iter().filter(is_login).count();
    let mut surplus = (logins + 1).saturating_sub(LOGINS_MAX);
    account.tokens.retain(|token| {
        let goes = surplus > 0 && is_login(&token);
        surplus -= usize::from(goes);
        !goes
    });
    account.tokens.push(row);
}

fn find<'a>(account: &'a mut AccountRow, prefix: &str) -> Result<&'a mut TokenRow, ErrorBody> {
    let mut tokens = account.tokens.iter_mut();
    tokens.find(|token| token.prefix == prefix).ok_or_else(|| {
        // Somebody may have sent the whole token.
        let words = "you have no token with this prefix";
        ErrorBody::new(ErrorCode::NoSuchToken, words).field("token")
    })
}

fn info(token: &TokenRow, own: SecretHash) -> TokenInfo {
    TokenInfo {
        prefix: token.prefix.clone(),
        name: token.name.clone(),
        scopes: token.scopes,
        created_at_ms: token.created_at,
        expires_at_ms: token.expires_at,
        this: token.hash == own,
    }
}

fn label(label: Option<String>) -> Result<String, ErrorBody> {
    let label = label.unwrap_or_else(|| LABEL.to_owned());
    names::check_label(&label).map_err(|error| error.field("label"))?;
    Ok(label)
}

fn expiry(now: Millis, life: Option<Millis>) -> Result<Option<Millis>, ErrorBody> {
    let [least, most] = TOKEN_LIFE;
    match life {
        Some(life) if !(least..=most).contains(&life) => {
            let words = format!("`expires_in_ms` must be from {least} to {most}");
            Err(ErrorBody::new(ErrorCode::OutOfRange, words)
                .field("expires_in_ms")
                .limit(format_args!("{least} to {most}"))
                .got(&life.to_string()))
        }
        life => Ok(life.map(|life| now.plus(life))),
    }
}

/// The one answer to a wrong name or another wrong thing.
fn wrong(what: &str) -> ErrorBody {
    let words = format!("the name or the {what} is wrong");
    ErrorBody::new(ErrorCode::BadCredentials, words)
}

fn bad_password() -> ErrorBody {
    wrong("password")
}

fn bad_code() -> ErrorBody {
    wrong("recovery code")
}

/// A token is not good for what it is used for.
#[must_use]
pub fn missing_scope(player: &PlayerInfo, mine: Scopes, needed: Scopes, kind: &str) -> ErrorBody {
    let words = format!(
        "`{kind}` needs a token with the scope {}; this one of {:?} has {mine}: sign in with another, or make one with \
         `grundy token create NAME --scope {}`",
        needed.to_words().replace(' ', " or "),
        player.name,
        needed.iter().next().map_or("play", Scope::as_str),
    );
    ErrorBody::new(ErrorCode::MissingScope, words)
        .limit(needed)
        .got(&mine.to_string())
}
