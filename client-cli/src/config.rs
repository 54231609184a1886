//! Settings: flag, then environment, then the user's file, then the default. The file is read strictly and never written.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::ValueEnum as _;
use etcetera::BaseStrategy as _;
use grundy_words::{Catalogue, Language, Message, UnknownLanguage};
use serde::Deserialize;

use crate::address::Address;
use crate::duration::duration;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::global::{Global, Mode};
use crate::misread::Misread;
use crate::system;
use crate::trust::Trust;

/// The default server.
const SERVER: &str = "http://127.0.0.1:7310";
/// The default identity.
const PROFILE: &str = "default";
/// The default time to wait for an answer.
const TIMEOUT: &str = "10s";
/// The default way to show a match on a terminal.
const SCREEN: &str = "auto";

/// What the user's file may say.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct File {
    server: Option<String>,
    ca: Option<String>,
    profile: Option<String>,
    name: Option<String>,
    timeout: Option<String>,
    screen: Option<String>,
    lang: Option<String>,
}

/// The language of a command line that is not understood, or that asks for help: as it is for other commands. What cannot be read is passed over.
pub(crate) fn language_of(arguments: impl IntoIterator<Item = OsString>) -> Language {
    let arguments: Vec<String> = arguments
        .into_iter()
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    let value = |flag: &str| {
        let mut at = arguments.iter().enumerate();
        at.find_map(|(place, argument)| match argument.strip_prefix(flag)? {
            "" => arguments.get(place + 1).cloned(),
            rest => rest.strip_prefix('=').map(str::to_owned),
        })
    };
    let file = value("--config").map(PathBuf::from);
    let (file, path) = read_file(file.as_deref()).unwrap_or_default();
    // In `bot new` the flag names a language of programs.
    let given = value("--lang").filter(|name| name.parse::<Language>().is_ok());
    let read = Layers { path }.language(given, file.lang);
    read.map_or_else(|_| Language::default(), |setting| setting.value)
}

/// Where a setting came from.
#[derive(Clone, Debug)]
enum Origin {
    Flag(&'static str),
    Environment(&'static str),
    File(PathBuf),
    Default,
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Flag(name) | Self::Environment(name) => f.write_str(name),
            Self::File(path) => path.display().fmt(f),
            Self::Default => f.write_str("default"),
        }
    }
}

impl Origin {
    /// The failure of a setting from here, for this reason.
    fn refused(&self, why: Message) -> Failure {
        let message = Message::new("config-setting").text("origin", self);
        Failure::usage(message.message("why", why))
    }

    /// As [`Display`](std::fmt::Display), in a language.
    fn said(&self, words: &Catalogue) -> String {
        match self {
            Self::Default => words.say("config-default"),
            origin => origin.to_string(),
        }
    }
}

/// A setting and its origin.
#[derive(Clone, Debug)]
struct Setting<T> {
    value: T,
    origin: Origin,
}

/// One line of `grundy config show`.
#[derive(Debug, serde::Serialize)]
pub(crate) struct Shown {
    /// The key in the file.
    pub(crate) key: &'static str,
    /// What holds now.
    pub(crate) value: Option<String>,
    /// Where it came from.
    pub(crate) origin: String,
}

/// Everything that is set.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    server: Setting<Address>,
    ca: Setting<Option<String>>,
    profile: Setting<String>,
    name: Setting<Option<String>>,
    timeout: Setting<Duration>,
    screen: Setting<Mode>,
    lang: Setting<Language>,
    token_file: Option<PathBuf>,
}

impl Config {
    /// Reads what is set.
    ///
    /// # Errors
    /// A file that cannot be read, or a value that makes no sense: exit 2 with its place.
    pub(crate) fn load(flags: &Global) -> Result<Self, Failure> {
        let (file, path) = read_file(flags.config.as_deref())?;
        let layers = Layers { path };
        let server = layers.pick(
            "--server",
            flags.server.clone(),
            "GRUNDY_SERVER",
            file.server,
            SERVER,
        );
        let profile = layers.pick(
            "--profile",
            flags.profile.clone(),
            "GRUNDY_PROFILE",
            file.profile,
            PROFILE,
        );
        let timeout = layers.pick(
            "--timeout",
            flags.timeout.clone(),
            "GRUNDY_TIMEOUT",
            file.timeout,
            TIMEOUT,
        );
        let mode = |mode: Mode| {
            mode.to_possible_value()
                .map(|value| value.get_name().to_owned())
        };
        let screen = layers.pick(
            "--screen",
            flags.screen.and_then(mode),
            "GRUNDY_SCREEN",
            file.screen,
            SCREEN,
        );
        let ca = layers.find("--ca", flags.ca.clone(), "GRUNDY_CA", file.ca);
        let trust = match &ca.value {
            Some(path) => Trust::Only(PathBuf::from(path)),
            None => Trust::System,
        };
        let name = layers.find("", None, "GRUNDY_NAME", file.name);
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if !(1..=64).contains(&profile.value.len()) || !profile.value.chars().all(plain) {
            let why = Message::new("misread-profile");
            return Err(profile.origin.refused(why));
        }
        Ok(Self {
            server: server
                .read(|text| Address::parse(text).map(|address| address.trusting(trust.clone())))?,
            ca,
            profile,
            name,
            timeout: timeout.read(duration)?,
            screen: screen.read(screen_mode)?,
            lang: layers.language(flags.lang.clone(), file.lang)?,
            token_file: flags
                .token_file
                .clone()
                .or_else(|| from_environment("GRUNDY_TOKEN_FILE").map(PathBuf::from)),
        })
    }

    /// The server to talk to.
    pub(crate) fn server(&self) -> &Address {
        &self.server.value
    }

    /// The same for the server of a link.
    ///
    /// # Errors
    /// The command line names another server.
    pub(crate) fn at(&self, server: Address) -> Result<Self, Failure> {
        let server = server.trusting(self.server.value.trust().clone());
        if matches!(self.server.origin, Origin::Flag(_)) && self.server.value != server {
            let message = Message::new("join-other-server").text("server", &server);
            return Err(Failure::usage(message).help(Message::new("join-other-server-how")));
        }
        let mut config = self.clone();
        config.server.value = server;
        Ok(config)
    }

    /// The server, if somebody named one.
    pub(crate) fn named_server(&self) -> Option<String> {
        match self.server.origin {
            Origin::Default => None,
            _ => Some(self.server.value.to_string()),
        }
    }

    /// The name under which identities are kept.
    pub(crate) fn profile(&self) -> &str {
        &self.profile.value
    }

    /// The name that a new guest asks for.
    pub(crate) fn name(&self) -> Option<&str> {
        self.name.value.as_deref()
    }

    /// Where the token is that stands for an identity, if one is named.
    pub(crate) fn token_file(&self) -> Option<&Path> {
        self.token_file.as_deref()
    }

    /// How long to wait for an answer.
    pub(crate) fn timeout(&self) -> Duration {
        self.timeout.value
    }

    /// How to show a match on a terminal.
    pub(crate) fn screen(&self) -> Mode {
        self.screen.value
    }

    /// The language to speak.
    pub(crate) fn language(&self) -> Language {
        self.lang.value
    }

    /// Every setting with its origin.
    pub(crate) fn shown(&self, words: &Catalogue) -> [Shown; 7] {
        let line = |key, value: Option<String>, origin: &Origin| Shown {
            key,
            value,
            origin: origin.said(words),
        };
        [
            line(
                "server",
                Some(self.server.value.to_string()),
                &self.server.origin,
            ),
            line("ca", self.ca.value.clone(), &self.ca.origin),
            line(
                "profile",
                Some(self.profile.value.clone()),
                &self.profile.origin,
            ),
            line("name", self.name.value.clone(), &self.name.origin),
            line(
                "timeout",
                Some(format!("{:?}", self.timeout.value)),
                &self.timeout.origin,
            ),
            line(
                "screen",
                Some(format!("{:?}", self.screen.value).to_ascii_lowercase()),
                &self.screen.origin,
            ),
            line(
                "lang",
                Some(self.lang.value.tag().to_owned()),
                &self.lang.origin,
            ),
        ]
    }
}

/// Reads how to show a match.
fn screen_mode(text: &str) -> Result<Mode, Misread> {
    let refusal = |_| Misread(Message::new("misread-screen").text("text", text));
    Mode::from_str(text, true).map_err(refusal)
}

/// The file that may hold settings below flags and environment.
struct Layers {
    path: Option<PathBuf>,
}

impl Layers {
    fn file(&self) -> Origin {
        Origin::File(self.path.clone().unwrap_or_default())
    }

    fn pick(
        &self,
        flag: &'static str,
        given: Option<String>,
        variable: &'static str,
        file: Option<String>,
        default: &str,
    ) -> Setting<String> {
        let Setting { value, origin } = self.find(flag, given, variable, file);
        let value = value.unwrap_or_else(|| default.to_owned());
        Setting { value, origin }
    }

    /// The language that somebody asks for, else that of the locale if there are words in it.
    fn language(
        &self,
        given: Option<String>,
        file: Option<String>,
    ) -> Result<Setting<Language>, Failure> {
        let Setting { value, origin } = self.find("--lang", given, "GRUNDY_LANG", file);
        if let Some(value) = value {
            let read = |text: &str| {
                text.parse().map_err(|error: UnknownLanguage| {
                    Misread(Message::new("misread-language").text("said", error))
                })
            };
            return Setting { value, origin }.read(read);
        }
        let mut named = LOCALES
            .into_iter()
            .filter_map(|name| Some((name, from_environment(name)?)));
        let (value, origin) = match named.next() {
            Some((name, locale)) => match locale.parse() {
                Ok(language) => (language, Origin::Environment(name)),
                Err(_) => (Language::default(), Origin::Default),
            },
            None => (Language::default(), Origin::Default),
        };
        Ok(Setting { value, origin })
    }

    /// A setting that nobody need have set.
    fn find(
        &self,
        flag: &'static str,
        given: Option<String>,
        variable: &'static str,
        file: Option<String>,
    ) -> Setting<Option<String>> {
        let (value, origin) = if given.is_some() {
            (given, Origin::Flag(flag))
        } else if let Some(value) = from_environment(variable) {
            (Some(value), Origin::Environment(variable))
        } else if file.is_some() {
            (file, self.file())
        } else {
            (None, Origin::Default)
        };
        Setting { value, origin }
    }
}

/// Where a locale is named, the strongest first (POSIX.1-2017, section 8.2).
const LOCALES: [&str; 3] = ["LC_ALL", "LC_MESSAGES", "LANG"];

impl Setting<String> {
    fn read<T>(self, read: impl FnOnce(&str) -> Result<T, Misread>) -> Result<Setting<T>, Failure> {
        match read(&self.value) {
            Ok(value) => Ok(Setting {
                value,
                origin: self.origin,
            }),
            Err(Misread(why)) => Err(self.origin.refused(why)),
        }
    }
}

/// A variable that is set to something.
fn from_environment(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

/// The directory of this program's files; `None` if there is no home directory.
pub(crate) fn directory() -> Option<PathBuf> {
    let strategy = etcetera::base_strategy::Xdg::new().ok()?;
    Some(strategy.config_dir().join("grundy"))
}

/// The user's data directory of this program; `None` if there is no home directory.
pub(crate) fn data_directory() -> Option<PathBuf> {
    let strategy = etcetera::base_strategy::Xdg::new().ok()?;
    Some(strategy.data_dir().join("grundy"))
}

/// The file of settings: as given, else the usual one.
pub(crate) fn file_path(given: Option<&Path>) -> Option<PathBuf> {
    given
        .map(Path::to_path_buf)
        .or_else(|| from_environment("GRUNDY_CONFIG").map(PathBuf::from))
        .or_else(|| Some(directory()?.join("config.toml")))
}

/// Reads the file of settings. Only a file that was named must exist.
fn read_file(given: Option<&Path>) -> Result<(File, Option<PathBuf>), Failure> {
    let Some(path) = file_path(given) else {
        return Ok((File::default(), None));
    };
    let named = given.is_some() || from_environment("GRUNDY_CONFIG").is_some();
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound && !named => {
            return Ok((File::default(), None));
        }
        Err(error) => {
            let message = Message::new("file-fault").text("file", path.display());
            let message = message.message("why", system::said(&error));
            return Err(Failure::told(Exit::Usage, "config", message));
        }
    };
    let file = toml::from_str(&text).map_err(|error| {
        let (line, column) = error.span().map_or((1, 1), |span| place(&text, span.start));
        let message = Message::new("config-syntax")
            .text("file", path.display())
            .text("line", line)
            .text("column", column)
            .text("said", error.message().trim_end());
        Failure::told(Exit::Usage, "config", message).help(Message::new("config-syntax-how"))
    })?;
    Ok((file, Some(path)))
}

/// Line and column of a byte, from 1.
fn place(text: &str, byte: usize) -> (usize, usize) {
    let before = &text[..text.floor_char_boundary(byte)];
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    (line, column)
}
