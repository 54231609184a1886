//! Who we are at each server: the secrets of guests and accounts, kept in one file that only the user may read.
//!
//! The file is changed only under a lock and by renaming a complete new one over it, so that two terminals that start
//! at once keep both their entries, and a crash leaves either the old file or the new one.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use grundy_shared::ids::{PlayerId, ServerId};
use grundy_shared::protocol::Secret;
use grundy_words::Message;
use serde::{Deserialize, Serialize};

use crate::address::Address;
use crate::config;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::system;

/// Stands at the head of the file.
const HEAD: &str =
    "# Your identities at servers of grundy, one secret each. Keep this file to yourself.\n";

/// A guest at one server.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Identity {
    /// The address at which it was made.
    pub(crate) server: String,
    /// Other addresses of the same server.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    also_at: Vec<String>,
    /// The server that knows it, at any address. A client before this was written has not asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    server_id: Option<ServerId>,
    /// The user's name for it.
    pub(crate) profile: String,
    /// The id there.
    pub(crate) player: PlayerId,
    /// The name shown to others.
    pub(crate) name: String,
    /// The account has a password: its owner can sign in again, and becomes no guest instead.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    claimed: bool,
    /// The secret.
    token: Secret,
    /// It comes from a file that the user has named, and is not kept in ours.
    #[serde(skip)]
    borrowed: bool,
}

impl Identity {
    /// An identity that a server has just given.
    pub(crate) fn new(
        server: &Address,
        server_id: Option<ServerId>,
        profile: &str,
        player: PlayerId,
        name: String,
        token: Secret,
    ) -> Self {
        Self {
            server: server.to_string(),
            also_at: Vec::new(),
            server_id,
            profile: profile.to_owned(),
            player,
            name,
            claimed: false,
            token,
            borrowed: false,
        }
    }

    /// The secret, to be said to the server and nobody else.
    pub(crate) fn token(&self) -> &str {
        self.token.reveal()
    }

    /// The one that a token stands for. Who it is, the server says.
    ///
    /// # Errors
    /// The file is not there, can be read by others, or has no token.
    pub(crate) fn of_token_file(server: &Address, path: &Path) -> Result<Self, Failure> {
        let unusable = |why: Message| {
            let message = Message::new("file-fault").text("file", path.display());
            Failure::told(Exit::NotAllowed, "token_file", message.message("why", why))
        };
        let text = fs::read_to_string(path).map_err(|error| unusable(system::said(&error)))?;
        let text = zeroize::Zeroizing::new(text);
        if fs::metadata(path)?.mode() & 0o077 != 0 {
            let how = Message::new("file-open-how").text("file", path.display());
            return Err(unusable(Message::new("token-file-open")).help(how));
        }
        let token = text.lines().next().unwrap_or_default().trim();
        if token.is_empty() {
            return Err(unusable(Message::new("token-file-empty"))
                .help(Message::new("token-file-empty-how")));
        }
        let (nobody, token) = (PlayerId::from_random(0), Secret::from(token.to_owned()));
        Ok(Self {
            borrowed: true,
            ..Self::new(server, None, "", nobody, String::new(), token)
        })
    }

    /// The same with another secret.
    pub(crate) fn with_token(&self, token: Secret) -> Self {
        Self {
            token,
            ..self.clone()
        }
    }

    /// All of it as text, with the secret.
    pub(crate) fn to_toml(&self) -> Result<zeroize::Zeroizing<String>, Failure> {
        let text = toml::to_string(self);
        text.map(zeroize::Zeroizing::new).map_err(Failure::internal)
    }

    /// Reads such a text, for this profile; `None` if it is none.
    pub(crate) fn from_toml(text: &str, profile: &str) -> Option<Self> {
        let identity: Self = toml::from_str(text).ok()?;
        Some(Self {
            profile: profile.to_owned(),
            ..identity
        })
    }

    /// Whether it comes from a file that is not ours.
    pub(crate) fn is_borrowed(&self) -> bool {
        self.borrowed
    }

    /// Whether its owner can sign in again.
    pub(crate) fn is_claimed(&self) -> bool {
        self.claimed
    }

    /// Takes note of whether the account has a password.
    pub(crate) fn set_claimed(&mut self, claimed: bool) {
        self.claimed = claimed;
    }

    /// Whether it was used at this address before.
    fn is_at(&self, address: &str) -> bool {
        self.server == address || self.also_at.iter().any(|other| other == address)
    }

    /// Whether a server that announces this id may be the one that knows it: where one of the two is silent, only the address counts.
    pub(crate) fn may_be_of(&self, announced: Option<ServerId>) -> bool {
        match (self.server_id, announced) {
            (Some(own), Some(announced)) => own == announced,
            _ => true,
        }
    }

    /// How far a server at this address that announces this id is the one that knows it.
    fn standing_at(&self, address: &Address, announced: Option<ServerId>) -> Standing {
        let known_here = self.is_at(&address.to_string());
        let same = announced.is_some() && self.server_id == announced;
        let also_here = || {
            let mut addresses = std::iter::once(&self.server).chain(&self.also_at);
            addresses.any(|other| Address::parse(other).is_ok_and(|other| other.is_loopback()))
        };
        match known_here {
            true if self.may_be_of(announced) => Standing::Ours,
            true => Standing::Replaced,
            // Both addresses are this computer, where nobody but its users listens.
            false if same && address.is_loopback() && also_here() => Standing::Ours,
            false if same => Standing::Claimed,
            false => Standing::Elsewhere,
        }
    }

    /// Takes note of what its server says of itself, and of the address that it was reached at.
    pub(crate) fn learn(&mut self, name: &str, server_id: Option<ServerId>, addresses: &[String]) {
        self.server_id = self.server_id.or(server_id);
        name.clone_into(&mut self.name);
        for address in addresses {
            if !self.is_at(address) {
                self.also_at.push(address.clone());
            }
        }
    }
}

/// What a server is to an identity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Standing {
    /// The one that knows it.
    Ours,
    /// It announces the id of ours at an address that is new to us. Anybody could do that to get the secret.
    Claimed,
    /// Another one, where the one that knows it was before.
    Replaced,
    /// Another one.
    Elsewhere,
}

/// The file's content.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Credentials {
    /// Identities in use. A server and profile can have several: joining one's own invitation adds a second.
    #[serde(default, rename = "identity")]
    identities: Vec<Identity>,
    /// Identities that their server no longer knew: kept, in case its data come back.
    #[serde(default)]
    refused: Vec<Identity>,
}

impl Credentials {
    /// The identities of this profile at the server at this address that announces this id, in the order in which they were made.
    pub(crate) fn of(
        &self,
        address: &Address,
        profile: &str,
        announced: Option<ServerId>,
    ) -> Vec<Identity> {
        self.in_standing(address, profile, announced, Standing::Ours)
    }

    /// Those whose server this one says to be, at an address that is new to us.
    pub(crate) fn claimed_by(
        &self,
        address: &Address,
        profile: &str,
        announced: Option<ServerId>,
    ) -> Vec<Identity> {
        self.in_standing(address, profile, announced, Standing::Claimed)
    }

    /// Those whose server was at this address before.
    pub(crate) fn replaced_at(
        &self,
        address: &Address,
        profile: &str,
        announced: Option<ServerId>,
    ) -> Vec<Identity> {
        self.in_standing(address, profile, announced, Standing::Replaced)
    }

    fn in_standing(
        &self,
        address: &Address,
        profile: &str,
        announced: Option<ServerId>,
        wanted: Standing,
    ) -> Vec<Identity> {
        let of_profile = self.identities.iter().filter(|one| one.profile == profile);
        let wanted = of_profile.filter(|one| one.standing_at(address, announced) == wanted);
        wanted.cloned().collect()
    }

    /// The present and former player ids of this profile, on all servers.
    pub(crate) fn players(&self, profile: &str) -> Vec<PlayerId> {
        let all = self.identities.iter().chain(&self.refused);
        let of_profile = all.filter(|one| one.profile == profile);
        of_profile.map(|one| one.player).collect()
    }

    /// Replaces an identity by what is known of it now.
    pub(crate) fn update(&mut self, old: &Identity, new: Identity) {
        let kept = self.identities.iter_mut().find(|identity| *identity == old);
        if let Some(kept) = kept {
            *kept = new;
        }
    }

    /// Adds a new identity.
    pub(crate) fn add(&mut self, identity: Identity) {
        self.identities.push(identity);
    }

    /// Puts an identity before those that the profile has at its server: it is the one in use. An older secret of the same player is replaced.
    pub(crate) fn put_first(&mut self, identity: Identity) {
        let before = |one: &Identity| {
            one.player == identity.player
                && one.profile == identity.profile
                && one.server_id == identity.server_id
        };
        self.identities.retain(|one| !before(one));
        self.identities.insert(0, identity);
    }

    /// Forgets an identity.
    pub(crate) fn remove(&mut self, identity: &Identity) {
        self.identities.retain(|one| one != identity);
    }

    /// Sets an identity aside that its server no longer knows.
    pub(crate) fn set_aside(&mut self, refused: &Identity) {
        self.identities.retain(|identity| identity != refused);
        if !self.refused.contains(refused) {
            self.refused.push(refused.clone());
        }
    }
}

/// The file and its lock.
#[derive(Clone, Debug)]
pub(crate) struct Vault {
    path: PathBuf,
}

impl Vault {
    /// The vault in the user's configuration directory.
    ///
    /// # Errors
    /// There is no home directory.
    pub(crate) fn open() -> Result<Self, Failure> {
        let directory = config::directory().ok_or_else(|| {
            Failure::usage(Message::new("no-home-identities"))
                .help(Message::new("no-home-config-how"))
        })?;
        Ok(Self {
            path: directory.join("credentials.toml"),
        })
    }

    /// Where the secrets are.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the identities.
    ///
    /// # Errors
    /// The file can be read by others, is not ours, or does not parse.
    pub(crate) fn read(&self) -> Result<Credentials, Failure> {
        let text = match fs::read_to_string(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Credentials::default());
            }
            Err(error) => return Err(self.unreadable(&error)),
        };
        let mode = fs::metadata(&self.path)?.mode();
        if mode & 0o077 != 0 {
            let how = Message::new("file-open-how").text("file", self.path.display());
            return Err(self.unusable(Message::new("secrets-open")).help(how));
        }
        toml::from_str(&text).map_err(|error| {
            let why = Message::new("secrets-syntax").text("said", error.message());
            self.unusable(why).help(Message::new("secrets-syntax-how"))
        })
    }

    /// Changes what the file holds, while no other terminal can.
    pub(crate) fn change(&self, change: impl FnOnce(&mut Credentials)) -> Result<(), Failure> {
        let locked = self.lock()?;
        let mut credentials = self.read()?;
        change(&mut credentials);
        locked.write(&credentials)
    }

    /// Takes the lock, waiting for other terminals, until the guard is dropped.
    pub(crate) fn lock(&self) -> Result<Locked<'_>, Failure> {
        let lock = self.lock_file()?;
        lock.lock().map_err(|error| self.unreadable(&error))?;
        Ok(self.locked(lock))
    }

    /// The same, if no other terminal has it.
    pub(crate) fn try_lock(&self) -> Result<Option<Locked<'_>>, Failure> {
        let lock = self.lock_file()?;
        match lock.try_lock() {
            Ok(()) => Ok(Some(self.locked(lock))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(self.unreadable(&error)),
        }
    }

    fn locked(&self, lock: File) -> Locked<'_> {
        Locked {
            vault: self,
            _lock: lock,
        }
    }

    fn lock_file(&self) -> Result<File, Failure> {
        let directory = self
            .path
            .parent()
            .expect("the path was made by joining a file name to a directory");
        fs::create_dir_all(directory).map_err(|error| self.unreadable(&error))?;
        OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .mode(0o600)
            .open(directory.join("credentials.lock"))
            .map_err(|error| self.unreadable(&error))
    }

    /// The system does not let us read or write the file.
    fn unreadable(&self, error: &io::Error) -> Failure {
        let message = Message::new("file-fault").text("file", self.path.display());
        Failure::told(
            Exit::Failed,
            "credentials",
            message.message("why", system::said(error)),
        )
        .help(Message::new("secrets-unwritable-how"))
    }

    fn unusable(&self, why: Message) -> Failure {
        let message = Message::new("file-fault").text("file", self.path.display());
        Failure::told(Exit::NotAllowed, "credentials", message.message("why", why))
    }
}

/// The vault while no other terminal can change it.
#[derive(Debug)]
pub(crate) struct Locked<'v> {
    vault: &'v Vault,
    _lock: File,
}

impl Locked<'_> {
    /// Replaces the file by one with these identities.
    pub(crate) fn write(&self, credentials: &Credentials) -> Result<(), Failure> {
        let path = &self.vault.path;
        let body = toml::to_string(credentials).map_err(Failure::internal)?;
        write_whole(path, format!("{HEAD}\n{body}").as_bytes(), 0o600)
            .map_err(|error| self.vault.unreadable(&error))
    }
}

/// Writes a file so that it is there as a whole or not at all.
pub(crate) fn write_whole(path: &Path, content: &[u8], mode: u32) -> io::Result<()> {
    let mut file = beside(path, mode)?;
    // Its errors do not speak of its name.
    file.as_file_mut().write_all(content)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|failed| failed.error)?;
    File::open(directory_of(path))?.sync_all()
}

/// What the names of files without a lasting name begin with.
const UNFINISHED: &str = ".grundy-";
/// An unfinished file that is older was left by a program that was killed.
const LEFT_AFTER: Duration = Duration::from_secs(60 * 60);

/// Removes the unfinished files that killed programs left in a directory. What cannot be removed stays.
pub(crate) fn remove_leftovers(directory: &Path) {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name();
        let is_unfinished = name.to_string_lossy().starts_with(UNFINISHED);
        let is_old = || {
            let about = entry.metadata().ok()?;
            let age = about.modified().ok()?.elapsed().ok()?;
            Some(about.is_file() && age > LEFT_AFTER)
        };
        if is_unfinished && is_old() == Some(true) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// A new file without a lasting name, on the disk of this one. Errors do not speak of its name.
pub(crate) fn beside(path: &Path, mode: u32) -> io::Result<tempfile::NamedTempFile> {
    let directory = directory_of(path);
    fs::metadata(directory)?;
    tempfile::Builder::new()
        .prefix(UNFINISHED)
        .permissions(fs::Permissions::from_mode(mode))
        .tempfile_in(directory)
        .map_err(|error| error.kind().into())
}

fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}
