//! Tokens on a graph without cycles: every finite impartial game is one.
//!
//! R. Sprague (1935), P. M. Grundy (1939): the value of a node is the least number that no arc from it leads to.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::erased;
use crate::game::{EndRule, Game};
use crate::games::GameInfo;
use crate::games::graphs::{Item, digest, read_items, read_vertex, vertices};
use crate::games::heaps::Letters;
use crate::ids::Seat;
use crate::notation::{MoveError, NotationCode, NotationError, Word, write_list};
use crate::theory::{Goal, Meter, Replies, Stopped, mex};

const EXAMPLE: &str = "dag.3-1.3-2.2-0:3,2";

/// What the registry says.
pub static INFO: GameInfo = GameInfo {
    name: "dag",
    title: "Tokens on a graph",
    rule: "Move one token along an arc of the graph, which has no cycle; tokens may share a node. Whoever makes the last move wins.",
    notation: "dag.3-1.3-2.2-0:3,2 has arcs from 3 to 1, 3 to 2, 2 to 0 and tokens on 3 and 2; a bare number is a node without arcs",
    move_notation: "3-1 moves a token from node 3 to node 1",
    examples: &[
        EXAMPLE,
        "dag.1-0.2-0.2-1.3-1.3-2.4-0.4-3.5-2.5-4:5,3",
        "dag.1-0.2-0.2-1.3-1.3-2.4-0.4-3.5-2.5-4:4,4",
        "dag.1-0.7:7,1",
        "dag.2-1.1-0:2,2,1",
    ],
    example_move: "3-1",
    method: "the mex of every node, once; the misere rule where every node of value 0 that has an arc has one to value 1, else search",
    complexity: "O(nodes + arcs)",
    limits: "200,000 arcs, 100,000 tokens, nodes numbered up to 999,999,999",
    source: "R. Sprague 1935; P. M. Grundy 1939",
    read: erased::read::<Dag>,
};

/// The graph.
#[derive(Clone, Debug)]
pub struct Dag(Arc<Arcs>);

#[derive(Debug)]
struct Arcs {
    /// As typed, each once; nodes by themselves only where they have no arc.
    items: Vec<Item>,
    digest: u64,
    /// The nodes' numbers, ascending; elsewhere nodes are places in this list.
    labels: Vec<u32>,
    /// Where the arcs of each node lead, ascending.
    out: Vec<Vec<u32>>,
    values: Vec<u64>,
    /// Whether the misère rule of tame sums holds for a token here.
    tame: Vec<bool>,
}

impl PartialEq for Dag {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.items == other.0.items
    }
}

impl Eq for Dag {}

impl Hash for Dag {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.digest.hash(state);
    }
}

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

impl Arcs {
    fn node(&self, label: u32) -> Option<u32> {
        self.labels
            .binary_search(&label)
            .ok()
            .map(|node| node as u32)
    }

    fn out(&self, node: u32) -> &[u32] {
        &self.out[node as usize]
    }

    fn step(&self, token: usize, from: u32, to: u32) -> Step {
        let label = |node: u32| self.labels[node as usize];
        Step {
            token,
            to,
            arc: Item {
                from: label(from),
                to: Some(label(to)),
            },
        }
    }

    fn read(text: Word<'_>) -> Result<Self, NotationError> {
        let typed = read_items(text, '.', NotationCode::BadGameCode, EXAMPLE)?;
        let arcs: FxHashSet<u32> = typed
            .iter()
            .filter(|(item, _)| item.to.is_some())
            .flat_map(|(item, _)| [Some(item.from), item.to])
            .flatten()
            .collect();
        let mut met = FxHashSet::default();
        let kept = typed.iter().filter(|(item, _)| {
            (item.to.is_some() || !arcs.contains(&item.from)) && met.insert(*item)
        });
        let kept: Vec<(Item, Word<'_>)> = kept.copied().collect();
        let items: Vec<Item> = kept.iter().map(|(item, _)| *item).collect();
        let labels = vertices(&items);
        let mut graph = Self {
            digest: digest(&items),
            out: vec![Vec::new(); labels.len()],
            values: vec![0; labels.len()],
            tame: vec![true; labels.len()],
            items,
            labels,
        };
        for item in &graph.items {
            if let (Some(from), Some(to)) =
                (graph.node(item.from), item.to.and_then(|to| graph.node(to)))
            {
                graph.out[from as usize].push(to);
            }
        }
        graph.out.iter_mut().for_each(|out| out.sort_unstable());
        match graph.evaluate() {
            Ok(()) => Ok(graph),
            Err(cycle) => {
                let labels: Vec<u32> = cycle
                    .iter()
                    .map(|node| graph.labels[*node as usize])
                    .collect();
                let closing = Item {
                    from: labels[labels.len() - 2],
                    to: labels.last().copied(),
                };
                let place = kept
                    .iter()
                    .find(|(item, _)| *item == closing)
                    .map_or(text, |(_, word)| *word);
                let mut shown: Vec<String> = labels.iter().map(u32::to_string).collect();
                if shown.len() > 8 {
                    shown.splice(4..shown.len() - 3, ["...".to_owned()]);
                }
                let message = format!("the arcs go round: {}", shown.join("-"));
                place.refuse(
                    NotationCode::BadGameCode,
                    message,
                    "arcs without a cycle",
                    EXAMPLE,
                )
            }
        }
    }

    /// Values of all nodes, depth first without recursion; or a cycle, its first node again at the end.
    fn evaluate(&mut self) -> Result<(), Vec<u32>> {
        #[derive(Clone, Copy, PartialEq)]
        enum Met {
            Never,
            OnPath,
            Done,
        }
        let mut met = vec![Met::Never; self.labels.len()];
        for root in 0..self.labels.len() as u32 {
            if met[root as usize] != Met::Never {
                continue;
            }
            let mut path = vec![(root, 0)];
            met[root as usize] = Met::OnPath;
            while let Some((node, next)) = path.last_mut() {
                let node = *node;
                let Some(&to) = self.out(node).get(*next) else {
                    self.settle(node);
                    met[node as usize] = Met::Done;
                    path.pop();
                    continue;
                };
                *next += 1;
                match met[to as usize] {
                    Met::Done => {}
                    Met::Never => {
                        met[to as usize] = Met::OnPath;
                        path.push((to, 0));
                    }
                    Met::OnPath => {
                        let round = path
                            .iter()
                            .map(|(node, _)| *node)
                            .skip_while(|node| *node != to);
                        return Err(round.chain([to]).collect());
                    }
                }
            }
        }
        Ok(())
    }

    fn settle(&mut self, node: u32) {
        let options: Vec<u64> = self
            .out(node)
            .iter()
            .map(|to| self.values[*to as usize])
            .collect();
        let value = mex(&options);
        let quiet = value > 0 || options.is_empty() || options.contains(&1);
        let tame = quiet && self.out(node).iter().all(|to| self.tame[*to as usize]);
        self.values[node as usize] = value;
        self.tame[node as usize] = tame;
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
        let arcs = Arcs::read(parameters.unwrap_or_else(|| name.end()))?;
        if state.text == "_" {
            return Ok((Self(Arc::new(arcs)), Tokens::new(Vec::new())));
        }
        let mut nodes = Vec::new();
        for word in state.split(',') {
            let label = read_vertex(word, NotationCode::BadPosition, EXAMPLE)?;
            match arcs.node(label) {
                Some(node) => nodes.push(node),
                None => {
                    let message = format!("the graph has no node {label}");
                    return word.refuse(
                        NotationCode::BadPosition,
                        message,
                        "a node of the graph",
                        EXAMPLE,
                    );
                }
            }
        }
        Ok((Self(Arc::new(arcs)), Tokens::new(nodes)))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("dag")?;
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
            .map(|node| Some(self.0.values[*node as usize]))
            .collect())
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
    ) -> Result<Option<Replies<Step>>, Stopped> {
        if matches!(goal, Goal::MisereLoss(_)) && !self.is_tame(tokens) {
            return Ok(None);
        }
        let goal = goal.of_one_part();
        let mut replies = Replies::default();
        if tokens.twins[part] {
            return Ok(Some(replies));
        }
        let from = tokens.nodes[part];
        for to in self.0.out(from) {
            meter.work(1)?;
            if self.0.values[*to as usize] == goal {
                replies.push(want, || self.0.step(part, from, *to));
            }
        }
        Ok(Some(replies))
    }

    fn explain(&self, tokens: &Tokens, end: EndRule, _: &mut Meter<'_>) -> Vec<String> {
        const SHOWN: usize = 16;
        let mut lines = vec![
            "The value of a node is the least number that no arc from it leads to.".to_owned(),
        ];
        for node in tokens.nodes.iter().take(SHOWN) {
            let out = self.0.out(*node).iter().take(SHOWN);
            let options: Vec<String> = out
                .map(|to| {
                    format!(
                        "{}:{}",
                        self.0.labels[*to as usize], self.0.values[*to as usize]
                    )
                })
                .collect();
            let more = if self.0.out(*node).len() > SHOWN {
                " ..."
            } else {
                ""
            };
            let (label, value) = (self.0.labels[*node as usize], self.0.values[*node as usize]);
            lines.push(match options.is_empty() {
                true => format!("  token on {label}  value 0, no arc"),
                false => format!(
                    "  token on {label}  value {value}, arcs to {}{more} (node:value)",
                    options.join(" ")
                ),
            });
        }
        if tokens.nodes.len() > SHOWN {
            lines.push(format!("  and {} more tokens", tokens.nodes.len() - SHOWN));
        }
        let xor = tokens
            .nodes
            .iter()
            .fold(0, |xor, node| xor ^ self.0.values[*node as usize]);
        lines.push(format!("  XOR of the values: {xor}"));
        if end.is_misere() {
            lines.push(match self.is_tame(tokens) {
                true => "Misere play: while a value is above 1 aim at xor 0; where your move leaves none above 1, leave xor 1.".to_owned(),
                false => "Misere play: some node of value 0 has arcs, but none to value 1, so the values do not decide; only a search of all lines of play does.".to_owned(),
            });
        }
        lines
    }
}
