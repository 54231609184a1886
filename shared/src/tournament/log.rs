//! A tournament as a fold of its events: what happened is the log, everything else is computed from it.
//!
//! After any crash the log is read again and [`Tournament::next`] says what is missing: a round to pair, or the games of
//! the running round without a result. No result can be entered twice, and none is lost that is in the log.

use std::collections::{BTreeMap, BTreeSet};

use super::cross_table::{Colour, CrossTable, Entry, HalfPoints};
use super::event::{
    Admission, Format, MAX_REPLAYS, Rules, TournamentError, TournamentEvent, check_terms,
};
use super::pairing::{Boards, Standing};
use super::schedule::{Game, MAX_PLAYERS, Schedule, ScheduleError};
use super::seed::{Commitment, Seed};
use super::tie_break::Edition;
use crate::event::{EndReason, Outcome, PlayerInfo};
use crate::ids::{Millis, Seat};
use crate::rating::{GameScore, RatedGame, Rating, after_period};

/// The system constant of the ladder's ratings.
const TAU: f64 = 0.5;

/// The next game of a board of the running round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpenGame {
    /// The number of the round, from 1.
    pub round: u32,
    /// The board, from 1.
    pub board: u32,
    /// The game of the pairing, from 1.
    pub game: u32,
    /// The numbers of the players by their seats: the first one moves first.
    pub players: Game,
    /// The number of the start in the tournament's list, which begins again after its end; from 0.
    pub start: u64,
}

/// What is to be done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Next {
    /// Wait for entries, or close them.
    Entries,
    /// Play these games; each is the next one of its board.
    Play(Vec<OpenGame>),
    /// Append this event, then announce it.
    Pair(Box<TournamentEvent>),
    /// Wait until it goes on.
    Paused,
    /// Open the seed.
    Finish,
    /// Nothing: it is over.
    Over,
}

/// One pairing of the running round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Board {
    /// Games with a result.
    ended: u32,
    /// Half points of both in the games of this set: a knockout's level set is played again.
    halves: [u32; 2],
    /// Games of this set that were lost without being played.
    forfeits: u32,
    /// Sets before this one.
    replays: u32,
}

/// The running round.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Running {
    pairs: Vec<Game>,
    byes: Vec<u32>,
    boards: Vec<Board>,
    /// By board, from 0: the entries of the first and second player.
    results: BTreeMap<usize, (Entry, Entry)>,
}

/// Games won, drawn and lost against one opponent, of those that were played.
pub(super) type Tally = [u64; 3];

/// A tournament at some moment.
#[derive(Clone, PartialEq, Debug)]
pub struct Tournament {
    name: String,
    organiser: PlayerInfo,
    format: Format,
    rules: Rules,
    admission: Admission,
    starts_at: Option<Millis>,
    commitment: Commitment,
    tie_breaks: Edition,
    players: Vec<PlayerInfo>,
    /// Withdrawn players.
    withdrawn: BTreeSet<u32>,
    closed: bool,
    paused: bool,
    cancelled: Option<String>,
    seed: Option<Seed>,
    table: CrossTable,
    ratings: Vec<Rating>,
    running: Option<Running>,
    /// Games with a result.
    games: u64,
    /// By the players' numbers, the smaller first and counted from its side.
    tallies: BTreeMap<(u32, u32), Tally>,
}

impl Tournament {
    /// The tournament that these events make.
    ///
    /// # Errors
    /// The number of the first event, from 1, that does not fit, and why.
    pub fn replay<'e>(
        events: impl IntoIterator<Item = &'e TournamentEvent>,
    ) -> Result<Option<Self>, (usize, TournamentError)> {
        let mut tournament: Option<Self> = None;
        for (place, event) in events.into_iter().enumerate() {
            let applied = match &mut tournament {
                None => Self::created(event).map(|created| tournament = Some(created)),
                Some(tournament) => tournament.apply(event),
            };
            applied.map_err(|error| (place + 1, error))?;
        }
        Ok(tournament)
    }

    /// The tournament after its first event.
    ///
    /// # Errors
    /// If that event does not create one.
    pub fn created(event: &TournamentEvent) -> Result<Self, TournamentError> {
        let TournamentEvent::Created {
            name,
            organiser,
            format,
            rules,
            admission,
            starts_at_ms,
            commitment,
            tie_breaks,
        } = event
        else {
            return Err(TournamentError::NoBeginning);
        };
        check_terms(name, *format, rules, admission)?;
        Ok(Self {
            name: name.clone(),
            organiser: organiser.clone(),
            format: *format,
            rules: rules.clone(),
            admission: admission.clone(),
            starts_at: *starts_at_ms,
            commitment: *commitment,
            tie_breaks: *tie_breaks,
            players: Vec::new(),
            withdrawn: BTreeSet::new(),
            closed: false,
            paused: false,
            cancelled: None,
            seed: None,
            table: CrossTable::new(0, HalfPoints(2 * rules.games)),
            ratings: Vec::new(),
            running: None,
            games: 0,
            tallies: BTreeMap::new(),
        })
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Who may start, pause and cancel it.
    #[must_use]
    pub fn organiser(&self) -> &PlayerInfo {
        &self.organiser
    }

    /// Who meets whom.
    #[must_use]
    pub fn format(&self) -> Format {
        self.format
    }

    /// How a pairing is played.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Which text its tie-breaks follow.
    #[must_use]
    pub fn tie_breaks(&self) -> Edition {
        self.tie_breaks
    }

    /// Who may enter.
    #[must_use]
    pub fn admission(&self) -> &Admission {
        &self.admission
    }

    /// When the entries close by themselves.
    #[must_use]
    pub fn starts_at(&self) -> Option<Millis> {
        self.starts_at
    }

    /// The commitment to the seed.
    #[must_use]
    pub fn commitment(&self) -> Commitment {
        self.commitment
    }

    /// The seed, once it is opened.
    #[must_use]
    pub fn seed(&self) -> Option<Seed> {
        self.seed
    }

    /// The players; number n is at n-1.
    #[must_use]
    pub fn players(&self) -> &[PlayerInfo] {
        &self.players
    }

    /// The player with this number.
    #[must_use]
    pub fn player(&self, number: u32) -> Option<&PlayerInfo> {
        let place = number.checked_sub(1)? as usize;
        self.players.get(place)
    }

    /// Whether this player has withdrawn.
    #[must_use]
    pub fn has_withdrawn(&self, number: u32) -> bool {
        self.withdrawn.contains(&number)
    }

    /// Whether the entries are closed: the tournament has begun.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        self.closed
    }

    /// Whether it is paused.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// Why it was cancelled.
    #[must_use]
    pub fn cancelled(&self) -> Option<&str> {
        self.cancelled.as_deref()
    }

    /// Whether nothing can happen in it any more.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.seed.is_some()
    }

    /// The finished rounds.
    #[must_use]
    pub fn table(&self) -> &CrossTable {
        &self.table
    }

    /// The ratings of a ladder; number n is at n-1.
    #[must_use]
    pub fn ratings(&self) -> &[Rating] {
        &self.ratings
    }

    pub(super) fn tallies(&self) -> &BTreeMap<(u32, u32), Tally> {
        &self.tallies
    }

    /// The running round: its number, its pairs and byes.
    #[must_use]
    pub fn running_round(&self) -> Option<(u32, &[Game], &[u32])> {
        let running = self.running.as_ref()?;
        let round = self.table.rounds() as u32 + 1;
        Some((round, &running.pairs, &running.byes))
    }

    /// The next game of each board of the running round that is not finished, also while the tournament is paused, or when it was
    /// cancelled.
    #[must_use]
    pub fn unfinished(&self) -> Vec<OpenGame> {
        let running = self.running.as_ref();
        running.map_or_else(Vec::new, |running| self.open(running))
    }

    /// Games with a result.
    #[must_use]
    pub fn games_ended(&self) -> u64 {
        self.games
    }

    /// Games in all, if nobody withdraws, no game of a knockout is played again, and a Swiss tournament does not run out of
    /// pairings; never fewer than those that have ended and the next ones of the running boards, because pairings that were forfeited
    /// can come again. Those that have ended once it is over, unless it was cancelled. `None` before it begins, or if there are too many players.
    #[must_use]
    pub fn games_planned(&self) -> Option<u64> {
        if self.seed.is_some() && self.cancelled.is_none() {
            return Some(self.games);
        }
        let players = self.players.len() as u64;
        let rounds_of = |schedule: Schedule| {
            let rounds = schedule.rounds(players as u32).ok()?;
            Some(rounds.iter().map(|round| round.len() as u64).sum())
        };
        let pairings = match self.format {
            Format::RoundRobin {} => Some(players * players.saturating_sub(1) / 2),
            Format::DoubleRoundRobin {} => Some(players * players.saturating_sub(1)),
            Format::Gauntlet { seeds } => rounds_of(Schedule::Gauntlet { seeds }),
            Format::Swiss { .. } => {
                let rounds = self.format.rounds(players as u32).unwrap_or(0);
                Some(u64::from(rounds) * (players / 2))
            }
            Format::Ladder { rounds } => Some(u64::from(rounds) * (players / 2)),
            Format::Knockout {} => Some(players.saturating_sub(1)),
        };
        pairings
            .filter(|_| self.closed)
            .map(|pairings| (pairings * u64::from(self.rules.games)).max(self.games_known()))
    }

    /// Games with a result, and one of each board that is not finished.
    fn games_known(&self) -> u64 {
        let running = self.running.as_ref();
        let open = running.map_or(0, |running| running.pairs.len() - running.results.len());
        self.games + open as u64
    }

    /// Applies an event.
    ///
    /// # Errors
    /// If the event does not fit; the tournament is then as before.
    pub fn apply(&mut self, event: &TournamentEvent) -> Result<(), TournamentError> {
        use TournamentError as E;
        if let TournamentEvent::SeedOpened { seed } = event {
            if self.seed.is_some() {
                return Err(E::Over);
            }
            if self.next()? != Next::Finish {
                return Err(E::NotOver);
            }
            if !self.commitment.opens_to(seed) {
                return Err(E::WrongSeed);
            }
            self.seed = Some(*seed);
            return Ok(());
        }
        if self.cancelled.is_some() || self.seed.is_some() {
            return Err(E::Over);
        }
        match event {
            TournamentEvent::Created { .. } => return Err(E::CreatedTwice),
            TournamentEvent::Entered { player } => self.enter(player)?,
            TournamentEvent::EntriesClosed {} => self.close()?,
            TournamentEvent::Withdrew { player } => {
                self.known(*player)?;
                if !self.withdrawn.insert(*player) {
                    return Err(E::WithdrewTwice(*player));
                }
            }
            TournamentEvent::RoundPaired { round, pairs, byes } => {
                self.pair(*round, pairs, byes, event)?;
            }
            TournamentEvent::GameEnded {
                round,
                board,
                game,
                outcome,
                reason,
                ..
            } => self.end_game(*round, *board, *game, (*outcome, *reason))?,
            TournamentEvent::Paused {} if self.paused => return Err(E::Paused),
            TournamentEvent::Paused {} => self.paused = true,
            TournamentEvent::Resumed {} if !self.paused => return Err(E::NotPaused),
            TournamentEvent::Resumed {} => self.paused = false,
            TournamentEvent::Cancelled { reason } => self.cancelled = Some(reason.clone()),
            TournamentEvent::SeedOpened { .. } => {}
        }
        Ok(())
    }

    /// What is to be done now. Cost: that of pairing a round, if one is due.
    ///
    /// # Errors
    /// If the next round cannot be paired.
    pub fn next(&self) -> Result<Next, TournamentError> {
        if self.seed.is_some() {
            return Ok(Next::Over);
        }
        if self.cancelled.is_some() {
            return Ok(Next::Finish);
        }
        if !self.closed {
            return Ok(Next::Entries);
        }
        if let Some(running) = &self.running {
            return Ok(Next::Play(self.open(running)));
        }
        if self.paused {
            return Ok(Next::Paused);
        }
        let Some((pairs, byes)) = self.next_pairs()? else {
            return Ok(Next::Finish);
        };
        Ok(Next::Pair(Box::new(TournamentEvent::RoundPaired {
            round: self.table.rounds() as u32 + 1,
            pairs,
            byes,
        })))
    }

    /// What is to be done now. If it is to pair a round, the round is paired: its event is to be appended. That costs one pairing, where
    /// [`Self::next`] and [`Self::apply`] cost two.
    ///
    /// # Errors
    /// If the next round cannot be paired.
    pub fn pair_next(&mut self) -> Result<Next, TournamentError> {
        let next = self.next()?;
        if let Next::Pair(event) = &next
            && let TournamentEvent::RoundPaired { pairs, byes, .. } = &**event
        {
            self.begin_round(pairs, byes);
        }
        Ok(next)
    }

    fn next_pairs(&self) -> Result<Option<Boards>, TournamentError> {
        let standing = Standing {
            format: self.format,
            table: &self.table,
            withdrawn: &self.withdrawn,
            one_game: self.rules.games == 1,
            ratings: &self.ratings,
        };
        standing.next()
    }

    fn known(&self, player: u32) -> Result<(), TournamentError> {
        let exists = (1..=self.players.len() as u32).contains(&player);
        exists
            .then_some(())
            .ok_or(TournamentError::NoSuchPlayer(player))
    }

    fn enter(&mut self, player: &PlayerInfo) -> Result<(), TournamentError> {
        let is_ladder = matches!(self.format, Format::Ladder { .. });
        if self.closed && !is_ladder {
            return Err(TournamentError::EntriesClosed);
        }
        let same = |other: &PlayerInfo| other.name == player.name || other.id == player.id;
        if self.players.iter().any(same) {
            return Err(TournamentError::EnteredTwice(player.name.clone()));
        }
        self.admission.admits(player, self.players.len())?;
        if self.players.len() >= MAX_PLAYERS as usize {
            return Err(TournamentError::TooManyPlayers);
        }
        self.players.push(player.clone());
        self.ratings.push(Rating::default());
        self.table.add_player();
        Ok(())
    }

    fn close(&mut self) -> Result<(), TournamentError> {
        if self.closed {
            return Err(TournamentError::EntriesClosed);
        }
        let present = (self.players.len() - self.withdrawn.len()) as u32;
        if present < 2 {
            return Err(TournamentError::Schedule(ScheduleError::TooFewPlayers(
                present,
            )));
        }
        // A schedule that cannot be made is refused now rather than at the first round.
        self.next_pairs()?;
        self.closed = true;
        Ok(())
    }

    fn open(&self, running: &Running) -> Vec<OpenGame> {
        let round = self.table.rounds() as u32 + 1;
        let boards = running.pairs.iter().zip(&running.boards).enumerate();
        let open = boards.filter(|(place, _)| !running.results.contains_key(place));
        open.map(|(place, (pair, board))| {
            let game = board.ended + 1;
            OpenGame {
                round,
                board: place as u32 + 1,
                game,
                players: seats_of(*pair, game),
                start: start_of(round, game, self.rules.games),
            }
        })
        .collect()
    }

    fn pair(
        &mut self,
        round: u32,
        pairs: &[Game],
        byes: &[u32],
        event: &TournamentEvent,
    ) -> Result<(), TournamentError> {
        let expected = self.table.rounds() as u32 + 1;
        if round != expected {
            return Err(TournamentError::WrongRound {
                expected,
                got: round,
            });
        }
        match self.next()? {
            Next::Entries => return Err(TournamentError::EntriesOpen),
            Next::Play(_) => return Err(TournamentError::RoundRunning(round)),
            Next::Paused => return Err(TournamentError::Paused),
            Next::Finish | Next::Over => return Err(TournamentError::Over),
            Next::Pair(due) if *due != *event && !self.is_from_before_byes(&due, event) => {
                return Err(TournamentError::WrongPairing(round));
            }
            Next::Pair(_) => {}
        }
        self.begin_round(pairs, byes);
        Ok(())
    }

    /// Whether this is how the round was once paired: in a schedule, the opponents of players who had withdrawn got nothing.
    fn is_from_before_byes(&self, due: &TournamentEvent, event: &TournamentEvent) -> bool {
        let scheduled = matches!(
            self.format,
            Format::RoundRobin {} | Format::DoubleRoundRobin {} | Format::Gauntlet { .. }
        );
        let mut due = due.clone();
        if let TournamentEvent::RoundPaired { byes, .. } = &mut due {
            byes.clear();
        }
        scheduled && due == *event
    }

    fn begin_round(&mut self, pairs: &[Game], byes: &[u32]) {
        self.running = Some(Running {
            pairs: pairs.to_vec(),
            byes: byes.to_vec(),
            boards: vec![Board::default(); pairs.len()],
            results: BTreeMap::new(),
        });
        self.finish_round();
    }

    /// Checks that this is the next game of its board; the board's place, and its players by their seats.
    fn check_game(
        &self,
        round: u32,
        board: u32,
        game: u32,
    ) -> Result<(usize, Game), TournamentError> {
        let missing = TournamentError::NoSuchBoard { round, board };
        let expected = self.table.rounds() as u32 + 1;
        if round != expected && self.running.is_some() {
            return Err(match round < expected {
                true => TournamentError::ResultTwice { round, board, game },
                false => TournamentError::WrongRound {
                    expected,
                    got: round,
                },
            });
        }
        let running = self.running.as_ref().ok_or(missing.clone())?;
        let place = board.checked_sub(1).ok_or(missing.clone())? as usize;
        let (Some(pair), Some(state)) = (running.pairs.get(place), running.boards.get(place))
        else {
            return Err(missing);
        };
        if running.results.contains_key(&place) || game <= state.ended {
            return Err(TournamentError::ResultTwice { round, board, game });
        }
        if game != state.ended + 1 {
            return Err(TournamentError::WrongGame {
                expected: state.ended + 1,
                got: game,
            });
        }
        Ok((place, seats_of(*pair, game)))
    }

    fn end_game(
        &mut self,
        round: u32,
        board: u32,
        game: u32,
        (outcome, reason): (Outcome, EndReason),
    ) -> Result<(), TournamentError> {
        let (place, seats) = self.check_game(round, board, game)?;
        let is_forfeit = matches!(reason, EndReason::NoShow | EndReason::Withdrawn);
        let halves = halves_of(outcome, reason);
        if !is_forfeit {
            self.tally(seats, outcome);
        }
        self.games += 1;
        let is_knockout = self.format == Format::Knockout {};
        let games = self.rules.games;
        let Some(running) = &mut self.running else {
            return Ok(());
        };
        let (one, two) = running.pairs[place];
        let state = &mut running.boards[place];
        let swapped = seats.0 != one;
        state.ended += 1;
        state.forfeits += u32::from(is_forfeit);
        state.halves[0] += halves[usize::from(swapped)];
        state.halves[1] += halves[usize::from(!swapped)];
        if state.ended % games != 0 {
            return Ok(());
        }
        let [first, second] = state.halves;
        let unplayed = state.forfeits == games;
        if is_knockout && first == second && !unplayed && state.replays < MAX_REPLAYS {
            *state = Board {
                ended: state.ended,
                replays: state.replays + 1,
                ..Board::default()
            };
            return Ok(());
        }
        let entry = |opponent, colour, own: u32, other: u32| match unplayed {
            true => Entry::Forfeit {
                opponent,
                colour: Some(colour),
                won: own > other,
            },
            false => Entry::Played {
                opponent,
                colour,
                score: HalfPoints(own),
            },
        };
        let entries = (
            entry(two, Colour::White, first, second),
            entry(one, Colour::Black, second, first),
        );
        running.results.insert(place, entries);
        self.finish_round();
        Ok(())
    }

    fn tally(&mut self, (first, second): Game, outcome: Outcome) {
        let key = (first.min(second), first.max(second));
        let tally = self.tallies.entry(key).or_default();
        let place = match outcome.winner() {
            None => 1,
            Some(winner) => {
                let winner = if winner == Seat::First { first } else { second };
                if winner == key.0 { 0 } else { 2 }
            }
        };
        tally[place] += 1;
    }

    /// Moves the running round into the table once it has all results.
    fn finish_round(&mut self) {
        let Some(running) = self
            .running
            .take_if(|running| running.results.len() == running.pairs.len())
        else {
            return;
        };
        let mut entries = vec![Entry::ZeroBye; self.players.len()];
        for (board, (one, two)) in running.pairs.iter().enumerate() {
            if let Some((first, second)) = running.results.get(&board) {
                entries[*one as usize - 1] = *first;
                entries[*two as usize - 1] = *second;
            }
        }
        for player in &running.byes {
            entries[*player as usize - 1] = Entry::PairingBye;
        }
        self.table
            .push_round(&entries)
            .expect("both entries of a board are made together");
        if matches!(self.format, Format::Ladder { .. }) {
            self.rate(&entries);
        }
    }

    /// A round of a ladder is a rating period, in which a pairing counts as one game.
    fn rate(&mut self, entries: &[Entry]) {
        let before = self.ratings.clone();
        for (place, entry) in entries.iter().enumerate() {
            let games = match entry {
                Entry::Played {
                    opponent, score, ..
                } => {
                    let other = before[*opponent as usize - 1];
                    vec![RatedGame {
                        opponent: other.rating,
                        deviation: other.deviation,
                        score: match (2 * score.0).cmp(&(2 * self.rules.games)) {
                            std::cmp::Ordering::Greater => GameScore::Won,
                            std::cmp::Ordering::Equal => GameScore::Drawn,
                            std::cmp::Ordering::Less => GameScore::Lost,
                        },
                    }]
                }
                // Who does not play keeps the rating as it is.
                _ => continue,
            };
            if let Ok(rating) = after_period(&before[place], &games, TAU) {
                self.ratings[place] = rating;
            }
        }
    }
}

/// The players of a game by their seats: sides are swapped in every second game.
fn seats_of((one, two): Game, game: u32) -> Game {
    match game % 2 {
        1 => (one, two),
        _ => (two, one),
    }
}

/// The number of a game's start: one for two games with sides swapped, and the same on all boards of a round.
fn start_of(round: u32, game: u32, games: u32) -> u64 {
    let (round, game) = (u64::from(round) - 1, u64::from(game) - 1);
    match games {
        1 => round + game / 2,
        games => round * u64::from(games / 2) + game / 2,
    }
}

/// The half points of both seats.
fn halves_of(outcome: Outcome, reason: EndReason) -> [u32; 2] {
    match outcome {
        Outcome::First => [2, 0],
        Outcome::Second => [0, 2],
        // Both have lost by their own fault.
        Outcome::Void
            if matches!(
                reason,
                EndReason::NoShow | EndReason::Disconnected | EndReason::Withdrawn
            ) =>
        {
            [0, 0]
        }
        Outcome::Draw | Outcome::Void => [1, 1],
    }
}

#[cfg(test)]
mod tests;
