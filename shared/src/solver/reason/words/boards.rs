//! What the facts of games on boards, graphs and trees say.

use super::phrases::{Sentence, capital, counted, list_of, with_rest};
use crate::fact::{AtVertex, HeadLaw, Sized, Terms};

/// Cram: half a turn.
pub(super) fn symmetry(made_by: Option<&str>, outcome: &str) -> Sentence {
    Sentence::by(
        "If half a turn does not change the free squares that a domino can cover, and no domino overlaps its image, the player to move loses: every move is answered by its image.",
        match made_by {
            None => format!("This is so here: {outcome}."),
            Some(mv) => format!("After {mv} this is so: {outcome}."),
        },
    )
}

/// The colon principle for Hackenbush.
const COLON: &str = "A branch is worth one more than what stands on its upper end, and the branches on one vertex add by xor.";

/// Hackenbush: the branches on a vertex.
pub(super) fn vertex(vertex: u32, branches: &Terms, xor: u64) -> Sentence {
    Sentence::by(
        COLON,
        format!(
            "On vertex {vertex}: {}; their xor is {xor}.",
            list_of("branch to", branches)
        ),
    )
}

/// Hackenbush: what a cut changes.
pub(super) fn cut(chain: &[AtVertex], chain_total: u64) -> Sentence {
    let place = |at: &AtVertex| match at.vertex {
        0 => format!("the ground from {} to {}", at.before, at.after),
        vertex => format!("vertex {vertex} from {} to {}", at.before, at.after),
    };
    let places: Vec<String> = chain.iter().map(place).collect();
    Sentence::by(
        COLON,
        format!(
            "It changes the xor of the branches on {}.",
            with_rest(places, chain_total)
        ),
    )
}

/// Hackenbush: vertices of cycles, made one vertex.
pub(super) fn fused(
    (vertices, vertices_total): (&[u32], u64),
    edges: u64,
    branches: &Terms,
    xor: u64,
) -> Sentence {
    let shown = vertices.iter().map(u32::to_string).collect();
    let loops = format!(
        "The cycles through {} have {}, worth {}",
        with_rest(shown, vertices_total),
        counted(edges, "edge", "edges"),
        edges % 2
    );
    Sentence::by(
        "The vertices of a cycle can be fused into one vertex: each edge of the cycle is then a loop, worth 1. A branch is worth one more than what stands on its upper end, and all on one vertex add by xor.",
        match branches.total {
            0 => format!("{loops}."),
            _ => format!(
                "{loops}; {}; their xor is {xor}.",
                list_of("branch to", branches)
            ),
        },
    )
}

/// Geography: the matching by which the winner plays.
pub(super) fn matching(
    pairs: &[[u32; 2]],
    pairs_total: u64,
    token: Option<u32>,
    goal: Option<u32>,
    outcome: &str,
) -> Sentence {
    let pairs = matched(pairs, pairs_total);
    let text = match (token, goal) {
        (Some(token), Some(goal)) => format!(
            "{pairs}. Every maximum matching covers {token}, and {goal} is its partner here: {outcome}."
        ),
        (Some(token), None) => format!("{pairs}, without {token}: {outcome}."),
        (None, Some(goal)) => {
            format!("{pairs}. {goal} is left out, and the token can be placed there: {outcome}.")
        }
        (None, None) => format!("{pairs}, and no vertex is left out: {outcome}."),
    };
    Sentence::by(MATCHING, text)
}

/// The rule of geography.
const MATCHING: &str = "Take a maximum matching. A player who always moves the token to the partner of its vertex never gets stuck.";

/// The pairs of a matching.
fn matched(pairs: &[[u32; 2]], total: u64) -> String {
    let shown = pairs.iter().map(|[a, b]| format!("{a}-{b}")).collect();
    match total {
        0 => "There are no pairs".to_owned(),
        1 => format!("The pair is {}", with_rest(shown, 1)),
        _ => format!("The pairs are {}", with_rest(shown, total)),
    }
}

/// Geography: where the token may be placed.
pub(super) fn placing(
    (pairs, pairs_total): (&[[u32; 2]], u64),
    goal: Option<u32>,
    by_opponent: bool,
    outcome: &str,
) -> Sentence {
    let pairs = matched(pairs, pairs_total);
    let who = match by_opponent {
        true => "the other player",
        false => "the player to move",
    };
    Sentence::by(
        MATCHING,
        match goal {
            Some(goal) => format!(
                "{pairs}. {goal} is left out, and {who} may place the token there: {outcome}."
            ),
            None => format!(
                "{pairs}. Every maximum matching covers all vertices on which {who} may place the token: {outcome}."
            ),
        },
    )
}

/// A piece of a graph that is a path.
pub(super) fn path_piece(vertex: u32, game: &str, heap: Sized) -> Sentence {
    Sentence::by(
        format!("A piece that is a path is a heap of as many in {game}."),
        format!(
            "The piece of vertex {vertex} is a path of {}: nim-value {}.",
            counted(heap.size, "vertex", "vertices"),
            heap.value
        ),
    )
}

/// What a move makes of a piece of a graph.
pub(super) fn piece_change(vertices: u64, left: &[u64], left_total: u64) -> String {
    let shown = left.iter().map(u64::to_string).collect();
    format!(
        "It takes from a piece of {}, and leaves {}.",
        counted(vertices, "vertex", "vertices"),
        match left_total {
            0 => "nothing of it that has a move".to_owned(),
            1 => format!("a piece of {}", with_rest(shown, 1)),
            _ => format!("pieces of {}", with_rest(shown, left_total)),
        }
    )
}

/// Tokens on a graph: a node.
pub(super) fn node(node: u32, value: u64, options: &Terms) -> Sentence {
    Sentence::by(
        "The nim-value of a node is the least number that no arc from it leads to.",
        format!(
            "Node {node} leads to {}: nim-value {value}.",
            list_of("node", options)
        ),
    )
}

/// Dividing tokens: a node.
pub(super) fn arcs(node: u32, value: u64, arcs: &Terms) -> Sentence {
    Sentence::by(
        "An arc leaves the xor of the nim-values of its ends; the nim-value of a node is the least number that no arc from it leaves.",
        format!(
            "Node {node} has {}: nim-value {value}.",
            list_of("arc to", arcs)
        ),
    )
}

/// Dividing tokens: what a token becomes.
pub(super) fn divided(node: u32, value: u64, ends: &Terms, xor: u64) -> String {
    match &ends.first[..] {
        [end] if ends.total == 1 => format!(
            "It moves the token on {node} (nim-value {value}) to {} (nim-value {}).",
            end.name, end.value
        ),
        _ => format!(
            "It turns the token on {node} (nim-value {value}) into these: {}; their xor is {xor}.",
            list_of("token on", ends)
        ),
    }
}

/// Games on a poset: an element of a forest.
pub(super) fn element(element: u32, above: &Terms, value: u64) -> Sentence {
    Sentence::by(
        "If no element has two directly below it, an element is worth 1 more than the xor of what stands directly on it (colon principle).",
        format!(
            "On element {element} stand: {}; value {value}.",
            list_of("element", above)
        ),
    )
}

/// Games on a poset: a least or a greatest element.
pub(super) fn extreme(element: u32, greatest: bool, outcome: &str) -> Sentence {
    match greatest {
        false => Sentence::plain(format!(
            "Element {element} is below all others, and taking it takes everything: {outcome}."
        )),
        true => Sentence::by(
            "If an element is above all others, the player to move wins: if taking it alone lost, the answer to it could have been the first move, since every move takes it too.",
            format!("Element {element} is above all others: {outcome}."),
        ),
    }
}

/// Nimstring: the rule of open chains.
const CHAINS: &str = "If a chain of two or more coins is open at one end, the player to move wins: take all its coins and move elsewhere, or leave the last two tied together, so that the opponent must move elsewhere. A chain that is open at both ends needs four coins, which are left in two pairs.";

/// Nimstring: an open chain.
pub(super) fn open_chain(
    (coins, coins_total): (&[u32], u64),
    both_ends: bool,
    outcome: &str,
) -> Sentence {
    let shown = coins.iter().map(u32::to_string).collect();
    let coins = with_rest(shown, coins_total);
    let ends = if both_ends { "both ends" } else { "one end" };
    Sentence::by(
        CHAINS,
        format!("The chain of coins {coins} is open at {ends}: {outcome}."),
    )
}

/// Nimstring: each turn opens one.
pub(super) fn every_turn_opens(turns: u64, outcome: &str) -> Sentence {
    Sentence::by(
        CHAINS,
        match turns {
            1 => format!("The only turn leaves such a chain: {outcome}."),
            _ => format!("Each of the {turns} turns leaves such a chain: {outcome}."),
        },
    )
}

/// Northcott's game: the gaps.
pub(super) fn gaps(rows: &Terms, xor: u64, outcome: &str) -> Sentence {
    Sentence::by(
        "A row is worth a Nim heap of the squares between its pieces. A retreat changes nothing: the opponent advances by as much, and retreats run out.",
        match rows.total {
            1 => format!("The gap is {xor}: {outcome}."),
            _ => format!(
                "{}; the xor of the gaps is {xor}: {outcome}.",
                capital(&list_of("row", rows))
            ),
        },
    )
}

/// Northcott's game: how a move changes a gap.
pub(super) fn gap_change(row: u64, before: u64, after: u64) -> String {
    match after > before {
        true => format!(
            "It retreats in row {row}: the gap grows from {before} to {after}, and the opponent can advance by as much."
        ),
        false => format!("It advances in row {row}: the gap shrinks from {before} to {after}."),
    }
}

/// Chomp: a square.
pub(super) fn square(side: u64, outcome: &str) -> Sentence {
    Sentence::by(
        "In a square, biting 2:2 leaves two equal arms, which are two equal heaps of Nim.",
        format!("This is a square of {side} by {side}: {outcome}."),
    )
}

/// Coins in a row: why heads have their values.
pub(super) fn head_values(law: &HeadLaw) -> Sentence {
    Sentence::rule(match law {
        HeadLaw::One {} => "The value of every head is 1.".to_owned(),
        HeadLaw::Place {} => "The value of a head is its place.".to_owned(),
        HeadLaw::PlaceLessOne {} => "The value of a head is its place minus 1.".to_owned(),
        HeadLaw::Odious {} => "The value of a head on place n is the n-th number with an odd number of binary ones: 1, 2, 4, 7, 8, 11, ...".to_owned(),
        HeadLaw::PowerOfTwo { most: None } => {
            "The value of a head is the largest power of two that divides its place.".to_owned()
        }
        HeadLaw::PowerOfTwo { most: Some(most) } => format!(
            "The value of a head is the largest power of two that divides its place, but at most {most}, because runs are bounded."
        ),
        HeadLaw::BaseThree {} => "Write the number of coins to the left of a head in base 3. With the lowest 2 in place k from the right, its value is the k-th of 1, 2, 4, 7, 8, ..., the numbers with an odd number of binary ones; without a 2 it is 0.".to_owned(),
        HeadLaw::Splits {} => "A head with n coins to its left is a heap of n in Grundy's game: a move splits it into two different heaps.".to_owned(),
        HeadLaw::Mex { others } => format!(
            "The value of a head is the least number that is not the xor of the values of some other places to its left. The number of these places, which is the number of coins that can be turned with the head, may be: {}.",
            with_rest(others.iter().map(u32::to_string).collect(), others.len() as u64)
        ),
    })
}

/// Prefix-free strings: a branch.
pub(super) fn free_branch(stem: &str, levels: Sized) -> Sentence {
    Sentence::by(
        "Each branch of the tree that no string uses is a game of its own. Its nim-value is the largest power of two that divides its levels.",
        format!(
            "The branch of {stem} has {}: nim-value {}.",
            counted(levels.size, "level", "levels"),
            levels.value
        ),
    )
}

/// Treblecross: the runs of safe cells.
pub(super) fn safe_runs(runs: &Terms, xor: u64, outcome: &str) -> Sentence {
    Sentence::by(
        "An x within two cells of another lets the opponent make three in a row, so only cells farther away are safe. A run of n safe cells is a heap of n+2 in octal game 0.007.",
        match runs.total {
            0 => format!("No cell is safe: {outcome}."),
            _ => format!(
                "The values of the runs are {}; their xor is {xor}: {outcome}.",
                list_of("from cell", runs)
            ),
        },
    )
}

/// Chomp: two arms.
pub(super) fn arms(right: u64, down: u64, outcome: &str) -> Sentence {
    Sentence::by(
        "Two arms beside the corner are two heaps of Nim.",
        format!("{right} to the right and {down} below: {outcome}."),
    )
}

/// Chomp: two rows.
pub(super) fn two_rows(first: u64, second: u64, outcome: &str) -> Sentence {
    Sentence::by(
        "Two rows are lost if the first is one longer than the second: every bite has an answer that restores this.",
        format!("The rows are {first} and {second} long: {outcome}."),
    )
}

/// Chomp: a rectangle.
pub(super) fn rectangle(rows: u64, columns: u64, outcome: &str) -> Sentence {
    Sentence::by(
        "A rectangle is won: if biting only the far corner lost, the winning answer to it could have been the first move.",
        format!("This is a rectangle of {rows} by {columns}: {outcome}."),
    )
}

/// Welter's game: the pairs of coins.
pub(super) fn mates(pairs: &Terms, single: Option<u64>, xor: u64, outcome: &str) -> Sentence {
    let shown = list_of("coins", pairs);
    let coins = match (single, pairs.total) {
        (None, _) => shown,
        (Some(square), 0) => format!("coin {square}"),
        (Some(square), _) => format!("{shown}, and coin {square} is left over"),
    };
    Sentence::by(
        "Pair the two coins whose squares agree in most of their lowest binary digits, then the next two among the others, and so on. Coins on a and b are worth (a xor b) - 1, a coin that is left over its square.",
        format!("{}; the xor is {xor}: {outcome}.", capital(&coins)),
    )
}
