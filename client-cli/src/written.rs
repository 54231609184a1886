//! Files that commands write. What is there already is replaced only if it is of the kind that is written, and never if the command reads it.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use grundy_words::Message;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::record;

/// Bytes of a file that show its kind.
const OPENING: u64 = 4_096;

/// What a command writes into a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A picture.
    Svg,
    /// A page for a browser.
    Html,
    /// The figures of a player.
    PlayerTable,
    /// The standings of a tournament.
    StandingsTable,
    /// The rounds of a tournament.
    TournamentFile,
    /// A tournament as a whole.
    Tournament,
    /// A proof.
    Certificate,
    /// The secret of a token.
    Token,
    /// A sealed identity.
    Identity,
    /// The record of a match. One match is never as good as another, so no record is replaced.
    Record,
}

impl Kind {
    /// Its name in messages.
    fn name(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Html => "html",
            Self::PlayerTable => "player-table",
            Self::StandingsTable => "standings-table",
            Self::TournamentFile => "tournament-file",
            Self::Tournament => "tournament",
            Self::Certificate => "certificate",
            Self::Token => "token",
            Self::Identity => "identity",
            Self::Record => "record",
        }
    }

    /// Whether a file that begins so is of this kind, and no more is lost than an older one of it.
    fn may_replace(self, opening: &[u8]) -> bool {
        let text = String::from_utf8_lossy(opening).to_ascii_lowercase();
        let text = text.trim_start_matches('\u{feff}').trim_start();
        let begins = |with: &str| text.starts_with(with);
        match self {
            Self::Svg => {
                let declared = text.strip_prefix("<?xml");
                let rest = declared.and_then(|rest| rest.split_once("?>"));
                let rest = rest.map_or(text, |(_, rest)| rest.trim_start());
                rest.starts_with("<svg")
            }
            Self::Html => begins("<!doctype html") || begins("<html"),
            Self::PlayerTable => begins("section,row,key,figure,value"),
            Self::StandingsTable => begins("rank,player,name,"),
            Self::TournamentFile => begins("012 "),
            Self::Tournament => begins(r#"{"schema":"grundy/tournament/"#),
            Self::Certificate => begins(r#"{"schema":"grundy/certificate/"#),
            // A word on a line of its own.
            Self::Token => {
                let line = text.trim_end();
                let letter = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
                line.len() <= 256 && line.bytes().all(letter)
            }
            Self::Identity => begins("grundy identity "),
            Self::Record => false,
        }
    }
}

/// Checks before the work begins that a file can be written and that nothing is lost: what is there is empty, or of the kind that is written, and none of the files that
/// the command reads.
///
/// # Errors
/// The file is kept, or it cannot be written.
pub(crate) fn check(path: &Path, kind: Kind, reads: &[&Path]) -> Result<(), Failure> {
    record::check_writable(path)?;
    not_read(path, reads)?;
    if !has_content(path) {
        return Ok(());
    }
    let opening = opening(path).map_err(|error| record::about(path, &error))?;
    if kind.may_replace(&opening) {
        return Ok(());
    }
    let message = Message::new("file-other-kind").text("kind", kind.name());
    Err(kept(message.text("file", path.display())))
}

/// Checks that a file is none of those that the command reads.
///
/// # Errors
/// It is one of them, and is kept.
pub(crate) fn not_read(path: &Path, reads: &[&Path]) -> Result<(), Failure> {
    if reads.iter().any(|read| is_same_file(read, path)) {
        let message = Message::new("file-is-read").text("file", path.display());
        return Err(kept(message));
    }
    Ok(())
}

fn kept(message: Message) -> Failure {
    Failure::told(Exit::Refused, "file_exists", message).help(Message::new("file-kept-how"))
}

/// Whether there is a file with content. A device or a pipe is written to, so nothing in it is lost.
pub(crate) fn has_content(path: &Path) -> bool {
    let about = fs::metadata(path);
    about.is_ok_and(|about| about.is_file() && about.len() > 0)
}

/// Whether two paths lead to one file.
fn is_same_file(one: &Path, other: &Path) -> bool {
    match (fs::metadata(one), fs::metadata(other)) {
        (Ok(one), Ok(other)) => {
            one.is_file() && (one.dev(), one.ino()) == (other.dev(), other.ino())
        }
        _ => false,
    }
}

/// What a file begins with.
fn opening(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(OPENING).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_known_by_what_a_file_begins_with() {
        for (kind, content) in [
            (Kind::Svg, "<svg xmlns=\"http://www.w3.org/2000/svg\">"),
            (Kind::Svg, "<?xml version=\"1.0\"?>\n<svg>"),
            (Kind::Html, "<!DOCTYPE html>\n<html>"),
            (Kind::PlayerTable, "section,row,key,figure,value\n"),
            (Kind::StandingsTable, "rank,player,name,bot\n"),
            (Kind::TournamentFile, "012 Cup\n"),
            (Kind::Tournament, "{\"schema\":\"grundy/tournament/1\"}"),
            (Kind::Certificate, "{\"schema\":\"grundy/certificate/1\"}"),
            (Kind::Token, "abc_DEF-123\n"),
            (Kind::Identity, "grundy identity 1\nABC\n"),
        ] {
            assert!(kind.may_replace(content.as_bytes()), "{content}");
            for other in [
                "{\"schema\":\"grundy/record/1\",\"match\":\"7Kq2mVx9Rt\"} \n",
                "Dear Ada,\n",
            ] {
                assert!(!kind.may_replace(other.as_bytes()), "{kind:?}: {other}");
            }
        }
        assert!(!Kind::Record.may_replace(b"{\"schema\":\"grundy/record/1\"}"));
    }
}
