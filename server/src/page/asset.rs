//! The files that pages load: scripts, the style sheet, the icon. Their addresses change with their content, so that a browser keeps them for good.

use std::fmt::Write as _;
use std::sync::OnceLock;

use axum::extract::Path;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use sha2::{Digest as _, Sha256};

use super::plain::unknown;

const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";

/// Each file: its name, its type, its content.
const FILES: &[(&str, &str, &str)] = &[
    ("board.js", SCRIPT, include_str!("../../web/board.js")),
    ("bots.js", SCRIPT, include_str!("../../web/bots.js")),
    ("chat.js", SCRIPT, include_str!("../../web/chat.js")),
    (
        "connection.js",
        SCRIPT,
        include_str!("../../web/connection.js"),
    ),
    ("exercise.js", SCRIPT, include_str!("../../web/exercise.js")),
    ("join.js", SCRIPT, include_str!("../../web/join.js")),
    ("learn.js", SCRIPT, include_str!("../../web/learn.js")),
    ("lobby.js", SCRIPT, include_str!("../../web/lobby.js")),
    ("match.js", SCRIPT, include_str!("../../web/match.js")),
    ("puzzles.js", SCRIPT, include_str!("../../web/puzzles.js")),
    ("review.js", SCRIPT, include_str!("../../web/review.js")),
    (
        "tournament.js",
        SCRIPT,
        include_str!("../../web/tournament.js"),
    ),
    ("try.js", SCRIPT, include_str!("../../web/try.js")),
    ("tv.js", SCRIPT, include_str!("../../web/tv.js")),
    ("words.js", SCRIPT, include_str!("../../web/words.js")),
    ("page.css", STYLE, include_str!("../../web/page.css")),
    ("study.css", STYLE, include_str!("../../web/study.css")),
    (
        "icon.svg",
        "image/svg+xml",
        include_str!("../../web/icon.svg"),
    ),
];

/// The version of all files together: a page and its scripts are always of one version.
fn version() -> &'static str {
    static VERSION: OnceLock<String> = OnceLock::new();
    VERSION.get_or_init(|| {
        let mut hash = Sha256::new();
        for (name, _, content) in FILES {
            hash.update(name);
            hash.update(content);
        }
        let mut text = String::new();
        for byte in &hash.finalize()[..8] {
            write!(text, "{byte:02x}").expect("writing to a String cannot fail");
        }
        text
    })
}

/// The address of a file.
pub(super) fn path(name: &str) -> String {
    format!("/assets/{}/{name}", version())
}

/// Serves a file. A file of another version is not found.
pub(super) async fn serve(Path((asked, name)): Path<(String, String)>) -> Response {
    let file = FILES.iter().find(|(own, ..)| *own == name);
    match file.filter(|_| asked == version()) {
        Some((_, kind, content)) => {
            let forever = "public, max-age=31536000, immutable";
            ([(CONTENT_TYPE, *kind), (CACHE_CONTROL, forever)], *content).into_response()
        }
        None => unknown(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::live_words::LIVE;

    /// The scripts of a page of a match, compressed, are less than this.
    const SCRIPTS_MAX: usize = 40_000;

    #[test]
    fn every_word_that_a_script_says_is_sent_to_it() {
        for (name, kind, content) in FILES {
            if *kind != SCRIPT {
                continue;
            }
            for said in content.split("word('").skip(1) {
                let word = said.split('\'').next().expect("a first piece");
                let known = LIVE
                    .iter()
                    .any(|(own, _)| *own == word || (word.ends_with('-') && own.starts_with(word)));
                assert!(known, "{name}: {word}");
            }
        }
    }

    #[test]
    fn every_word_that_is_sent_is_said() {
        let scripts: String = FILES.iter().map(|(.., content)| *content).collect();
        for (word, _) in LIVE {
            // Proposals and ends are named by what the server sends.
            let named = ["live-proposes-", "how-", "said-"]
                .iter()
                .any(|start| word.starts_with(start));
            assert!(named || scripts.contains(&format!("'{word}'")), "{word}");
        }
    }

    #[test]
    fn the_scripts_of_a_match_are_small() {
        let loaded = [
            "board.js",
            "chat.js",
            "connection.js",
            "match.js",
            "words.js",
        ];
        let scripts = FILES.iter().filter(|(name, ..)| loaded.contains(name));
        let sizes: Vec<usize> = scripts.map(|(.., content)| content.len()).collect();
        assert_eq!(sizes.len(), loaded.len());
        let bytes: usize = sizes.iter().sum();
        assert!(bytes < SCRIPTS_MAX, "{bytes} bytes before compression");
    }
}
