//! Chance has one source, so that the simulator can play a history again.

/// What draws lots by itself: it is there without a seed, and another run draws others. The two are maps whose order is drawn.
const LOTS: [&str; 7] = [
    "RandomState",
    "StreamMap",
    "HashMap::new(",
    "HashSet::new(",
    "rand::",
    "getrandom",
    "OsRng",
];
/// Where chance comes from, and where a test asks to fail by chance.
const SOURCES: [&str; 2] = ["server::chance", "server::failpoint"];

/// The places of a source file at which chance decides, and no seed decides about that.
fn unseeded(source: &str) -> Vec<String> {
    let choices = source.match_indices("select! {").filter_map(|(at, _)| {
        let first = source[at..].lines().nth(1).unwrap_or_default().trim();
        (first != "biased;").then(|| format!("line {}: select! without biased", line(source, at)))
    });
    let lots = LOTS.iter().flat_map(|lot| {
        let places = source.match_indices(lot);
        places.map(move |(at, _)| format!("line {}: {lot}", line(source, at)))
    });
    choices.chain(lots).collect()
}

fn line(source: &str, at: usize) -> usize {
    source[..at].matches('\n').count() + 1
}

/// With two branches that can go on, `select!` draws lots, unless it is told which comes first.
#[test]
fn nothing_in_the_server_is_decided_by_unseeded_chance() {
    let files = crate::files_of("server", "server");
    let others = files
        .iter()
        .filter(|(home, _)| !SOURCES.contains(&home.as_str()));
    let found: Vec<String> = others
        .flat_map(|(home, source)| {
            let found = unseeded(source).into_iter();
            found.map(move |place| format!("{home}, {place}"))
        })
        .collect();
    assert!(found.is_empty(), "\n{}", found.join("\n"));
    let planted = "let x = tokio::select! {\n    () = a => 1,\n    () = b => 2,\n};\nlet y = HashMap::new();\n";
    let expected = ["line 1: select! without biased", "line 5: HashMap::new("];
    assert_eq!(unseeded(planted), expected);
}
