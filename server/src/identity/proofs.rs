//! How somebody proves who they are: by a password, or by a recovery code.

use std::sync::Arc;
use std::time::Duration;

use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::PlayerId;
use grundy_shared::protocol::identity::{Login, Recover, SetPassword};
use grundy_shared::protocol::{ErrorBody, ErrorCode, Reply, Scope, Scopes, Secret};
use tokio::sync::oneshot;

use super::password::Password;
use super::{Asker, Identities, LOGINS_MAX, Services, codes};
use crate::addresses::AddressKey;
use crate::analysis::{Job, Owner, Purpose, QueueFull};
use crate::matches::refusal;
use crate::names;
use crate::store::{AccountRow, PasswordHash, TokenRow};

/// How long a password may wait to be tried, and be tried: until then its connection does nothing else. Trying one takes tens of
/// milliseconds, but on threads that leave the cores to play: on a computer that is busy with other programs they get little of them.
const SECRET_PATIENCE: Duration = Duration::from_secs(20);
/// Addresses that an account remembers. Beyond these, the one that was used to sign in least recently is dropped.
const KNOWN_MAX: usize = 8;
/// What the token of a login is called if nobody says.
const LABEL: &str = "login";

/// The player that a client claims to be, and the account; empty if there is no such player.
type Claimed = (Option<PlayerInfo>, AccountRow);

impl Identities {
    /// Proves by a password who somebody is.
    ///
    /// # Errors
    /// `bad_credentials`, whatever is wrong; or the refusal.
    pub async fn login(&self, ask: Login, address: AddressKey) -> Result<Reply, ErrorBody> {
        let label = label(ask.label)?;
        let password = Password::typed(ask.password.reveal(), "password")?;
        let key = key_of(&ask.name)?;
        let claimed = self.begin_attempt(&key, address).await?;
        let ended = self.log_in(claimed, password, &label, address).await;
        self.end_attempt(address, ended)
    }

    async fn log_in(
        &self,
        (player, account): Claimed,
        password: Password,
        label: &str,
        address: AddressKey,
    ) -> Result<Reply, ErrorBody> {
        let kept = account.password;
        let owner = self.owner(address, None);
        let right = self.fits(owner, password, kept.clone()).await?;
        let player = player.filter(|_| right).ok_or_else(wrong_password)?;
        let token = self.draw_token();
        let row = token.row(label, Scopes::ALL, self.services.clock.now(), None);
        self.change(player.id, |account| {
            // Changed while it was tried.
            if account.password != kept {
                return Err(wrong_password());
            }
            self.check_ban(player.id)?;
            add_login(account, row.clone());
            self.note_address(account, address);
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
        let key = key_of(&ask.name)?;
        let claimed = self.begin_attempt(&key, address).await?;
        let taken_back = self.take_back(claimed, &ask.code, password, &label, address);
        let ended = taken_back.await;
        self.end_attempt(address, ended)
    }

    async fn take_back(
        &self,
        (player, account): Claimed,
        code: &Secret,
        password: Password,
        label: &str,
        address: AddressKey,
    ) -> Result<Reply, ErrorBody> {
        // First, so that a wrong code takes as long as a right one.
        let hashed = self.hashed(self.owner(address, None), password).await?;
        let spent = codes::hash(code.reveal());
        let right = account.codes.contains(&spent);
        let player = player.filter(|_| right).ok_or_else(wrong_code)?;
        let token = self.draw_token();
        let row = token.row(label, Scopes::ALL, self.services.clock.now(), None);
        self.change(player.id, |account| {
            if !account.codes.contains(&spent) {
                return Err(wrong_code());
            }
            self.check_ban(player.id)?;
            // Otherwise a thief of the list could use the next code.
            account.codes.clear();
            account.password = Some(hashed.clone());
            account.tokens = vec![row.clone()];
            account.known.clear();
            self.note_address(account, address);
            Ok(())
        })
        .await?;
        Ok(Reply::LoggedIn {
            player,
            token: token.into_secret(),
        })
    }

    /// For whom passwords are tried.
    fn owner(&self, address: AddressKey, player: Option<PlayerId>) -> Owner {
        Owner::at(address.digest(&self.services.address_secret).0, player)
    }

    /// Refuses a banned player. Only who has proved to be the player learns of the ban.
    fn check_ban(&self, player: PlayerId) -> Result<(), ErrorBody> {
        let Services { bans, clock, .. } = &self.services;
        let banned = bans.check_player(player, clock.now());
        banned.map_err(|banned| banned.refusal().closing())
    }

    /// Counts an attempt to sign in under this name before it is checked. An address from which the player has signed in before has attempts of
    /// its own at the account, so strangers cannot keep its owner out.
    async fn begin_attempt(&self, key: &str, address: AddressKey) -> Result<Claimed, ErrorBody> {
        let metrics = &self.services.metrics;
        self.attempts.begin(address, metrics)?;
        let begun = self.account_named(key).await.and_then(|claimed| {
            let digest = address.digest(&self.services.address_secret);
            let known = &claimed.1.known;
            self.attempts.begin_at(key, digest, known, metrics)?;
            Ok(claimed)
        });
        begun.inspect_err(|_| self.attempts.give_back(address))
    }

    /// Charges the address for an attempt only if it was wrong.
    fn end_attempt(
        &self,
        address: AddressKey,
        ended: Result<Reply, ErrorBody>,
    ) -> Result<Reply, ErrorBody> {
        let was_wrong = matches!(&ended, Err(error) if error.code == ErrorCode::BadCredentials);
        if !was_wrong {
            self.attempts.give_back(address);
        }
        ended
    }

    /// Remembers this address for the account.
    fn note_address(&self, account: &mut AccountRow, address: AddressKey) {
        let digest = address.digest(&self.services.address_secret);
        account.known.retain(|known| *known != digest);
        account.known.push(digest);
        let surplus = account.known.len().saturating_sub(KNOWN_MAX);
        account.known.drain(..surplus);
    }

    /// Gives an account a password, or another one. Other ways to manage the account than this token are revoked.
    ///
    /// # Errors
    /// `bad_password`, `bad_credentials`, `missing_scope`, or the refusal.
    pub async fn set_password(&self, asker: Asker<'_>, ask: SetPassword) -> Result<(), ErrorBody> {
        let password = Password::new(ask.password.reveal(), &asker.player.name)?;
        let kept = self.prove(asker, "current", ask.current.as_ref()).await?;
        if kept.is_none() {
            // Whoever has the password of the account has every scope, by a login.
            asker.must_have(Scopes::ALL, "set_password")?;
        }
        let hashed = self
            .hashed(self.owner(asker.address, Some(asker.player.id)), password)
            .await?;
        let own = asker.token.hash;
        self.change_own(asker, |account| {
            if account.password != kept {
                return Err(wrong_password());
            }
            account.password = Some(hashed.clone());
            account.codes.clear();
            let stays = |token: &TokenRow| token.hash == own || !token.scopes.has(Scope::Account);
            account.tokens.retain(stays);
            self.note_address(account, asker.address);
            Ok(())
        })
        .await
    }

    /// Checks the password of a player who is connected; the hash of it. An account without one needs none.
    async fn prove(
        &self,
        asker: Asker<'_>,
        field: &str,
        password: Option<&Secret>,
    ) -> Result<Option<PasswordHash>, ErrorBody> {
        let typed = password.map(|text| Password::typed(text.reveal(), field));
        let typed = typed.transpose()?;
        self.attempts
            .begin_signed_in(asker.player.id, &self.services.metrics)?;
        let kept = self.account_of(asker.player.id).await?.password;
        let (Some(typed), Some(_)) = (typed, &kept) else {
            return kept.map_or(Ok(None), |_| Err(wrong_password()));
        };
        match self
            .fits(
                self.owner(asker.address, Some(asker.player.id)),
                typed,
                kept.clone(),
            )
            .await?
        {
            true => Ok(kept),
            false => Err(wrong_password()),
        }
    }

    /// Replaces the recovery codes of the player.
    ///
    /// # Errors
    /// `bad_credentials`, or the refusal.
    pub async fn new_codes(&self, asker: Asker<'_>, password: &Secret) -> Result<Reply, ErrorBody> {
        let kept = self.prove(asker, "password", Some(password)).await?;
        if kept.is_none() {
            let words = "recovery codes are for accounts with a password: set one first";
            return Err(ErrorBody::new(ErrorCode::NotAllowed, words));
        }
        let (codes, hashes) = codes::draw(&*self.services.chance);
        self.change_own(asker, |account| {
            if account.password != kept {
                return Err(wrong_password());
            }
            account.codes.clone_from(&hashes);
            Ok(())
        })
        .await?;
        let player = asker.player.clone();
        Ok(Reply::RecoveryCodes { player, codes })
    }

    /// A player and its account. It is asked for as much where there is none, which then is empty.
    async fn account_named(&self, key: &str) -> Result<Claimed, ErrorBody> {
        let of_store = |error| refusal::of_store(&error);
        let store = &self.services.store;
        let player = store.player_by_name(key).await.map_err(of_store)?;
        let nobody = || PlayerId::from_random(0);
        let id = player.as_ref().map_or_else(nobody, |player| player.id);
        let account = store.account(id).await.map_err(of_store)?;
        Ok((player, account.unwrap_or_default()))
    }

    async fn fits(
        &self,
        owner: Owner,
        password: Password,
        kept: Option<PasswordHash>,
    ) -> Result<bool, ErrorBody> {
        let hasher = self.hasher.clone();
        self.on_a_thread(owner, move || hasher.fits(&password, kept.as_ref()))
            .await
    }

    async fn hashed(&self, owner: Owner, password: Password) -> Result<PasswordHash, ErrorBody> {
        let hasher = self.hasher.clone();
        let mut salt = [0; 16];
        salt.copy_from_slice(&self.services.chance.secret()[..16]);
        let hashed = self
            .on_a_thread(owner, move || hasher.hash(&password, &salt))
            .await?;
        hashed.ok_or_else(refusal::internal)
    }

    /// Works something out for this owner where few do so at a time, and behind those who play.
    async fn on_a_thread<T: Send + 'static>(
        &self,
        owner: Owner,
        mut work: impl FnMut() -> T + Send + 'static,
    ) -> Result<T, ErrorBody> {
        let (answer, answered) = oneshot::channel();
        // Nobody waits any more once this is dropped.
        let waits = Arc::new(());
        let still = Arc::downgrade(&waits);
        let busy = || refusal::busy("too many sign in at once");
        let job = || {
            Job::new(
                move || still.strong_count() == 0,
                move |_| work(),
                move |found| drop(answer.send(found)),
            )
        };
        let submitted = self.services.analysis.submit(Purpose::Secret, owner, job);
        submitted.map_err(|QueueFull| busy())?;
        let answered = tokio::time::timeout(SECRET_PATIENCE, answered).await;
        drop(waits);
        let answered = answered.map_err(|_| busy())?;
        let found = answered.map_err(|_| refusal::internal())?;
        found.map(|found| found.value).map_err(|QueueFull| busy())
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

/// The key of a name that somebody has typed.
fn key_of(name: &str) -> Result<String, ErrorBody> {
    if name.chars().count() > names::NAME_MAX {
        let words = format!("a name has at most {} characters", names::NAME_MAX);
        return Err(ErrorBody::new(ErrorCode::OutOfRange, words)
            .field("name")
            .limit(names::NAME_MAX));
    }
    Ok(names::name_key(name))
}

fn label(label: Option<String>) -> Result<String, ErrorBody> {
    let label = label.unwrap_or_else(|| LABEL.to_owned());
    names::check_label(&label).map_err(|error| error.field("label"))?;
    Ok(label)
}

/// The one answer to a wrong name or another wrong thing.
fn wrong(what: &str) -> ErrorBody {
    let words = format!("the name or the {what} is wrong");
    ErrorBody::new(ErrorCode::BadCredentials, words)
}

fn wrong_password() -> ErrorBody {
    wrong("password")
}

fn wrong_code() -> ErrorBody {
    wrong("recovery code")
}
