//! The pages that every page leads to.

use grundy_words::Catalogue;

/// Each of them: its path, and the message that names it.
const PAGES: [(&str, &str); 7] = [
    ("/", "nav-play"),
    ("/rules", "nav-rules"),
    ("/puzzles", "puzzles-title"),
    ("/lab", "nav-lab"),
    ("/t", "nav-tournaments"),
    ("/tv", "nav-tv"),
    ("/bots", "nav-bots"),
];

/// A link at the top of a page.
pub(super) struct Entry {
    /// Its path.
    pub(super) path: &'static str,
    /// What it is called.
    pub(super) name: String,
    /// What `aria-current` says: `page` on the page itself, `true` on a page below it; empty elsewhere.
    pub(super) current: &'static str,
}

/// The links at the top of the page with this path.
pub(super) fn entries(words: &Catalogue, here: &str) -> Vec<Entry> {
    let entry = |(path, name)| Entry {
        path,
        name: words.say(name),
        current: current(path, here),
    };
    PAGES.into_iter().map(entry).collect()
}

fn current(path: &str, here: &str) -> &'static str {
    match here.strip_prefix(path) {
        Some("") => "page",
        Some(rest) if path != "/" && rest.starts_with('/') => "true",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_itself_and_what_is_below_it_are_told_from_all_others() {
        assert_eq!(current("/rules", "/rules"), "page");
        assert_eq!(current("/rules", "/rules/nim"), "true");
        assert_eq!(current("/t", "/tv"), "");
        assert_eq!((current("/", "/"), current("/", "/t")), ("page", ""));
    }
}
