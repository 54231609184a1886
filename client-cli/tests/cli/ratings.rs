//! Rated pairs from the lobby to the leaderboard, over a real server.

use crate::program::Home;
use crate::server::Server;

#[test]
fn a_rated_pair_from_the_lobby_to_the_leaderboard() {
    let server = Server::start();
    let (a_home, b_home) = (Home::at(&server.url), Home::at(&server.url));
    let none = a_home.run(&["rating"]);
    assert_eq!((none.code, &*none.stdout), (Some(0), ""));
    assert!(none.stderr.contains("has no rating yet"), "{none:?}");
    let terms = ["play", "nim:1,2", "--open", "--clock", "3+2", "--rated"];
    let mut a = a_home.start(&[&terms[..], &["--side", "first"]].concat());
    a.mutters("a rated pair");
    let listed = b_home.run(&["lobby", "--json"]).json();
    let seek = &listed["seeks"][0];
    assert_eq!(seek["rated"], true, "{listed}");
    assert_eq!(seek["games"], 2);
    let shown = b_home.run(&["lobby", "--no-input"]);
    assert!(shown.stdout.contains("rated pair"), "{shown:?}");
    let id = seek["seek"].as_str().expect("an id");
    let mut b = b_home.start(&["lobby", id]);
    a.says("game 1 of a rated pair");
    a.says("Your move");
    let running = b_home.run(&["games", "list", "--mine", "--json"]).json();
    let game = running["matches"][0]["match"].as_str().expect("an id");
    a.types("b-1");
    b.says("Your move");
    b.types("resign");
    b.says("game 2 of a rated pair");
    b.says("Your move");
    let review = b_home.run(&["review", game, "--json"]);
    assert_eq!(review.code, Some(7), "{review:?}");
    assert_eq!(review.error()["code"], "rated_match");
    b.types("resign");
    for player in [&mut a, &mut b] {
        let line = player.says("New ratings: ");
        assert!(line.contains("1338? (-162)"), "{line}");
    }
    assert_eq!(a.ends().code, Some(0));
    assert_eq!(b.ends().code, Some(0));

    let rating = a_home.run(&["rating"]);
    assert!(rating.stdout.contains("1662? ± 580"), "{rating:?}");
    let rating = a_home.run(&["rating", "--json"]).json();
    assert_eq!(rating["schema"], "grundy/ratings/1");
    assert_eq!(rating["ratings"][0]["rating"], 1662);
    let name = rating["player"]["name"].as_str().expect("a name");
    let history = b_home.run(&["rating", "--history", "nim"]);
    assert!(history.stdout.contains("-162"), "{history:?}");
    assert!(history.stdout.contains(name), "{history:?}");
    let with_picture = ["rating", "--history", "nim", "--svg", "curve.svg"];
    let drawn = b_home.run(&with_picture);
    assert_eq!(drawn.stdout, history.stdout, "{drawn:?}");
    let svg = std::fs::read_to_string(b_home.file("curve.svg")).expect("a picture");
    assert!(svg.contains("class=\"curve\""), "{svg}");
    let of_a = b_home.run(&["rating", name, "--history", "nim", "--json"]);
    assert_eq!(of_a.json()["pairs"][0]["change"], 162);
    let board = b_home.run(&["leaderboard", "nim", "--provisional", "--json"]);
    let board = board.json();
    let ratings: Vec<_> = board["entries"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|entry| &entry["rating"])
        .collect();
    assert_eq!(ratings, [1662, 1338]);
    let settled = b_home.run(&["leaderboard", "nim"]);
    assert_eq!((settled.code, &*settled.stdout), (Some(0), ""));
    assert!(settled.stderr.contains("--provisional"), "{settled:?}");
}

#[test]
fn what_cannot_be_rated_is_refused_at_once() {
    let server = Server::start();
    let home = Home::at(&server.url);
    for arguments in [
        &["play", "nim:1,2", "--clock", "3+2", "--rated"][..],
        &["play", "nim:1,2", "--open", "--rated"],
        &["play", "nim:1,2", "--local", "--clock", "3+2", "--rated"],
        &["challenge", "Ada", "nim:1,2", "--rated"],
        &[
            "play", "nim:1,2", "--open", "--clock", "3+2", "--rated", "--games", "4",
        ],
    ] {
        let ran = home.run(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {ran:?}");
    }
    let unknown = home.run(&["leaderboard", "nimm"]);
    assert_eq!(unknown.code, Some(3), "{unknown:?}");
    assert!(unknown.stderr.contains("no game family"), "{unknown:?}");
}
