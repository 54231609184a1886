//! Geography on vertices: walk along edges, never to a vertex visited before.
//!
//! A. S. Fraenkel, E. R. Scheinerman, D. Ullman, *Undirected edge geography* (1993): the player to move wins iff every
//! maximum matching covers the token; he moves to a vertex that then stays out of some maximum matching. So whoever places the token wins iff
//! some maximum matching leaves out a vertex on which it may be placed.

mod board;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::FxHashSet;

use board::{Board, EXAMPLE};
pub use board::{Path, Visit};

use crate::erased::{self, BoardKind, GameInfo};
use crate::fact::{GameFact, MAX_TERMS};
use crate::game::{EndRule, Game};
use crate::games::letters::Letters;
use crate::ids::Seat;
use crate::notation::{MoveError, NotationCode, NotationError, Word, write_list};
use crate::theory::{Goal, Meter, MoveList, Stopped};

/// Allowed vertices named in a description.
const NAMED_STARTS: usize = 24;

/// What the registry says.
pub static INFO: GameInfo = GameInfo {
    name: "geo",
    title: "Geography",
    rule: "Move the token along an edge to a neighbouring vertex that it has not visited. If the token is not placed yet, the first move puts it on any vertex, or on one of those that are allowed. The player who makes the last move wins.",
    notation: "geo.0-1.1-2.1-3:0,1 has edges 0-1, 1-2 and 1-3; after the colon come the visited vertices in order: the token started on 0 and is now on 1; _ means that it is not placed, _0/2 that it may be placed on 0 and 2 only; with __ or __0/2 the opponent places it, and the first move is pass; a number alone is a vertex without edges",
    move_notation: "3 moves the token to vertex 3, or places it there",
    examples: &[
        EXAMPLE,
        "geo.0-1.1-2.2-3.1-4:0",
        "geo.0-1.1-2.0-2:_",
        "geo.0-1.1-2.2-3.3-0.4:_",
        "geo.0-1.1-2.2-3.1-4:_0/2",
        "geo.0-1.1-2.0-2.2-3:__0/3",
        "geo.0-1.1-2.2-3.3-4.4-0.0-2:2",
    ],
    example_move: "3",
    method: "the outcome by maximum matching; Grundy values and misere play by exhaustive search",
    complexity: "O(edges sqrt(vertices)) if the graph is bipartite, otherwise O(vertices x edges)",
    limits: "200,000 edges, vertices up to 999,999,999",
    source: "Fraenkel, Scheinerman, Ullman, Undirected edge geography, 1993; J. Edmonds 1965; Hopcroft, Karp 1973",
    board: BoardKind::Walk,
    read: erased::read::<Geography>,
};

/// The graph.
#[derive(Clone, Debug)]
pub struct Geography(Arc<Board>);

impl PartialEq for Geography {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.items == other.0.items
    }
}

impl Eq for Geography {}

impl Hash for Geography {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.digest.hash(state);
    }
}

impl Game for Geography {
    type State = Path;
    type Move = Visit;

    fn parse(
        name: Word<'_>,
        parameters: Option<Word<'_>>,
        state: Word<'_>,
    ) -> Result<(Self, Path), NotationError> {
        let board = Board::read(parameters.unwrap_or_else(|| name.end()))?;
        let bad = NotationCode::BadPosition;
        if state.text.starts_with('_') {
            let path = board.read_start(state)?;
            return Ok((Self(Arc::new(board)), path));
        }
        let mut path: Vec<u32> = Vec::new();
        let mut visited = FxHashSet::default();
        for word in state.split(',') {
            let vertex = board.read_known(word)?;
            let label = board.labels[vertex as usize];
            if let Some(last) = path.last()
                && board.out[*last as usize].binary_search(&vertex).is_err()
            {
                let message = format!(
                    "the path jumps: no edge goes from {} to {label}",
                    board.labels[*last as usize]
                );
                return word.refuse(bad, message, "a neighbour of the vertex before", EXAMPLE);
            }
            if !visited.insert(vertex) {
                let message = format!("the path visits {label} twice");
                return word.refuse(bad, message, "a vertex not visited before", EXAMPLE);
            }
            path.push(vertex);
        }
        Ok((Self(Arc::new(board)), Path::of(path)))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("geo")?;
        self.0
            .items
            .iter()
            .try_for_each(|item| write!(f, ".{item}"))
    }

    fn write_state(&self, path: &Path, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if path.is_opponents {
            f.write_str("_")?;
        }
        let Some(starts) = &path.starts else {
            return write_list(f, &self.0.labels_of(&path.walked));
        };
        for (index, label) in self.0.labels_of(starts).into_iter().enumerate() {
            write!(f, "{}{label}", if index == 0 { '_' } else { '/' })?;
        }
        Ok(())
    }

    fn move_count(&self, path: &Path, _: Seat) -> u128 {
        match path.is_opponents {
            true => 1,
            false => self.0.goals(path).count() as u128,
        }
    }

    fn nth_move(&self, path: &Path, _: Seat, n: u128) -> Option<Visit> {
        self.0.moves(path).nth(usize::try_from(n).ok()?)
    }

    fn moves<'s>(&'s self, path: &'s Path, _: Seat) -> Box<dyn Iterator<Item = Visit> + 's> {
        self.0.moves(path)
    }

    fn read_move(&self, path: &Path, _: Seat, text: &str) -> Result<Visit, MoveError> {
        let is_pass = text.trim().eq_ignore_ascii_case("pass");
        match (path.is_opponents, is_pass) {
            (true, true) => return Ok(Visit::Pass),
            (true, false) => {
                let message = "your opponent places the token: your first move is pass";
                return Err(MoveError::at(1, message));
            }
            (false, true) => {
                let message = "only a player whose opponent places the token can pass";
                return Err(MoveError::at(1, message));
            }
            (false, false) => {}
        }
        let mut letters = Letters::new(text);
        let column = letters.column();
        let label = letters.number()?;
        if letters.peek().is_some() {
            return Err(MoveError::at(letters.column(), "the move should end here"));
        }
        let vertex = u32::try_from(label)
            .ok()
            .and_then(|label| self.0.vertex(label));
        let Some(vertex) = vertex else {
            return Err(MoveError::at(
                column,
                format!("the graph has no vertex {label}"),
            ));
        };
        if path.walked.contains(&vertex) {
            return Err(MoveError::at(
                column,
                format!("the token has been on {label}"),
            ));
        }
        match self.0.goals(path).any(|goal| goal == vertex) {
            true => Ok(self.0.visit(vertex)),
            false if path.walked.is_empty() => Err(MoveError::at(
                column,
                format!("the token may not be placed on {label}"),
            )),
            false => Err(MoveError::at(
                column,
                format!("no edge leads from the token to {label}"),
            )),
        }
    }

    fn play(&self, path: &Path, visit: &Visit) -> Path {
        match visit {
            Visit::Pass => Path {
                is_opponents: false,
                ..path.clone()
            },
            Visit::To { vertex, .. } => {
                let mut longer = path.walked.clone();
                longer.push(*vertex);
                Path::of(longer)
            }
        }
    }

    fn describe(&self, path: &Path) -> String {
        match path.walked.last() {
            None => {
                let by = if path.is_opponents {
                    ", the opponent places it"
                } else {
                    ""
                };
                let on = match &path.starts {
                    None => String::new(),
                    Some(starts) => {
                        let labels = self.0.labels_of(&starts[..starts.len().min(NAMED_STARTS)]);
                        let labels: Vec<String> = labels.iter().map(u32::to_string).collect();
                        let more = if starts.len() > NAMED_STARTS {
                            " ..."
                        } else {
                            ""
                        };
                        format!(", allowed on {}{more}", labels.join(" "))
                    }
                };
                let count = self.0.labels.len();
                format!("{count} vertices, the token not yet placed{by}{on}")
            }
            Some(token) => format!(
                "the token on {}, {} of {} vertices visited",
                self.0.labels[*token as usize],
                path.walked.len(),
                self.0.labels.len()
            ),
        }
    }

    fn describe_move(&self, path: &Path, visit: &Visit, prefix: &str) -> String {
        match path.walked.is_empty() {
            true if path.is_opponents => "left it to the opponent to place the token".to_owned(),
            true => format!("placed the token on {prefix}{visit}"),
            false => format!("moved the token to {prefix}{visit}"),
        }
    }

    /// What the token cannot reach any more counts as visited, in ascending order: the way that led here does not matter.
    fn parts(&self, path: &Path) -> Vec<Path> {
        let Some((token, before)) = path.walked.split_last() else {
            return vec![path.clone()];
        };
        let mut open = vec![true; self.0.labels.len()];
        before
            .iter()
            .for_each(|vertex| open[*vertex as usize] = false);
        open[*token as usize] = false;
        let mut reached = vec![false; open.len()];
        let mut stack = vec![*token];
        while let Some(vertex) = stack.pop() {
            for next in &self.0.out[vertex as usize] {
                if std::mem::replace(&mut open[*next as usize], false) {
                    reached[*next as usize] = true;
                    stack.push(*next);
                }
            }
        }
        let closed =
            (0..open.len() as u32).filter(|vertex| !reached[*vertex as usize] && vertex != token);
        vec![Path::of(closed.chain([*token]).collect())]
    }

    fn method(&self) -> &'static str {
        "maximum matching"
    }

    fn bytes(&self, _: &Path) -> u64 {
        self.0.labels.len() as u64 * 4 + self.0.items.len() as u64 * 32
    }

    fn find_p_position(
        &self,
        path: &Path,
        end: EndRule,
        meter: &mut Meter<'_>,
    ) -> Result<Option<bool>, Stopped> {
        if end.is_misere() {
            return Ok(None);
        }
        let inessential = self.0.matching(path, meter)?.inessential(meter)?;
        Ok(Some(self.0.is_lost(path, &inessential)))
    }

    fn replies(
        &self,
        path: &Path,
        _: usize,
        goal: Goal,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<MoveList<Visit>>, Stopped> {
        if goal != Goal::Value(0) {
            return Ok(None);
        }
        let mut replies = MoveList::default();
        if path.is_opponents {
            let inessential = self.0.matching(path, meter)?.inessential(meter)?;
            if !self.0.is_lost(path, &inessential) {
                replies.push(want, || Visit::Pass);
            }
            return Ok(Some(replies));
        }
        for vertex in self.0.winning(path, meter)? {
            replies.push(want, || self.0.visit(vertex));
        }
        Ok(Some(replies))
    }

    fn facts(&self, path: &Path, end: EndRule, meter: &mut Meter<'_>) -> Vec<GameFact> {
        let found = match end {
            EndRule::Normal => self.0.played_on(path, meter).ok(),
            EndRule::Misere => None,
        };
        let fact = found.map(|(matching, goal)| {
            let label = |vertex: u32| self.0.labels[vertex as usize];
            let pairs = self.0.pairs(&matching);
            let pairs_total = pairs.len() as u64;
            let pairs = pairs.into_iter().take(MAX_TERMS).collect();
            let goal = goal.map(label);
            match path.starts.is_some() || path.is_opponents {
                true => GameFact::Placing {
                    pairs,
                    pairs_total,
                    goal,
                    by_opponent: path.is_opponents,
                },
                false => GameFact::Matching {
                    pairs,
                    pairs_total,
                    token: path.walked.last().map(|token| label(*token)),
                    goal,
                },
            }
        });
        fact.into_iter().collect()
    }

    fn advised(&self, path: &Path, end: EndRule, meter: &mut Meter<'_>) -> Option<Visit> {
        if end.is_misere() {
            return None;
        }
        if path.is_opponents {
            return None;
        }
        let (_, goal) = self.0.played_on(path, meter).ok()?;
        goal.map(|vertex| self.0.visit(vertex))
    }

    fn explain(&self, path: &Path, end: EndRule, meter: &mut Meter<'_>) -> Vec<String> {
        const SHOWN: usize = 24;
        if end.is_misere() {
            return vec![
                "No rule is known for misere geography; only an exhaustive search decides."
                    .to_owned(),
            ];
        }
        let mut lines = vec!["Take a maximum matching. A player who always moves to the matched partner never gets stuck.".to_owned()];
        let Ok((matching, goal)) = self.0.played_on(path, meter) else {
            return lines;
        };
        let label = |vertex: u32| self.0.labels[vertex as usize];
        let pairs = self.0.pairs(&matching);
        let shown: Vec<String> = pairs
            .iter()
            .take(SHOWN)
            .map(|[a, b]| format!("{a}-{b}"))
            .collect();
        let more = if pairs.len() > SHOWN { " ..." } else { "" };
        lines.push(match pairs.len() {
            0 => "  no pairs".to_owned(),
            1 => format!("  1 pair: {}", shown.join(" ")),
            count => format!("  {count} pairs: {}{more}", shown.join(" ")),
        });
        let token = path.walked.last().map(|token| label(*token));
        lines.push(match (token, goal.map(label)) {
            (None, Some(goal)) if path.is_opponents => format!("  {goal} is left out, and the opponent may place the token there: from there every move can be answered by moving to the partner."),
            (None, None) if path.is_opponents => "  Every maximum matching covers all vertices on which the opponent may place the token: the answer is to move to the partner.".to_owned(),
            (None, Some(goal)) => format!("  {goal} is left out: place the token there, and answer every move by moving to the partner."),
            (None, None) if path.starts.is_some() => "  Every maximum matching covers all vertices on which the token may be placed: wherever it is placed, the answer is to move to its partner.".to_owned(),
            (None, None) => "  Every vertex has a partner: wherever the token is placed, the answer is to move to its partner.".to_owned(),
            (Some(token), None) => format!("  These pairs leave out {token}: every move can be answered by moving to the partner."),
            (Some(token), Some(goal)) => format!("  Every maximum matching covers {token}: move to its partner {goal}, and always to the partner after that."),
        });
        lines
    }
}
