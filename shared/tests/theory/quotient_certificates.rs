//! Certificates by misère quotients.

use crate::certificates::{checked, cut, kind, made, set, tampered};
use serde_json::{Value, json};

#[test]
fn a_quotient_proves_heaps_of_any_size() {
    for text in [
        "kayles:4,3,2@misere",
        "kayles:1000000,7,5@misere",
        "octal.0.77:9+octal.0.77:2@misere",
        "octal.0.07:8,7@misere",
        "grundy:12,9,3@misere",
    ] {
        let certificate = made(text);
        assert_eq!(kind(&certificate), "quotient", "{text}");
        let json = certificate.to_json();
        let shown = checked(json.as_bytes());
        let shown = shown.unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
        assert_eq!(shown.theorems, ["misere-quotient"]);
    }
    // Two games have no common quotient.
    assert_eq!(kind(&made("kayles:4+octal.0.07:5@misere")), "search");
}

#[test]
fn a_quotient_with_a_fault_is_refused() {
    const KAYLES: &str = "kayles:4,3,2@misere";
    let more = |path: &'static str| {
        move |value: &mut Value| {
            let place = value.pointer_mut(path).expect("a number");
            *place = json!(place.as_u64().expect("a number") + 1);
        }
    };
    tampered(
        KAYLES,
        set("/proof/quotient/lost", json!([])),
        "proof.quotient",
    );
    tampered(
        KAYLES,
        set("/proof/quotient/lost/0", json!(0)),
        "proof.quotient.lost[0]",
    );
    tampered(
        KAYLES,
        more("/proof/quotient/products/0/0"),
        "proof.quotient.products[0]",
    );
    tampered(
        KAYLES,
        more("/proof/quotient/products/1/1"),
        "proof.quotient",
    );
    tampered(
        KAYLES,
        set("/proof/quotient/classes/0", json!(1)),
        "proof.quotient.classes[0]",
    );
    tampered(KAYLES, more("/proof/quotient/classes/1"), "proof.quotient");
    tampered(
        KAYLES,
        cut("/proof/quotient/classes", 4),
        "proof.quotient.classes",
    );
    tampered(
        KAYLES,
        set("/proof/quotient/game", json!("octal.0.07")),
        "proof.quotient",
    );
    tampered(
        KAYLES,
        set("/position", json!("kayles:4,3,2")),
        "proof.quotient",
    );
    let period = json!({"start": 0, "length": 1});
    tampered(
        KAYLES,
        set("/proof/quotient/period", period),
        "proof.quotient.period",
    );
}
