//! Rematches between two terminals, over a real server.

use std::fs;
use std::io::Write as _;

use rustix::process::Signal;

use crate::online::word_after;
use crate::program::{Home, Running};
use crate::server::Server;

#[test]
fn two_people_at_terminals_play_a_rematch_with_sides_swapped() {
    let server = Server::start();
    let (a_home, b_home) = (Home::at(&server.url), Home::at(&server.url));
    let (mut a, mut a_types) =
        a_home.start_at_terminal(&["play", "bash.1:2", "--invite", "--side", "first"]);
    let code = a.says("Join code: ");
    let (mut b, mut b_types) =
        b_home.start_at_terminal(&["join", word_after(&code, "Join code: ")]);
    a.says("Your move.");
    b.says("is to move");
    writeln!(a_types, "resign").expect("a terminal");
    writeln!(a_types, "n").expect("a terminal");
    a.mutters("Not resigned.");
    writeln!(a_types, "a1").expect("a terminal");
    b.says("Your move.");
    writeln!(b_types, "a 1").expect("a terminal");
    a.says("made the last move.");
    b.says("You win: you made the last move.");
    writeln!(b_types, "y").expect("a terminal");
    a.says("offers a rematch");
    writeln!(a_types, "yes").expect("a terminal");
    b.says("first, against");
    a.says("second, against");
    b.says("Your move.");
    writeln!(b_types, "resign").expect("a terminal");
    writeln!(b_types, "y").expect("a terminal");
    a.says("You win");
    b.says("you resigned");
    writeln!(a_types, "n").expect("a terminal");
    writeln!(b_types, "n").expect("a terminal");
    assert_eq!(a.ends_by_itself().code, Some(0));
    assert_eq!(b.ends_by_itself().code, Some(0));
}

/// Two people at terminals behind the end of a match, asked whether they want another; the first has won.
fn at_the_end(a_home: &Home, b_home: &Home) -> ([Running; 2], [fs::File; 2]) {
    let (mut a, mut a_types) =
        a_home.start_at_terminal(&["play", "bash.1:1", "--invite", "--side", "first"]);
    let code = a.says("Join code: ");
    let (mut b, b_types) = b_home.start_at_terminal(&["join", word_after(&code, "Join code: ")]);
    a.says("Your move.");
    b.says("is to move");
    writeln!(a_types, "a1").expect("a terminal");
    a.says("Review:  grundy review");
    b.says("Review:  grundy review");
    ([a, b], [a_types, b_types])
}

#[test]
fn a_watcher_who_stays_sees_the_rematch() {
    let server = Server::start();
    let (a_home, b_home) = (Home::at(&server.url), Home::at(&server.url));
    let (mut a, mut a_types) =
        a_home.start_at_terminal(&["play", "nim:1,1", "--invite", "--side", "first"]);
    let shown = a.says("Join code: ");
    let id = word_after(&shown, "Match ");
    let (mut b, mut b_types) =
        b_home.start_at_terminal(&["join", word_after(&shown, "Join code: ")]);
    a.says("Your move.");
    let watching = Home::at(&server.url);
    let mut eve = watching.start(&["watch", id, "--follow"]);
    eve.says("Heaps A 1, B 1");
    writeln!(a_types, "a1").expect("a terminal");
    b.says("Your move");
    writeln!(b_types, "b1").expect("a terminal");
    eve.says("made the last move");
    eve.mutters("You stay for a rematch. Ctrl-C leaves.");
    a.says("Review:  grundy review");
    b.says("Review:  grundy review");
    writeln!(a_types, "y").expect("a terminal");
    eve.says("offers a rematch");
    b.says("offers a rematch");
    writeln!(b_types, "y").expect("a terminal");
    b.says("Your move");
    writeln!(b_types, "a1").expect("a terminal");
    eve.says("took 1 from A");
    eve.signal(Signal::INT);
    assert_eq!(eve.ends_by_itself().code, Some(130));
}

#[test]
fn who_offers_a_rematch_is_told_of_a_no_and_that_nobody_is_there() {
    let server = Server::start();
    let (a_home, b_home) = (Home::at(&server.url), Home::at(&server.url));
    // Says no after the offer.
    let ([mut a, mut b], [mut a_types, mut b_types]) = at_the_end(&a_home, &b_home);
    writeln!(a_types, "y").expect("a terminal");
    a.mutters("Rematch offered.");
    b.says("offers a rematch");
    writeln!(a_types, "a1").expect("a terminal");
    a.mutters("not been answered yet; 'quit' stops waiting");
    writeln!(a_types, "resign").expect("a terminal");
    a.mutters("The match is over");
    writeln!(b_types, "n").expect("a terminal");
    assert_eq!(b.ends_by_itself().code, Some(0));
    a.says("declines the rematch.");
    assert_eq!(a.ends_by_itself().code, Some(0));

    // Is killed before the offer.
    let ([mut a, b], [mut a_types, _]) = at_the_end(&a_home, &b_home);
    b.kill();
    writeln!(a_types, "y").expect("a terminal");
    a.mutters("has left: there is no rematch.");
    assert_eq!(a.ends_by_itself().code, Some(0));
}

#[test]
fn who_is_asked_for_a_rematch_can_leave_in_every_way() {
    let server = Server::start();
    let (a_home, b_home) = (Home::at(&server.url), Home::at(&server.url));
    let ([a, mut b], [_a_types, mut b_types]) = at_the_end(&a_home, &b_home);
    a.signal(Signal::INT);
    assert_eq!(a.ends_by_itself().code, Some(130));
    // What is no answer is asked about again, and the end of input is a no.
    for word in ["hello", "a 1"] {
        writeln!(b_types, "{word}").expect("a terminal");
        b.mutters("please answer yes or no");
    }
    b_types.write_all(b"\x04").expect("a terminal");
    assert_eq!(b.ends_by_itself().code, Some(0));

    // So it is while an offer is open.
    for (ending, code) in [(&b"\x04"[..], 0), (b"n\n", 0), (b"quit\n", 0), (b"", 130)] {
        let ([mut a, _b], [mut a_types, _b_types]) = at_the_end(&a_home, &b_home);
        writeln!(a_types, "y").expect("a terminal");
        a.mutters("Rematch offered.");
        match ending {
            b"" => a.signal(Signal::INT),
            typed => a_types.write_all(typed).expect("a terminal"),
        }
        assert_eq!(a.ends_by_itself().code, Some(code), "{ending:?}");
    }
}
