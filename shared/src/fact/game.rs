//! Facts in the terms of one game: what a person can apply on another board.

use serde::{Deserialize, Serialize};

use super::terms::Terms;
use crate::json::{wide, wide_list, wide_option};

/// A heap, or what else has a size, with what it is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Sized {
    /// Its size.
    #[serde(with = "wide")]
    pub size: u64,
    /// Its nim-value, or its class.
    #[serde(with = "wide")]
    pub value: u64,
}

/// A move of one heap, and the nim-value that it leaves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Reached {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The nim-value of what is left of the heap.
    #[serde(with = "wide")]
    pub value: u64,
}

/// How the value of a heap follows from its size.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum HeapReason {
    /// It is the remainder of its size.
    Remainder {
        /// By this number.
        #[serde(with = "wide")]
        modulus: u64,
        /// The quotient.
        #[serde(with = "wide")]
        quotient: u64,
    },
    /// It is its size, but 4k+3 and 4k+4 have each other's (Lasker 1931).
    Exchanged {},
    /// It is the number at that place among those with an odd number of binary ones.
    Odious {},
    /// It is that of a smaller heap, by a proved period.
    Period {
        /// From this heap on.
        #[serde(with = "wide")]
        start: u64,
        /// Its length.
        #[serde(with = "wide")]
        length: u64,
        /// The smaller heap.
        #[serde(with = "wide")]
        like: u64,
    },
    /// It is the least number that no move leaves: for each smaller one the first move that leaves it.
    Mex {
        /// The moves, by the values that they leave, from 0.
        reached: Vec<Reached>,
    },
}

/// Why a head, alone in a row of coins, has its value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "law", rename_all = "snake_case")]
pub enum HeadLaw {
    /// It is 1: one coin is turned at a time.
    One {},
    /// It is its place: one or two coins are turned (Turtles).
    Place {},
    /// It is its place less one: two coins are turned (Twins).
    PlaceLessOne {},
    /// It is the number at that place among those with an odd number of binary ones: one to three coins are turned (Mock Turtles).
    Odious {},
    /// It is the largest power of two that divides its place, at most a bound that the longest run sets (Ruler).
    PowerOfTwo {
        /// The bound; absent if runs may have any length.
        #[serde(with = "wide_option")]
        most: Option<u64>,
    },
    /// It follows from the digits in base 3 of the number of coins to the left (Turnips).
    BaseThree {},
    /// It is a heap of Grundy's game of as many as there are coins to the left (Grunt).
    Splits {},
    /// It is the least number that is not the xor of the values of other heads to its left that are turned with it.
    Mex {
        /// How many other coins are turned, ascending.
        others: Vec<u32>,
    },
}

/// What a move changes at one vertex of a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AtVertex {
    /// The vertex.
    pub vertex: u32,
    /// The xor of the branches on it before the move.
    pub before: u64,
    /// The same after it.
    pub after: u64,
}

/// A fact in the terms of one game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "fact", rename_all = "snake_case")]
pub enum GameFact {
    /// Why a heap has its nim-value.
    HeapValue {
        /// Its letter.
        name: String,
        /// Its size and nim-value.
        #[serde(flatten)]
        heap: Sized,
        /// How the value follows from the size.
        #[serde(flatten)]
        reason: HeapReason,
    },
    /// A move replaces one heap by others; their values add by xor. In misère play without tame heaps they are classes, which add by
    /// the product of the quotient.
    HeapChange {
        /// Its letter.
        name: String,
        /// The heap.
        before: Sized,
        /// The first heaps in its place; one of 0 if nothing is left.
        after: Vec<Sized>,
        /// How many there are.
        after_total: u64,
        /// Whether the values are classes of the misère quotient.
        classes: bool,
    },
    /// Race to a number: how far the target is.
    Distance {
        /// The target.
        #[serde(with = "wide")]
        target: u64,
        /// What is left until there.
        #[serde(with = "wide")]
        left: u64,
        /// One more than may be added: the answer to any move can make the two this together.
        #[serde(with = "wide")]
        modulus: u64,
        /// The remainder of what is left, which is the nim-value.
        #[serde(with = "wide")]
        value: u64,
    },
    /// Wythoff's game: the losing pair of a difference (Wythoff 1907; Beatty 1926). The player to move loses these pairs and no others.
    GoldenPair {
        /// The heaps of the position, the smaller first.
        #[serde(with = "wide_list")]
        heaps: [u64; 2],
        /// The losing pair with the same difference.
        #[serde(with = "wide_list")]
        lost: [u64; 2],
        /// Number k of the pair in normal play is floor(k x 1.618...) and that plus k. False for those that misère play exchanges.
        golden: bool,
    },
    /// Wythoff's game: the heap that makes a losing pair with one of the heaps.
    GoldenPartner {
        /// The heap.
        #[serde(with = "wide")]
        heap: u64,
        /// The other one of its losing pair.
        #[serde(with = "wide")]
        partner: u64,
    },
    /// Staircase: only the odd steps count. Silver dollar: only every other gap, from the right.
    OddSteps {
        /// Whether they are gaps, numbered from the right, and not steps.
        gaps: bool,
        /// The steps or gaps that count, and what is on or in them.
        steps: Terms,
        /// Their xor.
        #[serde(with = "wide")]
        xor: u64,
        /// How many of them are above 1.
        large: u64,
    },
    /// Staircase and silver dollar: which of the steps or gaps that count a move changes.
    StepChange {
        /// Whether it is a gap.
        gap: bool,
        /// Its number.
        step: u64,
        /// What was on it.
        #[serde(with = "wide")]
        before: u64,
        /// What is on it now. More than before: the opponent can move the same number on at once.
        #[serde(with = "wide")]
        after: u64,
    },
    /// Fibonacci Nim: the heap as a sum of Fibonacci numbers, no two of them consecutive (Zeckendorf 1939). The player to move wins if
    /// the least part may be taken (Whinihan 1963).
    Zeckendorf {
        /// The number that is written as a sum: the heap, in misère play without the last one.
        #[serde(with = "wide")]
        counted: u64,
        /// The parts, the largest first.
        #[serde(with = "wide_list")]
        parts: Vec<u64>,
        /// How many may be taken.
        #[serde(with = "wide")]
        quota: u64,
    },
    /// Euclid's game: the player to move wins if the ratio is above 1.618... (Cole and Davie 1969).
    Ratio {
        /// The smaller number.
        #[serde(with = "wide")]
        small: u64,
        /// The larger number.
        #[serde(with = "wide")]
        large: u64,
        /// Whether the ratio is above.
        above: bool,
    },
    /// Moore's Nim: how many heaps have a 1 in each binary place, modulo k + 1. The player to move loses if all are 0 (Moore 1910).
    Columns {
        /// k + 1.
        #[serde(with = "wide")]
        modulus: u64,
        /// The places with a remainder, named by their powers of two, the highest first.
        columns: Terms,
    },
    /// Moore's Nim in misère play with no heap above 1: the player to move loses if their number is 1 modulo k + 1.
    OnlyOnes {
        /// k + 1.
        #[serde(with = "wide")]
        modulus: u64,
        /// How many heaps there are.
        heaps: u64,
    },
    /// Take or merge: the heaps of one stone, and the moves that the others last.
    TakeOrMerge {
        /// How many heaps have one stone.
        ones: u64,
        /// Stones and merges of the larger heaps.
        #[serde(with = "wide")]
        moves: u64,
    },
    /// Cram: whether the free squares look the same after half a turn, and no domino overlaps its image. Then every move is answered by its
    /// image, and the player to move loses.
    PointSymmetry {
        /// Absent if they do. Otherwise a move that makes it so, and wins.
        #[serde(rename = "move")]
        made_by: Option<String>,
    },
    /// Cram: a move breaks that symmetry; its image restores it.
    SymmetryBroken {
        /// The image of the move.
        image: String,
    },
    /// Hackenbush: the branches on a vertex of a green tree. Each is worth one more than what stands on its upper end (colon principle).
    Vertex {
        /// The vertex.
        vertex: u32,
        /// The branches, named by the vertices to which they lead.
        branches: Terms,
        /// Their xor.
        xor: u64,
    },
    /// Hackenbush: where a cut changes the branches of a green tree, from the cut down to the ground.
    Cut {
        /// The first vertices on the way, the one from which the edge went up first.
        chain: Vec<AtVertex>,
        /// How many there are.
        chain_total: u64,
    },
    /// Geography: a maximum matching of the vertices that the token has not left (Edmonds 1965). The player to move wins if every
    /// maximum matching covers the vertex of the token, by moving to its partner.
    Matching {
        /// The first pairs. If some maximum matching leaves out the vertex of the token, this is one.
        pairs: Vec<[u32; 2]>,
        /// How many there are.
        pairs_total: u64,
        /// Where the token is; absent before it is placed.
        token: Option<u32>,
        /// The partner of that vertex; before the token is placed, a vertex that the matching leaves out.
        goal: Option<u32>,
    },
    /// A graph of which a piece is a path: it is a heap of an octal game.
    PathPiece {
        /// Its least vertex.
        vertex: u32,
        /// The name of the octal game.
        game: String,
        /// The heap, of as many as the path has vertices, with its nim-value.
        heap: Sized,
    },
    /// Green Hackenbush: vertices that lie on cycles together. They may be fused into one vertex, and then each edge among them is a loop,
    /// worth 1; the bridges that stand on them are branches (Winning Ways, chapter 7).
    Fused {
        /// The first of them.
        vertices: Vec<u32>,
        /// How many there are.
        vertices_total: u64,
        /// How many edges there are among them.
        edges: u64,
        /// The bridges on them, named by the vertices to which they lead.
        branches: Terms,
        /// The xor of all.
        xor: u64,
    },
    /// Geography before the token is placed, if only some vertices are allowed or the opponent places it: a maximum matching. The
    /// player who places the token wins if some maximum matching leaves out a vertex on which it may be placed.
    Placing {
        /// The first pairs; they leave out `goal` if there is one.
        pairs: Vec<[u32; 2]>,
        /// How many there are.
        pairs_total: u64,
        /// A vertex that is left out and on which the token may be placed.
        goal: Option<u32>,
        /// Whether the opponent of the player to move places it.
        by_opponent: bool,
    },
    /// A move removes something of a piece of a graph.
    PieceChange {
        /// The vertices of the piece.
        vertices: u64,
        /// The vertices of the first pieces that are left of it, those without a move left out.
        left: Vec<u64>,
        /// How many pieces these are.
        left_total: u64,
    },
    /// Tokens on a graph: the nim-value of a node is the least number that no arc from it leads to.
    Node {
        /// The node.
        node: u32,
        /// Its nim-value.
        value: u64,
        /// The nodes to which arcs lead, with their nim-values.
        options: Terms,
    },
    /// Dividing tokens: the nim-value of a node is the least number that no arc from it leaves, and an arc leaves the xor of its ends.
    Arcs {
        /// The node.
        node: u32,
        /// Its nim-value.
        value: u64,
        /// The arcs by their ends, such as `1/2`, with the xor of these.
        arcs: Terms,
    },
    /// Dividing tokens: a move replaces a token by those on the ends of an arc.
    Divided {
        /// The node that the token leaves.
        node: u32,
        /// Its nim-value.
        value: u64,
        /// The ends of the arc with their nim-values.
        ends: Terms,
        /// The xor of these.
        xor: u64,
    },
    /// Games on a poset: an element of a piece in which no element has two directly below it. It is worth one more than the xor of what
    /// stands directly on it (colon principle).
    Element {
        /// The element.
        element: u32,
        /// The elements directly above it, with their values.
        above: Terms,
        /// Its own value.
        value: u64,
    },
    /// Games on a poset: an element below all others, which takes all of them with it, or above all others, in which case the player to
    /// move wins by strategy stealing.
    Extreme {
        /// The element.
        element: u32,
        /// Whether it is the greatest one.
        greatest: bool,
    },
    /// Nimstring: a chain of coins that is open at one end, or at both. The player to move chooses who must move elsewhere, and so wins.
    OpenChain {
        /// The coins, from the open end.
        coins: Vec<u32>,
        /// How many there are.
        coins_total: u64,
        /// Whether both ends are open, as in a loop that was cut: then four coins are left to the opponent, and not two.
        both_ends: bool,
    },
    /// Nimstring: each turn leaves such a chain, so the player to move loses.
    EveryTurnOpens {
        /// How many turns there are.
        turns: u64,
    },
    /// Northcott's game: the squares between the pieces of each row are a heap of Nim, because each retreat can be undone.
    Gaps {
        /// The rows, by their numbers from 1.
        rows: Terms,
        /// The xor of the gaps. The player to move loses if it is 0.
        xor: u64,
    },
    /// Northcott's game: a move changes the gap of a row. A larger gap is a retreat, which the opponent can undo by advancing as far.
    GapChange {
        /// The number of the row, from 1.
        row: u64,
        /// The squares between its pieces before the move.
        before: u64,
        /// The same after it.
        after: u64,
    },
    /// Prefix-free strings: a branch of the tree that no string uses. Its value is the largest power of two that divides its levels.
    FreeBranch {
        /// The shortest string in it, shortened if it is long.
        stem: String,
        /// Its levels with the value.
        levels: Sized,
    },
    /// Treblecross: this cell makes three in a row.
    Completes {
        /// The cell, from 1.
        cell: u64,
    },
    /// Treblecross without two marks within two cells of each other: only cells farther than two from every mark are safe, and a run of
    /// them is a heap of the octal game 0.007, two larger.
    SafeRuns {
        /// The runs by their first cells, with their values.
        runs: Terms,
        /// The xor of the values. The player to move loses if it is 0.
        xor: u64,
    },
    /// Chomp: nothing but two arms beside the corner, which are two heaps of Nim.
    Arms {
        /// Squares to the right of the corner.
        #[serde(with = "wide")]
        right: u64,
        /// Squares below the corner.
        #[serde(with = "wide")]
        down: u64,
    },
    /// Chomp with two rows: the player to move loses if the first is one longer than the second.
    TwoRows {
        /// The length of the first.
        #[serde(with = "wide")]
        first: u64,
        /// The length of the second.
        #[serde(with = "wide")]
        second: u64,
    },
    /// Chomp: a rectangle is won, as a winning answer to the bite of the far corner would have been there at once (strategy stealing).
    Rectangle {
        /// How many rows it has.
        rows: u64,
        /// How many columns it has.
        #[serde(with = "wide")]
        columns: u64,
    },
    /// Chomp: in a square, biting 2:2 leaves two equal arms.
    Square {
        /// Its rows, and columns.
        side: u64,
    },
    /// Welter's game: the coins in pairs that agree in most low binary digits (Conway 1976).
    Mates {
        /// The pairs by their squares, each with the xor of its squares less one.
        pairs: Terms,
        /// The square of the coin that is left over.
        #[serde(with = "wide_option")]
        single: Option<u64>,
        /// The xor of all.
        #[serde(with = "wide")]
        xor: u64,
    },
    /// Coins in a row: why single heads have their values.
    HeadValues {
        /// The law of the game.
        #[serde(flatten)]
        law: HeadLaw,
    },
    /// Coins in a row: the value of the row is the xor of those of its heads, each taken alone.
    Heads {
        /// The heads, by their places, with their values.
        coins: Terms,
        /// Their xor.
        #[serde(with = "wide")]
        xor: u64,
    },
    /// Coins in a row: a move adds these values to the xor of the heads, by xor.
    TurnedCoins {
        /// The coins that are turned, by their places, each with the value of a head there.
        coins: Terms,
        /// Their xor.
        #[serde(with = "wide")]
        xor: u64,
    },
}
