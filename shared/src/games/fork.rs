//! Tokens that divide: an arc of a graph without cycles may lead to several nodes at once, and each of them gets a token.
//!
//! R. Sprague (1935), P. M. Grundy (1939): what an arc leaves is worth the xor of its ends, and a node is worth the least number that no arc from it leaves.

use std::collections::BTreeMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::erased::{self, BoardKind, GameInfo};
use crate::fact::{GameFact, PartKind, Terms};
use crate::game::{EndRule, Game};
use crate::games::graphs::{MAX_ITEMS, read_vertex};
use crate::games::letters::Letters;
use crate::ids::Seat;
use crate::notation::{MAX_HEAPS, MoveError, NotationCode, NotationError, Word, write_list};
use crate::theory::{Goal, Meter, MoveList, Stopped, mex};

const EXAMPLE: &str = "fork.3-1/2.3-0.2-0/1.1-0:3,2";

/// Tokens, and arcs of one, that an explanation shows.
const SHOWN: usize = 16;

/// What the registry says.
pub static INFO: GameInfo = GameInfo {
    name: "fork",
    title: "Dividing tokens",
    rule: "Take one token from its node, choose an arc from that node, and put a token on every node where the arc ends. The player who makes the last move wins.",
    notation: "fork.3-1/2.3-0:3,2 has an arc from node 3 to both 1 and 2, an arc from 3 to 0, and tokens on nodes 3 and 2; an end may occur several times (3-1/1); a number alone is a node without arcs; the arcs form no cycle",
    move_notation: "3-1/2 takes a token from node 3 and puts one on 1 and one on 2",
    examples: &[
        EXAMPLE,
        "fork.4-2/2/1.4-3.3-1/1.3-2.2-1.2-0/0.1-0:4",
        "fork.2-1/1.1-0:2,2",
        "fork.1-0.7:7,1",
        "fork.5-4/3.5-2.4-2/1.3-1/0.2-0.1-0:5",
    ],
    example_move: "3-1/2",
    method: "the mex over the arcs of the xor of their ends, computed once; the misere rule where no arc has several ends and it holds for the graph, otherwise search",
    complexity: "O(nodes + ends of arcs)",
    limits: "200,000 ends of arcs, 100,000 tokens at any time of play, nodes numbered up to 999,999,999",
    source: "R. Sprague 1935; P. M. Grundy 1939",
    board: BoardKind::Forks,
    read: erased::read::<Fork>,
};

/// The graph.
#[derive(Clone, Debug)]
pub struct Fork(Arc<Graph>);

#[derive(Debug)]
struct Graph {
    digest: u64,
    /// The nodes' numbers, ascending; elsewhere nodes are places in this list.
    labels: Vec<u32>,
    /// Where the arcs of each node lead: lists of ends, ascending, each once.
    out: Vec<Vec<Vec<u32>>>,
    /// The Grundy values.
    values: Vec<u64>,
    /// Whether the misère rule of tame sums holds for a token here.
    tame: Vec<bool>,
    /// The most tokens that one here may become.
    most: Vec<u64>,
}

impl PartialEq for Fork {
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (&self.0, &other.0);
        Arc::ptr_eq(a, b) || a.labels == b.labels && a.out == b.out
    }
}

impl Eq for Fork {}

impl Hash for Fork {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.digest.hash(state);
    }
}

/// The nodes of the tokens. What was divided stands in the place of the token, the further ends behind all others.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Tokens(Vec<u32>);

/// A token is replaced by those at the ends of an arc.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Division {
    /// The place of the token.
    token: usize,
    ends: Vec<u32>,
    text: String,
}

impl fmt::Display for Division {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Graph {
    /// Reads arcs and nodes joined by dots. O(ends log).
    fn read(text: Word<'_>) -> Result<Self, NotationError> {
        let bad = NotationCode::BadGameCode;
        if text.text.is_empty() {
            let expected = "arcs such as 3-1/2, or nodes";
            return text.refuse(bad, "the graph is missing", expected, EXAMPLE);
        }
        let separators = |byte: &u8| matches!(byte, b'.' | b'/');
        let count = text.text.bytes().filter(separators).count() + 1;
        if count > MAX_ITEMS {
            let message = format!("{count} ends of arcs are too many: {MAX_ITEMS} are the limit");
            let expected = format!("at most {MAX_ITEMS} ends of arcs");
            return text.refuse(NotationCode::OutOfRange, message, expected, EXAMPLE);
        }
        let mut arcs: BTreeMap<u32, Vec<(Vec<u32>, Word<'_>)>> = BTreeMap::new();
        for word in text.split('.') {
            let Some((from, ends)) = word.split_once('-') else {
                arcs.entry(read_vertex(word, bad, EXAMPLE)?).or_default();
                continue;
            };
            let from = read_vertex(from, bad, EXAMPLE)?;
            let ends = ends.split('/').map(|end| read_vertex(end, bad, EXAMPLE));
            let mut ends: Vec<u32> = ends.collect::<Result<_, _>>()?;
            ends.sort_unstable();
            for end in &ends {
                arcs.entry(*end).or_default();
            }
            arcs.entry(from).or_default().push((ends, word));
        }
        let labels: Vec<u32> = arcs.keys().copied().collect();
        let place = |label: &u32| labels.binary_search(label).map_or(0, |place| place as u32);
        let mut words = FxHashMap::default();
        let mut out = Vec::with_capacity(labels.len());
        for (node, arcs) in arcs.values().enumerate() {
            let mut own = Vec::with_capacity(arcs.len());
            for (ends, word) in arcs {
                let ends: Vec<u32> = ends.iter().map(place).collect();
                for end in &ends {
                    words.entry((node as u32, *end)).or_insert(*word);
                }
                own.push(ends);
            }
            own.sort_unstable();
            own.dedup();
            out.push(own);
        }
        let mut hasher = FxHasher::default();
        (&labels, &out).hash(&mut hasher);
        let nodes = labels.len();
        let mut graph = Self {
            digest: hasher.finish(),
            labels,
            out,
            values: vec![0; nodes],
            tame: vec![false; nodes],
            most: vec![1; nodes],
        };
        match graph.evaluate() {
            Ok(()) => Ok(graph),
            Err((from, to)) => {
                let [from_label, to_label] = [from, to].map(|node| graph.labels[node as usize]);
                words.get(&(from, to)).unwrap_or(&text).refuse(
                    bad,
                    format!("the arc from {from_label} to {to_label} closes a cycle"),
                    "arcs without a cycle",
                    EXAMPLE,
                )
            }
        }
    }

    /// Values of all nodes, each after the ends of its arcs; an arc of a cycle if there is one.
    fn evaluate(&mut self) -> Result<(), (u32, u32)> {
        // Depth first without recursion: open nodes are those on the path.
        let (mut done, mut open) = (vec![false; self.out.len()], vec![false; self.out.len()]);
        for root in 0..self.out.len() as u32 {
            let mut path = vec![(root, 0, 0)];
            while let Some((node, arc, end)) = path.last_mut() {
                let at = *node as usize;
                if done[at] {
                    path.pop();
                    continue;
                }
                open[at] = true;
                let Some(ends) = self.out[at].get(*arc) else {
                    (done[at], open[at]) = (true, false);
                    self.settle(at);
                    path.pop();
                    continue;
                };
                match ends.get(*end) {
                    None => (*arc, *end) = (*arc + 1, 0),
                    Some(next) if open[*next as usize] => return Err((*node, *next)),
                    Some(next) => {
                        *end += 1;
                        let next = *next;
                        path.push((next, 0, 0));
                    }
                }
            }
        }
        Ok(())
    }

    fn settle(&mut self, node: usize) {
        let arcs = &self.out[node];
        let options: Vec<u64> = arcs.iter().map(|ends| self.worth(ends)).collect();
        let single = |ends: &Vec<u32>| matches!(ends[..], [end] if self.tame[end as usize]);
        let value = mex(&options);
        let quiet = value > 0 || options.is_empty() || options.contains(&1);
        let tokens = |ends: &Vec<u32>| {
            let most = ends.iter().map(|end| self.most[*end as usize]);
            most.fold(0, u64::saturating_add)
        };
        let (tame, most) = (
            quiet && arcs.iter().all(single),
            arcs.iter().map(tokens).max(),
        );
        self.values[node] = value;
        self.tame[node] = tame;
        self.most[node] = most.unwrap_or(1);
    }

    /// The xor of the values of the ends.
    fn worth(&self, ends: &[u32]) -> u64 {
        let values = ends.iter().map(|end| self.values[*end as usize]);
        values.fold(0, |xor, value| xor ^ value)
    }

    fn node(&self, label: u64) -> Option<u32> {
        let label = u32::try_from(label).ok()?;
        let place = self.labels.binary_search(&label).ok()?;
        Some(place as u32)
    }

    /// As typed: `1/2`.
    fn ends_text(&self, ends: &[u32]) -> String {
        let labels = ends
            .iter()
            .map(|end| self.labels[*end as usize].to_string());
        labels.collect::<Vec<_>>().join("/")
    }

    fn division(&self, tokens: &Tokens, token: usize, ends: &[u32]) -> Division {
        let from = self.labels[tokens.0[token] as usize];
        Division {
            token,
            ends: ends.to_vec(),
            text: format!("{from}-{}", self.ends_text(ends)),
        }
    }

    /// The first token of each node, with its place: tokens on one node have the same moves.
    fn movers(tokens: &Tokens) -> impl Iterator<Item = (usize, u32)> + '_ {
        let mut met = FxHashSet::default();
        let all = tokens.0.iter().copied().enumerate();
        all.filter(move |(_, node)| met.insert(*node))
    }
}

impl Game for Fork {
    type State = Tokens;
    type Move = Division;

    fn parse(
        name: Word<'_>,
        parameters: Option<Word<'_>>,
        state: Word<'_>,
    ) -> Result<(Self, Tokens), NotationError> {
        let graph = Graph::read(parameters.unwrap_or_else(|| name.end()))?;
        let bad = NotationCode::BadPosition;
        let mut nodes = Vec::new();
        let mut most = 0_u64;
        for word in state.split(',').filter(|_| state.text != "_") {
            let label = read_vertex(word, bad, EXAMPLE)?;
            let Some(node) = graph.node(label.into()) else {
                let message = format!("the graph has no node {label}");
                return word.refuse(bad, message, "a node of the graph", EXAMPLE);
            };
            most = most.saturating_add(graph.most[node as usize]);
            if most > MAX_HEAPS as u64 {
                let message = format!("play could lead to more than {MAX_HEAPS} tokens");
                let expected = "a graph whose arcs make fewer tokens";
                return word.refuse(NotationCode::OutOfRange, message, expected, EXAMPLE);
            }
            nodes.push(node);
        }
        Ok((Self(Arc::new(graph)), Tokens(nodes)))
    }

    /// Nodes in descending order, each with its arcs; by themselves if they have none and no arc leads to them.
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let graph = &*self.0;
        f.write_str(INFO.name)?;
        let mut ended = vec![false; graph.labels.len()];
        for end in graph.out.iter().flatten().flatten() {
            ended[*end as usize] = true;
        }
        for (node, label) in graph.labels.iter().enumerate().rev() {
            for ends in &graph.out[node] {
                write!(f, ".{label}-{}", graph.ends_text(ends))?;
            }
            if graph.out[node].is_empty() && !ended[node] {
                write!(f, ".{label}")?;
            }
        }
        Ok(())
    }

    fn write_state(&self, tokens: &Tokens, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let labels = tokens.0.iter().map(|node| self.0.labels[*node as usize]);
        write_list(f, &labels.collect::<Vec<_>>())
    }

    fn move_count(&self, tokens: &Tokens, _: Seat) -> u128 {
        let movers = Graph::movers(tokens);
        movers
            .map(|(_, node)| self.0.out[node as usize].len() as u128)
            .sum()
    }

    fn nth_move(&self, tokens: &Tokens, _: Seat, mut n: u128) -> Option<Division> {
        for (token, node) in Graph::movers(tokens) {
            let out = &self.0.out[node as usize];
            if n < out.len() as u128 {
                return Some(self.0.division(tokens, token, &out[n as usize]));
            }
            n -= out.len() as u128;
        }
        None
    }

    fn moves<'s>(&'s self, tokens: &'s Tokens, _: Seat) -> Box<dyn Iterator<Item = Division> + 's> {
        Box::new(Graph::movers(tokens).flat_map(move |(token, node)| {
            let arcs = self.0.out[node as usize].iter();
            arcs.map(move |ends| self.0.division(tokens, token, ends))
        }))
    }

    fn read_move(&self, tokens: &Tokens, _: Seat, text: &str) -> Result<Division, MoveError> {
        let mut letters = Letters::new(text);
        let column = letters.column();
        let from = letters.number()?;
        if letters.peek() == Some('-') {
            letters.skip();
        }
        let mut labels = vec![letters.number()?];
        while letters.peek() == Some('/') {
            letters.skip();
            labels.push(letters.number()?);
        }
        letters.end()?;
        let node = self.0.node(from);
        let token = node.and_then(|node| tokens.0.iter().position(|place| *place == node));
        let Some(token) = token else {
            let message = format!("no token is on node {from}");
            return Err(MoveError::at(column, message));
        };
        labels.sort_unstable();
        let ends: Option<Vec<u32>> = labels.iter().map(|label| self.0.node(*label)).collect();
        let out = &self.0.out[tokens.0[token] as usize];
        match ends.filter(|ends| out.contains(ends)) {
            Some(ends) => Ok(self.0.division(tokens, token, &ends)),
            None => {
                let labels: Vec<String> = labels.iter().map(u64::to_string).collect();
                let message = format!("no arc goes from {from} to {}", labels.join(" and "));
                Err(MoveError::at(column, message))
            }
        }
    }

    fn play(&self, tokens: &Tokens, division: &Division) -> Tokens {
        let mut nodes = tokens.0.clone();
        let mut ends = division.ends.iter().copied();
        if let Some(first) = ends.next() {
            nodes[division.token] = first;
        }
        nodes.extend(ends);
        Tokens(nodes)
    }

    fn describe(&self, tokens: &Tokens) -> String {
        const SHOWN: usize = 40;
        let label = |node: &u32| self.0.labels[*node as usize].to_string();
        let shown: Vec<String> = tokens.0.iter().take(SHOWN).map(label).collect();
        match tokens.0.len() {
            0 => "no tokens".to_owned(),
            1 => format!("a token on {}", shown[0]),
            count if count > SHOWN => {
                format!("tokens on {} and {} more", shown.join(", "), count - SHOWN)
            }
            _ => format!("tokens on {}", shown.join(", ")),
        }
    }

    fn describe_move(&self, tokens: &Tokens, division: &Division, prefix: &str) -> String {
        let from = self.0.labels[tokens.0[division.token] as usize];
        let ends = self.0.ends_text(&division.ends).replace('/', " and ");
        match division.ends.len() {
            1 => format!("moved a token from {prefix}{from} to {ends}"),
            _ => format!("divided a token on {prefix}{from} into tokens on {ends}"),
        }
    }

    fn parts(&self, tokens: &Tokens) -> Vec<Tokens> {
        tokens.0.iter().map(|node| Tokens(vec![*node])).collect()
    }

    fn part_name(&self, tokens: &Tokens, part: usize) -> String {
        self.0.labels[tokens.0[part] as usize].to_string()
    }

    fn part_kind(&self) -> PartKind {
        PartKind::Token
    }

    fn values(&self, tokens: &Tokens, meter: &mut Meter<'_>) -> Result<Vec<Option<u64>>, Stopped> {
        meter.work(tokens.0.len() as u64 / 16)?;
        let values = tokens.0.iter().map(|node| self.0.values[*node as usize]);
        Ok(values.map(Some).collect())
    }

    fn keeps_values(&self, _: &Tokens) -> bool {
        true
    }

    fn method(&self) -> &'static str {
        "mex of every node"
    }

    fn is_tame(&self, tokens: &Tokens) -> bool {
        tokens.0.iter().all(|node| self.0.tame[*node as usize])
    }

    fn bytes(&self, tokens: &Tokens) -> u64 {
        tokens.0.len() as u64 * 4
    }

    fn replies(
        &self,
        tokens: &Tokens,
        part: usize,
        goal: Goal,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<MoveList<Division>>, Stopped> {
        if matches!(goal, Goal::MisereLoss(_)) && !self.is_tame(tokens) {
            return Ok(None);
        }
        let goal = goal.of_one_part();
        let mut replies = MoveList::default();
        let node = tokens.0[part];
        meter.work(1 + part as u64 / 1_024)?;
        if tokens.0[..part].contains(&node) {
            return Ok(Some(replies));
        }
        for ends in &self.0.out[node as usize] {
            meter.work(1)?;
            if self.0.worth(ends) == goal {
                replies.push(want, || self.0.division(tokens, part, ends));
            }
        }
        Ok(Some(replies))
    }

    fn facts(&self, tokens: &Tokens, _: EndRule, _: &mut Meter<'_>) -> Vec<GameFact> {
        const NODES: usize = 6;
        let graph = &*self.0;
        let movers = Graph::movers(tokens).map(|(_, node)| node as usize);
        let movers = movers.filter(|node| !graph.out[*node].is_empty());
        movers
            .take(NODES)
            .map(|node| {
                let mut arcs = Terms::default();
                for ends in &graph.out[node] {
                    arcs.push(|| graph.ends_text(ends), graph.worth(ends));
                }
                GameFact::Arcs {
                    node: graph.labels[node],
                    value: graph.values[node],
                    arcs,
                }
            })
            .collect()
    }

    fn changes(
        &self,
        tokens: &Tokens,
        division: &Division,
        _: EndRule,
        _: &mut Meter<'_>,
    ) -> Vec<GameFact> {
        let graph = &*self.0;
        let node = tokens.0[division.token] as usize;
        let mut ends = Terms::of(PartKind::Token);
        for end in &division.ends {
            let end = *end as usize;
            ends.push(|| graph.labels[end].to_string(), graph.values[end]);
        }
        vec![GameFact::Divided {
            node: graph.labels[node],
            value: graph.values[node],
            ends,
            xor: graph.worth(&division.ends),
        }]
    }

    fn explain(&self, tokens: &Tokens, end: EndRule, _: &mut Meter<'_>) -> Vec<String> {
        let graph = &*self.0;
        let mut lines = vec![
            "An arc leaves the xor of the values of its ends; the value of a node is the least number that no arc from it leaves."
                .to_owned(),
        ];
        for node in tokens.0.iter().take(SHOWN) {
            let node = *node as usize;
            let arcs = graph.out[node].iter().take(SHOWN);
            let arcs: Vec<String> = arcs
                .map(|ends| format!("{}:{}", graph.ends_text(ends), graph.worth(ends)))
                .collect();
            let more = if graph.out[node].len() > SHOWN {
                " ..."
            } else {
                ""
            };
            let (label, value) = (graph.labels[node], graph.values[node]);
            lines.push(match arcs.is_empty() {
                true => format!("  token on {label}  value 0, no arc"),
                false => format!(
                    "  token on {label}  value {value}, arcs to {}{more} (ends:xor)",
                    arcs.join(" ")
                ),
            });
        }
        if tokens.0.len() > SHOWN {
            lines.push(format!("  and {} more tokens", tokens.0.len() - SHOWN));
        }
        let all: Vec<u32> = tokens.0.clone();
        lines.push(format!("  XOR of the values: {}", graph.worth(&all)));
        if end.is_misere() {
            lines.push(match self.is_tame(tokens) {
                true => "Misere play: while a value is above 1, aim for xor 0; if your move leaves none above 1, leave xor 1.".to_owned(),
                false => "Misere play: if arcs have several ends, or a node of value 0 has arcs but none to value 1, the values do not decide; only an exhaustive search does.".to_owned(),
            });
        }
        lines
    }
}
