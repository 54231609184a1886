//! Certificates: the verifier accepts what the solver makes, and nothing that is false.

mod drawing;

use std::collections::BTreeMap;

use drawing::{Chance, drawn};
use grundy_shared::Position;
use grundy_shared::certificate::{
    Certificate, Fault, MAX_BYTES, Outcome, Proof, Refusal, Source, THEOREMS, Verified, WORK, verify,
};
use grundy_shared::conformance::PlainRecursion;
use grundy_shared::games::REGISTRY;
use grundy_shared::ids::Seat;
use grundy_shared::solver::{Budget, certify};
use grundy_shared::theory::Meter;
use serde_json::{Value, json};

/// Random positions of each game in each end rule.
const POSITIONS: usize = 40;
/// Positions met in plain recursion before one is passed over as too large.
const MOST: usize = 20_000;

fn parse(text: &str) -> Position {
    Position::parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

fn made(text: &str) -> Certificate {
    certify(&parse(text), Seat::First, &Budget::nodes(1 << 26))
}

fn checked(bytes: &[u8]) -> Result<Verified, Refusal> {
    let mut meter = Meter::new(WORK, 1 << 30, &|| false);
    Certificate::read(bytes).and_then(|certificate| verify(&certificate, &mut meter))
}

/// Which kind of proof it is, for the table of games.
fn kind(certificate: &Certificate) -> &'static str {
    match &certificate.proof {
        None => "none",
        Some(Proof::Theorem(_)) => "theorem",
        Some(Proof::Matching(_)) => "matching",
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
    let shown = checked(json.as_bytes()).unwrap_or_else(|refusal| panic!("{text}: {refusal}\n{json}"));
    if let Some(truth) = PlainRecursion::new().truth(&position, MOST) {
        agrees(&shown, &truth, text);
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
        let begun = std::time::Instant::now();
        for ending in ["", "@misere"] {
            let game = format!("{}{ending}", info.name);
            let counts = kinds.entry(game).or_default();
            let random = (0..POSITIONS).filter_map(|_| drawn(info.name, &mut chance));
            let random: Vec<String> = random.map(|text| parse(&text).to_string()).collect();
            for text in info.examples.iter().copied().chain(random.iter().map(String::as_str)) {
                let kind = proved(&format!("{text}{ending}"));
                *counts.entry(kind).or_default() += 1;
            }
        }
        println!("{} {:?}", info.name, begun.elapsed());
    }
    for (game, counts) in &kinds {
        println!("{game}: {counts:?}");
        assert!(!counts.contains_key("none"), "{game}: {counts:?}");
    }
}
