//! Facts of games on boards, graphs and trees, each against something that knows less.

use std::collections::{BTreeMap, BTreeSet};

use crate::game_facts::{Component, MOST, nim_is_lost};
use crate::truth::Judge;
use grundy_shared::Position;
use grundy_shared::fact::{AtVertex, GameFact, Terms};
use grundy_shared::ids::Seat;

/// A position that was written from another one.
fn parse(text: &str) -> Position {
    Position::parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

fn value_of(text: &str, judge: &mut Judge) -> u64 {
    let truth = judge.verdict(&parse(text), Seat::First, MOST);
    truth.and_then(|truth| truth.value).expect("small")
}

/// Whether the player to move loses what a move leaves.
fn loses_after(component: &Component<'_>, mv: &str, judge: &mut Judge) -> bool {
    let position = parse(&component.text());
    let mv = position.parse_move(Seat::First, mv).expect("legal");
    let after = judge.verdict(&position.play(&mv), Seat::First, MOST);
    after.expect("smaller").wins == Some(false)
}

/// The edges of `0-1-2,0-3` and of `0-1.1-2.3`; a number alone is a vertex without edges.
fn edges(text: &str, separator: char) -> Vec<(u32, Option<u32>)> {
    let mut edges = Vec::new();
    for path in text.split(separator).filter(|path| *path != "_") {
        let vertices: Vec<u32> = path
            .split('-')
            .map(|vertex| vertex.parse().expect("a vertex"))
            .collect();
        match &vertices[..] {
            [alone] => edges.push((*alone, None)),
            _ => edges.extend(vertices.windows(2).map(|two| (two[0], Some(two[1])))),
        }
    }
    edges
}

/// The value of what stands on a vertex of a green tree, by plain recursion; of one branch only, if it is named.
fn standing_on(vertex: u32, branch: Option<u32>, state: &str, judge: &mut Judge) -> u64 {
    let mut open: Vec<(u32, u32)> = edges(state, ',')
        .into_iter()
        .map(|(from, to)| (from, to.expect("an edge")))
        .collect();
    // From the ground up: each edge from its lower to its upper end.
    let mut tree: Vec<(u32, u32)> = Vec::new();
    let mut met = BTreeSet::from([0]);
    while !open.is_empty() {
        let place = open
            .iter()
            .position(|(a, b)| met.contains(a) || met.contains(b))
            .expect("all is tied to the ground");
        let (a, b) = open.remove(place);
        let (lower, upper) = if met.contains(&a) { (a, b) } else { (b, a) };
        met.insert(upper);
        tree.push((lower, upper));
    }
    let mut above = BTreeSet::from([vertex]);
    let mut kept = Vec::new();
    for (lower, upper) in tree {
        let wanted = lower != vertex || branch.is_none_or(|branch| branch == upper);
        if above.contains(&lower) && wanted {
            above.insert(upper);
            let lower = if lower == vertex { 0 } else { lower };
            kept.push(format!("{lower}-{upper}"));
        }
    }
    match kept.is_empty() {
        true => 0,
        false => value_of(&format!("hack:{}", kept.join(",")), judge),
    }
}

/// The number of edges of a maximum matching, by trying all.
fn largest_matching(edges: &[(u32, u32)], used: &BTreeSet<u32>) -> usize {
    let Some(((a, b), rest)) = edges.split_first() else {
        return 0;
    };
    let without = largest_matching(rest, used);
    if used.contains(a) || used.contains(b) {
        return without;
    }
    let both = used.iter().copied().chain([*a, *b]).collect();
    without.max(1 + largest_matching(rest, &both))
}

/// The vertices of each connected piece.
fn pieces(state: &str) -> Vec<BTreeSet<u32>> {
    let mut pieces: Vec<BTreeSet<u32>> = Vec::new();
    for (from, to) in edges(state, ',') {
        let mut joined: BTreeSet<u32> = [Some(from), to].into_iter().flatten().collect();
        pieces.retain(|piece| {
            let apart = piece.is_disjoint(&joined);
            if !apart {
                joined.extend(piece);
            }
            apart
        });
        pieces.push(joined);
    }
    pieces
}

/// The free squares that have a free neighbour.
fn playable(state: &str) -> BTreeSet<(i64, i64)> {
    let mut free = BTreeSet::new();
    for (row, squares) in (0..).zip(state.split('/')) {
        for (column, square) in (0..).zip(squares.chars()) {
            if square == '.' {
                free.insert((row, column));
            }
        }
    }
    let beside = |(row, column): (i64, i64)| {
        let around = [(0, 1), (1, 0), (0, -1), (-1, 0)];
        around.map(|(down, right)| (row + down, column + right))
    };
    let has_neighbour =
        |square: &(i64, i64)| beside(*square).iter().any(|next| free.contains(next));
    free.iter().copied().filter(has_neighbour).collect()
}

fn check_matching(
    pairs: &[[u32; 2]],
    token: Option<u32>,
    goal: Option<u32>,
    component: &Component<'_>,
    lost: bool,
) {
    let (_, graph) = component
        .head
        .split_once('.')
        .expect("geography has a graph");
    let visited: Vec<u32> = component
        .state
        .split(',')
        .filter(|item| *item != "_")
        .map(|item| item.parse().expect("a vertex"))
        .collect();
    assert_eq!(token, visited.last().copied());
    let gone = &visited[..visited.len().saturating_sub(1)];
    let once = check_pairs(pairs, graph, gone);
    assert_eq!(goal.is_none(), lost);
    match (token, goal) {
        (Some(token), None) => assert!(!once.contains(&token)),
        (Some(token), Some(goal)) => {
            assert!(pairs.contains(&[token.min(goal), token.max(goal)]));
        }
        (None, Some(goal)) => assert!(!once.contains(&goal)),
        (None, None) => {}
    }
}

/// Checks that these are a maximum matching of the graph without some vertices; gives the vertices that it covers.
fn check_pairs(pairs: &[[u32; 2]], graph: &str, gone: &[u32]) -> BTreeSet<u32> {
    let left: Vec<(u32, u32)> = edges(graph, '.')
        .into_iter()
        .filter_map(|(from, to)| Some((from, to?)))
        .filter(|(from, to)| !gone.contains(from) && !gone.contains(to))
        .collect();
    let covered: Vec<u32> = pairs.iter().flatten().copied().collect();
    let once: BTreeSet<u32> = covered.iter().copied().collect();
    assert_eq!(once.len(), covered.len(), "{pairs:?}");
    let is_edge =
        |pair: &&[u32; 2]| left.contains(&(pair[0], pair[1])) || left.contains(&(pair[1], pair[0]));
    assert!(pairs.iter().all(|pair| is_edge(&pair)), "{pairs:?}");
    assert_eq!(pairs.len(), largest_matching(&left, &BTreeSet::new()));
    once
}

/// The value of fused vertices: the first of them is put on the ground, with all cycles through them and what stands on these.
fn standing_on_block(
    vertices: &[u32],
    branches: &Terms,
    state: &str,
    judge: &mut Judge,
) -> (u64, u64) {
    let all: Vec<(u32, u32)> = edges(state, ',')
        .into_iter()
        .map(|(from, to)| (from, to.expect("an edge")))
        .collect();
    let uppers: Vec<u32> = branches
        .first
        .iter()
        .map(|branch| branch.name.parse().expect("a vertex"))
        .collect();
    let mut above: BTreeSet<u32> = uppers.into_iter().collect();
    loop {
        let reached: Vec<u32> = all
            .iter()
            .flat_map(|(a, b)| [(*a, *b), (*b, *a)])
            .filter(|(from, to)| above.contains(from) && !vertices.contains(to))
            .map(|(_, to)| to)
            .filter(|to| !above.contains(to))
            .collect();
        if reached.is_empty() {
            break;
        }
        above.extend(reached);
    }
    let is_block = |vertex: &u32| vertices.contains(vertex);
    // Each loop at the ground is a part by itself.
    if vertices == [0] {
        return (1, 1);
    }
    let all: Vec<(u32, u32)> = all.into_iter().filter(|ends| *ends != (0, 0)).collect();
    let among = all
        .iter()
        .filter(|(a, b)| is_block(a) && is_block(b))
        .count() as u64;
    let foot = vertices[0];
    // The block's first vertex becomes the ground. The others get new numbers, so that none of them is the ground.
    let named = |vertex: u32| if vertex == foot { 0 } else { vertex + 1_000 };
    let kept: Vec<String> = all
        .iter()
        .filter(|(a, b)| {
            let of_it = |vertex: &u32| is_block(vertex) || above.contains(vertex);
            of_it(a) && of_it(b)
        })
        .map(|(a, b)| format!("{}-{}", named(*a), named(*b)))
        .collect();
    (among, value_of(&format!("hack:{}", kept.join(",")), judge))
}

/// The value of an element of a poset and all above it.
fn standing_on_element(element: u32, state: &str, judge: &mut Judge) -> u64 {
    let all = edges(state, ',');
    let mut above = BTreeSet::from([element]);
    loop {
        let reached: Vec<u32> = all
            .iter()
            .filter(|(from, _)| above.contains(from))
            .filter_map(|(_, to)| *to)
            .filter(|to| !above.contains(to))
            .collect();
        if reached.is_empty() {
            break;
        }
        above.extend(reached);
    }
    let kept = all.iter().filter(|(from, _)| above.contains(from));
    let kept = kept.filter_map(|(from, to)| Some(format!("{from}-{}", (*to)?)));
    let kept: Vec<String> = kept.collect();
    match kept.is_empty() {
        true => 1,
        false => value_of(&format!("poset:{}", kept.join(",")), judge),
    }
}

/// The squares between the pieces of each row.
fn gaps(state: &str) -> Vec<u64> {
    let gap = |row: &str| {
        let (x, o) = (row.find('x').expect("one x"), row.find('o').expect("one o"));
        x.abs_diff(o) as u64 - 1
    };
    state.split('/').map(gap).collect()
}

fn xor(terms: &Terms) -> u64 {
    let all = terms.all().expect("all are named");
    all.into_iter().fold(0, |xor, value| xor ^ value)
}

/// Checks a fact about a position in which only this component has a move; `lost` is whether the player to move loses.
pub(crate) fn check(fact: &GameFact, component: &Component<'_>, lost: bool, judge: &mut Judge) {
    let (head, state) = (component.head, component.state);
    match fact {
        GameFact::PointSymmetry { made_by: None } => {
            let squares = playable(state);
            let sum = |of: fn(&(i64, i64)) -> i64| {
                let values = || squares.iter().map(of);
                values().min().unwrap_or(0) + values().max().unwrap_or(0)
            };
            let (rows, columns) = (sum(|square| square.0), sum(|square| square.1));
            let turned = squares
                .iter()
                .map(|(row, column)| (rows - row, columns - column));
            assert_eq!(squares, turned.collect(), "{state}");
            assert!(lost, "{state}");
        }
        GameFact::PointSymmetry { made_by: Some(mv) } => {
            assert!(!lost && loses_after(component, mv, judge), "{state} {mv}");
        }
        GameFact::Vertex {
            vertex,
            branches,
            xor,
        } => {
            assert_eq!(*xor, standing_on(*vertex, None, state, judge), "{state}");
            for branch in &branches.first {
                let upper = branch.name.parse().expect("a vertex");
                let value = standing_on(*vertex, Some(upper), state, judge);
                assert_eq!(branch.value, value, "{state} {vertex}-{upper}");
            }
        }
        GameFact::Matching {
            pairs, token, goal, ..
        } => check_matching(pairs, *token, *goal, component, lost),
        GameFact::Placing {
            pairs,
            goal,
            by_opponent,
            ..
        } => {
            let (_, graph) = head.split_once('.').expect("geography has a graph");
            let once = check_pairs(pairs, graph, &[]);
            assert!(goal.is_none_or(|goal| !once.contains(&goal)));
            assert_eq!(*by_opponent, state.starts_with("__"));
            let allowed = state.trim_start_matches('_');
            if let Some(goal) = goal.filter(|_| !allowed.is_empty()) {
                assert!(allowed.split('/').any(|one| one == goal.to_string()));
            }
            assert_eq!(lost, *by_opponent == goal.is_some(), "{head}:{state}");
        }
        GameFact::Fused {
            vertices,
            edges,
            branches,
            xor: all,
            ..
        } => {
            let (among, value) = standing_on_block(vertices, branches, state, judge);
            assert_eq!((*edges, *all), (among, value), "{state} {vertices:?}");
            assert_eq!(*all, xor(branches) ^ (edges % 2), "{state} {vertices:?}");
        }
        GameFact::Arcs { node, value, arcs } => {
            let (_, graph) = head.split_once('.').expect("a graph");
            let prefix = format!("{node}-");
            let listed: BTreeSet<&str> = graph
                .split('.')
                .filter_map(|arc| arc.strip_prefix(&prefix))
                .collect();
            let named: BTreeSet<&str> = arcs.first.iter().map(|arc| &*arc.name).collect();
            assert_eq!(named, listed, "{head} {node}");
            assert_eq!(*value, value_of(&format!("{head}:{node}"), judge));
            for arc in &arcs.first {
                let ends = arc.name.replace('/', ",");
                assert_eq!(arc.value, value_of(&format!("{head}:{ends}"), judge));
            }
        }
        GameFact::Element {
            element,
            above,
            value,
        } => {
            assert_eq!(
                *value,
                standing_on_element(*element, state, judge),
                "{state}"
            );
            assert_eq!(*value, 1 + xor(above), "{state} {element}");
            for upper in &above.first {
                let name = upper.name.parse().expect("an element");
                assert_eq!(upper.value, standing_on_element(name, state, judge));
            }
        }
        GameFact::Extreme { element, greatest } => {
            assert!(!lost, "{state}");
            let position = parse(&component.text());
            let taken = position.parse_move(Seat::First, &element.to_string());
            let after = position.play(&taken.expect("legal"));
            match greatest {
                false => assert!(after.is_over(Seat::First), "{state}"),
                true => {
                    for mv in position.moves(Seat::First) {
                        let left = position.play(&mv).to_string();
                        let left = left.trim_end_matches("@misere");
                        let (_, left) = left.split_once(':').expect("a state");
                        let has_it = edges(left, ',')
                            .into_iter()
                            .any(|(from, to)| from == *element || to == Some(*element));
                        assert!(!has_it, "{state} {mv} leaves {element}");
                    }
                }
            }
        }
        GameFact::OpenChain {
            coins, both_ends, ..
        } => {
            assert!(!lost, "{state}");
            assert!(coins.len() >= if *both_ends { 4 } else { 2 }, "{state}");
            let all = edges(state, ',');
            let strings = |coin: u32| {
                let of_it = all.iter().filter(|(a, b)| *a == coin || *b == Some(coin));
                of_it.count()
            };
            assert_eq!(strings(coins[0]), 1, "{state}");
            let last = if *both_ends { 1 } else { 2 };
            assert_eq!(strings(coins[coins.len() - 1]), last, "{state}");
            assert!(
                coins[1..coins.len() - 1]
                    .iter()
                    .all(|coin| strings(*coin) == 2)
            );
            for two in coins.windows(2) {
                let joins = |(a, b): &(u32, Option<u32>)| {
                    (*a, *b) == (two[0], Some(two[1])) || (*a, *b) == (two[1], Some(two[0]))
                };
                assert!(all.iter().any(joins), "{state} {two:?}");
            }
        }
        GameFact::EveryTurnOpens { turns } => {
            assert!(lost, "{state}");
            let position = parse(&component.text());
            assert_eq!(position.move_count(Seat::First), u128::from(*turns));
        }
        GameFact::Gaps { rows, xor: all } => {
            assert_eq!(rows.all(), Some(gaps(state)), "{state}");
            assert_eq!(xor(rows), *all);
            assert_eq!(lost, *all == 0, "{state}");
        }
        GameFact::Square { side } => {
            let rows = component.numbers();
            let rows: Vec<u64> = rows.into_iter().filter(|row| *row > 0).collect();
            assert!(rows.iter().all(|row| row == side) && rows.len() as u64 == *side);
            assert!(!lost && loses_after(component, "2:2", judge), "{state}");
        }
        GameFact::PathPiece { game, heap, vertex } => {
            let value = value_of(&format!("{game}:{}", heap.size), judge);
            assert_eq!(heap.value, value, "{state}");
            let piece = pieces(state)
                .into_iter()
                .find(|piece| piece.contains(vertex));
            assert_eq!(
                piece.expect("there is one").len() as u64,
                heap.size,
                "{state}"
            );
        }
        GameFact::Node {
            node,
            value,
            options,
        } => {
            let (_, graph) = head.split_once('.').expect("a graph");
            let arcs = edges(graph, '.')
                .into_iter()
                .filter(|(from, _)| from == node);
            let arcs: BTreeSet<u32> = arcs.filter_map(|(_, to)| to).collect();
            let listed: BTreeMap<u32, u64> = options
                .first
                .iter()
                .map(|option| (option.name.parse().expect("a node"), option.value))
                .collect();
            assert!(arcs.iter().eq(listed.keys()), "{head}:{node}");
            for (node, value) in listed.iter().chain([(node, value)]) {
                assert_eq!(*value, value_of(&format!("{head}:{node}"), judge));
            }
        }
        GameFact::FreeBranch { stem, levels } => {
            let longest: u64 = head["prefix.".len()..].parse().expect("a number");
            assert_eq!(
                levels.size,
                longest + 1 - stem.len() as u64,
                "{state} {stem}"
            );
            let apart = |string: &str| !string.starts_with(&**stem) && !stem.starts_with(string);
            assert!(state.split(',').all(apart), "{state} {stem}");
            // Below 0, beside 1, is one branch with all levels.
            let value = value_of(&format!("prefix.{}:1", levels.size), judge);
            assert_eq!(levels.value, value, "{state} {stem}");
        }
        GameFact::Completes { cell } => {
            assert!(!lost && loses_after(component, &cell.to_string(), judge));
        }
        GameFact::SafeRuns { runs, xor: all } => {
            assert_eq!(xor(runs), *all);
            assert_eq!(lost, *all == 0, "{state}");
        }
        GameFact::Arms { right, down } => {
            assert_eq!(lost, nim_is_lost(&[*right, *down], component.is_misere()));
        }
        GameFact::TwoRows { first, second } => assert_eq!(lost, *first == second + 1),
        GameFact::Rectangle { .. } => assert!(!lost, "{state}"),
        GameFact::Mates {
            pairs,
            single,
            xor: all,
        } => {
            let mut met: Vec<u64> = single.iter().copied().collect();
            for pair in &pairs.first {
                let (a, b) = pair.name.split_once(',').expect("a pair");
                let (a, b): (u64, u64) = (a.parse().expect("a square"), b.parse().expect("one"));
                assert_eq!(pair.value, (a ^ b) - 1);
                met.extend([a, b]);
            }
            met.sort_unstable();
            let mut coins = component.numbers();
            coins.sort_unstable();
            assert_eq!(met, coins);
            assert_eq!(xor(pairs) ^ single.unwrap_or(0), *all);
            assert_eq!(value_of(&component.text(), judge), *all);
        }
        _ => panic!("{fact:?} is not of a board"),
    }
}

/// Checks what a move changes in a component.
pub(crate) fn check_change(
    fact: &GameFact,
    before: &Component<'_>,
    after: &Component<'_>,
    judge: &mut Judge,
) {
    match fact {
        GameFact::SymmetryBroken { image } => assert!(loses_after(after, image, judge)),
        GameFact::Cut { chain, chain_total } => {
            assert_eq!(chain.len() as u64, (*chain_total).min(8));
            if chain.len() as u64 == *chain_total {
                assert_eq!(chain.last().map(|at| at.vertex), Some(0));
            }
            for AtVertex {
                vertex,
                before: had,
                after: has,
            } in chain
            {
                assert_eq!(*had, standing_on(*vertex, None, before.state, judge));
                assert_eq!(*has, standing_on(*vertex, None, after.state, judge));
            }
        }
        GameFact::Divided {
            node,
            value,
            ends,
            xor: all,
        } => {
            let graph = before.head;
            assert_eq!(*value, value_of(&format!("{graph}:{node}"), judge));
            for end in &ends.first {
                assert_eq!(end.value, value_of(&format!("{graph}:{}", end.name), judge));
            }
            assert_eq!(*all, xor(ends));
            let had = before
                .numbers()
                .iter()
                .filter(|at| **at == u64::from(*node))
                .count();
            let has = after
                .numbers()
                .iter()
                .filter(|at| **at == u64::from(*node))
                .count();
            assert_eq!(had, has + 1, "{} {}", before.state, after.state);
        }
        GameFact::GapChange {
            row,
            before: had,
            after: has,
        } => {
            let row = *row as usize - 1;
            let (old, new) = (gaps(before.state), gaps(after.state));
            assert_eq!((old[row], new[row]), (*had, *has));
            assert_ne!(had, has);
        }
        GameFact::PieceChange {
            vertices,
            left,
            left_total,
        } => {
            let (old, new) = (pieces(before.state), pieces(after.state));
            let changed = old.iter().find(|piece| !new.contains(piece));
            let changed = changed.expect("a piece was changed");
            assert_eq!(changed.len() as u64, *vertices);
            let mut sizes: Vec<usize> = new
                .iter()
                .filter(|piece| piece.is_subset(changed))
                .map(BTreeSet::len)
                .collect();
            let mut said: Vec<usize> = left.iter().map(|size| *size as usize).collect();
            sizes.sort_unstable();
            said.sort_unstable();
            assert_eq!(
                sizes.len() as u64,
                *left_total,
                "{} {}",
                before.state,
                after.state
            );
            assert_eq!(sizes, said, "{} {}", before.state, after.state);
        }
        _ => panic!("{fact:?} is not of a board"),
    }
}
