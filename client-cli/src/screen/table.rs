//! The tables of keys, from which the help, the footers and docs/SCREEN.md are made.

use crossterm::event::KeyCode;

use super::keys::Action::{
    Begin, Clear, Delete, DeleteAll, DeleteBack, DeleteWord, End, Enter, Go, Help, Home, Interrupt,
    Mouse, NextMistake, NextMove, NextPane, NextPlace, Recall, Redraw, Scroll, Step, Suspend,
    ToEnd, Type,
};
use super::keys::Line::{Any, Empty, Typed};
use super::keys::When::{Always, Hints, Online, Playing};
use super::keys::{Entry, ctrl, entry, key};

/// The keys of a match. Moves of games begin with letters, digits, and a few signs: no entry for an empty line takes one of those.
#[rustfmt::skip]
pub(super) const MATCH: &[Entry] = &[
    entry(&[key(KeyCode::Char('?'))], Empty, Always, Help, "show this list; type to search, Enter runs an entry, Tab shows the notation").footer("keys"),
    entry(&[key(KeyCode::F(1))], Any, Always, Help, "the same while something is typed"),
    entry(&[key(KeyCode::Enter)], Any, Always, Enter, "enter the line, or play the chosen move").footer("play"),
    entry(&[key(KeyCode::Esc)], Any, Always, Clear, "clear the line, undo the choice, or return to the board as it is now").footer("clear"),
    entry(&[key(KeyCode::F(10))], Any, Always, Type("quit"), "leave; on a server the match goes on").footer("leave"),
    entry(&[key(KeyCode::Right)], Empty, Playing, NextMove(true), "choose the next legal move"),
    entry(&[key(KeyCode::Left)], Empty, Playing, NextMove(false), "choose the legal move before"),
    entry(&[key(KeyCode::Down)], Empty, Playing, NextPlace(true), "choose a move in the next heap or place"),
    entry(&[key(KeyCode::Up)], Empty, Playing, NextPlace(false), "choose a move in the heap or place before"),
    entry(&[key(KeyCode::Char('['))], Empty, Always, Step(false), "look at the board one move earlier"),
    entry(&[key(KeyCode::Char(']'))], Empty, Always, Step(true), "look at the board one move later"),
    entry(&[key(KeyCode::Char('{'))], Empty, Always, ToEnd(false), "look at the start position"),
    entry(&[key(KeyCode::Char('}'))], Empty, Always, ToEnd(true), "look at the board as it is now"),
    entry(&[key(KeyCode::Tab)], Any, Always, NextPane, "go to the next pane").footer("panes"),
    entry(&[key(KeyCode::PageUp)], Any, Always, Scroll(1), "scroll up in the pane"),
    entry(&[key(KeyCode::PageDown)], Any, Always, Scroll(-1), "scroll down in the pane"),
    entry(&[key(KeyCode::F(2))], Any, Always, Mouse, "mouse on or off; off, the terminal selects text").footer("mouse"),
    entry(&[key(KeyCode::F(3))], Any, Hints, Type("hint"), "hint: is there a winning move? more with each asking").footer("hint"),
    entry(&[key(KeyCode::F(4))], Any, Hints, Type("why"), "why: the last move and the position explained"),
    entry(&[key(KeyCode::F(5))], Any, Playing, Type("undo"), "take your last move back; another player must agree"),
    entry(&[key(KeyCode::F(6))], Any, Playing, Type("accept"), "accept what the other player proposes"),
    entry(&[key(KeyCode::F(7))], Any, Playing, Type("decline"), "decline it"),
    entry(&[key(KeyCode::F(8))], Any, Playing, Type("resign"), "resign; you are asked first"),
    entry(&[key(KeyCode::F(9))], Any, Always, Type("moves"), "list the legal moves; 'more' lists the next ones"),
    entry(&[], Any, Always, Type("board"), "the position in words and in notation"),
    entry(&[], Any, Always, Type("rules"), "the rules of the game"),
    entry(&[], Any, Always, Type("clock"), "the time left"),
    entry(&[], Any, Playing, Begin("pre "), "pre MOVE: play a move as soon as it is your turn"),
    entry(&[], Any, Online, Begin("if "), "if A-1 B-2: in slow matches, answer A-1 with B-2"),
    entry(&[], Any, Playing, Type("draw"), "offer a draw"),
    entry(&[], Any, Playing, Type("pause"), "propose to stop both clocks"),
    entry(&[], Any, Online, Type("adjourn"), "propose to stop the match for days"),
    entry(&[], Any, Playing, Type("continue"), "end a pause"),
    entry(&[], Any, Playing, Type("withdraw"), "withdraw what you have proposed"),
    entry(&[], Any, Online, Type("claim"), "claim the win if your opponent has gone"),
    entry(&[], Any, Playing, Type("abort"), "call the match off before move 2"),
    entry(&[], Any, Playing, Type("rematch"), "play again with sides swapped, when the match is over"),
    entry(&[], Any, Always, Begin("say "), "say TEXT, or /TEXT: talk to the other player, or to the other watchers"),
    entry(&[], Any, Always, Type("chat"), "the last lines of the chat"),
    entry(&[], Any, Always, Begin("mute "), "mute NAME, unmute NAME: hide or show a player's lines"),
    entry(&[key(KeyCode::Up)], Typed, Always, Recall(true), "an earlier line that you typed"),
    entry(&[key(KeyCode::Down)], Typed, Always, Recall(false), "a later line that you typed"),
    entry(&[key(KeyCode::Left)], Typed, Always, Go(-1), "move in the line"),
    entry(&[key(KeyCode::Right)], Typed, Always, Go(1), "move in the line"),
    entry(&[key(KeyCode::Home), ctrl('a')], Any, Always, Home, "to the beginning of the line"),
    entry(&[key(KeyCode::End), ctrl('e')], Any, Always, End, "to the end of the line"),
    entry(&[key(KeyCode::Backspace), ctrl('h')], Any, Always, DeleteBack, "delete the character before the cursor"),
    entry(&[key(KeyCode::Delete), ctrl('d')], Any, Always, Delete, "delete the character at the cursor"),
    entry(&[ctrl('w')], Any, Always, DeleteWord, "delete the word before the cursor"),
    entry(&[ctrl('u')], Any, Always, DeleteAll, "delete the line"),
    entry(&[ctrl('l')], Any, Always, Redraw, "draw the screen anew"),
    entry(&[ctrl('z')], Any, Always, Suspend, "suspend the program; the shell's fg returns to it"),
    entry(&[ctrl('c')], Any, Always, Interrupt, "leave at once; an invitation is cancelled"),
];

/// The keys of a review, where nothing is typed.
#[rustfmt::skip]
pub(super) const REVIEW: &[Entry] = &[
    entry(&[key(KeyCode::Char('[')), key(KeyCode::Up), key(KeyCode::Left)], Any, Always, Step(false), "one move back").footer("back"),
    entry(&[key(KeyCode::Char(']')), key(KeyCode::Down), key(KeyCode::Right)], Any, Always, Step(true), "one move on").footer("on"),
    entry(&[key(KeyCode::Char('{'))], Any, Always, NextMistake(false), "the turning point before").footer("turning point before"),
    entry(&[key(KeyCode::Char('}'))], Any, Always, NextMistake(true), "the next turning point").footer("next"),
    entry(&[key(KeyCode::Home)], Any, Always, ToEnd(false), "the start"),
    entry(&[key(KeyCode::End)], Any, Always, ToEnd(true), "the end"),
    entry(&[key(KeyCode::PageUp)], Any, Always, Scroll(1), "scroll the reasons up"),
    entry(&[key(KeyCode::PageDown)], Any, Always, Scroll(-1), "scroll the reasons down"),
    entry(&[key(KeyCode::F(2))], Any, Always, Mouse, "mouse on or off; off, the terminal selects text"),
    entry(&[key(KeyCode::Char('q')), key(KeyCode::Esc), key(KeyCode::F(10))], Any, Always, Clear, "leave; the review is then printed").footer("leave"),
    entry(&[ctrl('l')], Any, Always, Redraw, "draw the screen anew"),
    entry(&[ctrl('z')], Any, Always, Suspend, "suspend the program; the shell's fg returns to it"),
    entry(&[ctrl('c')], Any, Always, Interrupt, "leave at once"),
];
