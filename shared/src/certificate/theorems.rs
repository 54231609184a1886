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
        "the value of a part is the least number that is not the value of an option; the player to move loses iff the xor of all parts is 0",
        "R. Sprague 1935; P. M. Grundy 1939",
    ),
    general(
        TAME_SUM,
        "in misere play of tame parts the player to move loses iff the xor is 0 and some value is above 1, or the xor is 1 and none is",
        "proved in theory::tally, which lists the conditions; each game's is_tame says whether they hold",
    ),
    general(
        GUY_SMITH,
        "if the values of a heap game repeat for long enough (a bound given by the number of parts and the reach of its moves), they repeat for ever",
        "R. K. Guy, C. A. B. Smith, The G-values of various games, 1956; proved in theory::period",
    ),
    general(
        MATCHING,
        "the player to move loses iff some maximum matching leaves out the token; before it is placed, iff the matching is perfect",
        "Fraenkel, Scheinerman, Ullman, Undirected edge geography, 1993; maximality by C. Berge 1958",
    ),
    of_values(
        "nim-sum",
        &["nim", "nimble"],
        "the value of a heap is its size; the value of a coin is its square",
        "C. L. Bouton 1901",
    ),
    of_values(
        "remainder",
        &["bash", "race"],
        "the value of a heap is its remainder modulo m + 1; of a race, the remaining distance modulo m + 1",
        "C.-G. Bachet 1612",
    ),
    of_both(
        "odd-steps",
        &["stairs"],
        "the xor of the odd steps; misere play as misere Nim on them",
        "R. Sprague, Unterhaltsame Mathematik, 1961",
    ),
    of_both(
        "alternate-gaps",
        &["silver"],
        "the xor of every other gap from the highest coin; in misere play as misere Nim on them",
        "Berlekamp, Conway, Guy, Winning Ways, 1982, chapter 15",
    ),
    of_both(
        "welter",
        &["welter"],
        "the xor of (a xor b) - 1 over Conway's mates a and b and of the coin left over; misere play by one coin on each two of 2k squares",
        "C. P. Welter 1954; J. H. Conway 1976; Y. Yamasaki 1980, proved in theory::welter",
    ),
    of_both(
        "euclid",
        &["euclid"],
        "the integer part of |b/a - a/b|; misere play by the golden ratio",
        "Cole, Davie 1969; G. Nivasch 2006",
    ),
    of_values(
        "lasker",
        &["lasker"],
        "4k+1 and 4k+2 have their own size as value; 4k+3 and 4k+4 have each other's",
        "E. Lasker 1931",
    ),
    of_values(
        "partitions",
        &["multi"],
        "the least number that is not the value of a smaller heap or of a partition, from a table of reachable xors",
        "R. Sprague 1935; P. M. Grundy 1939",
    ),
    of_values(
        "odious",
        &["split"],
        "the value of a heap of n is the n-th odious number",
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
        "a row of coins is the sum of its single heads; the value of each is the least number that no turn of it leaves",
        "H. W. Lenstra 1977; Winning Ways, chapter 14",
    ),
    of_values(
        "missing-branches",
        &["prefix"],
        "the value of a missing branch with h levels is the largest power of two that divides h",
        "checked by plain recursion; Sprague 1935, Grundy 1939",
    ),
    of_values(
        "colon-and-fusion",
        &["hack"],
        "the value of a branch is one more than the value of what stands on it; the vertices of a cycle may be fused",
        "Berlekamp, Conway, Guy, Winning Ways, 1982, chapter 7",
    ),
    of_values(
        "mex-of-nodes",
        &["dag"],
        "the value of a token is the least number that no arc from its node leads to",
        "R. Sprague 1935; P. M. Grundy 1939",
    ),
    of_values(
        "mex-of-arcs",
        &["fork"],
        "an arc leaves the xor of the values of its ends, and the value of a token is the least number that no arc from its node leaves",
        "R. Sprague 1935; P. M. Grundy 1939",
    ),
    of_outcomes(
        "columns",
        &["moore"],
        "the player to move loses iff every binary column adds up to a multiple of k + 1; in misere play the same, except if all heaps are 1",
        "E. H. Moore 1910",
    ),
    of_outcomes(
        "golden-pairs",
        &["wythoff"],
        "the player to move loses iff the heaps are the integer parts of k times the golden ratio and of k times its square; in misere play the same, except for the smallest",
        "W. A. Wythoff 1907; A. S. Fraenkel 1984",
    ),
    of_outcomes(
        "zeckendorf",
        &["fib"],
        "the player to move loses iff the quota is below the least Zeckendorf part",
        "M. J. Whinihan 1963; E. Zeckendorf 1972",
    ),
    of_outcomes(
        "take-or-merge",
        &["merge"],
        "the outcome, from the number of heaps of one stone and the stones and heaps of the rest",
        "proved in theory::merging",
    ),
    of_outcomes(
        "quiet-cells",
        &["treblecross"],
        "a strip of three cells or more without a winning cross is the octal game .007 on its runs of quiet cells",
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
