//! Asking before something that cannot be undone. Asked are only people: a script is not stopped.

use std::fs;
use std::path::Path;

use grundy_words::Message;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;
use crate::record;
use crate::session::lines::Lines;
use crate::written::{self, Kind};

/// Asks a yes-or-no question; no is the default.
pub(crate) async fn confirmed(output: &Output, question: &str) -> Result<bool, Failure> {
    output.text(&format!("{question} y/N "))?;
    let answer = Lines::of_stdin().next().await.unwrap_or_default();
    let answer = answer.trim().to_ascii_lowercase();
    Ok(matches!(&*answer, "y" | "yes"))
}

/// Asks whether a file is to be overwritten.
fn overwrite(output: &Output, path: &Path) -> String {
    Message::new("ask-overwrite")
        .text("file", path.display())
        .said(output.words())
}

/// Checks that a file may be written: a file with other content is kept unless the user agrees or has said `force` beforehand.
///
/// # Errors
/// The file exists, and it is not to be overwritten.
pub(crate) async fn may_replace(
    output: &Output,
    path: &Path,
    content: &[u8],
    force: bool,
) -> Result<(), Failure> {
    let is_other = path.is_file()
        && path.metadata().is_ok_and(|about| about.len() > 0)
        && fs::read(path).map_or(true, |there| there != content);
    if force || !is_other {
        return Ok(());
    }
    if output.asks && confirmed(output, &overwrite(output, path)).await? {
        return Ok(());
    }
    let message = Message::new(match output.asks {
        true => "file-not-overwritten",
        false => "file-different",
    });
    let message = message.text("file", path.display());
    Err(Failure::told(Exit::Refused, "file_exists", message)
        .help(Message::new("file-different-how")))
}

/// Whether a file may be written: asks a person if there is one already. A script may replace only a file of the same kind.
///
/// # Errors
/// A script would replace a file of another kind, or the file cannot be written.
pub(crate) async fn may_write(output: &Output, path: &Path, kind: Kind) -> Result<bool, Failure> {
    if !output.asks {
        return written::check(path, kind, &[]).map(|()| true);
    }
    record::check_writable(path)?;
    if !written::has_content(path) {
        return Ok(true);
    }
    confirmed(output, &overwrite(output, path)).await
}

/// Whether the record of a match may be written to this file, if one is named.
///
/// # Errors
/// As [`may_write`]: for a script, the file exists.
pub(crate) async fn may_record(output: &Output, path: Option<&Path>) -> Result<bool, Failure> {
    match path {
        None => Ok(true),
        Some(path) => may_write(output, path, Kind::Record).await,
    }
}
