//! Certificates by symmetry and by strategy stealing.

use crate::certificates::{checked, cut, kind, set, tampered};
use grundy_shared::Position;
use grundy_shared::certificate::Certificate;
use grundy_shared::solver::{Budget, certify};
use serde_json::{Value, json};

/// Within a budget that finds no winning move of a large board.
fn made(text: &str) -> Certificate {
    certify(&Position::parse(text).expect(text), &Budget::nodes(1 << 16))
}

/// Chomp with so many rows, all of this length.
fn rectangle(rows: usize, columns: usize) -> String {
    format!("chomp:{}", vec![columns.to_string(); rows].join(","))
}

#[test]
fn large_boards_are_proved_by_their_symmetry() {
    let empty = ["............"; 12].join("/");
    let odd = ["............"; 11].join("/");
    for (text, outcome) in [(format!("cram:{empty}"), "P"), (format!("cram:{odd}"), "N")] {
        let certificate = made(&text);
        assert_eq!(kind(&certificate), "mirror", "{:?}", certificate.reason);
        let json = certificate.to_json();
        let shown = checked(json.as_bytes()).unwrap_or_else(|refusal| panic!("{refusal}"));
        assert_eq!(json!(shown.outcome), json!(outcome));
        assert_eq!(shown.theorems, ["mirror"]);
    }
}

#[test]
fn a_rectangle_of_chomp_is_won_though_nobody_knows_how() {
    let text = rectangle(20, 20);
    let certificate = made(&text);
    assert_eq!(kind(&certificate), "stealing", "{:?}", certificate.reason);
    let json = certificate.to_json();
    let shown = checked(json.as_bytes()).unwrap_or_else(|refusal| panic!("{refusal}"));
    assert_eq!(
        (json!(shown.outcome), shown.winning_move),
        (json!("N"), None)
    );
}

#[test]
fn a_mirror_or_a_theft_with_a_fault_is_refused() {
    const CRAM: &str = "cram:..../..../..../....";
    tampered(CRAM, cut("/proof/mirror/pairs", 0), "proof.mirror");
    tampered(
        CRAM,
        set("/proof/mirror/pairs/0", json!(["1:1", "1:2"])),
        "proof.mirror.pairs",
    );
    tampered(
        CRAM,
        set("/proof/mirror/pairs/0/0", json!("1:01")),
        "proof.mirror.pairs[0]",
    );
    tampered(
        CRAM,
        set("/proof/mirror/pairs/0", json!(["1:1", "1:1"])),
        "proof.mirror.pairs[0]",
    );
    tampered(
        CRAM,
        set("/position", json!("cram:..../..../.../....")),
        "position",
    );
    tampered(
        CRAM,
        set("/position", json!("cram:..../..../..../....@misere")),
        "proof.mirror",
    );
    tampered(
        CRAM,
        set("/position", json!("cram:..../..../..../...x")),
        "proof.mirror",
    );
    let original: Value = serde_json::from_str(&made(&rectangle(20, 20)).to_json()).expect("JSON");
    for (path, new, place) in [
        (
            "/proof/stealing/move",
            "19:20".to_owned(),
            "proof.stealing.move",
        ),
        ("/winning_move", "20:20".to_owned(), "winning_move"),
        ("/outcome", "P".to_owned(), "outcome"),
        (
            "/position",
            rectangle(20, 20).replacen("20", "21", 1),
            "proof.stealing.move",
        ),
    ] {
        let mut changed = original.clone();
        *changed.pointer_mut(path).expect("a field") = json!(new);
        let refusal = checked(changed.to_string().as_bytes()).expect_err("a false claim");
        assert_eq!(refusal.place, place);
    }
}
