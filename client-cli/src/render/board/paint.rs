//! What was painted in a match. The notation leaves painted vertices out, since nothing more can be done with them; a board shows them.

use std::collections::BTreeMap;

use grundy_shared::Position;
use grundy_shared::games::BoardKind;

/// The colours of the vertices that were painted since the start of a match. Empty for a position without a history.
#[derive(Clone, Debug, Default)]
pub(crate) struct Paint {
    /// The components that are painted, by their numbers from 1.
    coats: BTreeMap<usize, Coat>,
}

/// What was painted in a component.
#[derive(Clone, Debug)]
pub(super) struct Coat {
    /// The state from which it was painted: all vertices and edges.
    pub(super) start: String,
    /// The painted vertices: `b` of Left, `r` of Right.
    pub(super) colours: BTreeMap<u64, char>,
}

impl Paint {
    /// What these moves, as they are written, have painted from this start.
    pub(crate) fn of<'m>(start: &Position, moves: impl IntoIterator<Item = &'m str>) -> Self {
        let painted =
            |(number, (info, text)): (usize, (&grundy_shared::games::GameInfo, String))| {
                let (_, start) = text
                    .split_once(':')
                    .filter(|_| info.board == BoardKind::Tints)?;
                let coat = Coat {
                    start: start.to_owned(),
                    colours: BTreeMap::new(),
                };
                Some((number, coat))
            };
        let mut paint = Self {
            coats: (1..).zip(start.components()).filter_map(painted).collect(),
        };
        if !paint.coats.is_empty() {
            moves.into_iter().for_each(|mv| paint.add(mv));
        }
        paint
    }

    /// The same after one more move.
    pub(crate) fn with(&self, mv: &str) -> Self {
        let mut paint = self.clone();
        paint.add(mv);
        paint
    }

    fn add(&mut self, mv: &str) {
        let mut number = 1;
        for item in mv.split(',') {
            let own = match item.split_once('.') {
                Some((component, own)) => {
                    number = component.parse().unwrap_or(number);
                    own
                }
                None => item,
            };
            let vertex = own.trim_end_matches(['b', 'r']);
            let colour = own[vertex.len()..].chars().next();
            if let Some(coat) = self.coats.get_mut(&number)
                && let (Ok(vertex), Some(colour)) = (vertex.parse(), colour)
            {
                coat.colours.insert(vertex, colour);
            }
        }
    }

    /// What was painted in this component, if anything was.
    pub(super) fn coat(&self, number: usize) -> Option<&Coat> {
        let coat = self.coats.get(&number)?;
        (!coat.colours.is_empty()).then_some(coat)
    }
}
