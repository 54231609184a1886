//! `grundy puzzle rated`: puzzles of a real server, one answer to each, and the rating.

use serde_json::Value;

use crate::program::{Home, Ran};
use crate::puzzles::{events, moves_of};
use crate::server::Server;

const ROUND: [&str; 7] = [
    "puzzle", "rated", "--family", "nim", "--limit", "1", "--json",
];

fn kinds(ran: &Ran) -> Vec<String> {
    let kind = |event: &Value| event["type"].as_str().unwrap_or("error").to_owned();
    events(ran).iter().map(kind).collect()
}

#[test]
fn the_first_answer_counts_and_why_explains_a_wrong_one() {
    let server = Server::start();
    let home = Home::at(&server.url);
    // Without an answer nothing counts, and the same puzzle is put again.
    let looked = home.feed(&ROUND, "");
    assert_eq!(looked.code, Some(0), "{looked:?}");
    assert_eq!(kinds(&looked), ["begin", "puzzle", "end"]);
    let put = events(&looked).remove(1);
    assert_eq!(put["you"]["attempts"], 0);
    assert!(put.get("theme").is_none() && put.get("difficulty").is_none());
    let (winning, other) = moves_of(&home, &put);
    let typed = format!("hint\nwhy\nmoves\nZ-9\n{other}\nwhy\n");
    let wrong = home.feed(&ROUND, &typed);
    assert_eq!(wrong.code, Some(0), "{wrong:?}");
    assert_eq!(
        kinds(&wrong),
        [
            "begin",
            "puzzle",
            "error",
            "error",
            "text",
            "error",
            "puzzle_solved",
            "why",
            "end"
        ],
        "{wrong:?}"
    );
    let told = events(&wrong);
    assert_eq!(told[1], put, "the same puzzle");
    assert_eq!(
        (&told[6]["right"], &told[6]["move"]),
        (&false.into(), &other.as_str().into())
    );
    assert!(told[6]["you"]["change"].as_i64() < Some(0));
    let listed = told[6]["winning_moves"].as_array().expect("a list");
    assert!(listed.contains(&winning[0].as_str().into()));
    assert_eq!(told[7]["reason"]["result"], "loses");
    assert_eq!(told[8]["answered"], 1);
    // The next one in sentences.
    let next = events(&home.feed(&ROUND, "")).remove(1);
    assert_ne!(next["puzzle"], put["puzzle"]);
    let (winning, _) = moves_of(&home, &next);
    let text = ["puzzle", "rated", "--family", "nim", "--limit", "1"];
    let solved = home.feed(&text, &format!("{}\n", winning[0]));
    assert_eq!(solved.code, Some(0), "{solved:?}");
    for words in [
        "\nPuzzle: nim, rated ",
        "Your first answer counts, and there are no hints before it.",
        "Right: ",
        "Your rating in puzzles: ",
        "1 puzzle answered, 1 solved.",
    ] {
        assert!(solved.stdout.contains(words), "{words}: {solved:?}");
    }
    let given_up = home.feed(&text, "solution\n");
    assert!(given_up.stdout.contains("Solution: "), "{given_up:?}");
    let progress = home
        .run(&["puzzle", "progress", "--online", "--json"])
        .json();
    assert_eq!(progress["rating"]["attempts"], 3, "{progress}");
    let progress = home.run(&["puzzle", "progress", "--json"]).json();
    assert_eq!(progress.get("rating"), None);
    let rating = home.run(&["rating"]);
    assert!(
        rating.stdout.contains("Puzzles: ") && rating.stdout.contains("after 3 answers."),
        "{rating:?}"
    );
}
