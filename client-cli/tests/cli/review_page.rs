//! `grundy review --html` and `--svg`: the numbers of the review, in a page and a picture that need nothing else.

use std::fs;

use roxmltree::{Document, Node};
use serde_json::Value;

use crate::program::Home;

const MATCH: [&str; 10] = [
    "nim:1,4,6,7",
    "D-4",
    "C-1",
    "B-4",
    "C-3",
    "D-1",
    "C-2",
    "D-1",
    "A-1",
    "D-1",
];

/// The texts of the cells of a table's body, row by row.
fn cells(table: Node<'_, '_>) -> Vec<Vec<String>> {
    let body = table.descendants().find(|node| node.has_tag_name("tbody"));
    let rows = body.expect("a body").children();
    let text = |cell: Node<'_, '_>| cell.text().unwrap_or_default().to_owned();
    rows.filter(Node::is_element)
        .map(|row| row.children().filter(Node::is_element).map(text).collect())
        .collect()
}

fn number(value: &Value) -> String {
    value
        .as_u64()
        .map_or("?".to_owned(), |number| number.to_string())
}

#[test]
fn the_page_and_the_picture_have_the_numbers_of_the_json() {
    let home = Home::at("http://127.0.0.1:1");
    let files = ["--html", "r.html", "--svg", "r.svg", "--json"];
    let ran = home.run(&[&["review"], &MATCH[..], &files].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let review = ran.json();
    let page = fs::read_to_string(home.file("r.html")).expect("the page");
    for word in ["<script", "http:", "https:", "src=", "@import", "url("] {
        let outside = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!outside.contains(word), "{word}");
    }
    // The page is XML but for what has no end tag.
    let xml = page
        .replace("<!doctype html>\n", "")
        .replace("<meta charset=\"utf-8\">", "")
        .replace("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">", "")
        .replace("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">", "");
    let page = Document::parse(&xml).expect("well-formed");
    let tables: Vec<Node<'_, '_>> = page
        .descendants()
        .filter(|node| node.has_tag_name("table"))
        .collect();
    let [moves, players] = tables[..] else {
        panic!("two tables");
    };
    let plies = review["plies"].as_array().expect("plies");
    for (row, ply) in cells(moves).iter().zip(plies) {
        assert_eq!(row[0], number(&ply["ply"]));
        assert_eq!(row[2], ply["move"].as_str().unwrap_or("start"));
        assert_eq!(row[3], ply["mark"].as_str().unwrap_or_default());
        assert_eq!(row[5], number(&ply["left"]));
        assert_eq!(row[6], number(&ply["nim_value"]));
        if ply["legal_moves"].is_u64() {
            let winning = number(&ply["winning_moves"]);
            assert_eq!(row[7], format!("{winning} of {}", ply["legal_moves"]));
        }
    }
    assert_eq!(cells(moves).len(), plies.len());
    for (row, side) in cells(players).iter().zip(["first", "second"]) {
        let summary = &review["summary"][side];
        assert_eq!(
            row[1],
            format!("{} of {}", summary["kept"], summary["chances"])
        );
        let bits = |name: &str| summary[name].as_f64().expect("a number");
        let bits = format!("{:.1} of {:.1}", bits("bits_found"), bits("bits_offered"));
        assert_eq!(row[2], bits);
        let skill = |name: &str| summary["skill"][name].as_f64().expect("a number");
        let skill = ["skill", "low", "high"].map(|name| format!("{:.2}", skill(name)));
        assert_eq!(
            row[3],
            format!("{} ({} to {})", skill[0], skill[1], skill[2])
        );
        assert_eq!(row[11], summary["marks"]["[]"].to_string());
        assert_eq!(row[10], summary["marks"]["??"].to_string());
    }
    // Every line of the reasons is on the page.
    for point in review["turning_points"].as_array().expect("a list") {
        for line in point["why"]["lines"].as_array().expect("lines") {
            let line = line.as_str().expect("text").trim();
            let mut paragraphs = page.descendants().filter(|node| node.has_tag_name("p"));
            assert!(
                line.is_empty() || paragraphs.any(|node| node.text() == Some(line)),
                "{line}"
            );
        }
    }
    let picture = fs::read_to_string(home.file("r.svg")).expect("the picture");
    let picture = Document::parse(&picture).expect("well-formed");
    let titles = picture
        .descendants()
        .filter(|node| node.has_tag_name("title"));
    assert_eq!(titles.count(), plies.len());
}

#[test]
fn a_file_that_cannot_be_written_is_named_before_anything_is_computed() {
    let home = Home::at("http://127.0.0.1:1");
    for option in ["--svg", "--html"] {
        for file in ["nowhere/r", "."] {
            let ran = home.run(&[&["review"], &MATCH[..], &[option, file]].concat());
            assert_ne!(ran.code, Some(0), "{ran:?}");
            assert!(ran.stdout.is_empty(), "{ran:?}");
            assert!(ran.stderr.contains(file), "{ran:?}");
        }
    }
}
