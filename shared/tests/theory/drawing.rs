//! Random positions of games whose states are not lists of numbers: rows, boards, graphs, strings.

use grundy_shared::Position;
use grundy_shared::games::GameInfo;

/// A small generator of our own (xorshift, Marsaglia 2003), so that a failure comes again.
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }

    fn letters(&mut self, count: u64, from: &[u8]) -> String {
        let letter = |_| char::from(from[self.below(from.len() as u64) as usize]);
        (0..count).map(letter).collect()
    }
}

/// A number that the environment sets.
pub(crate) fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().expect("the environment sets a number"))
}

/// A small random position of a game; of games of numbers: a sample with every number of its state drawn anew, and now and then a heap more or less.
pub(crate) fn random_component(
    info: &GameInfo,
    chance: &mut Chance,
    largest: u64,
) -> Option<String> {
    if let Some(text) = drawn(info.name, chance) {
        return Some(
            Position::parse(&text)
                .expect("drawn by the rules")
                .to_string(),
        );
    }
    let sample = info.examples[chance.below(info.examples.len() as u64) as usize];
    let (head, state) = sample.split_once(':')?;
    let mut numbers: Vec<u64> = Vec::new();
    for _ in state.split(',') {
        numbers.push(chance.below(largest + 1));
    }
    match chance.below(4) {
        0 => numbers.push(chance.below(largest + 1)),
        1 if numbers.len() > 1 => drop(numbers.pop()),
        _ => {}
    }
    let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
    let text = format!("{head}:{}", numbers.join(","));
    Position::parse(&text)
        .ok()
        .map(|position| position.to_string())
}

/// A small random position of this game, or `None` for games of lists of numbers.
pub(crate) fn drawn(game: &str, chance: &mut Chance) -> Option<String> {
    Some(match game {
        "flip" => {
            let counts: Vec<u64> = (1..=4).filter(|_| chance.below(2) == 0).collect();
            let counts = if counts.is_empty() {
                vec![1, 2]
            } else {
                counts
            };
            format!("flip.{}:{}", joined(&counts, "."), coins(chance))
        }
        "turtles" | "mockturtles" | "moebius" | "mogul" | "moidores" | "twins" => {
            format!("{game}:{}", coins(chance))
        }
        "turnips" | "grunt" => {
            let count = 1 + chance.below(10);
            format!("{game}:{}", chance.letters(count, b"HTT"))
        }
        "ruler" => match chance.below(4) {
            0 => format!("ruler:{}", coins(chance)),
            longest => format!("ruler.{longest}:{}", coins(chance)),
        },
        "fib" => match (chance.below(16), 1 + chance.below(16)) {
            (heap, quota) if heap >= quota => format!("fib:{heap}/{quota}"),
            (heap, _) => format!("fib:{heap}"),
        },
        // Plain recursion knows no order of heaps: splits of larger ones are too many for it.
        "split" => heaps("split", 3, chance),
        "moore" => {
            let most = 1 + chance.below(3);
            heaps(&format!("moore.{most}"), 5, chance)
        }
        "lasker" | "multi" => heaps(game, 6, chance),
        "dag" => dag(chance),
        "fork" => fork(chance),
        "loopy" => loopy(chance),
        "prefix" => prefix(chance),
        "hack" => format!("hack:{}", joined(&grounded(chance, 7), ",")),
        "geo" => geography(chance),
        "nodekayles" => {
            let nodes = 1 + chance.below(7);
            let items = graph(chance, nodes);
            format!("nodekayles:{}", joined(&items, ","))
        }
        "arckayles" => {
            let nodes = 2 + chance.below(6);
            let items = graph(chance, nodes);
            let edges: Vec<String> = items
                .into_iter()
                .filter(|item| item.contains('-'))
                .collect();
            match edges.is_empty() {
                true => "arckayles:_".to_owned(),
                false => format!("arckayles:{}", joined(&edges, ",")),
            }
        }
        "col" | "snort" => {
            let nodes = 1 + chance.below(6);
            let items: Vec<String> = graph(chance, nodes)
                .into_iter()
                .map(|item| match item.contains('-') {
                    true => item,
                    false => item + ["", "", "b", "r"][chance.below(4) as usize],
                })
                .collect();
            format!("{game}:{}", joined(&items, ","))
        }
        "poset" => {
            let elements = 1 + chance.below(7);
            let items = graph(chance, elements);
            format!("poset:{}", joined(&items, ","))
        }
        "nimstring" => {
            let strings: Vec<String> = (0..1 + chance.below(7))
                .map(|_| {
                    let from = chance.below(5);
                    format!("{from}-{}", (from + 1 + chance.below(4)) % 5)
                })
                .collect();
            format!("nimstring:{}", joined(&strings, ","))
        }
        "cram" | "domineering" => {
            let columns = 1 + chance.below(4);
            let rows = 1 + chance.below(if columns > 3 { 2 } else { 3 });
            board(game, rows, columns, b"...x", chance)
        }
        "clobber" => {
            let columns = 1 + chance.below(4);
            let rows = 1 + chance.below(if columns > 3 { 2 } else { 3 });
            board(game, rows, columns, b"xo.", chance)
        }
        "toads" => {
            let places = 1 + chance.below(8);
            format!("toads:{}", chance.letters(places, b"TF."))
        }
        "northcott" => {
            let (rows, columns) = [(1, 2), (1, 6), (2, 4), (3, 3)][chance.below(4) as usize];
            let rows: Vec<String> = (0..rows)
                .map(|_| {
                    let mut row = ".".repeat(columns);
                    let one = chance.below(columns as u64) as usize;
                    let step = 1 + chance.below(columns as u64 - 1) as usize;
                    let other = (one + step) % columns;
                    row.replace_range(one..=one, "x");
                    row.replace_range(other..=other, "o");
                    row
                })
                .collect();
            format!("northcott:{}", rows.join("/"))
        }
        "chomp" => {
            let mut rows: Vec<u64> = (0..1 + chance.below(4)).map(|_| chance.below(6)).collect();
            rows.sort_unstable_by(|a, b| b.cmp(a));
            format!("chomp:{}", joined(&rows, ","))
        }
        "notakto" => match chance.below(2) {
            0 => format!("notakto:{}", chance.letters(9, b"..x")),
            _ => format!(
                "notakto:{}/{}",
                chance.letters(9, b".xx"),
                chance.letters(9, b".xx")
            ),
        },
        "treblecross" => {
            let cells = 1 + chance.below(9);
            format!("treblecross:{}", chance.letters(cells, b"....x"))
        }
        "value" => match chance.below(2) {
            0 => format!("value:{}", same_for_both(chance, 2)),
            _ => format!("value:{}", value(chance, 2)),
        },
        _ => return None,
    })
}

/// A board of random letters.
fn board(game: &str, rows: u64, columns: u64, from: &[u8], chance: &mut Chance) -> String {
    let rows: Vec<String> = (0..rows).map(|_| chance.letters(columns, from)).collect();
    format!("{game}:{}", rows.join("/"))
}

/// A value with the same options for both players, in braces.
fn same_for_both(chance: &mut Chance, depth: u64) -> String {
    if depth == 0 || chance.below(4) == 0 {
        return format!("s{}", chance.below(4));
    }
    let count = chance.below(4);
    let options: Vec<String> = (0..count)
        .map(|_| same_for_both(chance, depth - 1))
        .collect();
    let options = options.join(",");
    format!("{{{options}|{options}}}")
}

/// A value with any options, in braces.
pub(crate) fn value(chance: &mut Chance, depth: u64) -> String {
    const NAMED: &[&str] = &[
        "0", "1", "-1", "2", "1/2", "-3/4", "s", "s2", "u", "ds", "d2", "1s", "us3",
    ];
    if depth == 0 || chance.below(4) == 0 {
        return NAMED[chance.below(NAMED.len() as u64) as usize].to_owned();
    }
    let mut side = || {
        let count = chance.below(3);
        let options: Vec<String> = (0..count).map(|_| value(chance, depth - 1)).collect();
        options.join(",")
    };
    let (left, right) = (side(), side());
    format!("{{{left}|{right}}}")
}

/// One to three heaps, the first of any size up to `largest`, the others smaller.
fn heaps(game: &str, largest: u64, chance: &mut Chance) -> String {
    let mut sizes = vec![chance.below(largest + 1)];
    for _ in 0..chance.below(4) {
        sizes.push(chance.below(largest / 2 + 1));
    }
    format!("{game}:{}", joined(&sizes, ","))
}

fn joined<T: ToString>(items: &[T], separator: &str) -> String {
    let items: Vec<String> = items.iter().map(T::to_string).collect();
    items.join(separator)
}

fn coins(chance: &mut Chance) -> String {
    let count = 1 + chance.below(7);
    chance.letters(count, b"HT.")
}

/// Arcs from larger to smaller nodes, and one to three tokens.
fn dag(chance: &mut Chance) -> String {
    let nodes = 2 + chance.below(6);
    let mut items = Vec::new();
    for from in 0..nodes {
        items.push(from.to_string());
        for to in 0..from {
            if chance.below(2) == 0 {
                items.push(format!("{from}-{to}"));
            }
        }
    }
    let tokens: Vec<u64> = (0..1 + chance.below(3))
        .map(|_| chance.below(nodes))
        .collect();
    format!("dag.{}:{}", items.join("."), joined(&tokens, ","))
}

/// Arcs from larger to smaller nodes, some with several ends, and one or two tokens.
fn fork(chance: &mut Chance) -> String {
    let nodes = 2 + chance.below(4);
    let mut items = Vec::new();
    for from in 0..nodes {
        items.push(from.to_string());
        for _ in 0..chance.below(4) * from.min(1) {
            let count = 1 + chance.below(2);
            let ends: Vec<u64> = (0..count).map(|_| chance.below(from)).collect();
            items.push(format!("{from}-{}", joined(&ends, "/")));
        }
    }
    let tokens: Vec<u64> = (0..1 + chance.below(2))
        .map(|_| chance.below(nodes))
        .collect();
    format!("fork.{}:{}", items.join("."), joined(&tokens, ","))
}

/// Arcs in all directions, and one or two tokens.
fn loopy(chance: &mut Chance) -> String {
    let nodes = 2 + chance.below(4);
    let mut items = Vec::new();
    for from in 0..nodes {
        items.push(from.to_string());
        for to in 0..nodes {
            if chance.below(4) == 0 {
                items.push(format!("{from}-{to}"));
            }
        }
    }
    let tokens: Vec<u64> = (0..1 + chance.below(2))
        .map(|_| chance.below(nodes))
        .collect();
    format!("loopy.{}:{}", items.join("."), joined(&tokens, ","))
}

fn prefix(chance: &mut Chance) -> String {
    let longest = 1 + chance.below(3);
    let mut strings: Vec<String> = Vec::new();
    for _ in 0..chance.below(4) {
        let length = 1 + chance.below(longest);
        let string = chance.letters(length, b"01");
        if !strings
            .iter()
            .any(|other| other.starts_with(&string) || string.starts_with(other))
        {
            strings.push(string);
        }
    }
    let state = if strings.is_empty() {
        "_".to_owned()
    } else {
        strings.join(",")
    };
    format!("prefix.{longest}:{state}")
}

/// Edges that are tied to the ground, loops and parallel edges among them.
pub(crate) fn grounded(chance: &mut Chance, most: u64) -> Vec<String> {
    let rings = chance.below(2) == 0;
    let mut vertices = 1;
    let mut edges = Vec::new();
    for _ in 0..1 + chance.below(most) {
        let from = chance.below(vertices);
        let to = match rings && chance.below(2) == 0 {
            true => chance.below(vertices),
            false => vertices,
        };
        vertices = vertices.max(to + 1);
        edges.push(match chance.below(2) {
            0 => format!("{from}-{to}"),
            _ => format!("{to}-{from}"),
        });
    }
    edges
}

/// All nodes, and half of the edges between them.
fn graph(chance: &mut Chance, nodes: u64) -> Vec<String> {
    let mut items = Vec::new();
    for a in 0..nodes {
        items.push(a.to_string());
        for b in a + 1..nodes {
            if chance.below(5) < 2 {
                items.push(format!("{a}-{b}"));
            }
        }
    }
    items
}

/// A graph, and the token not yet placed, or a random path walked on it.
fn geography(chance: &mut Chance) -> String {
    let nodes = 1 + chance.below(7);
    let items = graph(chance, nodes);
    let head = format!("geo.{}", items.join("."));
    if chance.below(3) == 0 {
        let by = ["_", "__"][chance.below(2) as usize];
        let starts: Vec<u64> = (0..nodes).filter(|_| chance.below(2) == 0).collect();
        return format!("{head}:{by}{}", joined(&starts, "/"));
    }
    let mut path = vec![chance.below(nodes)];
    for _ in 0..chance.below(3) {
        let last = path[path.len() - 1];
        let next = (0..nodes).find(|next| {
            let edge = format!("{}-{}", last.min(*next), last.max(*next));
            !path.contains(next) && items.contains(&edge)
        });
        path.extend(next);
    }
    format!("{head}:{}", joined(&path, ","))
}
