//! The graph that is still to be painted, and its text.

use std::collections::BTreeMap;
use std::fmt;

use rustc_hash::FxHashSet;

use crate::games::graphs::{Item, each_once, read_paths, read_vertex, refuse_rings};
use crate::ids::Seat;
use crate::notation::{NotationCode, NotationError, Word};

/// The graph still to be painted.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Unpainted {
    pub(super) items: Vec<Item>,
    /// The vertices open to one player alone, and to whom.
    pub(super) tints: BTreeMap<u32, Seat>,
}

impl Unpainted {
    pub(super) fn is_open(&self, vertex: u32, seat: Seat) -> bool {
        self.tints.get(&vertex).is_none_or(|tint| *tint == seat)
    }

    pub(super) fn tint(&self, vertex: u32) -> Option<Seat> {
        self.tints.get(&vertex).copied()
    }

    /// Vertices open to both players, no two of them neighbours.
    pub(super) fn free_choices(&self) -> usize {
        let mut near: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for item in &self.items {
            near.entry(item.from).or_default().extend(item.to);
            if let Some(to) = item.to {
                near.entry(to).or_default().push(item.from);
            }
        }
        let mut shut = FxHashSet::default();
        let mut count = 0;
        for (vertex, near) in near {
            if self.tint(vertex).is_none() && !shut.contains(&vertex) {
                shut.extend(near);
                count += 1;
            }
        }
        count
    }
}

impl fmt::Display for Unpainted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.items.is_empty() {
            return f.write_str("_");
        }
        // The mark of a vertex stands where the vertex is named first.
        let mut named = FxHashSet::default();
        let mut comma = "";
        for item in &self.items {
            f.write_str(comma)?;
            comma = ",";
            let mut dash = "";
            for vertex in [Some(item.from), item.to].into_iter().flatten() {
                write!(f, "{dash}{vertex}")?;
                dash = "-";
                if let Some(tint) = self.tint(vertex).filter(|_| named.insert(vertex)) {
                    write!(f, "{}", letter(tint))?;
                }
            }
        }
        Ok(())
    }
}

/// The letter of a player's colour.
pub(super) fn letter(seat: Seat) -> char {
    match seat {
        Seat::First => 'b',
        Seat::Second => 'r',
    }
}

/// The player with this letter.
pub(super) fn painter(letter: char) -> Option<Seat> {
    Seat::BOTH
        .into_iter()
        .find(|seat| letter.eq_ignore_ascii_case(&self::letter(*seat)))
}

/// Reads paths of vertices with their tints.
pub(super) fn read_state(state: Word<'_>, example: &str) -> Result<Unpainted, NotationError> {
    let bad = NotationCode::BadPosition;
    let mut tints = BTreeMap::new();
    let typed = read_paths(state, example, |word| {
        let marks = Seat::BOTH
            .into_iter()
            .find(|seat| word.text.ends_with(letter(*seat)));
        let digits = word.text.len() - usize::from(marks.is_some());
        let vertex = read_vertex(word.part(0, digits), bad, example)?;
        match marks {
            Some(seat) if tints.insert(vertex, seat) == Some(seat.other()) => {
                let message = format!("vertex {vertex} is marked both b and r");
                let expected = "b for a vertex open to Left alone, r for one open to Right alone";
                word.refuse(bad, message, expected, example)
            }
            _ => Ok(vertex),
        }
    })?;
    refuse_rings(&typed, bad, example)?;
    let items = each_once(typed.into_iter().map(|(item, _)| item));
    Ok(Unpainted { items, tints })
}
