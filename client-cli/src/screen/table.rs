//! The tables of keys, from which the help, the footers and docs/SCREEN.md are made.

use crossterm::event::KeyCode;
use grundy_words::Catalogue;

use super::desk::Row;
use super::keys::Action::{
    Begin, Clear, Copy, Delete, DeleteAll, DeleteBack, DeleteWord, End, Enter, Go, Help, Home,
    Interrupt, Mouse, NextMistake, NextMove, NextPane, NextPlace, Recall, Redraw, Scroll, Step,
    Suspend, ToEnd, Type,
};
use super::keys::Line::{Any, Empty, Typed};
use super::keys::When::{
    Always, Forgettable, Hints, Online, Over, Playing, Proposed, Shared, Unasked,
};
use super::keys::{Entry, ctrl, entry, key};

/// The keys of a match. Moves of games begin with letters, digits, and a few signs: no entry for an empty line takes one of those.
#[rustfmt::skip]
pub(super) const MATCH: &[Entry] = &[
    entry(&[key(KeyCode::Char('?'))], Empty, Always, Help, "key-help").footer("foot-keys"),
    entry(&[key(KeyCode::F(1))], Any, Always, Help, "key-help-typing"),
    entry(&[key(KeyCode::Enter)], Any, Always, Enter, "key-enter").footer("foot-play"),
    entry(&[key(KeyCode::F(6))], Any, Proposed, Type("accept"), "key-accept").footer("foot-accept"),
    entry(&[key(KeyCode::F(7))], Any, Proposed, Type("decline"), "key-decline").footer("foot-decline"),
    entry(&[key(KeyCode::F(11))], Any, Over, Type("review"), "key-review").footer("foot-review"),
    entry(&[key(KeyCode::F(12))], Any, Over, Type("learn"), "key-learn").footer("foot-learn"),
    entry(&[key(KeyCode::Tab)], Any, Always, NextPane, "key-pane").footer("foot-panes"),
    entry(&[key(KeyCode::F(10))], Any, Always, Type("quit"), "key-leave").footer("foot-leave"),
    entry(&[key(KeyCode::Esc)], Any, Always, Clear, "key-clear").footer("foot-clear"),
    entry(&[key(KeyCode::Right)], Empty, Playing, NextMove(true), "key-next-move"),
    entry(&[key(KeyCode::Left)], Empty, Playing, NextMove(false), "key-move-before"),
    entry(&[key(KeyCode::Down)], Empty, Playing, NextPlace(true), "key-next-place"),
    entry(&[key(KeyCode::Up)], Empty, Playing, NextPlace(false), "key-place-before"),
    entry(&[key(KeyCode::Char('['))], Empty, Always, Step(false), "key-earlier"),
    entry(&[key(KeyCode::Char(']'))], Empty, Always, Step(true), "key-later"),
    entry(&[key(KeyCode::Char('{'))], Empty, Always, ToEnd(false), "key-start"),
    entry(&[key(KeyCode::Char('}'))], Empty, Always, ToEnd(true), "key-now"),
    entry(&[key(KeyCode::PageUp)], Any, Always, Scroll(1), "key-scroll-up"),
    entry(&[key(KeyCode::PageDown)], Any, Always, Scroll(-1), "key-scroll-down"),
    entry(&[key(KeyCode::F(2))], Any, Always, Mouse, "key-mouse").footer("foot-mouse"),
    entry(&[ctrl('y')], Any, Always, Copy, "key-copy-match"),
    entry(&[key(KeyCode::F(3))], Any, Hints, Type("hint"), "key-hint").footer("foot-hint"),
    entry(&[key(KeyCode::F(4))], Any, Hints, Type("why"), "key-why"),
    entry(&[key(KeyCode::F(5))], Any, Playing, Type("undo"), "key-undo"),
    entry(&[key(KeyCode::F(8))], Any, Playing, Type("resign"), "key-resign"),
    entry(&[key(KeyCode::F(9))], Any, Always, Type("moves"), "key-moves"),
    entry(&[], Any, Always, Type("board"), "key-board"),
    entry(&[], Any, Always, Type("rules"), "key-rules"),
    entry(&[], Any, Always, Type("clock"), "key-clock"),
    entry(&[], Any, Playing, Begin("pre "), "key-pre"),
    entry(&[], Any, Online, Begin("if "), "key-if"),
    entry(&[], Any, Playing, Type("draw"), "key-draw"),
    entry(&[], Any, Playing, Type("pause"), "key-pause"),
    entry(&[], Any, Online, Type("adjourn"), "key-adjourn"),
    entry(&[], Any, Playing, Type("continue"), "key-continue"),
    entry(&[], Any, Playing, Type("withdraw"), "key-withdraw"),
    entry(&[], Any, Online, Type("claim"), "key-claim"),
    entry(&[], Any, Playing, Type("abort"), "key-abort"),
    entry(&[], Any, Over, Type("rematch"), "key-rematch"),
    entry(&[], Any, Shared, Begin("say "), "key-say"),
    entry(&[], Any, Shared, Type("chat"), "key-chat"),
    entry(&[], Any, Shared, Begin("mute "), "key-mute"),
    entry(&[ctrl('c')], Any, Always, Interrupt, "key-interrupt"),
];

/// The keys of the line that is typed, and of the screen itself, wherever something is typed.
#[rustfmt::skip]
pub(super) const TYPING: &[Entry] = &[
    entry(&[key(KeyCode::Up)], Typed, Always, Recall(true), "key-recall-earlier"),
    entry(&[key(KeyCode::Down)], Typed, Always, Recall(false), "key-recall-later"),
    entry(&[key(KeyCode::Left)], Typed, Always, Go(-1), "key-left"),
    entry(&[key(KeyCode::Right)], Typed, Always, Go(1), "key-right"),
    entry(&[key(KeyCode::Home), ctrl('a')], Any, Always, Home, "key-line-start"),
    entry(&[key(KeyCode::End), ctrl('e')], Any, Always, End, "key-line-end"),
    entry(&[key(KeyCode::Backspace), ctrl('h')], Any, Always, DeleteBack, "key-delete-back"),
    entry(&[key(KeyCode::Delete), ctrl('d')], Any, Always, Delete, "key-delete"),
    entry(&[ctrl('w')], Any, Always, DeleteWord, "key-delete-word"),
    entry(&[ctrl('u')], Any, Always, DeleteAll, "key-delete-line"),
    entry(&[ctrl('l')], Any, Always, Redraw, "key-redraw"),
    entry(&[ctrl('z')], Any, Always, Suspend, "key-suspend"),
];

/// The keys of a lesson and of puzzles.
#[rustfmt::skip]
pub(super) const LESSON: &[Entry] = &[
    entry(&[key(KeyCode::Char('?'))], Empty, Always, Help, "key-help-plain").footer("foot-keys"),
    entry(&[key(KeyCode::F(1))], Any, Always, Help, "key-help-typing"),
    entry(&[key(KeyCode::Enter)], Any, Always, Enter, "key-enter").footer("foot-play"),
    entry(&[key(KeyCode::F(3))], Any, Always, Type("hint"), "key-lesson-hint").footer("foot-hint"),
    entry(&[key(KeyCode::F(4))], Any, Always, Type("why"), "key-lesson-why").footer("foot-why"),
    entry(&[key(KeyCode::F(5))], Any, Always, Type("solution"), "key-solution").footer("foot-solution"),
    entry(&[key(KeyCode::F(6))], Any, Always, Type("skip"), "key-skip").footer("foot-skip"),
    entry(&[key(KeyCode::F(10))], Any, Always, Type("quit"), "key-desk-leave").footer("foot-leave"),
    entry(&[key(KeyCode::Esc)], Any, Always, Clear, "key-desk-clear"),
    entry(&[key(KeyCode::Right)], Empty, Always, NextMove(true), "key-next-move"),
    entry(&[key(KeyCode::Left)], Empty, Always, NextMove(false), "key-move-before"),
    entry(&[key(KeyCode::Down)], Empty, Always, NextPlace(true), "key-next-place"),
    entry(&[key(KeyCode::Up)], Empty, Always, NextPlace(false), "key-place-before"),
    entry(&[key(KeyCode::PageUp)], Any, Always, Scroll(1), "key-said-up"),
    entry(&[key(KeyCode::PageDown)], Any, Always, Scroll(-1), "key-said-down"),
    entry(&[key(KeyCode::F(2))], Any, Always, Mouse, "key-mouse").footer("foot-mouse"),
    entry(&[ctrl('y')], Any, Always, Copy, "key-copy"),
    entry(&[key(KeyCode::F(9))], Any, Always, Type("moves"), "key-moves"),
    entry(&[], Any, Always, Type("board"), "key-board"),
    entry(&[], Any, Always, Type("rules"), "key-rules"),
    entry(&[], Any, Forgettable, Type("forget"), "key-forget"),
    entry(&[ctrl('c')], Any, Always, Interrupt, "key-desk-interrupt"),
];

/// The keys of a walk through a match or from a position.
#[rustfmt::skip]
pub(super) const WALK: &[Entry] = &[
    entry(&[key(KeyCode::Char('?'))], Empty, Always, Help, "key-help").footer("foot-keys"),
    entry(&[key(KeyCode::F(1))], Any, Always, Help, "key-help-typing"),
    entry(&[key(KeyCode::Enter)], Any, Always, Enter, "key-enter").footer("foot-play"),
    entry(&[key(KeyCode::Char('['))], Empty, Always, Type("back"), "key-walk-back").footer("foot-back"),
    entry(&[key(KeyCode::Char(']'))], Empty, Always, Type("next"), "key-walk-on").footer("foot-on"),
    entry(&[key(KeyCode::Char('{'))], Empty, Always, Type("start"), "key-walk-start"),
    entry(&[key(KeyCode::Char('}'))], Empty, Always, Type("end"), "key-walk-end"),
    entry(&[key(KeyCode::F(4))], Any, Always, Type("why"), "key-walk-why").footer("foot-why"),
    entry(&[key(KeyCode::F(10))], Any, Always, Type("quit"), "key-desk-leave").footer("foot-leave"),
    entry(&[key(KeyCode::Esc)], Any, Always, Clear, "key-desk-clear"),
    entry(&[key(KeyCode::Right)], Empty, Always, NextMove(true), "key-next-move"),
    entry(&[key(KeyCode::Left)], Empty, Always, NextMove(false), "key-move-before"),
    entry(&[key(KeyCode::Down)], Empty, Always, NextPlace(true), "key-next-place"),
    entry(&[key(KeyCode::Up)], Empty, Always, NextPlace(false), "key-place-before"),
    entry(&[key(KeyCode::PageUp)], Any, Always, Scroll(1), "key-said-up"),
    entry(&[key(KeyCode::PageDown)], Any, Always, Scroll(-1), "key-said-down"),
    entry(&[key(KeyCode::F(2))], Any, Always, Mouse, "key-mouse").footer("foot-mouse"),
    entry(&[ctrl('y')], Any, Always, Copy, "key-copy"),
    entry(&[key(KeyCode::F(9))], Any, Always, Type("moves"), "key-moves"),
    entry(&[], Any, Always, Begin("ply "), "key-walk-ply"),
    entry(&[], Any, Always, Type("match"), "key-walk-match"),
    entry(&[], Any, Always, Type("board"), "key-board"),
    entry(&[key(KeyCode::Tab)], Any, Always, NextPane, "key-help-pages"),
    entry(&[ctrl('c')], Any, Always, Interrupt, "key-desk-interrupt"),
];

/// The keys of the lobby.
#[rustfmt::skip]
pub(super) const LOBBY: &[Entry] = &[
    entry(&[key(KeyCode::Char('?'))], Empty, Always, Help, "key-help-plain").footer("foot-keys"),
    entry(&[key(KeyCode::F(1))], Any, Always, Help, "key-help-typing"),
    entry(&[key(KeyCode::Enter)], Any, Always, Enter, "key-lobby-enter").footer("foot-join"),
    entry(&[key(KeyCode::F(3))], Any, Always, Begin("play "), "key-lobby-play").footer("foot-bot"),
    entry(&[key(KeyCode::F(4))], Any, Always, Begin("open "), "key-lobby-open").footer("foot-open"),
    entry(&[key(KeyCode::F(6))], Any, Always, Type("anyone"), "key-lobby-anyone").footer("foot-anyone"),
    entry(&[key(KeyCode::F(7))], Any, Always, Begin("join "), "key-lobby-join"),
    entry(&[key(KeyCode::Tab)], Any, Always, NextPane, "key-next-table").footer("foot-tables"),
    entry(&[key(KeyCode::F(10))], Any, Always, Type("quit"), "key-desk-leave").footer("foot-leave"),
    entry(&[key(KeyCode::Esc)], Any, Always, Clear, "key-desk-clear"),
    entry(&[key(KeyCode::Down)], Empty, Always, NextPlace(true), "key-next-row"),
    entry(&[key(KeyCode::Up)], Empty, Always, NextPlace(false), "key-row-before"),
    entry(&[key(KeyCode::PageDown)], Any, Always, Scroll(-1), "key-rows-on"),
    entry(&[key(KeyCode::PageUp)], Any, Always, Scroll(1), "key-rows-back"),
    entry(&[key(KeyCode::Right)], Empty, Always, NextMove(true), "key-columns-on"),
    entry(&[key(KeyCode::Left)], Empty, Always, NextMove(false), "key-columns-back"),
    entry(&[key(KeyCode::F(5))], Any, Always, Type("refresh"), "key-lobby-refresh"),
    entry(&[key(KeyCode::F(2))], Any, Always, Mouse, "key-mouse").footer("foot-mouse"),
    entry(&[ctrl('c')], Any, Always, Interrupt, "key-desk-interrupt"),
];

/// The keys of the tables of a tournament or an arena, where nothing is typed.
#[rustfmt::skip]
pub(super) const TABLES: &[Entry] = &[
    entry(&[key(KeyCode::Char('?')), key(KeyCode::F(1))], Any, Always, Help, "key-help-plain").footer("foot-keys"),
    entry(&[key(KeyCode::Tab)], Any, Always, NextPane, "key-next-table").footer("foot-tables"),
    entry(&[key(KeyCode::Enter)], Any, Always, Enter, "key-tables-enter").footer("foot-watch"),
    entry(&[key(KeyCode::Char('q')), key(KeyCode::F(10))], Any, Always, Type("quit"), "key-tables-leave").footer("foot-leave"),
    entry(&[key(KeyCode::Esc)], Any, Always, Clear, "key-desk-clear"),
    entry(&[key(KeyCode::Down)], Any, Always, NextPlace(true), "key-next-row"),
    entry(&[key(KeyCode::Up)], Any, Always, NextPlace(false), "key-row-before"),
    entry(&[key(KeyCode::PageDown)], Any, Always, Scroll(-1), "key-rows-on"),
    entry(&[key(KeyCode::PageUp)], Any, Always, Scroll(1), "key-rows-back"),
    entry(&[key(KeyCode::Right)], Any, Always, NextMove(true), "key-columns-on"),
    entry(&[key(KeyCode::Left)], Any, Always, NextMove(false), "key-columns-back"),
    entry(&[key(KeyCode::F(2))], Any, Always, Mouse, "key-mouse").footer("foot-mouse"),
    entry(&[ctrl('l')], Any, Always, Redraw, "key-redraw"),
    entry(&[ctrl('z')], Any, Always, Suspend, "key-suspend"),
    entry(&[ctrl('c')], Any, Always, Interrupt, "key-tables-interrupt"),
];

/// The keys of the menu. The choices of its first table have no word in the last line.
#[rustfmt::skip]
pub(super) const MENU: &[Entry] = &[
    entry(&[key(KeyCode::Char('?')), key(KeyCode::F(1))], Any, Unasked, Help, "key-help-plain").footer("foot-keys"),
    entry(&[key(KeyCode::Enter)], Any, Always, Enter, "key-menu-enter").footer("foot-choose"),
    entry(&[key(KeyCode::Char('p'))], Any, Unasked, Type("play"), "key-menu-play"),
    entry(&[key(KeyCode::Char('f'))], Any, Unasked, Type("friend"), "key-menu-friend"),
    entry(&[key(KeyCode::Char('z'))], Any, Unasked, Type("puzzle"), "key-menu-puzzle"),
    entry(&[key(KeyCode::Char('l'))], Any, Unasked, Type("learn"), "key-menu-learn"),
    entry(&[key(KeyCode::Char('w'))], Any, Unasked, Type("lobby"), "key-menu-watch"),
    entry(&[key(KeyCode::Char('b'))], Any, Unasked, Type("bots"), "key-menu-bots"),
    entry(&[key(KeyCode::Char('s'))], Any, Unasked, Type("settings"), "key-menu-settings"),
    entry(&[key(KeyCode::Esc)], Any, Always, Type("back"), "key-menu-back").footer("foot-back"),
    entry(&[key(KeyCode::Char('q'))], Any, Unasked, Type("quit"), "key-desk-leave").footer("foot-leave"),
    entry(&[key(KeyCode::F(10))], Any, Always, Type("quit"), "key-desk-leave"),
    entry(&[key(KeyCode::Down)], Any, Unasked, NextPlace(true), "key-next-row"),
    entry(&[key(KeyCode::Up)], Any, Unasked, NextPlace(false), "key-row-before"),
    entry(&[key(KeyCode::PageDown)], Any, Unasked, Scroll(-1), "key-rows-on"),
    entry(&[key(KeyCode::PageUp)], Any, Unasked, Scroll(1), "key-rows-back"),
    entry(&[key(KeyCode::F(2))], Any, Always, Mouse, "key-mouse").footer("foot-mouse"),
    entry(&[ctrl('l')], Any, Always, Redraw, "key-redraw"),
    entry(&[ctrl('z')], Any, Always, Suspend, "key-suspend"),
    entry(&[ctrl('c')], Any, Always, Interrupt, "key-desk-interrupt"),
];

/// The first table of the menu: its choices, each with its key.
pub(crate) fn menu_rows(words: &Catalogue) -> Vec<Row> {
    let choices = MENU
        .iter()
        .filter_map(|entry| match (entry.when, entry.action) {
            (Unasked, Type(word)) if entry.footer.is_empty() => Some((entry, word)),
            _ => None,
        });
    let rows = choices.map(|(entry, word)| Row {
        cells: vec![entry.names(), words.say(entry.message)],
        enters: Some(word.to_owned()),
    });
    rows.collect()
}

/// The keys of a review, where nothing is typed.
#[rustfmt::skip]
pub(super) const REVIEW: &[Entry] = &[
    entry(&[key(KeyCode::Char('[')), key(KeyCode::Up), key(KeyCode::Left)], Any, Always, Step(false), "key-review-back").footer("foot-back"),
    entry(&[key(KeyCode::Char(']')), key(KeyCode::Down), key(KeyCode::Right)], Any, Always, Step(true), "key-review-on").footer("foot-on"),
    entry(&[key(KeyCode::Char('{'))], Any, Always, NextMistake(false), "key-review-before").footer("foot-turning-point-before"),
    entry(&[key(KeyCode::Char('}'))], Any, Always, NextMistake(true), "key-review-next").footer("foot-next"),
    entry(&[key(KeyCode::Home)], Any, Always, ToEnd(false), "key-review-start"),
    entry(&[key(KeyCode::End)], Any, Always, ToEnd(true), "key-review-end"),
    entry(&[key(KeyCode::PageUp)], Any, Always, Scroll(1), "key-reasons-up"),
    entry(&[key(KeyCode::PageDown)], Any, Always, Scroll(-1), "key-reasons-down").footer("foot-reasons"),
    entry(&[key(KeyCode::F(2))], Any, Always, Mouse, "key-review-mouse"),
    entry(&[key(KeyCode::Char('y')), ctrl('y')], Any, Always, Copy, "key-copy"),
    entry(&[key(KeyCode::Char('q')), key(KeyCode::Esc), key(KeyCode::F(10))], Any, Always, Clear, "key-review-leave").footer("foot-leave"),
    entry(&[ctrl('l')], Any, Always, Redraw, "key-review-redraw"),
    entry(&[ctrl('z')], Any, Always, Suspend, "key-review-suspend"),
    entry(&[ctrl('c')], Any, Always, Interrupt, "key-review-interrupt"),
];
