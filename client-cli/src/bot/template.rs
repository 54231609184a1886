//! Bots to begin from, in four languages.

use std::fs;
use std::io;
use std::path::Path;

use clap::ValueEnum;
use grundy_words::Message;

use crate::system;

/// A language that `grundy bot new` writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Language {
    /// Python 3
    Python,
    /// JavaScript for Node
    Javascript,
    /// Rust
    Rust,
    /// C
    C,
}

/// A file, and whether it can be run.
type File = (&'static str, &'static str, bool);

impl Language {
    fn files(self) -> &'static [File] {
        match self {
            Self::Python => &[("bot.py", include_str!("templates/bot.py"), true)],
            Self::Javascript => &[("bot.mjs", include_str!("templates/bot.mjs"), true)],
            Self::Rust => &[
                (
                    "Cargo.toml",
                    include_str!("templates/Cargo.toml.txt"),
                    false,
                ),
                ("src/main.rs", include_str!("templates/main.rs.txt"), false),
            ],
            Self::C => &[
                ("bot.c", include_str!("templates/bot.c"), false),
                ("Makefile", include_str!("templates/Makefile"), false),
            ],
        }
    }

    /// The command that makes a program of it, if one is needed, and the command of the program. In the directory of the bot.
    pub(crate) fn commands(self, name: &str) -> (Option<String>, String) {
        match self {
            Self::Python => (None, "python3 bot.py".to_owned()),
            Self::Javascript => (None, "node bot.mjs".to_owned()),
            Self::Rust => (
                Some("cargo build --release".to_owned()),
                format!("target/release/{name}"),
            ),
            Self::C => (Some("make".to_owned()), "./bot".to_owned()),
        }
    }

    /// Writes the files. None of them may be there already.
    ///
    /// # Errors
    /// One is there, or cannot be written: the message.
    pub(crate) fn write(self, directory: &Path, name: &str) -> Result<(), Message> {
        for (path, _, _) in self.files() {
            let path = directory.join(path);
            if path.exists() {
                return Err(Message::new("bot-file-there").text("file", path.display()));
            }
        }
        for (path, text, runs) in self.files() {
            let path = directory.join(path);
            let named = |error: io::Error| {
                let message = Message::new("bot-file-unwritten").text("file", path.display());
                message.message("why", system::said(&error))
            };
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent).map_err(named)?;
            }
            fs::write(&path, text.replace("@NAME@", name)).map_err(named)?;
            if *runs {
                use std::os::unix::fs::PermissionsExt as _;
                fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).map_err(named)?;
            }
        }
        Ok(())
    }
}
