//! What the facts of games on boards, graphs and trees say.

use super::phrases::{Sentence, capital, counted, list_of, with_rest};
use crate::fact::{AtVertex, Sized, Terms};

/// Cram: half a turn.
pub(super) fn symmetry(made_by: Option<&str>, outcome: &str) -> Sentence {
    Sentence::by(
        "A board that looks the same after half a turn, on which no domino is its own image, is lost: every move is answered by its image.",
        match made_by {
            None => format!("This board is such a one: {outcome}."),
            Some(mv) => format!("{mv} makes it such a board: {outcome}."),
        },
    )
}

/// Hackenbush: the branches on a vertex.
pub(super) fn vertex(vertex: u32, branches: &Terms, xor: u64) -> Sentence {
    Sentence::by(
        "A branch is worth one more than what stands on its upper end, and the branches on one vertex add by xor.",
        format!(
            "On vertex {vertex}: {}; their xor is {xor}.",
            list_of("branch to", branches)
        ),
    )
}

/// Hackenbush: what a cut changes.
pub(super) fn cut(chain: &[AtVertex], chain_total: u64) -> String {
    let place = |at: &AtVertex| match at.vertex {
        0 => format!("the ground from {} to {}", at.before, at.after),
        vertex => format!("vertex {vertex} from {} to {}", at.before, at.after),
    };
    let places: Vec<String> = chain.iter().map(place).collect();
    format!(
        "It changes the xor of the branches on {}.",
        with_rest(places, chain_total)
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
    let shown = pairs.iter().map(|[a, b]| format!("{a}-{b}")).collect();
    let pairs = match pairs_total {
        0 => "There are no pairs".to_owned(),
        1 => format!("The pair is {}", with_rest(shown, 1)),
        _ => format!("The pairs are {}", with_rest(shown, pairs_total)),
    };
    let text = match (token, goal) {
        (Some(token), Some(goal)) => format!(
            "{pairs}. Every maximum matching has {token}, and {goal} is its partner here: {outcome}."
        ),
        (Some(token), None) => format!("{pairs}, without {token}: {outcome}."),
        (None, Some(goal)) => {
            format!("{pairs}. {goal} is left out, and the token can be placed there: {outcome}.")
        }
        (None, None) => format!("{pairs}, and no vertex is left out: {outcome}."),
    };
    Sentence::by(
        "Take a maximum matching. A player who always moves the token to the partner of its vertex never gets stuck.",
        text,
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
