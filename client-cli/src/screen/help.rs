//! The help: the keys that do something now, and the notation of the game.

use super::keys::{Entry, When};
use super::table::MATCH;
use crate::session::match_view::MatchView;

/// Which page is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Page {
    Keys,
    Notation,
}

/// The help while it is open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Help {
    pub(super) page: Page,
    /// What is searched for.
    pub(super) search: String,
    /// The number of the chosen entry among those that are listed.
    pub(super) chosen: usize,
    /// Lines of the notation that are scrolled away.
    pub(super) scrolled: usize,
}

impl Help {
    /// The first page.
    pub(super) fn open() -> Self {
        Self {
            page: Page::Keys,
            search: String::new(),
            chosen: 0,
            scrolled: 0,
        }
    }

    /// The entries that fit the match and contain what is searched for.
    pub(super) fn entries(&self, view: &MatchView) -> Vec<&'static Entry> {
        let search = self.search.to_lowercase();
        let found = |entry: &&Entry| {
            let text =
                format!("{} {}", entry.names(), view.words().say(entry.message)).to_lowercase();
            fits(entry.when, view) && search.split_whitespace().all(|word| text.contains(word))
        };
        MATCH.iter().filter(found).collect()
    }

    /// Chooses another entry.
    pub(super) fn choose(&mut self, by: isize, view: &MatchView) {
        let last = self.entries(view).len().saturating_sub(1);
        match self.page {
            Page::Keys => self.chosen = self.chosen.saturating_add_signed(by).min(last),
            Page::Notation => self.scrolled = self.scrolled.saturating_add_signed(by).min(500),
        }
    }

    /// Searches for this text besides what is searched for.
    pub(super) fn search(&mut self, text: &str) {
        let room = 60_usize.saturating_sub(self.search.chars().count());
        let text = text.chars().filter(|c| !c.is_control()).take(room);
        self.search.extend(text);
        (self.page, self.chosen) = (Page::Keys, 0);
    }
}

/// Whether an entry does something in this match.
pub(super) fn fits(when: When, view: &MatchView) -> bool {
    match when {
        When::Always => true,
        When::Playing => !view.is_watched(),
        When::Hints => !view.is_watched() && view.no_hints().is_none(),
        When::Online => !view.is_watched() && !view.is_local(),
        When::Over => view.is_over(),
    }
}
