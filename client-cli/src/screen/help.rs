//! The help: the keys that do something now, and the notation of the game.

use grundy_words::Catalogue;

use super::keys::{Action, Entry};

/// Lines that a page key scrolls.
const PAGE: isize = 5;

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

/// What a key did while the help was open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Helped {
    /// Nothing but in the help.
    Open,
    /// The help is to be closed.
    Closed,
    /// The help is to be closed, and this done.
    Run(Action),
    /// The key means the same as without the help.
    Elsewhere,
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

    /// Those of the entries that contain what is searched for.
    pub(super) fn entries(
        &self,
        all: impl Iterator<Item = &'static Entry>,
        words: &Catalogue,
    ) -> Vec<&'static Entry> {
        let search = self.search.to_lowercase();
        let found = |entry: &&Entry| {
            // The word that is typed is found also where a key does the same.
            let typed = match entry.action {
                Action::Type(word) | Action::Begin(word) => word,
                _ => "",
            };
            let text = format!("{} {typed} {}", entry.names(), words.say(entry.message));
            let text = text.to_lowercase();
            search.split_whitespace().all(|word| text.contains(word))
        };
        all.filter(found).collect()
    }

    /// Does what a key stands for here, where these entries are listed.
    pub(super) fn act(&mut self, action: Action, entries: &[&'static Entry]) -> Helped {
        let last = entries.len().saturating_sub(1);
        match action {
            Action::Enter => {
                // To run the help from the help closes it.
                return match entries.get(self.chosen).map(|entry| entry.action) {
                    Some(Action::Enter | Action::Help | Action::Clear) | None => Helped::Closed,
                    Some(action) => Helped::Run(action),
                };
            }
            Action::Clear if !self.search.is_empty() => self.search.clear(),
            Action::Clear | Action::Help => return Helped::Closed,
            Action::NextPane => {
                self.page = match self.page {
                    Page::Keys => Page::Notation,
                    Page::Notation => Page::Keys,
                }
            }
            Action::Recall(earlier) => self.choose(if earlier { -1 } else { 1 }, last),
            // Where nothing is typed, the arrows choose rows.
            Action::NextPlace(next) => self.choose(if next { 1 } else { -1 }, last),
            Action::Scroll(by) => self.choose(-by * PAGE, last),
            Action::DeleteBack => drop(self.search.pop()),
            Action::DeleteAll | Action::DeleteWord => self.search.clear(),
            Action::Interrupt | Action::Suspend | Action::Redraw | Action::Mouse => {
                return Helped::Elsewhere;
            }
            // Other keys wait until the help is closed.
            _ => {}
        }
        Helped::Open
    }

    /// Chooses another entry, or scrolls.
    fn choose(&mut self, by: isize, last: usize) {
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
