//! The search itself: a position is won if some move leads to a lost one. Moves that leave the opponent the fewest moves come first.

use crate::ids::Seat;
use crate::solver::winner::beside::Beside;
use crate::theory::transpositions::{Place, Transpositions};
use crate::theory::{BitMove, Meter, Stopped};

/// Moves looked at for one node of work.
const LOOKED_AT: u64 = 16;

/// A search of boards and of the components beside them.
pub(super) struct Engine {
    pub(super) misere: bool,
    /// The moves of each seat on all boards.
    pub(super) moves: [Vec<BitMove>; 2],
    /// Neither player has more moves than this on the boards.
    pub(super) most_moves: u32,
    pub(super) beside: Beside,
    found: Transpositions,
    /// How many positions had their moves listed.
    nodes: u64,
    /// The positions after the moves of all positions on the way down, the best move of each last.
    open: Vec<(i64, Place)>,
    /// The most of them at one time; these are charged for.
    most_open: usize,
}

/// A position on the way down.
struct Frame {
    place: Place,
    /// Where the positions after its moves begin.
    start: usize,
    /// Nodes before it was met.
    begun: u64,
}

/// What is known of a position without a deeper search.
enum Look {
    Won(bool),
    /// The positions after its moves are open.
    Open,
}

impl Engine {
    pub(super) fn new(
        misere: bool,
        moves: [Vec<BitMove>; 2],
        most_moves: u32,
        beside: Beside,
        meter: &mut Meter<'_>,
    ) -> Result<Self, Stopped> {
        Ok(Self {
            misere,
            moves,
            most_moves,
            beside,
            found: Transpositions::new(meter)?,
            nodes: 0,
            open: Vec::new(),
            most_open: 0,
        })
    }

    /// How many different positions were searched, at least.
    pub(super) fn met(&self) -> usize {
        self.found.len()
    }

    /// Whether the player to move wins. Depth first without recursion; a position is left as soon as a winning move is found.
    pub(super) fn is_won(&mut self, root: Place, meter: &mut Meter<'_>) -> Result<bool, Stopped> {
        if let Some(won) = self.found.is_won(root) {
            return Ok(won);
        }
        self.open.clear();
        let mut path: Vec<Frame> = Vec::new();
        let mut next = Some(root);
        let mut answer = false;
        loop {
            if let Some(place) = next.take() {
                let (start, begun) = (self.open.len(), self.nodes);
                match self.look_at(place, meter)? {
                    Look::Won(won) => {
                        self.open.truncate(start);
                        answer = won;
                    }
                    Look::Open => {
                        path.push(Frame {
                            place,
                            start,
                            begun,
                        });
                        // Treat the position above as if the opponent had won it, and continue with the first move.
                        answer = true;
                    }
                }
            }
            let Some(frame) = path.last() else {
                return Ok(answer);
            };
            if answer && self.open.len() > frame.start {
                next = self.open.pop().map(|(_, place)| place);
                continue;
            }
            // A move left a lost position, or every move a won one.
            answer = !answer;
            let nodes = self.nodes - frame.begun;
            self.found.put(frame.place, answer, nodes, meter)?;
            self.open.truncate(frame.start);
            path.pop();
        }
    }

    /// What is known of a position without going further down; if nothing is, the positions after its moves.
    fn look_at(&mut self, place: Place, meter: &mut Meter<'_>) -> Result<Look, Stopped> {
        if let Some(won) = self.found.is_won(place) {
            return Ok(Look::Won(won));
        }
        let seat = seat_of(place);
        if let Some(winner) = self.beside.winner(place.beside, self.most_moves) {
            return Ok(Look::Won(winner == seat));
        }
        self.nodes += 1;
        let start = self.open.len();
        let own = self.moves[seat.index()].iter();
        let after: Vec<u64> = own
            .filter(|mv| mv.is_legal(place.bits))
            .map(|mv| mv.play(place.bits))
            .collect();
        let others = self.count(place.bits, seat.other());
        self.charge(after.len(), meter)?;
        if after.is_empty() && others == 0 {
            // The boards are over.
            if let Some(won) = self.beside.is_won(place.beside, seat, meter)? {
                return Ok(Look::Won(won));
            }
        }
        let beside = self.beside.options(place.beside, seat, meter)?;
        meter.work(beside.len() as u64)?;
        if after.is_empty() && beside.is_empty() {
            return Ok(Look::Won(self.misere));
        }
        let on_boards = after.into_iter().map(|bits| (bits, place.beside));
        let elsewhere = beside.iter().map(|beside| (place.bits, *beside));
        for (bits, beside) in on_boards.chain(elsewhere) {
            let child = Place {
                bits,
                beside,
                seat: seat.other().index() as u8,
            };
            match self.found.is_won(child) {
                Some(false) => return Ok(Look::Won(true)),
                Some(true) => continue,
                None => {}
            }
            let ahead = self.count(bits, seat) as i64 - self.count(bits, seat.other()) as i64;
            let beside = self.beside.balance(beside);
            let ahead = match seat {
                Seat::First => ahead + beside,
                Seat::Second => ahead - beside,
            };
            // In misère play moves are a burden.
            self.open
                .push((if self.misere { -ahead } else { ahead }, child));
        }
        if self.open.len() == start {
            return Ok(Look::Won(false));
        }
        let new = self.open.len().saturating_sub(self.most_open);
        meter.hold((new * size_of::<(i64, Place)>()) as u64)?;
        self.most_open += new;
        self.open[start..].sort_by_key(|(ahead, _)| *ahead);
        Ok(Look::Open)
    }

    /// How many moves this seat has on boards.
    fn count(&self, bits: u64, seat: Seat) -> usize {
        let moves = self.moves[seat.index()].iter();
        moves.filter(|mv| mv.is_legal(bits)).count()
    }

    /// Charges a look at all moves, once for the position and once for each position after a move.
    fn charge(&self, after: usize, meter: &mut Meter<'_>) -> Result<(), Stopped> {
        let all = self.moves.iter().map(Vec::len).sum::<usize>() as u64;
        meter.work(1 + all * (1 + after as u64) / LOOKED_AT)
    }
}

fn seat_of(place: Place) -> Seat {
    match place.seat {
        0 => Seat::First,
        _ => Seat::Second,
    }
}
