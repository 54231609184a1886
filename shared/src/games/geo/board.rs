//! The graph of geography, where the token has been, and the matching by which the winner plays.

use std::fmt;

use rustc_hash::FxHashSet;

use crate::games::graphs::{Item, digest, read_items, read_vertex, vertices};
use crate::notation::{NotationCode, NotationError, Word};
use crate::theory::matching::Matching;
use crate::theory::{Meter, Stopped};

/// A position that refusals show.
pub(super) const EXAMPLE: &str = "geo.0-1.1-2.1-3:0,1";

/// The graph.
#[derive(Debug)]
pub(super) struct Board {
    /// As typed, each once; vertices by themselves only where they have no edge.
    pub(super) items: Vec<Item>,
    pub(super) digest: u64,
    /// The vertices' numbers, ascending; elsewhere vertices are places in this list.
    pub(super) labels: Vec<u32>,
    /// The neighbours of each, ascending.
    pub(super) out: Vec<Vec<u32>>,
}

/// The vertices visited, the last of which holds the token; or where it may be placed.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Path {
    pub(super) walked: Vec<u32>,
    /// Before the token is placed: the vertices on which it may be, ascending, if not all are allowed.
    pub(super) starts: Option<Vec<u32>>,
    /// Before the token is placed: whether the opponent of the player to move places it.
    pub(super) is_opponents: bool,
}

impl Path {
    pub(super) fn of(walked: Vec<u32>) -> Self {
        Self {
            walked,
            starts: None,
            is_opponents: false,
        }
    }
}

/// What a move does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Visit {
    /// The token goes to a vertex.
    To {
        /// Its place in the list of vertices.
        vertex: u32,
        /// Its number.
        label: u32,
    },
    /// The opponent is to place the token.
    Pass,
}

impl fmt::Display for Visit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::To { label, .. } => label.fmt(f),
            Self::Pass => f.write_str("pass"),
        }
    }
}

impl Board {
    pub(super) fn read(text: Word<'_>) -> Result<Self, NotationError> {
        let typed = read_items(text, '.', NotationCode::BadGameCode, EXAMPLE)?;
        let mut joined = FxHashSet::default();
        for (item, word) in &typed {
            if item.to == Some(item.from) {
                let message = format!("the edge {item} leads nowhere");
                return word.refuse(
                    NotationCode::BadGameCode,
                    message,
                    "edges between two vertices",
                    EXAMPLE,
                );
            }
            joined.extend(item.to.into_iter().flat_map(|to| [item.from, to]));
        }
        let mut met = FxHashSet::default();
        let items: Vec<Item> = typed
            .into_iter()
            .map(|(item, _)| item)
            .filter(|item| item.to.is_some() || !joined.contains(&item.from))
            .filter(|item| {
                let to = item.to.unwrap_or(item.from);
                met.insert((item.from.min(to), item.from.max(to)))
            })
            .collect();
        let labels = vertices(&items);
        let mut board = Self {
            digest: digest(&items),
            out: vec![Vec::new(); labels.len()],
            items,
            labels,
        };
        for item in &board.items {
            if let (Some(a), Some(b)) = (
                board.vertex(item.from),
                item.to.and_then(|to| board.vertex(to)),
            ) {
                board.out[a as usize].push(b);
                board.out[b as usize].push(a);
            }
        }
        board.out.iter_mut().for_each(|out| out.sort_unstable());
        Ok(board)
    }

    pub(super) fn vertex(&self, label: u32) -> Option<u32> {
        self.labels
            .binary_search(&label)
            .ok()
            .map(|vertex| vertex as u32)
    }

    pub(super) fn visit(&self, vertex: u32) -> Visit {
        Visit::To {
            vertex,
            label: self.labels[vertex as usize],
        }
    }

    /// The moves, ascending.
    pub(super) fn moves<'s>(&'s self, path: &'s Path) -> Box<dyn Iterator<Item = Visit> + 's> {
        match path.is_opponents {
            true => Box::new(std::iter::once(Visit::Pass)),
            false => Box::new(self.goals(path).map(|vertex| self.visit(vertex))),
        }
    }

    /// Where the token can go, ascending, whoever moves it.
    pub(super) fn goals<'s>(&'s self, path: &'s Path) -> Box<dyn Iterator<Item = u32> + 's> {
        match (path.walked.split_last(), &path.starts) {
            (None, Some(starts)) => Box::new(starts.iter().copied()),
            (None, None) => Box::new(0..self.labels.len() as u32),
            (Some((token, _)), _) => {
                let visited: FxHashSet<u32> = path.walked.iter().copied().collect();
                let out = self.out[*token as usize].iter().copied();
                Box::new(out.filter(move |vertex| !visited.contains(vertex)))
            }
        }
    }

    /// A maximum matching of the vertices where the token has not been, its own included.
    pub(super) fn matching(
        &self,
        path: &Path,
        meter: &mut Meter<'_>,
    ) -> Result<Matching<'_>, Stopped> {
        let mut gone = vec![false; self.labels.len()];
        for vertex in path
            .walked
            .split_last()
            .map_or(&[][..], |(_, before)| before)
        {
            gone[*vertex as usize] = true;
        }
        Matching::maximum(&self.out, gone, meter)
    }

    /// The matching by which the winner plays, and where the player to move goes by it: to the partner of the token, or before it is placed to a
    /// vertex that is left out and on which it may be placed. Nowhere in a lost position: the matching then leaves out the token, or no maximum
    /// matching leaves out any vertex on which it may be placed. If the opponent places the token, the vertex is the opponent's goal.
    pub(super) fn played_on(
        &self,
        path: &Path,
        meter: &mut Meter<'_>,
    ) -> Result<(Matching<'_>, Option<u32>), Stopped> {
        let matching = self.matching(path, meter)?;
        let inessential = matching.inessential(meter)?;
        Ok(match path.walked.last() {
            None => match self.goals(path).find(|start| inessential[*start as usize]) {
                Some(start) => (matching.leaving_out(start, meter)?, Some(start)),
                None => (matching, None),
            },
            Some(token) if inessential[*token as usize] => {
                (matching.leaving_out(*token, meter)?, None)
            }
            Some(token) => {
                let partner = matching.mate(*token);
                (matching, partner)
            }
        })
    }

    /// The pairs of a matching by the names of their vertices.
    pub(super) fn pairs(&self, matching: &Matching<'_>) -> Vec<[u32; 2]> {
        let all = 0..self.labels.len() as u32;
        let pairs = all.filter_map(|vertex| Some((vertex, matching.mate(vertex)?)));
        let pairs = pairs.filter(|(vertex, mate)| vertex < mate);
        let label = |vertex: u32| self.labels[vertex as usize];
        pairs.map(|(a, b)| [label(a), label(b)]).collect()
    }

    /// The moves that win in normal play.
    pub(super) fn winning(&self, path: &Path, meter: &mut Meter<'_>) -> Result<Vec<u32>, Stopped> {
        let matching = self.matching(path, meter)?;
        let inessential = matching.inessential(meter)?;
        let left_out = match path.walked.last() {
            None => inessential,
            Some(token) if inessential[*token as usize] => return Ok(Vec::new()),
            Some(token) => matching.without_essential(*token).inessential(meter)?,
        };
        Ok(self
            .goals(path)
            .filter(|vertex| left_out[*vertex as usize])
            .collect())
    }

    /// Whether the player to move loses in normal play, from the vertices that some maximum matching leaves out.
    pub(super) fn is_lost(&self, path: &Path, inessential: &[bool]) -> bool {
        match path.walked.last() {
            None => path.is_opponents == self.goals(path).any(|start| inessential[start as usize]),
            Some(token) => inessential[*token as usize],
        }
    }

    /// Reads a vertex of the graph.
    pub(super) fn read_known(&self, word: Word<'_>) -> Result<u32, NotationError> {
        let bad = NotationCode::BadPosition;
        let label = read_vertex(word, bad, EXAMPLE)?;
        self.vertex(label).map_or_else(
            || {
                let message = format!("the graph has no vertex {label}");
                word.refuse(bad, message, "a vertex of the graph", EXAMPLE)
            },
            Ok,
        )
    }

    /// Reads where the token may be placed: `_`, `_0/2`, or with `__` by the opponent.
    pub(super) fn read_start(&self, state: Word<'_>) -> Result<Path, NotationError> {
        let opened = 1 + usize::from(state.text.starts_with("__"));
        let list = state.part(opened, state.text.len());
        let mut starts = None;
        if !list.text.is_empty() {
            let read: Result<Vec<u32>, _> =
                list.split('/').map(|word| self.read_known(word)).collect();
            let mut read = read?;
            read.sort_unstable();
            read.dedup();
            starts = Some(read);
        }
        Ok(Path {
            walked: Vec::new(),
            starts,
            is_opponents: opened == 2,
        })
    }

    /// The numbers of these vertices.
    pub(super) fn labels_of(&self, vertices: &[u32]) -> Vec<u32> {
        let label = |vertex: &u32| self.labels[*vertex as usize];
        vertices.iter().map(label).collect()
    }
}
