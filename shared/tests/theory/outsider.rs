//! `examples/verifier`, a program in another language that was written from `docs/CERTIFICATES.md`: it accepts the certificates of random
//! positions and refuses each one that was changed into something false.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::thread;

use crate::certificates::{checked, kind};
use crate::drawing::{Chance, number, random_component};
use grundy_shared::Position;
use grundy_shared::certificate::Certificate;
use grundy_shared::games::REGISTRY;
use grundy_shared::ids::Seat;
use grundy_shared::solver::{Budget, certify, solve};
use serde_json::{Value, json};

/// Random positions; more if the environment says so: `GRUNDY_CERTIFICATES=2000`.
const POSITIONS: u64 = 240;
/// The largest heap of games of heaps.
const LARGEST: u64 = 8;

/// Positions of kinds of proof that random ones seldom have.
const LISTED: &[&str] = &[
    "cram:......../......../......../........",
    "cram:......../......../......../......../........",
    "chomp:15,15,15,15,15,15,15,15,15,15,15,15,15,15,15",
    "kayles:1000000,7,5@misere",
    "kayles:100000",
    "grundy:300,299",
    "loopy.0-1.1-0.1-2.2-3:0",
    "loopy.0-1.1-2.2-0.2-3:0+hack:0b1r2",
    "geo.0-1.1-2.2-0.2-3.3-4.4-5.5-3:_",
    "wythoff:165580140,267914295",
    "multi:40,30,21",
    "stairs:1,2@zero",
    "kayles:3,1@zero@misere",
    "stairs:0,2@zero",
];

/// A random position: a component, or two in any compound, under either end rule.
fn random_position(game: usize, chance: &mut Chance) -> Option<Position> {
    let mut text = random_component(REGISTRY[game], chance, LARGEST)?;
    if chance.below(3) == 0 {
        let other = REGISTRY[chance.below(REGISTRY.len() as u64) as usize];
        let compounds = [
            "",
            "",
            "",
            "@every",
            "@selective",
            "@conjunctive",
            "@shortsum",
            "@shortselective",
        ];
        let compound = compounds[chance.below(compounds.len() as u64) as usize];
        text = format!("{text}+{}{compound}", random_component(other, chance, 4)?);
    }
    if chance.below(3) == 0 {
        text += "@misere";
    }
    Position::parse(&text).ok()
}

/// The replies of the program to certificates, one a line.
fn replies(lines: &str) -> Vec<String> {
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/verifier");
    let child = Command::new("python3")
        .args(["-B", program, "--lines"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let mut child = child.expect("python3 is there: scripts/test installs it");
    let mut input = child.stdin.take().expect("it is piped");
    let lines = lines.to_owned();
    let writer = thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = child.wait_with_output().expect("it ends");
    writer
        .join()
        .expect("the writer ends")
        .expect("it reads to the end");
    let text = String::from_utf8(output.stdout).expect("it writes UTF-8");
    text.lines().map(str::to_owned).collect()
}

/// The same certificate with a false claim, one in each.
fn tampered(made: &Certificate) -> Vec<(&'static str, Value)> {
    let original: Value = serde_json::from_str(&made.to_json()).expect("JSON");
    let mut all = Vec::new();
    let mut change = |path: &'static str, to: &dyn Fn(&Value) -> Option<Value>| {
        let mut changed = original.clone();
        if let Some((place, new)) = changed
            .pointer_mut(path)
            .and_then(|place| to(place).map(|new| (place, new)))
        {
            *place = new;
            all.push((path, changed));
        }
    };
    let more = |value: &Value| Some(json!(value.as_u64()? + 1));
    let other = |value: &Value| Some(json!(if value == "P" { "N" } else { "P" }));
    let drawn = |value: &Value| (value != "D").then(|| json!("D"));
    let shorter = |value: &Value| {
        value
            .as_array()
            .filter(|items| !items.is_empty())
            .map(|items| json!(items[1..]))
    };
    let text = |new: &'static str| move |value: &Value| value.as_str().map(|_| json!(new));
    change("/outcome", &other);
    change("/outcome", &drawn);
    change("/schema", &text("grundy/certificate/0"));
    change("/winning_move", &|value| {
        value.as_str().map(|_| Value::Null)
    });
    change("/nim_value", &more);
    change("/proof/values/rule", &text("columns"));
    change("/proof/values/components/0/values/0", &more);
    change("/proof/values/components/0/component", &more);
    change("/proof/values/parts/0/value", &more);
    change("/proof/values/parts/0/options/0/1", &more);
    change("/proof/values/parts/0/options", &shorter);
    change("/proof/values/tables/0/values/0", &more);
    change("/proof/theorem", &text("nim-sum"));
    change("/proof/matching/pairs", &shorter);
    change("/proof/quotient/lost", &|lost| {
        lost.as_array()
            .filter(|lost| !lost.is_empty())
            .map(|_| json!([]))
    });
    change("/proof/quotient/products/0/0", &more);
    change("/proof/mirror/pairs", &shorter);
    change("/proof/stealing/move", &text("1:2"));
    change("/proof/search/0", &|row| {
        let outcome = other(&row["outcome"])?;
        let mut changed = row.clone();
        changed["outcome"] = outcome;
        changed.as_object_mut()?.remove("move");
        Some(changed)
    });
    all
}

#[test]
fn a_program_written_from_the_page_accepts_what_is_true_and_refuses_the_rest() {
    let positions = number("GRUNDY_CERTIFICATES").unwrap_or(POSITIONS);
    let mut chance = Chance(0x0dd0_5eed_1234_5677);
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    let mut lines = String::new();
    let mut expected = Vec::new();
    let mut game = 0;
    let random = (0..positions).map(|_| {
        loop {
            game = (game + 1) % REGISTRY.len();
            if let Some(position) = random_position(game, &mut chance) {
                break (position, 1 << 22);
            }
        }
    });
    let listed = LISTED
        .iter()
        .map(|text| (Position::parse(text).expect(text), 1 << 18));
    for (position, nodes) in listed.chain(random) {
        let made = certify(&position, &Budget::nodes(nodes));
        let what = match (&made.proof, &made.reason) {
            (None, reason) => format!("none: {}", reason.as_deref().unwrap_or_default()),
            _ => kind(&made).to_owned(),
        };
        *kinds.entry(what).or_default() += 1;
        if made.proof.is_none() {
            continue;
        }
        let mut line = |text: String, about: String| {
            lines += &text;
            lines.push('\n');
            expected.push(about);
        };
        line(made.to_json(), format!("accepted {position} "));
        for (path, changed) in tampered(&made) {
            let text = changed.to_string();
            line(text.clone(), format!("refused {path} of {text}"));
        }
    }
    println!("{kinds:#?}");
    let replies = replies(&lines);
    assert_eq!(replies.len(), expected.len());
    let mut wrong = Vec::new();
    for (index, (reply, expected)) in replies.iter().zip(&expected).enumerate() {
        let right = match expected.starts_with("accepted ") {
            true => reply.starts_with(expected.as_str()),
            false => reply.starts_with("refused "),
        };
        if !right {
            let line = lines.lines().nth(index).unwrap_or_default();
            wrong.push(format!("{expected:.200}\n  {reply}\n  {line:.1500}"));
        }
    }
    let (tampered, count) = (replies.len(), wrong.len());
    println!("{tampered} certificates, tampered ones among them");
    assert!(
        wrong.is_empty(),
        "{count} wrong replies:\n{}",
        wrong[..count.min(12)].join("\n")
    );
}

/// A certificate of a plain position.
fn certificate(position: &str, outcome: &str, winning_move: Option<&str>, proof: &Value) -> Value {
    json!({
        "schema": "grundy/certificate/1",
        "position": position,
        "outcome": outcome,
        "nim_value": null,
        "winning_move": winning_move,
        "proof": proof,
    })
}

/// A proof by the values of one component.
fn by_theorem(theorem: &str, values: &Value, after: Option<Value>) -> Value {
    let of =
        |values: &Value| json!([{"component": 1, "by": {"theorem": theorem}, "values": values}]);
    let after = after.map(|values| of(&values)[0].clone());
    json!({"values": {"rule": "sprague-grundy", "components": of(values), "after": after}})
}

/// Every line gets one reply, whatever it holds, and moves in huge heaps are not listed.
#[test]
fn malformed_certificates_are_refused_one_by_one_and_huge_heaps_cost_nothing() {
    let huge = "1000000000000000000";
    let first = json!({"mirror": {"pairs": [["1:1"]]}});
    let second = json!({"matching": {"pairs": [[0]], "barrier": []}});
    // The order of values and of options does not matter.
    let made = certify(
        &Position::parse("cram:..x..../..x...x").expect("a position"),
        &Budget::nodes(1 << 22),
    );
    let mut reordered: Value = serde_json::from_str(&made.to_json()).expect("JSON");
    let values = &mut reordered["proof"]["values"];
    for row in values["parts"].as_array_mut().expect("values by options") {
        row["options"].as_array_mut().expect("a list").reverse();
    }
    let listed = values["components"][0]["values"].as_array_mut();
    let listed = listed.expect("a list");
    assert!(listed.len() > 1 && listed[0] != listed[1], "{listed:?}");
    listed.reverse();
    let cases = [
        (
            certificate("cram:..", "N", Some("1:1-1:2"), &first).to_string(),
            false,
        ),
        (
            certificate("geo.0-1:0", "N", Some("1"), &second).to_string(),
            false,
        ),
        (
            certificate("nim:1\n2", "P", None, &json!({"theorem": "nim-sum"})).to_string(),
            false,
        ),
        (
            certificate("cram:..", "N", None, &json!({"theorem": ["nim-sum"]})).to_string(),
            false,
        ),
        (String::new(), false),
        ("[[]]".to_owned(), false),
        ("\u{feff}{}".to_owned(), false),
        (
            certificate(
                &format!("nim:{huge}"),
                "N",
                Some(&format!("A-{huge}")),
                &by_theorem("nim-sum", &json!([huge]), None),
            )
            .to_string(),
            true,
        ),
        (
            certificate(
                "lasker:1000000007,5",
                "N",
                Some("A-1000000002"),
                &by_theorem("lasker", &json!([5, 1_000_000_008]), Some(json!([5, 5]))),
            )
            .to_string(),
            true,
        ),
        (
            certificate(
                "moore.2:100000,200000,300000",
                "N",
                Some("B-100000,C-200000"),
                &json!({"theorem": "columns"}),
            )
            .to_string(),
            true,
        ),
        (
            certificate(
                &format!("wythoff:{huge},{huge}"),
                "N",
                Some(&format!("AB-{huge}")),
                &json!({"theorem": "golden-pairs"}),
            )
            .to_string(),
            true,
        ),
        (reordered.to_string(), true),
    ];
    let lines: String = cases.iter().map(|(text, _)| format!("{text}\n")).collect();
    let replies = replies(&lines);
    assert_eq!(replies.len(), cases.len(), "{replies:#?}");
    for ((text, expected), reply) in cases.iter().zip(&replies) {
        assert_eq!(reply.starts_with("accepted "), *expected, "{reply}\n{text}");
        assert_eq!(checked(text.as_bytes()).is_ok(), *expected, "{text}");
    }
}

/// The value with one thing changed somewhere in it.
fn mutated(value: &Value, strings: &[String], chance: &mut Chance) -> Value {
    let mut changed = value.clone();
    match &mut changed {
        Value::Object(fields) if !fields.is_empty() && chance.below(12) > 0 => {
            let at = chance.below(fields.len() as u64) as usize;
            if let Some((_, field)) = fields.iter_mut().nth(at) {
                *field = mutated(field, strings, chance);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            let at = chance.below(items.len() as u64) as usize;
            let other = chance.below(items.len() as u64) as usize;
            match chance.below(8) {
                0 => drop(items.remove(at)),
                1 => items.insert(at, items[other].clone()),
                2 => items.swap(at, other),
                _ => items[at] = mutated(&items[at], strings, chance),
            }
        }
        other => {
            *other = match chance.below(12) {
                0 => Value::Null,
                1 => json!([]),
                2 => json!([[other.clone()]]),
                3 => json!({}),
                4 => json!(true),
                5 => json!(-1),
                6 => json!(1_000_000_000_000_u64),
                _ => match other {
                    Value::Number(number) => json!(number.as_u64().unwrap_or(0) + chance.below(3)),
                    _ => json!(strings[chance.below(strings.len() as u64) as usize]),
                },
            };
        }
    }
    changed
}

/// All texts in a value.
fn texts(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Value::Object(fields) => fields.values().for_each(|field| texts(field, found)),
        _ => {}
    }
}

/// The Python verifier accepts whatever the program accepts, and whatever either accepts is true.
#[test]
fn both_verifiers_agree_on_mutated_certificates() {
    let (positions, mutants) = (number("GRUNDY_CERTIFICATES").unwrap_or(120), 10);
    let mut chance = Chance(0x0f0e_2d5e_ed99_0001);
    let (mut lines, mut game, mut made) = (Vec::new(), 0, 0);
    while made < positions {
        game = (game + 1) % REGISTRY.len();
        let Some(position) = random_position(game, &mut chance) else {
            continue;
        };
        let certificate = certify(&position, &Budget::nodes(1 << 18));
        if certificate.proof.is_none() {
            continue;
        }
        made += 1;
        let original: Value = serde_json::from_str(&certificate.to_json()).expect("JSON");
        let mut strings = vec!["0".to_owned(), String::new()];
        texts(&original, &mut strings);
        for _ in 0..mutants {
            let mut changed = mutated(&original, &strings, &mut chance);
            if chance.below(3) == 0 {
                changed = mutated(&changed, &strings, &mut chance);
            }
            lines.push(changed.to_string());
        }
    }
    let replies = replies(&(lines.join("\n") + "\n"));
    assert_eq!(replies.len(), lines.len());
    let mut accepted = [0, 0];
    for (line, reply) in lines.iter().zip(&replies) {
        let ours = checked(line.as_bytes()).is_ok();
        let theirs = reply.starts_with("accepted ");
        assert!(theirs || reply.starts_with("refused "), "{reply}\n{line}");
        assert!(theirs || !ours, "only the program accepts: {reply}\n{line}");
        accepted[0] += usize::from(ours);
        accepted[1] += usize::from(theirs);
        if theirs {
            let read: Value = serde_json::from_str(line).expect("it was accepted");
            let position = Position::parse(read["position"].as_str().expect("a text"));
            let position = position.unwrap_or_else(|error| panic!("{error:?}\n{line}"));
            let solution = solve(&position, Seat::First, &Budget::nodes(1 << 24), 0);
            assert_eq!(json!(solution.outcome), read["outcome"], "{line}");
        }
    }
    println!(
        "{} mutants: the program accepts {}, the outsider {}",
        lines.len(),
        accepted[0],
        accepted[1]
    );
}
