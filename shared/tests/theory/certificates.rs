//! Certificates: the verifier accepts what the solver makes, and nothing that is false.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::{env, fs};

use crate::drawing::{Chance, drawn};
use crate::whole_certificates::whole_outcome;
use grundy_shared::Position;
use grundy_shared::certificate::{
    Certificate, Fault, MAX_BYTES, Outcome, Proof, Refusal, Source, THEOREMS, Verified, WORK,
    verify,
};
use grundy_shared::conformance::PlainRecursion;
use grundy_shared::game::Kind;
use grundy_shared::games::REGISTRY;
use grundy_shared::solver::{Budget, certify};
use grundy_shared::theory::Meter;
use serde_json::{Value, json};

/// Random positions of each game in each end rule.
const POSITIONS: usize = 20;
/// Positions met in plain recursion before one is passed over as too large.
pub(crate) const MOST: usize = 2_000;

fn parse(text: &str) -> Position {
    Position::parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

pub(crate) fn made(text: &str) -> Certificate {
    certify(&parse(text), &Budget::nodes(1 << 26))
}

pub(crate) fn checked(bytes: &[u8]) -> Result<Verified, Refusal> {
    let mut meter = Meter::new(WORK, 1 << 30, &|| false);
    Certificate::read(bytes).and_then(|certificate| verify(&certificate, &mut meter))
}

/// Which kind of proof it is, for the table of games.
pub(crate) fn kind(certificate: &Certificate) -> &'static str {
    match &certificate.proof {
        None => "none",
        Some(Proof::Theorem(_)) => "theorem",
        Some(Proof::Matching(_)) => "matching",
        Some(Proof::Mirror(_)) => "mirror",
        Some(Proof::Stealing(_)) => "stealing",
        Some(Proof::Quotient(_)) => "quotient",
        Some(Proof::Search(_)) => "search",
        Some(Proof::Values(values)) => match values.components.first().map(|known| &known.by) {
            None => "over",
            Some(Source::Theorem(_)) => "values by theorem",
            Some(Source::Table) => "values by table",
            Some(Source::Options) => "values by options",
        },
    }
}

/// Makes and checks the certificate of a small position, and compares what it proves with plain recursion.
fn proved(text: &str) -> &'static str {
    let position = parse(text);
    let certificate = made(text);
    let kind = kind(&certificate);
    if certificate.proof.is_none() {
        assert!(certificate.reason.is_some(), "{text}");
        return kind;
    }
    let json = certificate.to_json();
    let shown =
        checked(json.as_bytes()).unwrap_or_else(|refusal| panic!("{text}: {refusal}\n{json}"));
    match position.kind() {
        Kind::Impartial => {
            if let Some(truth) = PlainRecursion::new().truth(&position, MOST) {
                agrees(&shown, &truth, text);
            }
        }
        Kind::Partizan | Kind::Loopy => {
            if let Some(truth) = whole_outcome(&position) {
                assert_eq!(shown.outcome, truth, "{text}");
            }
        }
    }
    kind
}

fn agrees(shown: &Verified, truth: &grundy_shared::conformance::Truth, text: &str) {
    assert_eq!(shown.outcome, Outcome::of(truth.lost), "{text}");
    if let Some(value) = shown.nim_value {
        assert_eq!(value.0, truth.value, "{text}");
    }
}

#[test]
fn every_game_has_certificates_in_both_end_rules() {
    let mut kinds: BTreeMap<String, BTreeMap<&str, usize>> = BTreeMap::new();
    let mut chance = Chance(0x5bd1_e995);
    for info in REGISTRY {
        for ending in ["", "@misere"] {
            let game = format!("{}{ending}", info.name);
            let counts = kinds.entry(game).or_default();
            let random = (0..POSITIONS).filter_map(|_| drawn(info.name, &mut chance));
            let random: Vec<String> = random.map(|text| parse(&text).to_string()).collect();
            for text in info
                .examples
                .iter()
                .copied()
                .chain(random.iter().map(String::as_str))
            {
                let kind = proved(&format!("{text}{ending}"));
                *counts.entry(kind).or_default() += 1;
            }
        }
    }
    for (game, counts) in &kinds {
        println!("{game}: {counts:?}");
        assert!(!counts.contains_key("none"), "{game}: {counts:?}");
    }
}

#[test]
fn large_positions_have_short_certificates() {
    let ring: Vec<String> = (0..3_000)
        .map(|v| format!("{v}-{}", (v + 1) % 3_000))
        .collect();
    for (text, expected) in [
        (
            "nim:1000000000000000000,999999999999999999",
            "values by theorem",
        ),
        ("kayles:1000000000000000000,7", "values by table"),
        ("sub.1.3.4:999999999999999999,5", "values by table"),
        ("octal.0.156:100000000", "values by table"),
        ("grundy:3000,2999", "values by table"),
        (
            "nim:9+cram:.../...+kayles:300+hack:0-1-2",
            "values by theorem",
        ),
        ("nim:5,6+lasker:9@misere", "values by theorem"),
        ("wythoff:165580140,267914295", "theorem"),
        ("moore.2:300000,400000,500000@misere", "theorem"),
        (
            "geo.0-1.1-2.2-3.3-4.4-0.0-5.5-6.6-7.7-5:0",
            "values by options",
        ),
        (&format!("geo.{}:_", ring.join(".")), "matching"),
        (
            &format!("geo.{}.5000-5001:5000", ring.join(".")),
            "values by options",
        ),
        ("kayles:5,4,3,2+cram:..@misere", "search"),
        ("nim:3+kayles:4@every", "search"),
        ("nim:2,1+cram:...@selective@misere", "search"),
        ("nim:3+nim:1,2+kayles:3@shortsum", "search"),
    ] {
        let certificate = made(text);
        assert_eq!(
            kind(&certificate),
            expected,
            "{text}: {:?}",
            certificate.reason
        );
        let json = certificate.to_json();
        let shown = checked(json.as_bytes()).unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
        assert!(
            shown
                .theorems
                .iter()
                .all(|name| THEOREMS.iter().any(|known| known.name == *name))
        );
    }
}

#[test]
fn where_there_is_no_proof_the_certificate_says_why() {
    let wide = vec!["1000000000000000000"; 40_000].join(",");
    for (text, nodes, expected) in [
        (
            "kayles:300,299@misere",
            10_000,
            "before the verdict was known",
        ),
        (
            "domineering:....../....../....../....../....../......",
            1 << 20,
            "the budget was used up",
        ),
        (&format!("nim:{wide}"), 1 << 21, "longer than 1048576 bytes"),
    ] {
        let certificate = certify(&parse(text), &Budget::nodes(nodes));
        assert!(certificate.proof.is_none(), "{}", kind(&certificate));
        let reason = certificate.reason.as_deref().unwrap_or_default();
        assert!(reason.contains(expected), "{text:.60}: {reason}");
        let refusal = checked(certificate.to_json().as_bytes()).expect_err("there is no proof");
        assert!(refusal.message.contains("it is missing"), "{refusal}");
    }
}

/// The certificate of a position after a change, and where the verifier finds the fault.
pub(crate) fn tampered(text: &str, change: impl Fn(&mut Value), place: &str) {
    let certificate = made(text);
    let mut value: Value = serde_json::from_str(&certificate.to_json()).expect("JSON");
    change(&mut value);
    let json = value.to_string();
    assert_ne!(
        json,
        serde_json::from_str::<Value>(&certificate.to_json())
            .expect("JSON")
            .to_string()
    );
    let refusal = checked(json.as_bytes()).expect_err(&json);
    assert!(
        refusal.place.starts_with(place),
        "{text}: {refusal}, expected at {place}"
    );
}

/// Sets what stands at a place.
pub(crate) fn set(place: &'static str, new: Value) -> impl Fn(&mut Value) {
    move |value| *value.pointer_mut(place).expect(place) = new.clone()
}

/// Takes an item of a list away, counted from the end.
pub(crate) fn cut(place: &'static str, from_end: usize) -> impl Fn(&mut Value) {
    move |value| {
        let list = value
            .pointer_mut(place)
            .and_then(Value::as_array_mut)
            .expect(place);
        let at = list.len() - 1 - from_end;
        list.remove(at);
    }
}

#[test]
fn tampering_is_found_at_its_place() {
    const NIM: &str = "nim:1,4,6,7";
    const CRAM: &str = "cram:.../...+nim:2";
    const KAYLES: &str = "kayles:100000,7";
    const GEO: &str = "geo.0-1.0-2.0-3:1";
    const WILD: &str = "kayles:3,2+cram:..@misere";
    tampered(NIM, set("/schema", json!("grundy/certificate/2")), "schema");
    tampered(
        NIM,
        set("/position", json!("nim:1,4,6,8")),
        "proof.values.components[0].values[3]",
    );
    tampered(NIM, set("/position", json!("nim:01,4,6,7")), "position");
    tampered(
        NIM,
        set("/position", json!("nim:1,4,6,7@misere")),
        "proof.values.rule",
    );
    tampered(NIM, set("/outcome", json!("P")), "winning_move");
    tampered("nim:1,2,3", set("/outcome", json!("N")), "winning_move");
    tampered(NIM, set("/nim_value", json!(5)), "nim_value");
    tampered(
        NIM,
        set("/winning_move", json!("B-3")),
        "proof.values.after.values[1]",
    );
    tampered(NIM, set("/winning_move", json!("B-9")), "winning_move");
    tampered(NIM, set("/winning_move", Value::Null), "winning_move");
    tampered(
        NIM,
        set("/proof/values/components/0/by/theorem", json!("lasker")),
        "proof.values.components[0].by",
    );
    tampered(
        NIM,
        set("/proof/values/components/0/by", json!("table")),
        "proof.values.components[0].by",
    );
    tampered(
        NIM,
        set("/proof/values/after", Value::Null),
        "proof.values.after",
    );
    tampered(NIM, |value| value["reason"] = json!("x"), "reason");
    tampered(NIM, |value| value["more"] = json!(1), "more");
    tampered("nim:3,5@misere", set("/nim_value", json!(6)), "nim_value");
    tampered(
        CRAM,
        cut("/proof/values/parts/2/options", 0),
        "proof.values.parts[2].options",
    );
    tampered(
        CRAM,
        set("/proof/values/parts/2/options/0/1", json!(9)),
        "proof.values.parts[2].options[0]",
    );
    tampered(
        CRAM,
        set("/proof/values/parts/1/value", json!(9)),
        "proof.values.parts[1].value",
    );
    tampered(
        CRAM,
        cut("/proof/values/parts", 0),
        "proof.values.components[0].by",
    );
    tampered(
        CRAM,
        |value| {
            value["proof"]["values"]["parts"]
                .as_array_mut()
                .expect("rows")
                .reverse()
        },
        "proof.values.parts[0].options",
    );
    tampered(
        CRAM,
        cut("/proof/values/components", 0),
        "proof.values.components",
    );
    tampered(
        KAYLES,
        cut("/proof/values/tables/0/values", 0),
        "proof.values.tables[0].period",
    );
    tampered(
        KAYLES,
        set("/proof/values/tables/0/period/start", json!(70)),
        "proof.values.tables[0].period",
    );
    tampered(
        KAYLES,
        set("/proof/values/tables/0/period/length", json!(6)),
        "proof.values.tables[0].period",
    );
    tampered(
        KAYLES,
        set("/proof/values/tables/0/values/9", json!(5)),
        "proof.values.tables[0].values[9]",
    );
    tampered(
        KAYLES,
        set("/proof/values/tables/0/game", json!("dawsonkayles")),
        "proof.values.tables[0].values",
    );
    tampered(
        "wythoff:3,5",
        set("/proof/theorem", json!("zeckendorf")),
        "proof.theorem",
    );
    tampered(
        GEO,
        set("/proof/matching/pairs/0", json!([2, 3])),
        "proof.matching.pairs[0]",
    );
    tampered(
        GEO,
        |value| {
            let pair = value["proof"]["matching"]["pairs"][0].clone();
            value["proof"]["matching"]["pairs"]
                .as_array_mut()
                .expect("pairs")
                .push(pair);
        },
        "proof.matching.pairs",
    );
    tampered(GEO, cut("/proof/matching/pairs", 0), "proof.matching");
    tampered(
        GEO,
        set("/proof/matching/barrier", json!([])),
        "proof.matching",
    );
    tampered(WILD, cut("/proof/search", 0), "proof.search");
    tampered(WILD, cut("/proof/search", 3), "proof.search");
    tampered(
        WILD,
        |value| {
            let rows = value["proof"]["search"].as_array_mut().expect("rows");
            let won = rows
                .iter_mut()
                .find(|row| row["outcome"] == "N")
                .expect("a row that is won");
            won["outcome"] = json!("P");
            won.as_object_mut().expect("a row").remove("move");
        },
        "proof.search",
    );
    tampered(
        WILD,
        set("/proof/search/0/outcome", json!("N")),
        "proof.search[0].move",
    );
}

#[test]
fn what_is_no_certificate_is_unreadable() {
    let long = format!("{}{}", " ".repeat(MAX_BYTES), made("nim:1").to_json());
    let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
    let doubled = made("nim:1")
        .to_json()
        .replacen('{', r#"{"outcome":"N","#, 1);
    for text in [
        "",
        "null",
        "{}",
        "[]",
        "\u{0}",
        &long,
        &deep,
        &doubled,
        r#"{"schema":1}"#,
    ] {
        let refusal = checked(text.as_bytes()).expect_err("not a certificate");
        assert_eq!(refusal.fault, Fault::Unreadable, "{refusal}");
    }
}

/// A certificate whose proof is this text.
fn hostile(position: &str, outcome: &str, proof: &str) -> Refusal {
    let text = format!(
        r#"{{"schema":"grundy/certificate/1","position":"{position}","outcome":"{outcome}","nim_value":null,"winning_move":null,"proof":{proof}}}"#
    );
    checked(text.as_bytes()).expect_err(&text)
}

#[test]
fn hostile_certificates_cost_little_and_do_not_panic() {
    let huge = "1000000000000000000";
    hostile(
        "nim:1",
        "P",
        &format!(r#"{{"search":[{{"position":"nim:{huge}","outcome":"P"}}]}}"#),
    );
    let endless = format!(
        r#"{{"search":[{{"position":"nim:1+nim:1","outcome":"P"}},{{"position":"nim:{huge}@misere","outcome":"P"}}]}}"#
    );
    hostile("nim:1", "P", &endless);
    let part = format!(
        r#"{{"values":{{"rule":"sprague-grundy","components":[],"after":null,"parts":[{{"part":"nim:{huge}","value":0,"options":[]}}]}}}}"#
    );
    hostile("nim:1", "P", &part);
    for game in [
        "octal.",
        "octal..",
        "sub.+5",
        "sub.",
        "sub.0",
        "sub.5.1",
        "grundy+nim",
        "octal.0.700",
        "nim",
        "octal.9",
    ] {
        let table = format!(
            r#"{{"values":{{"rule":"sprague-grundy","components":[],"after":null,"tables":[{{"game":"{game}","values":[0],"period":{{"start":18446744073709551615,"length":18446744073709551615}}}}]}}}}"#
        );
        let refusal = hostile("nim:1", "P", &table);
        assert_eq!(refusal.place, "proof.values.tables[0].game");
    }
    for (start, length) in [
        ("0", "0"),
        ("18446744073709551615", "18446744073709551615"),
        ("0", "1"),
    ] {
        let table = format!(
            r#"{{"values":{{"rule":"sprague-grundy","components":[],"after":null,"tables":[{{"game":"kayles","values":[0,1],"period":{{"start":{start},"length":{length}}}}}]}}}}"#
        );
        let refusal = hostile("nim:1", "P", &table);
        assert!(
            refusal.place.starts_with("proof.values.tables[0].period"),
            "{refusal}"
        );
    }
    let tables = [r#"{"game":"octal.0.f","values":[0,1,2],"period":null}"#; 2].join(",");
    hostile(
        "nim:1",
        "P",
        &format!(
            r#"{{"values":{{"rule":"sprague-grundy","components":[],"after":null,"tables":[{tables}]}}}}"#
        ),
    );
    hostile(
        "nim:_",
        "P",
        r#"{"matching":{"pairs":[],"barrier":[4294967295]}}"#,
    );
    hostile(
        "geo.0-1:0",
        "P",
        r#"{"matching":{"pairs":[[0,0]],"barrier":[0,0]}}"#,
    );
}

/// Changes something at random: a number, a text, a list.
fn mutate(value: &mut Value, chance: &mut Chance, texts: &[String]) {
    match value {
        Value::Object(fields) => {
            let count = fields.len() as u64;
            if let Some(inner) = fields.values_mut().nth(chance.below(count.max(1)) as usize) {
                mutate(inner, chance, texts);
            }
        }
        Value::Array(items) if items.is_empty() => {}
        Value::Array(items) => {
            let at = chance.below(items.len() as u64) as usize;
            match chance.below(8) {
                0 => drop(items.remove(at)),
                1 => items.push(items[at].clone()),
                2 => items.swap(at, 0),
                _ => mutate(&mut items[at], chance, texts),
            }
        }
        Value::Number(_) => *value = json!(chance.below(6)),
        Value::String(text) => match chance.below(3) {
            0 => *text = texts[chance.below(texts.len() as u64) as usize].clone(),
            1 => *text = if text == "N" { "P" } else { "N" }.to_owned(),
            _ => *text = text.replace(char::from(b'0' + chance.below(6) as u8), "3"),
        },
        other => *other = json!(chance.below(4)),
    }
}

fn texts_of(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| texts_of(item, found)),
        Value::Object(fields) => fields.values().for_each(|item| texts_of(item, found)),
        _ => {}
    }
}

#[test]
fn no_mutation_proves_what_is_false() {
    let mut chance = Chance(0x1234_5678_9abc_def1);
    let mut accepted = 0;
    let mut refused = 0;
    for text in [
        "nim:1,4,2",
        "kayles:3,2@misere",
        "nim:1,2,3",
        "nim:2,2,1@misere",
        "cram:.../...",
        "cram:..x/...@misere",
        "kayles:3,4,2",
        "kayles:4,1@misere",
        "sub.1.3:5,4",
        "geo.0-1.1-2.2-3.3-0.0-4.1-5:4",
        "geo.0-1.1-2.2-0:_",
        "wythoff:2,3",
        "moore.2:1,2,2@misere",
        "treblecross:....",
        "chomp:3,2+nim:2",
        "nodekayles:0-1,1-2,2-3",
        "hack:0-1-2,0-3",
        "hack:0b1r2,0-3,0r4",
        "loopy.0-1.1-0.1-2.2-3:0,2",
        "loopy.0-1.1-0:0",
        "domineering:.../..x@misere",
    ] {
        let original: Value = serde_json::from_str(&made(text).to_json()).expect("JSON");
        let mut texts = vec!["nim:1,3".to_owned(), "A-1".to_owned()];
        texts_of(&original, &mut texts);
        for _ in 0..400 {
            let mut value = original.clone();
            for _ in 0..1 + chance.below(3) {
                mutate(&mut value, &mut chance, &texts);
            }
            match checked(value.to_string().as_bytes()) {
                Err(_) => refused += 1,
                Ok(shown) => {
                    accepted += 1;
                    let position = parse(&shown.position);
                    if position.kind() != Kind::Impartial {
                        let truth = whole_outcome(&position);
                        assert_eq!(Some(shown.outcome), truth, "{value}");
                        continue;
                    }
                    let truth = PlainRecursion::new().truth(&position, 100_000);
                    agrees(
                        &shown,
                        &truth.expect("a small position"),
                        &value.to_string(),
                    );
                }
            }
        }
    }
    assert!(
        accepted > 100 && refused > 1_000,
        "{accepted} accepted, {refused} refused"
    );
}

/// The theorems as the page lists them.
fn listed() -> String {
    let mut text = "\n| name | games | what it says | source |\n|---|---|---|---|\n".to_owned();
    for theorem in THEOREMS {
        let games: Vec<String> = theorem
            .games
            .iter()
            .map(|game| format!("`{game}`"))
            .collect();
        let (name, games) = (theorem.name, games.join(" "));
        let statement = theorem.statement.replace('|', "\\|");
        writeln!(
            text,
            "| `{name}` | {games} | {statement} | {} |",
            theorem.source
        )
        .expect("writing to a String cannot fail");
    }
    text
}

#[test]
fn the_page_lists_every_theorem_and_its_example_holds() {
    const BEGIN: &str = "theory the_page` -->\n";
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/CERTIFICATES.md");
    let page = fs::read_to_string(path).expect("docs/CERTIFICATES.md is there");
    let begin = page.find(BEGIN).expect("a place to begin") + BEGIN.len();
    let end = page.find("<!-- end -->").expect("a place to end");
    if env::var_os("GRUNDY_REGENERATE").is_some() {
        let fresh = format!("{}{}\n{}", &page[..begin], listed(), &page[end..]);
        fs::write(path, fresh).expect("the page can be written");
        return;
    }
    assert_eq!(
        page[begin..end].trim(),
        listed().trim(),
        "run it with GRUNDY_REGENERATE=1"
    );
    let example = page
        .split("```json\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next());
    let example: Certificate = serde_json::from_str(example.expect("an example")).expect("JSON");
    assert_eq!(example, made(&example.position));
}
