//! Tokens on a graph: every finite impartial game is one on a graph without cycles.
//!
//! R. Sprague (1935), P. M. Grundy (1939): the value of a node is the least number that no arc from it leads to. With cycles play may
//! be endless, which is a draw; there the values are those of C. A. B. Smith (1966).

mod arcs;

use std::fmt;
use std::sync::Arc;

use arcs::Arcs;
use rustc_hash::FxHashSet;

use crate::erased::{self, BoardKind, GameInfo};
use crate::fact::{GameFact, PartKind};
use crate::game::{EndRule, Game, Kind};
use crate::games::graphs::{Item, read_vertex};
use crate::games::letters::Letters;
use crate::ids::Seat;
use crate::notation::{MoveError, NotationCode, NotationError, Word, write_list};
use crate::theory::{Goal, LoopyValue, Meter, MoveList, Stopped};

const EXAMPLE: &str = "dag.3-1.3-2.2-0:3,2";
const LOOPY_EXAMPLE: &str = "loopy.0-1.1-0.1-2:0";

/// Tokens, and arcs of one, that an explanation shows.
const SHOWN: usize = 16;

/// What the registry says.
pub static INFO: GameInfo = GameInfo {
    name: "dag",
    title: "Tokens on a graph",
    rule: "Move one token along an arc of the graph, from the node where the arc starts to the node where it ends. A node may hold several tokens, and the graph has no cycles. The player who makes the last move wins.",
    notation: "dag.3-1.3-2.2-0:3,2 has arcs from node 3 to 1, from 3 to 2 and from 2 to 0, and tokens on nodes 3 and 2; a number alone is a node without arcs",
    move_notation: "3-1 moves a token from node 3 to node 1",
    examples: &[
        EXAMPLE,
        "dag.1-0.2-0.2-1.3-1.3-2.4-0.4-3.5-2.5-4:5,3",
        "dag.1-0.2-0.2-1.3-1.3-2.4-0.4-3.5-2.5-4:4,4",
        "dag.1-0.7:7,1",
        "dag.2-1.1-0:2,2,1",
    ],
    example_move: "3-1",
    method: "the mex of every node, computed once; the misere rule if every node of value 0 with an arc has one to a node of value 1, otherwise search",
    complexity: "O(nodes + arcs)",
    limits: "200,000 arcs, 100,000 tokens, nodes numbered up to 999,999,999",
    source: "R. Sprague 1935; P. M. Grundy 1939",
    board: BoardKind::Arcs,
    read: erased::read::<Dag>,
};

/// What the registry says of graphs with cycles.
pub static LOOPY: GameInfo = GameInfo {
    name: "loopy",
    title: "Tokens on a graph with cycles",
    rule: "Move one token along an arc of the graph, from the node where the arc starts to the node where it ends. A node may hold several tokens. Endless play is a draw: a match is drawn when a position occurs for the third time with the same player to move. The player who makes the last move wins.",
    notation: "loopy.0-1.1-0.1-2:0 has arcs from node 0 to 1, from 1 to 0 and from 1 to 2, and a token on node 0; a number alone is a node without arcs",
    move_notation: "0-1 moves a token from node 0 to node 1",
    examples: &[
        LOOPY_EXAMPLE,
        "loopy.0-1.1-0:0",
        "loopy.0-1.1-2.2-0.2-3:0,1",
        "loopy.0-0.0-1:0,1",
    ],
    example_move: "0-1",
    method: "retrograde analysis of all reachable positions; for larger sums in normal play, the loopy values of the nodes",
    complexity: "O(moves of all reachable positions); loopy values O(arcs) for each value that occurs",
    limits: "200,000 arcs, 100,000 tokens, nodes numbered up to 999,999,999",
    source: "C. A. B. Smith 1966; A. S. Fraenkel, Y. Perl 1975; A. S. Fraenkel, Y. Yesha 1986",
    board: BoardKind::Arcs,
    read: erased::read::<Dag>,
};

/// The graph.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Dag(Arc<Arcs>);

/// Where the tokens are.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Tokens {
    nodes: Vec<u32>,
    /// Whether an earlier token is on the same node: their moves are the same.
    twins: Vec<bool>,
}

impl Tokens {
    fn new(nodes: Vec<u32>) -> Self {
        let mut met = FxHashSet::default();
        let twins = nodes.iter().map(|node| !met.insert(*node)).collect();
        Self { nodes, twins }
    }

    /// The tokens that moves are listed for.
    fn movers(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.nodes.len()).filter(|token| !self.twins[*token])
    }
}

/// A token goes along an arc.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    token: usize,
    /// The node that it goes to, as a place in the list of nodes.
    to: u32,
    arc: Item,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.arc.fmt(f)
    }
}

impl Game for Dag {
    type State = Tokens;
    type Move = Step;

    fn parse(
        name: Word<'_>,
        parameters: Option<Word<'_>>,
        state: Word<'_>,
    ) -> Result<(Self, Tokens), NotationError> {
        let example = if name.text == LOOPY.name {
            LOOPY_EXAMPLE
        } else {
            EXAMPLE
        };
        let text = parameters.unwrap_or_else(|| name.end());
        let arcs = Arcs::read(text, name.text == LOOPY.name, example)?;
        if state.text == "_" {
            return Ok((Self(Arc::new(arcs)), Tokens::new(Vec::new())));
        }
        let mut nodes = Vec::new();
        for word in state.split(',') {
            let label = read_vertex(word, NotationCode::BadPosition, example)?;
            match arcs.node(label) {
                Some(node) => nodes.push(node),
                None => {
                    let message = format!("the graph has no node {label}");
                    return word.refuse(
                        NotationCode::BadPosition,
                        message,
                        "a node of the graph",
                        example,
                    );
                }
            }
        }
        Ok((Self(Arc::new(arcs)), Tokens::new(nodes)))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.may_loop {
            LOOPY.name
        } else {
            INFO.name
        })?;
        self.0
            .items
            .iter()
            .try_for_each(|item| write!(f, ".{item}"))
    }

    fn write_state(&self, tokens: &Tokens, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let labels: Vec<u32> = tokens
            .nodes
            .iter()
            .map(|node| self.0.labels[*node as usize])
            .collect();
        write_list(f, &labels)
    }

    fn move_count(&self, tokens: &Tokens, _: Seat) -> u128 {
        tokens
            .movers()
            .map(|token| self.0.out(tokens.nodes[token]).len() as u128)
            .sum()
    }

    fn nth_move(&self, tokens: &Tokens, _: Seat, mut n: u128) -> Option<Step> {
        for token in tokens.movers() {
            let from = tokens.nodes[token];
            let out = self.0.out(from);
            if n < out.len() as u128 {
                return Some(self.0.step(token, from, out[n as usize]));
            }
            n -= out.len() as u128;
        }
        None
    }

    fn moves<'s>(&'s self, tokens: &'s Tokens, _: Seat) -> Box<dyn Iterator<Item = Step> + 's> {
        Box::new(tokens.movers().flat_map(move |token| {
            let from = tokens.nodes[token];
            self.0
                .out(from)
                .iter()
                .map(move |to| self.0.step(token, from, *to))
        }))
    }

    fn read_move(&self, tokens: &Tokens, _: Seat, text: &str) -> Result<Step, MoveError> {
        let mut letters = Letters::new(text);
        let column = letters.column();
        let from = letters.number()?;
        if letters.peek() == Some('-') {
            letters.skip();
        }
        let to = letters.number()?;
        if letters.peek().is_some() {
            return Err(MoveError::at(letters.column(), "the move should end here"));
        }
        let node = |label: u64| {
            u32::try_from(label)
                .ok()
                .and_then(|label| self.0.node(label))
        };
        let token =
            node(from).and_then(|node| tokens.nodes.iter().position(|place| *place == node));
        let Some(token) = token else {
            return Err(MoveError::at(column, format!("no token is on node {from}")));
        };
        let place = tokens.nodes[token];
        match node(to).filter(|to| self.0.out(place).binary_search(to).is_ok()) {
            Some(to) => Ok(self.0.step(token, place, to)),
            None => Err(MoveError::at(
                column,
                format!("no arc goes from {from} to {to}"),
            )),
        }
    }

    fn play(&self, tokens: &Tokens, step: &Step) -> Tokens {
        let mut nodes = tokens.nodes.clone();
        nodes[step.token] = step.to;
        Tokens::new(nodes)
    }

    fn describe(&self, tokens: &Tokens) -> String {
        const SHOWN: usize = 40;
        let labels = tokens
            .nodes
            .iter()
            .map(|node| self.0.labels[*node as usize].to_string());
        let shown: Vec<String> = labels.take(SHOWN).collect();
        match tokens.nodes.len() {
            0 => "no tokens".to_owned(),
            1 => format!("a token on {}", shown[0]),
            count if count > SHOWN => {
                format!("tokens on {} and {} more", shown.join(", "), count - SHOWN)
            }
            _ => format!("tokens on {}", shown.join(", ")),
        }
    }

    fn describe_move(&self, _: &Tokens, step: &Step, prefix: &str) -> String {
        let to = self.0.labels[step.to as usize];
        format!("moved a token from {prefix}{} to {to}", step.arc.from)
    }

    fn kind(&self, tokens: &Tokens) -> Kind {
        match tokens.nodes.iter().any(|node| self.0.loops(*node)) {
            true => Kind::Loopy,
            false => Kind::Impartial,
        }
    }

    fn parts(&self, tokens: &Tokens) -> Vec<Tokens> {
        tokens
            .nodes
            .iter()
            .map(|node| Tokens::new(vec![*node]))
            .collect()
    }

    fn values(&self, tokens: &Tokens, meter: &mut Meter<'_>) -> Result<Vec<Option<u64>>, Stopped> {
        meter.work(tokens.nodes.len() as u64 / 16)?;
        Ok(tokens
            .nodes
            .iter()
            .map(|node| self.0.values[*node as usize])
            .collect())
    }

    fn loopy_values(
        &self,
        tokens: &Tokens,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Option<LoopyValue>>, Stopped> {
        let values = self.0.loopy_values(meter)?;
        meter.work(tokens.nodes.len() as u64)?;
        Ok(tokens
            .nodes
            .iter()
            .map(|node| values.get(*node as usize).cloned())
            .collect())
    }

    fn keeps_values(&self, state: &Tokens) -> bool {
        self.kind(state) == Kind::Impartial
    }

    fn method(&self) -> &'static str {
        "mex of every node"
    }

    fn is_tame(&self, tokens: &Tokens) -> bool {
        tokens.nodes.iter().all(|node| self.0.tame[*node as usize])
    }

    fn bytes(&self, tokens: &Tokens) -> u64 {
        tokens.nodes.len() as u64 * 5
    }

    fn replies(
        &self,
        tokens: &Tokens,
        part: usize,
        goal: Goal,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<MoveList<Step>>, Stopped> {
        if matches!(goal, Goal::MisereLoss(_)) && !self.is_tame(tokens) {
            return Ok(None);
        }
        let goal = goal.of_one_part();
        let mut replies = MoveList::default();
        if tokens.twins[part] {
            return Ok(Some(replies));
        }
        let from = tokens.nodes[part];
        for to in self.0.out(from) {
            meter.work(1)?;
            if self.0.values[*to as usize] == Some(goal) {
                replies.push(want, || self.0.step(part, from, *to));
            }
        }
        Ok(Some(replies))
    }

    fn part_kind(&self) -> PartKind {
        PartKind::Token
    }

    fn part_name(&self, tokens: &Tokens, part: usize) -> String {
        self.0.labels[tokens.nodes[part] as usize].to_string()
    }

    fn facts(&self, tokens: &Tokens, _: EndRule, _: &mut Meter<'_>) -> Vec<GameFact> {
        const NODES: usize = 6;
        let movers = tokens.movers().map(|token| tokens.nodes[token]);
        movers
            .filter(|node| !self.0.out(*node).is_empty())
            .filter_map(|node| self.0.valued(node))
            .take(NODES)
            .collect()
    }

    fn explain(&self, tokens: &Tokens, end: EndRule, meter: &mut Meter<'_>) -> Vec<String> {
        let mut lines = vec![
            "The value of a node is the least number that no arc from it leads to.".to_owned(),
        ];
        let loops = self.kind(tokens) == Kind::Loopy;
        let loopy = match loops {
            true => self.0.loopy_values(meter).unwrap_or_default(),
            false => &[],
        };
        if loops {
            lines.push("A node on a cycle gets value v only if every other option can be reverted to v; the others are endless.".to_owned());
        }
        let value = |node: u32| match (self.0.values[node as usize], loopy.get(node as usize)) {
            (Some(value), _) => value.to_string(),
            (None, Some(LoopyValue::Nimber(value))) => value.to_string(),
            (None, Some(LoopyValue::Endless(_))) => "endless".to_owned(),
            (None, None) => "?".to_owned(),
        };
        for node in tokens.nodes.iter().take(SHOWN) {
            let label = self.0.labels[*node as usize];
            let out = self.0.out(*node).iter().take(SHOWN);
            let options: Vec<String> = out
                .map(|to| format!("{}:{}", self.0.labels[*to as usize], value(*to)))
                .collect();
            let more = if self.0.out(*node).len() > SHOWN {
                " ..."
            } else {
                ""
            };
            lines.push(match options.is_empty() {
                true => format!("  token on {label}  value 0, no arc"),
                false => format!(
                    "  token on {label}  value {}, arcs to {}{more} (node:value)",
                    value(*node),
                    options.join(" ")
                ),
            });
        }
        if tokens.nodes.len() > SHOWN {
            lines.push(format!("  and {} more tokens", tokens.nodes.len() - SHOWN));
        }
        let mut values = tokens
            .nodes
            .iter()
            .map(|node| self.0.values[*node as usize]);
        let xor = values.try_fold(0, |xor, value| Some(xor ^ value?));
        lines.extend(xor.map(|xor| format!("  XOR of the values: {xor}")));
        if end.is_misere() {
            lines.push(match self.is_tame(tokens) {
                true => "Misere play: while a value is above 1, aim for xor 0; if your move leaves none above 1, leave xor 1.".to_owned(),
                false if loops => "Misere play: the values do not decide if there are cycles; only an exhaustive search does.".to_owned(),
                false => "Misere play: some node of value 0 has arcs, but none to value 1, so the values do not decide; only an exhaustive search does.".to_owned(),
            });
        }
        lines
    }
}
