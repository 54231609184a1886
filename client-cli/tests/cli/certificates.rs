//! The files of `solve`: `--certificate`, with `verify`, and `--svg`.

use std::fs;

use grundy_shared::Position;
use grundy_shared::picture::Picture;
use serde_json::json;

use crate::program::Home;

#[test]
fn a_position_is_written_as_the_picture_that_pages_show() {
    let home = Home::new();
    let file = home.file("board.svg");
    let solve = |position: &str| {
        let file = file.to_str().expect("a path in UTF-8");
        home.run(&["solve", position, "--svg", file]).code
    };
    for text in ["domineering:.../...", "nim:1,2"] {
        assert_eq!(solve(text), Some(0));
        let position = Position::parse(text).expect("a position");
        let written = fs::read_to_string(&file).expect("a file");
        assert_eq!(written, Picture::of(&position).svg());
    }
    // What is no picture is kept.
    fs::write(&file, "mine").expect("a file");
    assert_eq!(solve("nim:1,2"), Some(7));
    assert_eq!(solve("-"), Some(2));
}

#[test]
fn a_verdict_is_proved_by_a_file() {
    let home = Home::new();
    let file = home.file("proof.json");
    let file = file.to_str().expect("a path in UTF-8");
    let ran = home.run(&["solve", "kayles:7,5", "--certificate", file]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let ran = home.run(&["verify", file]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.stdout
            .starts_with("proved   kayles:7,5   the player to move wins with A-2   nim-value 6\n"),
        "{ran:?}"
    );
    assert!(ran.stdout.contains("by sprague-grundy: "), "{ran:?}");
    let shown = home.run(&["verify", file, "--json"]).json();
    assert_eq!(
        shown,
        json!({
            "schema": "grundy/verify/1", "accepted": true, "position": "kayles:7,5", "outcome": "N", "nim_value": 6,
            "winning_move": "A-2", "theorems": ["sprague-grundy"],
        })
    );
    let proof = fs::read_to_string(file).expect("the file was written");
    fs::write(file, proof.replace("kayles:7,5", "kayles:7,4")).expect("the file can be written");
    let ran = home.run(&["verify", file]);
    assert_eq!(ran.code, Some(10), "{ran:?}");
    assert!(ran.stdout.starts_with("not proved   "), "{ran:?}");
    let ran = home.run(&["verify", file, "--json"]);
    assert_eq!(
        (ran.code, ran.json()["accepted"].clone()),
        (Some(10), json!(false))
    );
    fs::write(file, "{}").expect("the file can be written");
    let ran = home.run(&["verify", file]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.stderr.contains("help: 'grundy solve"), "{ran:?}");
    assert_eq!(home.run(&["verify", "no-such-file"]).code, Some(4));
    assert_eq!(home.run(&["verify", "."]).code, Some(3));
    assert_eq!(
        home.run(&["solve", "-", "--certificate", file]).code,
        Some(2)
    );
}

#[test]
fn a_proof_goes_where_it_is_sent() {
    let home = Home::new();
    let path = |name: &str| home.file(name).to_str().expect("UTF-8").to_owned();
    let (file, link, pipe) = (path("proof.json"), path("link.json"), path("pipe"));
    let printed = home.run(&["solve", "kayles:7,5", "--certificate", "-"]);
    assert_eq!(printed.code, Some(0), "{printed:?}");
    let verified = home.feed(&["verify", "-"], &printed.stdout);
    assert_eq!(verified.code, Some(0), "{verified:?}");

    fs::write(&file, "").expect("a file");
    std::os::unix::fs::symlink(&file, &link).expect("a link");
    let ran = home.run(&["solve", "kayles:7,5", "--certificate", &link]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let kind = fs::symlink_metadata(&link).expect("the link is there");
    assert!(kind.is_symlink());
    assert_eq!(fs::read_to_string(&file).expect("a file"), printed.stdout);

    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo runs").success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe)
    });
    let ran = home.run(&["solve", "kayles:7,5", "--certificate", &pipe]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let read = reader.join().expect("the reader ends");
    assert_eq!(read.expect("the pipe is read"), printed.stdout);
}

#[test]
fn where_there_is_no_proof_the_file_and_the_program_say_why() {
    let home = Home::new();
    let file = home.file("proof.json");
    let file = file.to_str().expect("a path in UTF-8");
    let ran = home.run(&[
        "solve",
        "kayles:300,299@misere",
        "--budget",
        "10ms",
        "--certificate",
        file,
    ]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.stderr.contains("No proof: the budget was used up"),
        "{ran:?}"
    );
    let ran = home.run(&["verify", file]);
    assert_eq!(ran.code, Some(10), "{ran:?}");
    assert!(ran.stdout.contains("it is missing"), "{ran:?}");
}
