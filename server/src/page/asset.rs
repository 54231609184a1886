//! The files that pages load: scripts, the style sheet, the icon. Their addresses change with their content, so that a browser keeps them for good.

use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::OnceLock;

use axum::extract::Path;
use axum::http::HeaderMap;
use axum::http::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, VARY};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest as _, Sha256};

use super::plain::unknown;

const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";

/// Each file: its name, its type, its content.
const FILES: &[(&str, &str, &str)] = &[
    ("absence.js", SCRIPT, include_str!("../../web/absence.js")),
    ("account.js", SCRIPT, include_str!("../../web/account.js")),
    ("advice.js", SCRIPT, include_str!("../../web/advice.js")),
    ("board.js", SCRIPT, include_str!("../../web/board.js")),
    ("bots.js", SCRIPT, include_str!("../../web/bots.js")),
    ("chat.js", SCRIPT, include_str!("../../web/chat.js")),
    ("clocks.js", SCRIPT, include_str!("../../web/clocks.js")),
    ("coach.js", SCRIPT, include_str!("../../web/coach.js")),
    (
        "connection.js",
        SCRIPT,
        include_str!("../../web/connection.js"),
    ),
    ("copy.js", SCRIPT, include_str!("../../web/copy.js")),
    ("exercise.js", SCRIPT, include_str!("../../web/exercise.js")),
    ("join.js", SCRIPT, include_str!("../../web/join.js")),
    ("learn.js", SCRIPT, include_str!("../../web/learn.js")),
    ("lobby.js", SCRIPT, include_str!("../../web/lobby.js")),
    ("looks.js", SCRIPT, include_str!("../../web/looks.js")),
    ("match.js", SCRIPT, include_str!("../../web/match.js")),
    (
        "proposals.js",
        SCRIPT,
        include_str!("../../web/proposals.js"),
    ),
    ("puzzles.js", SCRIPT, include_str!("../../web/puzzles.js")),
    ("review.js", SCRIPT, include_str!("../../web/review.js")),
    ("standing.js", SCRIPT, include_str!("../../web/standing.js")),
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

/// Each file as it is served.
fn served() -> &'static [String] {
    static SERVED: OnceLock<Vec<String>> = OnceLock::new();
    SERVED.get_or_init(|| {
        let serve = |(_, kind, content): &(&str, &str, &str)| match *kind {
            SCRIPT => bare(content),
            _ => (*content).to_owned(),
        };
        FILES.iter().map(serve).collect()
    })
}

/// A script without its indentation and the comments that begin a line, which are for those who read the source: a third of what would be sent.
fn bare(script: &str) -> String {
    let mut kept = String::with_capacity(script.len());
    let mut in_comment = false;
    for line in script.lines() {
        let mut rest = line.trim();
        if in_comment || rest.starts_with("/*") {
            let end = rest.find("*/");
            in_comment = end.is_none();
            rest = end.map_or("", |end| rest[end + 2..].trim_start());
        }
        if !rest.is_empty() && !rest.starts_with("//") {
            kept.push_str(rest);
            kept.push('\n');
        }
    }
    kept
}

/// Each file compressed, which is done once.
fn compressed() -> &'static [Vec<u8>] {
    static COMPRESSED: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    COMPRESSED.get_or_init(|| {
        let compress = |content: &String| {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
            let written = encoder.write_all(content.as_bytes());
            written
                .and_then(|()| encoder.finish())
                .expect("writing to a Vec cannot fail")
        };
        served().iter().map(compress).collect()
    })
}

/// Serves a file. A file of another version is not found.
pub(super) async fn serve(
    Path((asked, name)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    let place = FILES.iter().position(|(own, ..)| *own == name);
    let Some(place) = place.filter(|_| asked == version()) else {
        return unknown();
    };
    let (_, kind, _) = FILES[place];
    let forever = "public, max-age=31536000, immutable";
    let about = [
        (CONTENT_TYPE, kind),
        (CACHE_CONTROL, forever),
        (VARY, "Accept-Encoding"),
    ];
    let accepted = headers.get(ACCEPT_ENCODING);
    match accepted.and_then(|header| header.to_str().ok()) {
        Some(accepted) if accepts_gzip(accepted) => {
            let encoding = [(CONTENT_ENCODING, "gzip")];
            (about, encoding, &*compressed()[place]).into_response()
        }
        _ => (about, served()[place].as_str()).into_response(),
    }
}

/// Whether an `Accept-Encoding` header allows gzip (RFC 9110, section 12.5.3).
fn accepts_gzip(header: &str) -> bool {
    header.split(',').any(|item| {
        let (name, weight) = item.split_once(';').unwrap_or((item, ""));
        let weight = weight.trim().strip_prefix("q=").unwrap_or("1");
        name.trim().eq_ignore_ascii_case("gzip") && weight.trim().parse().unwrap_or(0.0) > 0.0
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::live_words::LIVE;

    /// What a page of a match loads besides itself, compressed: the page and its words are 13 kB more, and all of it is to be 40 kB at most.
    const LOADED_MAX: usize = 20_000;

    #[test]
    fn every_word_that_a_script_says_is_sent_to_it() {
        let topics = LIVE.iter().filter_map(|(name, _)| name.split('-').next());
        let topics: Vec<&str> = topics.collect();
        let mut said = 0;
        for (name, kind, content) in FILES {
            if *kind != SCRIPT {
                continue;
            }
            // Every text in quotes that begins as messages do is the name of one, or the beginning of names that are put together.
            let quoted = content.split(['\'', '`']);
            let quoted = quoted.map(|text| text.split("${").next().unwrap_or(text));
            let is_name = |text: &&str| {
                let of_name = |c: char| c.is_ascii_lowercase() || c == '-';
                text.split_once('-')
                    .is_some_and(|(topic, _)| topics.contains(&topic))
                    && text.chars().all(of_name)
            };
            for word in quoted.filter(is_name) {
                let known = LIVE
                    .iter()
                    .any(|(own, _)| *own == word || (word.ends_with('-') && own.starts_with(word)));
                assert!(known, "{name}: {word}");
                said += 1;
            }
        }
        assert!(said >= LIVE.len() / 2, "{said} of {}", LIVE.len());
    }

    #[test]
    fn every_word_that_is_sent_is_said() {
        let scripts: String = FILES.iter().map(|(.., content)| *content).collect();
        for (word, _) in LIVE {
            // Proposals and ends are named by what the server sends.
            let named = ["live-proposes-", "live-seat-", "how-", "said-"]
                .iter()
                .any(|start| word.starts_with(start));
            assert!(named || scripts.contains(&format!("'{word}'")), "{word}");
        }
    }

    #[test]
    fn a_script_is_served_without_its_comments_and_otherwise_as_it_is() {
        let script = "// @ts-check\n/** One. */\nlet a = 'x'; // kept\n\n  /**\n   * Two.\n   */\n  /** @type {any} */ (a).b = 1;\n";
        assert_eq!(bare(script), "let a = 'x'; // kept\n(a).b = 1;\n");
        for (name, kind, content) in FILES.iter().filter(|(_, kind, _)| *kind == SCRIPT) {
            // A text of several lines could have a line that looks like a comment.
            for line in content.lines().filter(|line| !line.trim().starts_with('*')) {
                assert!(line.matches('`').count() % 2 == 0, "{name} {kind}: {line}");
            }
        }
    }

    #[test]
    fn what_a_match_loads_is_small() {
        let loaded = [
            "absence.js",
            "board.js",
            "chat.js",
            "clocks.js",
            "connection.js",
            "looks.js",
            "match.js",
            "proposals.js",
            "standing.js",
            "words.js",
            "page.css",
            "study.css",
        ];
        let files = FILES.iter().zip(compressed());
        let files = files.filter(|((name, ..), _)| loaded.contains(name));
        let sizes: Vec<usize> = files.map(|(_, bytes)| bytes.len()).collect();
        assert_eq!(sizes.len(), loaded.len());
        let bytes: usize = sizes.iter().sum();
        assert!(bytes < LOADED_MAX, "{bytes} bytes");
    }

    #[test]
    fn gzip_is_sent_to_those_that_can_read_it() {
        for (header, can) in [
            ("gzip", true),
            ("br, GZIP;q=0.5", true),
            ("gzip; q=1.0", true),
            ("gzip;q=0", false),
            ("gzip;q=0.000, br", false),
            ("br", false),
            ("", false),
            ("x-gzip-like", false),
        ] {
            assert_eq!(accepts_gzip(header), can, "{header:?}");
        }
    }
}
