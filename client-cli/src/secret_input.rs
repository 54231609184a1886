//! Passwords, codes and passphrases: typed without echo, or read from a file. Never an argument: those are shown by `ps`, and kept by shells.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Write as _};

use grundy_shared::protocol::Secret;
use grundy_words::Message;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;
use crate::system;

/// Bytes of a line that are read; no secret is as long.
const LINE_BYTES: u64 = 8 << 10;

/// Where a secret comes from: the flag that names its file, and that file if it was given.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a> {
    /// The flag.
    pub(crate) flag: &'static str,
    /// A path, or `-` for standard input.
    pub(crate) file: Option<&'a str>,
}

impl Source<'_> {
    /// Reads a secret that exists already. The message `prompt` asks for it.
    ///
    /// # Errors
    /// Nobody can be asked and no file is named (exit 2), or the file cannot be read.
    pub(crate) fn read(self, output: &Output, prompt: &str) -> Result<Secret, Failure> {
        match self.file {
            Some(path) => self.in_file(path),
            None => self.typed(output, prompt),
        }
    }

    /// Reads a new secret; whoever types it does so twice.
    ///
    /// # Errors
    /// As [`read`](Self::read); or the two differ (exit 3).
    pub(crate) fn read_new(self, output: &Output, prompt: &str) -> Result<Secret, Failure> {
        let secret = self.read(output, prompt)?;
        if self.file.is_none() && self.typed(output, "secret-repeat")? != secret {
            let message = Message::new("secret-differs");
            return Err(Failure::told(Exit::Input, "not_the_same", message)
                .help(Message::new("secret-differs-how")));
        }
        Ok(secret)
    }

    fn typed(self, output: &Output, prompt: &str) -> Result<Secret, Failure> {
        if !output.asks {
            let flag = self.flag;
            let message = Message::new("secret-no-terminal").text("flag", flag);
            let how = Message::new("secret-no-terminal-how").text("flag", flag);
            return Err(Failure::told(Exit::Usage, "usage", message).help(how));
        }
        let mut stderr = io::stderr().lock();
        // A prompt that cannot be shown is missed by nobody.
        let _ = writeln!(stderr, "{}", output.words().say(prompt)).and_then(|()| stderr.flush());
        let terminal = rpassword::ConfigBuilder::new()
            .input_file_path("/dev/stdin")
            .output_discard()
            .password_feedback_hide()
            .build();
        let typed = rpassword::read_password_with_config(terminal);
        typed.map(Secret::from).map_err(|error| match error.kind() {
            io::ErrorKind::Interrupted => {
                let message = Message::new("secret-interrupted");
                Failure::told(Exit::Interrupted, "interrupted", message)
            }
            _ => error.into(),
        })
    }

    fn in_file(self, path: &str) -> Result<Secret, Failure> {
        let refused = |exit, why| {
            let message = Message::new("secret-file")
                .text("flag", self.flag)
                .text("file", path)
                .message("why", why);
            Failure::told(exit, "secret_file", message)
        };
        let unusable = |error: io::Error| {
            let exit = match error.kind() {
                io::ErrorKind::NotFound => Exit::NotFound,
                _ => Exit::Input,
            };
            refused(exit, system::said(&error))
        };
        let line = match path {
            // Shared by all secrets that come this way: a line each.
            "-" => first_line(io::stdin().lock()),
            _ => File::open(path).and_then(|file| first_line(BufReader::new(file))),
        };
        let wrong = match line.map_err(unusable)? {
            None => "secret-file-long",
            Some(line) if line.reveal().is_empty() => "secret-file-empty",
            Some(line) => return Ok(line),
        };
        Err(refused(Exit::Input, Message::new(wrong)))
    }
}

/// The first line, without its end; `None` if it is too long.
fn first_line(reader: impl io::BufRead) -> io::Result<Option<Secret>> {
    let mut line = String::new();
    let read = reader.take(LINE_BYTES).read_line(&mut line)?;
    if read as u64 == LINE_BYTES {
        return Ok(None);
    }
    let end = line.trim_end_matches(['\r', '\n']).len();
    line.truncate(end);
    Ok(Some(line.into()))
}
