//! What the screen says at the end of a match: where it was decided, why, and what to do next.

use crate::program::{Home, Ran};

const TWO: &[&str] = &["--local", "--two"];

fn play(home: &Home, position: &str, more: &[&str], moves: &str) -> Ran {
    let ran = home.feed(&[&["play", position], more].concat(), moves);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran
}

/// The only line that begins so.
fn line<'r>(ran: &'r Ran, start: &str) -> &'r str {
    let lines: Vec<&str> = ran
        .stdout
        .lines()
        .filter(|line| line.starts_with(start))
        .collect();
    let [line] = *lines else {
        panic!("{start}: {ran:?}");
    };
    line
}

#[test]
fn a_match_ends_with_the_decisive_move_its_refutation_and_commands_that_work() {
    let home = Home::new();
    let ran = play(&home, "nim:3,5,7", TWO, "a1\nc7\nb5\na2\n");
    assert_eq!(
        line(&ran, "Decided "),
        "Decided at move 3, by Player 1: B-5 gave the win away; only B-3 would have kept it (1 of 7)."
    );
    assert_eq!(
        line(&ran, "Why: "),
        "Why: the reply A-2 leaves nim:0,0,0. The player to move has no move left, and the last move wins."
    );
    let names = ["Review:  ", "Explain: ", "Rematch: ", "Learn:   "];
    let commands = names.map(|name| line(&ran, name)[name.len()..].to_owned());
    assert_eq!(commands[1], "grundy explain nim:2,5,0 --move B-5");
    assert_eq!(commands[2], "grundy play nim:3,5,7 --local --two");
    for command in &commands {
        let words: Vec<&str> = command.split(' ').skip(1).collect();
        let ran = home.run(&words);
        assert_eq!(ran.code, Some(0), "{command}: {ran:?}");
    }
    let review = home.run(&commands[0].split(' ').skip(1).collect::<Vec<_>>());
    assert!(review.stdout.contains("B-5"), "{review:?}");
}

#[test]
fn every_way_to_be_decided_is_said() {
    let home = Home::new();
    for (position, moves, decided, why) in [
        (
            "nim:2,2",
            "a1\nb1\na1\nb1\n",
            "Decided at the start: Player 2 had a won position and never gave it away.",
            Some("their xor is 0, so the player to move loses."),
        ),
        (
            "nim:3,5",
            "b2\nresign\n",
            "Decided at the start: Player 1 had a won position and never gave it away.",
            Some("their xor is 6, not 0, so the player to move wins."),
        ),
        (
            "nim:3,5",
            "b1\nb1\nresign\n",
            "Decided at move 1, by Player 1: B-1 gave the win away; only B-2 would have kept it (1 of 8).",
            Some("The nim-values are A 3, B 3; their xor is 0, so the player to move loses."),
        ),
        (
            "nim:3,5",
            "b1\na1\na1\nb3\nresign\n",
            "Decided at move 3, by Player 1: A-1 gave the win away; only B-2 would have kept it (1 of 6). 2 earlier moves also gave a win away.",
            None,
        ),
        (
            "wythoff:5,8",
            "a1\nb1\nresign\n",
            "Decided at move 1, by Player 1: A-1 gave the win away; B-5 or AB-1 would have kept it (2 of 18).",
            Some("4,7 is the losing pair of difference 3: the player to move loses."),
        ),
        ("nim:3,5", "resign\n", "", None),
        (
            "nim:2,2",
            "a1\na1\nresign\n",
            "Decided at the end: Player 1 gave up in a won position.",
            None,
        ),
        ("domineering:.../...", "resign\n", "", None),
    ] {
        let ran = play(&home, position, TWO, moves);
        match decided {
            "" => assert!(!ran.stdout.contains("Decided"), "{ran:?}"),
            decided => assert!(line(&ran, "Decided ").starts_with(decided), "{ran:?}"),
        }
        if let Some(why) = why {
            assert!(line(&ran, "Why: ").ends_with(why), "{ran:?}");
        }
    }
}

#[test]
fn a_draw_that_was_given_away_and_a_win_that_became_a_draw_are_named() {
    let home = Home::new();
    let ran = play(
        &home,
        "loopy.0-1.1-0.0-2.2-3.1-4.4-5:0",
        TWO,
        "0-1\n1-0\n0-2\n2-3\n",
    );
    assert_eq!(
        line(&ran, "Decided "),
        "Decided at move 3, by Player 1: 0-2 gave the draw away; 0-1 would have kept it."
    );
    assert!(line(&ran, "Why: ").contains("2-3"), "{ran:?}");
    let moves = "0-2\n2-3\n3-2\n2-3\n3-2\n2-3\n3-2\n";
    let ran = play(&home, "loopy.0-1.0-2.2-3.3-2:0", TWO, moves);
    assert!(ran.stdout.contains("a draw"), "{ran:?}");
    assert_eq!(
        line(&ran, "Decided "),
        "Decided at move 1, by Player 1: 0-2 gave the win away; only 0-1 would have kept it (1 of 2)."
    );
    let why = line(&ran, "Why: ");
    assert!(why.ends_with("neither player can force a win."), "{why}");
}

/// What is offered fits the match: a match that is not kept cannot be reviewed, and a bot is met again with sides swapped.
#[test]
fn only_what_can_be_done_is_offered() {
    let home = Home::new();
    let more = [
        "--local",
        "--no-record",
        "--bot",
        "perfect",
        "--side",
        "first",
        "--clock",
        "3m+2s",
    ];
    let ran = play(&home, "nim:1,2", &more, "a1\nresign\n");
    assert!(!ran.stdout.contains("grundy review"), "{ran:?}");
    assert_eq!(
        line(&ran, "Rematch: "),
        "Rematch: grundy play nim:1,2 --local --bot perfect --side second --clock 3m+2s"
    );
    assert_eq!(
        line(&ran, "Explain: "),
        "Explain: grundy explain nim:1,2 --move A-1"
    );
    // Who moved second is Right in a partizan game.
    let ran = play(&home, "domineering:../..", TWO, "resign\n");
    assert!(!ran.stdout.contains("Explain"), "{ran:?}");
    // Programs get the facts.
    let more = ["--local", "--two", "--json"];
    let ran = play(&home, "nim:3,5,7", &more, "a1\nc7\nb5\na2\n");
    let result = ran.stdout.lines().last().expect("a result");
    let result: serde_json::Value = serde_json::from_str(result).expect("JSON");
    assert_eq!(result["type"], "result", "{result}");
    assert_eq!(result["decisive_ply"], 3);
    assert_eq!(result["kept"], true);
    assert_eq!(result["reasons"]["moves"][0]["reply"]["move"], "A-2");
}
