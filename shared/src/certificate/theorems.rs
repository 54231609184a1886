//! The theorems that the verifier trusts by name. It evaluates their closed forms itself, with the code of the games.

use crate::erased::Component;

/// A theorem that a certificate may appeal to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Theorem {
    /// Its name in certificates.
    pub name: &'static str,
    /// What it says.
    pub statement: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// The games that it is about; none for those about sums, tables and searches.
    pub games: &'static [&'static str],
    /// Whether it gives the Grundy values of all positions of these games.
    pub(super) values: bool,
    /// Whether it says who wins a position with nothing else on the board.
    pub(super) alone: bool,
}

impl Theorem {
    /// Whether it is about the game of this component.
    pub(crate) fn is_about(&self, component: &Component) -> bool {
        self.games.contains(&component.info().name)
    }

    /// Whether it gives the values of its games.
    pub(crate) fn gives_values(&self) -> bool {
        self.values
    }

    /// Whether it gives outcomes of its games.
    pub(crate) fn gives_outcomes(&self) -> bool {
        self.alone
    }
}

/// Values decide sums in normal play.
pub(crate) const SPRAGUE_GRUNDY: &str = "sprague-grundy";
/// Values decide sums of tame parts in misère play.
pub(crate) const TAME_SUM: &str = "tame-sum";
/// A finite table proves a period.
pub(super) const GUY_SMITH: &str = "guy-smith";
/// A finite monoid decides sums of heaps in misère play.
pub(super) const QUOTIENT: &str = "misere-quotient";
/// The opponent answers each move with its mirror image.
pub(super) const MIRROR: &str = "mirror";
/// The player to move wins because a reply could be stolen.
pub(super) const STEALING: &str = "strategy-stealing";
/// A maximum matching without the token wins for the player who is not to move.
pub(super) const MATCHING: &str = "undirected-geography";

/// A theorem about sums, tables or graphs.
const fn general(name: &'static str, statement: &'static str, source: &'static str) -> Theorem {
    Theorem {
        name,
        statement,
        source,
        games: &[],
        values: false,
        alone: false,
    }
}

/// A theorem that gives Grundy values.
const fn of_values(
    name: &'static str,
    games: &'static [&'static str],
    statement: &'static str,
    source: &'static str,
) -> Theorem {
    Theorem {
        games,
        values: true,
        ..general(name, statement, source)
    }
}

/// A theorem that says who wins.
const fn of_outcomes(
    name: &'static str,
    games: &'static [&'static str],
    statement: &'static str,
    source: &'static str,
) -> Theorem {
    Theorem {
        games,
        alone: true,
        ..general(name, statement, source)
    }
}

/// A theorem that does both.
const fn of_both(
    name: &'static str,
    games: &'static [&'static str],
    statement: &'static str,
    source: &'static str,
) -> Theorem {
    Theorem {
        alone: true,
        ..of_values(name, games, statement, source)
    }
}

/// Every theorem that is trusted.
pub const THEOREMS: &[Theorem] = &[
    general(
        SPRAGUE_GRUNDY,
        "normal play: the value of a part is the least number that no option has as its value; the value of a sum is the xor of the values of its parts; the player to move loses iff it is 0",
        "R. Sprague 1935; P. M. Grundy 1939",
    ),
    general(
        TAME_SUM,
        "misere play of a sum whose components are all tame (last column of the table of games): the player to move loses iff the xor of the values is 0 and one of them is above 1, or the xor is 1 and none is above 1",
        "proved in theory::tally, which lists the conditions; each game's is_tame says whether they hold",
    ),
    general(
        GUY_SMITH,
        "a move leaves at most m heaps and takes at most k. If g(n) = g(n + p) for all n from s to m*max(s,1) + (m-1)*p + k - 1, then for all n from s on. Octal codes: m is 3 if a digit contains 8, else 2 if one contains 4, else 1, and k the number of digits after the dot; sub: m is 1, and k the largest number of the set; none is known for grundy",
        "R. K. Guy, C. A. B. Smith, The G-values of various games, 1956; proved in theory::period",
    ),
    general(
        QUOTIENT,
        "misere play of sums of heaps of one game. Each heap has a class in a finite commutative monoid, 0 is the class of the empty sum and of heaps without a move, and the class of a sum is the product of those of its heaps. Let some classes other than 0 be called lost, and let the reach of a sum be the set of classes z for which some move leaves a sum whose class times z is lost. If (1) no heap has in its reach a class z whose product with the class of the heap is lost, and (2) 0 is in the reach of every sum with a move whose class is not lost, then the player to move loses exactly the sums whose class is lost. The reach of X + Y, with classes x and y, is the set of all z with zy in the reach of X or zx in that of Y",
        "T. E. Plambeck 2005; T. E. Plambeck, A. N. Siegel 2008; proved in theory::quotient",
    ),
    general(
        MIRROR,
        "normal play of Cram: let squares be paired so that for every two neighbouring free squares their partners are two neighbouring free squares, other than these two. Then the player to move loses: the opponent covers the partners of the squares just covered",
        "M. Gardner 1974",
    ),
    general(
        STEALING,
        "positions in which both players have the same moves and play ends, either end rule: if every position that a move leads to after move m is one that a move leads to at once, then the player to move wins, by m or by the move that would refute it; in misere play m must not end the game",
        "D. Gale, A curious Nim-type game, 1974",
    ),
    general(
        MATCHING,
        "normal play: the player to move loses iff some maximum matching of the vertices that the token has not left (its own counts) leaves out the token's; before it is placed, iff every maximum matching covers all vertices on which it may be placed (if it may be placed anywhere: iff a matching leaves out nothing). No matching leaves out fewer vertices than the number of connected pieces with an odd number of vertices that are left without a set of vertices, less the size of this set",
        "Fraenkel, Scheinerman, Ullman, Undirected edge geography, 1993; maximality by C. Berge 1958",
    ),
    of_values(
        "nim-sum",
        &["nim", "nimble"],
        "the value of a heap of nim is its size; the value of a coin of nimble is its square",
        "C. L. Bouton 1901",
    ),
    of_values(
        "remainder",
        &["bash", "race"],
        "with m the number after the name: the value of a heap of bash is its remainder modulo m + 1; the value of race is the distance to the target modulo m + 1",
        "C.-G. Bachet 1612",
    ),
    of_both(
        "odd-steps",
        &["stairs"],
        "the value is the xor of the stones on steps 1, 3, 5, ... (the lowest is 1). In misere play, alone, the player to move loses iff misere Nim with these as heaps is lost: iff their xor is 0 and one is above 1, or 1 and none is",
        "R. Sprague, Unterhaltsame Mathematik, 1961",
    ),
    of_both(
        "alternate-gaps",
        &["silver"],
        "of coins on squares c1 < ... < cn the gaps are ci - c(i-1) - 1, with c0 = -1. The value is the xor of the gaps of coins n, n-2, n-4, ... In misere play, alone, as misere Nim with these as heaps: see odd-steps",
        "Berlekamp, Conway, Guy, Winning Ways, 1982, chapter 15",
    ),
    of_both(
        "welter",
        &["welter"],
        "the value of coins on different squares is the xor of all squares and, for each pair a, b, of d xor (d - 1), where d is a xor b. In misere play, alone: call k coins fickle if all are below 2k and no two add up to 2k - 1. The player to move loses iff they are fickle and the value is 1, or not fickle and the value is 0",
        "C. P. Welter 1954; J. H. Conway 1976; Y. Yamasaki 1980, proved in theory::welter",
    ),
    of_both(
        "euclid",
        &["euclid"],
        "let q1, ..., qn be the quotients of Euclid's algorithm for the larger number by the smaller; begin with v = 0, and for each quotient q from the last to the first let v be q - 1 if q <= v, else q: the value is v (0 if a number is 0). In misere play of 0 < a <= b, alone, the player to move loses iff a = b or b(b - a) < a*a; in normal play iff a < b and b(b - a) < a*a; if a number is 0, the game is over",
        "Cole, Davie 1969; G. Nivasch 2006",
    ),
    of_values(
        "lasker",
        &["lasker"],
        "the value of a heap of n > 0 is n - 1 if 4 divides n, n + 1 if n leaves 3 modulo 4, else n; of 0 it is 0",
        "E. Lasker 1931",
    ),
    of_values(
        "partitions",
        &["multi"],
        "the value of a heap of n is the least number that is neither the value of a smaller heap nor the xor of the values of two or more positive heaps whose sum is n",
        "R. Sprague 1935; P. M. Grundy 1939",
    ),
    of_values(
        "odious",
        &["split"],
        "the value of a heap of n > 0 is number n of 1, 2, 4, 7, 8, ..., the numbers with an odd number of binary ones; of 0 it is 0",
        "Berlekamp, Conway, Guy, Winning Ways, 1982, chapter 14",
    ),
    of_values(
        "single-heads",
        &[
            "flip",
            "turtles",
            "mockturtles",
            "moebius",
            "mogul",
            "moidores",
            "twins",
            "turnips",
            "grunt",
            "ruler",
        ],
        "the value of a row is the xor of the values of its heads. The value of a head on place n is the least number that is not the xor of the values of the other places, all to the left, that some turn changes together with n; heads and tails on them do not matter",
        "H. W. Lenstra 1977; Winning Ways, chapter 14",
    ),
    of_values(
        "missing-branches",
        &["prefix"],
        "a missing branch is a string w that neither begins nor is begun by a string of the position, while w without its last letter is empty or begins one (of the position without strings: 0 and 1). If w has s letters and strings may have L, let h = L - s + 1: the value of the branch is the largest power of two that divides h; the values are those of all missing branches",
        "checked by plain recursion; Sprague 1935, Grundy 1939",
    ),
    of_values(
        "colon-and-fusion",
        &["hack"],
        "green edges only. The values are those of the pieces that hang together without the ground; a loop at the ground is a piece. Fuse any two vertices of a ring into one: its edges become loops, each worth 1. The value of what stands on a vertex is the xor of its loops and, for each edge up that is on no ring, of one more than the value of what stands on its upper end",
        "Berlekamp, Conway, Guy, Winning Ways, 1982, chapter 7",
    ),
    of_values(
        "mex-of-nodes",
        &["dag"],
        "the value of a token is the least number that is not the value of a node to which an arc leads from its node",
        "R. Sprague 1935; P. M. Grundy 1939",
    ),
    of_values(
        "mex-of-arcs",
        &["fork"],
        "the value of a token is the least number that is not, for an arc from its node, the xor of the values of its ends",
        "R. Sprague 1935; P. M. Grundy 1939",
    ),
    of_outcomes(
        "columns",
        &["moore"],
        "with k the number after the name: the player to move loses iff in each binary place the number of heaps with a one is a multiple of k + 1; in misere play, if no heap is above 1, iff the number of heaps of 1 leaves 1 modulo k + 1, else as in normal play",
        "E. H. Moore 1910",
    ),
    of_outcomes(
        "golden-pairs",
        &["wythoff"],
        "of heaps a <= b with k = b - a the player to move loses iff a = floor((k + floor(sqrt(5*k*k))) / 2), which is floor(k*phi); in misere play, if k is 0 or 1, iff the heaps are 2, 2 or 0, 1, else as in normal play",
        "W. A. Wythoff 1907; A. S. Fraenkel 1984",
    ),
    of_outcomes(
        "zeckendorf",
        &["fib"],
        "a heap of n is a sum of Fibonacci numbers 1, 2, 3, 5, ... no two of which are neighbours, in one way. The player to move loses iff the quota is below the least of them; in misere play iff it is below the least for n - 1, or n = 1",
        "M. J. Whinihan 1963; E. Zeckendorf 1972",
    ),
    of_outcomes(
        "take-or-merge",
        &["merge"],
        "normal play only: let a be the number of heaps of one stone, and b the stones of the larger heaps and the number of these, less 1 (0 if there are none). The player to move loses iff b is 0 or 2 and 3 divides a, or b is another even number and a is even",
        "proved in theory::merging",
    ),
    of_outcomes(
        "quiet-cells",
        &["treblecross"],
        "normal play only, strips of three cells or more. If a move makes three neighbouring x, the player to move wins. Else take the runs of cells that are further than two cells from every x: the player to move loses iff the xor of g(run + 2) is 0, where g(n) is the value of heaps in octal.0.007: g(0) = g(1) = g(2) = 0, and g(n) is the least number that is not g(i) xor g(n-3-i), 0 <= i <= n - 3",
        "Berlekamp, Conway, Guy, Winning Ways, 1982, chapter 4",
    ),
];

/// The theorem of this name.
pub(super) fn named(name: &str) -> Option<&'static Theorem> {
    THEOREMS.iter().find(|theorem| theorem.name == name)
}

/// The theorem about the game of this component.
pub(crate) fn theorem_of(component: &Component) -> Option<&'static Theorem> {
    THEOREMS.iter().find(|theorem| theorem.is_about(component))
}
