//! Flags that every command takes.

use std::ffi::OsString;
use std::path::PathBuf;

use anstream::ColorChoice;
use clap::{Args, ValueEnum};

/// When to use colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Global {
    /// A flag that is given and says how to talk to a server.
    pub(crate) fn of_a_server(&self) -> Option<&'static str> {
        let given = [
            ("--server", self.server.is_some()),
            ("--ca", self.ca.is_some()),
            ("--profile", self.profile.is_some()),
            ("--token-file", self.token_file.is_some()),
            ("--timeout", self.timeout.is_some()),
        ];
        let (flag, _) = given.into_iter().find(|(_, given)| *given)?;
        Some(flag)
    }
}

impl Color {
    /// What the arguments ask for, also where they cannot be parsed as a whole.
    pub(crate) fn asked(arguments: impl IntoIterator<Item = OsString>) -> Self {
        let mut arguments = arguments.into_iter();
        let mut asked = Self::Auto;
        while let Some(argument) = arguments.next() {
            let argument = argument.to_string_lossy();
            let when = match argument.strip_prefix("--color") {
                Some("") => arguments.next(),
                Some(rest) => rest.strip_prefix('=').map(OsString::from),
                None => None,
            };
            let when = when.and_then(|when| Self::from_str(&when.to_string_lossy(), false).ok());
            asked = when.unwrap_or(asked);
        }
        asked
    }

    /// Applies to everything that is written from now on.
    pub(crate) fn apply(self) {
        match self {
            Self::Auto => ColorChoice::Auto,
            Self::Always => ColorChoice::Always,
            Self::Never => ColorChoice::Never,
        }
        .write_global();
    }
}

/// How a match is shown on a terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Mode {
    /// On the full screen where stdin and stdout are a terminal that can, else in lines.
    Auto,
    /// On the full screen; if the terminal cannot, the program says so and uses lines.
    Full,
    /// In lines, with drawings.
    Lines,
}

/// The characters of drawings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum GlyphSet {
    /// Unicode where the locale is UTF-8 and the terminal is not a console, else ASCII.
    Auto,
    /// Unicode, with lines between the parts of the full screen that some Asian fonts draw two columns wide.
    Unicode,
    /// Unicode, only signs that are one column wide in every font.
    Safe,
    /// ASCII.
    Ascii,
}

/// Flags that every command takes, before or after its name.
#[derive(Debug, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// The server to talk to [default: GRUNDY_SERVER, the configuration, or http://127.0.0.1:7310]
    #[arg(short, long, global = true, value_name = "URL")]
    pub(crate) server: Option<String>,
    /// For https: trust only the certificates in this PEM file, not the system's [default: GRUNDY_CA or the configuration]
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) ca: Option<String>,
    /// The identity to use
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) profile: Option<String>,
    /// Use the token in this file, which only you can read, instead of an identity
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,
    /// Print results as JSON; an error is one line of JSON on stderr
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Use sentences only, without drawings, QR codes and running clocks
    #[arg(long, global = true)]
    pub(crate) plain: bool,
    /// The characters of drawings: auto uses Unicode where the terminal has it [default: GRUNDY_GLYPHS or auto]
    #[arg(long, global = true, value_name = "SET")]
    pub(crate) glyphs: Option<GlyphSet>,
    /// How to show a match on a terminal: on the full screen, or in lines [default: GRUNDY_SCREEN, the configuration, or auto]
    #[arg(long, global = true, value_name = "MODE")]
    pub(crate) screen: Option<Mode>,
    /// The language of sentences: en or zh-CN [default: GRUNDY_LANG, the configuration, or the locale]
    #[arg(long, global = true, value_name = "LANGUAGE")]
    pub(crate) lang: Option<String>,
    /// When to use colour, in drawings, help and error messages
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
    /// Print only the result
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Report what the connection does
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub(crate) verbose: u8,
    /// Never prompt, as if stdin were not a terminal
    #[arg(long, global = true)]
    pub(crate) no_input: bool,
    /// The configuration file [default: GRUNDY_CONFIG, or see 'grundy config path']
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// How long to wait for the server to answer [default: 10s]
    #[arg(long, global = true, value_name = "TIME")]
    pub(crate) timeout: Option<String>,
}
