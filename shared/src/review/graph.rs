//! The tug-of-war graph, and the bars of nim-values that replace it if the remoteness is unknown.

use super::column::{indented, padded};
use super::{PlyReview, Review};
use crate::event::Outcome;

/// Columns of one half: at least this many.
const LEAST_HALF: usize = 15;
/// At most this many; longer matches are drawn to scale.
const MOST_HALF: usize = 26;
/// Rows of bars; if there are more values, some are left out.
const BAR_LEVELS: usize = 10;
/// Plies in one block of bars, at most.
const BAR_PLIES: usize = 32;

/// The rope: its mark is as many columns from the edge of the winning side as plies are left.
#[derive(Clone, Debug)]
pub struct Rope {
    half: usize,
    /// The plies that the outermost column of a half stands for.
    longest: u64,
    /// Whether there is a column on each side of the middle for positions whose remoteness is unknown.
    unknown: bool,
}

impl Rope {
    /// Wide enough for these plies and for the words above both halves, if there is so much room, in columns.
    #[must_use]
    pub fn new(plies: &[PlyReview], words: usize, room: usize) -> Self {
        let longest = plies.iter().filter_map(|ply| ply.left).max().unwrap_or(0);
        let unknown = Self::is_unknown(plies);
        let wanted = usize::try_from(longest).unwrap_or(usize::MAX).max(words);
        let fitting = room.saturating_sub(3 + 2 * usize::from(unknown)) / 2;
        Self {
            half: wanted
                .clamp(LEAST_HALF, MOST_HALF)
                .min(fitting.max(words).max(1)),
            longest,
            unknown,
        }
    }

    /// The fewest columns that it takes with these words above its halves, its edges included.
    #[must_use]
    pub fn least(plies: &[PlyReview], words: usize) -> usize {
        2 * words + 3 + 2 * usize::from(Self::is_unknown(plies))
    }

    /// Whether a win of unknown length is among these plies.
    fn is_unknown(plies: &[PlyReview]) -> bool {
        let mut open = plies.iter().filter(|ply| ply.left.is_none());
        open.any(|ply| ply.wins.and_then(Outcome::winner).is_some())
    }

    /// Whether a column stands for more than one ply.
    #[must_use]
    pub fn plies_a_column(&self) -> Option<f64> {
        (self.longest > self.half as u64).then(|| self.longest as f64 / self.half as f64)
    }

    /// What stands above the rope.
    #[must_use]
    pub fn head(&self, left: &str, right: &str) -> String {
        let unknown = if self.unknown { "?" } else { "" };
        let (left, right) = (padded(left, self.half), indented(right, self.half));
        format!("{left}{unknown}:{unknown}{right}")
    }

    /// The rope with the mark of one ply.
    #[must_use]
    pub fn row(&self, ply: &PlyReview) -> String {
        let middle = self.half + usize::from(self.unknown);
        let mut row = vec![b' '; 2 * middle + 1];
        row[middle] = b':';
        let (letter, from_edge) = match (ply.wins, ply.left) {
            (Some(Outcome::First), Some(left)) => (b'A', self.column(left)),
            (Some(Outcome::Second), Some(left)) => (b'B', row.len() - 1 - self.column(left)),
            (Some(Outcome::First), None) => (b'A', middle - 1),
            (Some(Outcome::Second), None) => (b'B', middle + 1),
            (Some(Outcome::Draw | Outcome::Void), _) => (b'=', middle),
            (None, _) => (b'?', middle),
        };
        row[from_edge] = letter;
        row.into_iter().map(char::from).collect()
    }

    /// The column of a position with so many plies left, from the edge; only a finished one stands at the very edge.
    fn column(&self, left: u64) -> usize {
        if self.longest <= self.half as u64 {
            return left as usize;
        }
        let scaled = u128::from(left) * self.half as u128 / u128::from(self.longest);
        (scaled as usize).max(usize::from(left > 0))
    }
}

/// One bar a ply, in blocks that fit so many columns, with titles for the values and for the plies; empty when no value is known.
#[must_use]
pub fn value_bars(review: &Review, width: usize, titles: [&str; 2]) -> Vec<String> {
    let values: Vec<Option<u64>> = review.plies.iter().map(|ply| ply.nim_value).collect();
    if values.iter().all(Option::is_none) {
        return Vec::new();
    }
    let digits = values
        .iter()
        .flatten()
        .max()
        .map_or(1, |most| most.to_string().len());
    let fitting = width.saturating_sub(10 + digits) / 2;
    let size = BAR_PLIES.min(fitting).max(1);
    let mut lines = Vec::new();
    for (block, plies) in values.chunks(size).zip(review.plies.chunks(size)) {
        let levels = levels(block);
        let width = levels
            .iter()
            .map(|level| level.to_string().len())
            .max()
            .unwrap_or(1);
        for (row, level) in levels.iter().enumerate() {
            let title = indented(if row == 0 { titles[0] } else { "" }, 6);
            let bars = block.iter().map(|value| match value {
                Some(value) if value >= level => "# ",
                Some(_) => "  ",
                None => "? ",
            });
            let bars: String = bars.collect();
            lines.push(format!("{title} {level:>width$} | {bars}"));
        }
        let digits: String = plies
            .iter()
            .map(|ply| format!("{} ", ply.ply.0 % 10))
            .collect();
        let title = indented(titles[1], 6);
        lines.push(format!("{title} {:width$}   {digits}", ""));
    }
    lines
}

/// The values that occur, the highest first, without 0. If there are many, an even selection that includes the highest.
fn levels(values: &[Option<u64>]) -> Vec<u64> {
    let mut levels: Vec<u64> = values
        .iter()
        .flatten()
        .copied()
        .filter(|v| *v > 0)
        .collect();
    levels.sort_unstable_by(|a, b| b.cmp(a));
    levels.dedup();
    let step = levels.len().div_ceil(BAR_LEVELS).max(1);
    levels.into_iter().step_by(step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::Ply;

    fn ply(wins: Option<Outcome>, left: Option<u64>) -> PlyReview {
        PlyReview {
            ply: Ply(0),
            seat: None,
            mv: None,
            mark: None,
            legal_moves: None,
            winning_moves: None,
            bits_offered: None,
            bits_found: None,
            trap_rate: None,
            best_trap_rate: None,
            wins,
            left,
            nim_value: None,
            value: None,
            tried: None,
            clock_ms: None,
            spent_ms: None,
            hints: 0,
        }
    }

    #[test]
    fn a_mark_stands_as_far_from_the_edge_as_plies_are_left() {
        let first = |left| ply(Some(Outcome::First), Some(left));
        let second = |left| ply(Some(Outcome::Second), Some(left));
        let rope = Rope::new(&[first(15)], 0, 60);
        assert_eq!(rope.row(&first(0)), "A              :               ");
        assert_eq!(rope.row(&first(15)), "               A               ");
        assert_eq!(rope.row(&second(0)), "               :              B");
        assert_eq!(rope.row(&second(7)), "               :       B       ");
        assert_eq!(
            rope.row(&ply(None, None)),
            "               ?               "
        );
    }

    #[test]
    fn a_win_of_unknown_length_stands_beside_the_middle() {
        let open = ply(Some(Outcome::First), None);
        let rope = Rope::new(&[open.clone(), ply(Some(Outcome::First), Some(3))], 0, 60);
        assert_eq!(rope.head("a", "b"), "a              ?:?              b");
        assert_eq!(rope.row(&open), "               A:                ");
        assert_eq!(
            rope.row(&ply(Some(Outcome::Second), None)),
            "                :B               "
        );
    }

    #[test]
    fn long_matches_are_drawn_to_scale() {
        let first = |left| ply(Some(Outcome::First), Some(left));
        for longest in [27, 1_000, u64::MAX] {
            let rope = Rope::new(&[first(longest)], 0, 60);
            assert!(rope.plies_a_column().is_some());
            let at = |left| rope.row(&first(left)).find('A').expect("a mark");
            assert_eq!((at(0), at(1), at(longest)), (0, 1, MOST_HALF));
        }
    }
}
