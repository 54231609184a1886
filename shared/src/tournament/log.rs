//! A tournament as a fold of its events: what happened is the log, everything else is computed from it.
//!
//! After any crash the log is read again and [`Tournament::next`] says what is missing: a round to pair, or the games of
//! the running round without a result. No result can be entered twice, and none is lost that is in the log.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::cross_table::{Colour, CrossTable, Entry, HalfPoints};
use super::schedule::{Game, MAX_PLAYERS, Schedule, ScheduleError, knockout_slots};
use super::seed::{Commitment, Seed};
use super::swiss::{SwissError, SwissRules, next_round};

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Format {
    /// Everybody meets everybody once.
    RoundRobin {},
    /// Everybody meets everybody twice.
    DoubleRoundRobin {},
    /// The first players meet all others.
    Gauntlet {
        /// How many.
        seeds: u32,
    },
    /// The Dutch system.
    Swiss {
        /// How many rounds.
        rounds: u32,
        /// Whether colours count: not where each pairing is two games with sides swapped.
        colours: bool,
    },
    /// The loser is out. A level pairing is played again.
    Knockout {},
}

/// Why a pairing was not played out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ForfeitCause {
    /// The player did not appear.
    Absent,
    /// The player withdrew.
    Withdrawn,
    /// The player was excluded.
    Excluded,
}

/// What can happen in a tournament.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum TournamentEvent {
    /// The first event.
    Created {
        /// Shown to people.
        name: String,
        /// Who meets whom.
        format: Format,
        /// What a won pairing is worth in half points: 2 for a game, 4 for a pair of games.
        win: u32,
        /// To the seed of all chance.
        commitment: Commitment,
    },
    /// A player entered, and has the next number.
    Entered {
        /// The player's name, unique in the tournament.
        name: String,
    },
    /// No more entries: the first round can be paired.
    EntriesClosed {},
    /// A player takes no part in rounds that are not paired yet.
    Withdrew {
        /// The player's number.
        player: u32,
    },
    /// A round is paired. Stored before it is announced.
    RoundPaired {
        /// The number of the round, from 1.
        round: u32,
        /// The boards, first mover first.
        pairs: Vec<Game>,
        /// Players without an opponent who get the points of a win.
        byes: Vec<u32>,
    },
    /// A pairing of the running round ended.
    Result {
        /// The number of the round.
        round: u32,
        /// The board, from 1.
        board: u32,
        /// The half points of the player named first.
        first: u32,
        /// The half points of the player named second.
        second: u32,
    },
    /// A pairing of the running round was not played.
    Forfeited {
        /// The number of the round.
        round: u32,
        /// The board, from 1.
        board: u32,
        /// Who forfeited, by number: one or both.
        losers: Vec<u32>,
        /// Why.
        cause: ForfeitCause,
    },
    /// No further round is paired until it goes on.
    Paused {},
    /// It goes on.
    Continued {},
    /// Ended before its time; nothing can follow but the opening of the seed.
    Cancelled {
        /// Why, for people.
        reason: String,
    },
    /// The seed, opened after the last result.
    SeedOpened {
        /// What the commitment was to.
        seed: Seed,
    },
}

/// Why an event does not fit the tournament.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each message says what its variant is")]
pub enum TournamentError {
    #[error("the tournament was created already")]
    CreatedTwice,
    #[error("a win must be worth 2 half points (a game) or 4 (a pair of games), not {0}")]
    BadWin(u32),
    #[error("a Swiss tournament has 1 to 99 rounds, not {0}")]
    BadRounds(u32),
    #[error("the entries are closed")]
    EntriesClosed,
    #[error("the entries are still open")]
    EntriesOpen,
    #[error("a player named '{0}' has entered already")]
    EnteredTwice(String),
    #[error("a tournament has at most {MAX_PLAYERS} players")]
    TooManyPlayers,
    #[error("there is no player {0}")]
    NoSuchPlayer(u32),
    #[error("player {0} has withdrawn already")]
    WithdrewTwice(u32),
    #[error("round {expected} is next, not round {got}")]
    WrongRound { expected: u32, got: u32 },
    #[error("round {0} still has games without a result")]
    RoundRunning(u32),
    #[error("the pairing of round {0} is not the one that the rules give")]
    WrongPairing(u32),
    #[error("round {round} has no board {board}")]
    NoSuchBoard { round: u32, board: u32 },
    #[error("board {board} of round {round} has its result already")]
    ResultTwice { round: u32, board: u32 },
    #[error("a result of {first} and {second} half points is more than a win")]
    BadResult { first: u32, second: u32 },
    #[error("a forfeit names one or both players of its board")]
    BadForfeit,
    #[error("the tournament is paused")]
    Paused,
    #[error("the tournament is not paused")]
    NotPaused,
    #[error("the tournament is over")]
    Over,
    #[error("the tournament is not over")]
    NotOver,
    #[error("the seed is not the one that was committed to")]
    WrongSeed,
    #[error("{0}")]
    Schedule(ScheduleError),
    #[error("{0}")]
    Swiss(SwissError),
}

/// A pairing of the running round that has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpenPairing {
    /// The number of the round, from 1.
    pub round: u32,
    /// The board, from 1.
    pub board: u32,
    /// The players, first mover first.
    pub game: Game,
    /// How often the pairing was level and is played again, in a knockout.
    pub replays: u32,
}

/// What is to be done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Next {
    /// Wait for entries, or close them.
    Entries,
    /// Play these pairings.
    Play(Vec<OpenPairing>),
    /// Append this event, then announce it.
    Pair(TournamentEvent),
    /// Wait until it goes on.
    Paused,
    /// Nothing: it is over.
    Over,
}

/// The pairs of a round, and who has a bye.
type Boards = (Vec<Game>, Vec<u32>);

/// The running round.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Running {
    pairs: Vec<Game>,
    byes: Vec<u32>,
    /// By board, from 0: the entries of the first and second player.
    results: BTreeMap<usize, (Entry, Entry)>,
    replays: BTreeMap<usize, u32>,
}

/// A tournament at some moment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tournament {
    name: String,
    format: Format,
    win: HalfPoints,
    commitment: Commitment,
    players: Vec<String>,
    /// Withdrawn players.
    withdrawn: BTreeSet<u32>,
    closed: bool,
    paused: bool,
    cancelled: bool,
    seed: Option<Seed>,
    table: CrossTable,
    running: Option<Running>,
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
            format,
            win,
            commitment,
        } = event
        else {
            return Err(TournamentError::EntriesOpen);
        };
        if *win != 2 && *win != 4 {
            return Err(TournamentError::BadWin(*win));
        }
        if let Format::Swiss { rounds, .. } = format
            && !(1..=99).contains(rounds)
        {
            return Err(TournamentError::BadRounds(*rounds));
        }
        Ok(Self {
            name: name.clone(),
            format: *format,
            win: HalfPoints(*win),
            commitment: *commitment,
            players: Vec::new(),
            withdrawn: BTreeSet::new(),
            closed: false,
            paused: false,
            cancelled: false,
            seed: None,
            table: CrossTable::new(0, HalfPoints(*win)),
            running: None,
        })
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The names of the players; number n is at n-1.
    #[must_use]
    pub fn players(&self) -> &[String] {
        &self.players
    }

    /// The finished rounds.
    #[must_use]
    pub fn table(&self) -> &CrossTable {
        &self.table
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
            if self.next()? != Next::Over {
                return Err(E::NotOver);
            }
            if !self.commitment.opens_to(seed) {
                return Err(E::WrongSeed);
            }
            self.seed = Some(*seed);
            return Ok(());
        }
        if self.cancelled || self.seed.is_some() {
            return Err(E::Over);
        }
        match event {
            TournamentEvent::Created { .. } => return Err(E::CreatedTwice),
            TournamentEvent::Entered { name } => self.enter(name)?,
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
            TournamentEvent::Result {
                round,
                board,
                first,
                second,
            } => self.result(*round, *board, (*first, *second))?,
            TournamentEvent::Forfeited {
                round,
                board,
                losers,
                ..
            } => self.forfeit(*round, *board, losers)?,
            TournamentEvent::Paused {} if self.paused => return Err(E::Paused),
            TournamentEvent::Paused {} => self.paused = true,
            TournamentEvent::Continued {} if !self.paused => return Err(E::NotPaused),
            TournamentEvent::Continued {} => self.paused = false,
            TournamentEvent::Cancelled { .. } => self.cancelled = true,
            TournamentEvent::SeedOpened { .. } => {}
        }
        Ok(())
    }

    /// What is to be done now. Cost: that of pairing a round, if one is due.
    ///
    /// # Errors
    /// If the next round cannot be paired.
    pub fn next(&self) -> Result<Next, TournamentError> {
        if self.cancelled || self.seed.is_some() {
            return Ok(Next::Over);
        }
        if !self.closed {
            return Ok(Next::Entries);
        }
        if let Some(running) = &self.running {
            return Ok(Next::Play(self.open(running)));
        }
        let Some((pairs, byes)) = self.next_pairs()? else {
            return Ok(Next::Over);
        };
        if self.paused {
            return Ok(Next::Paused);
        }
        Ok(Next::Pair(TournamentEvent::RoundPaired {
            round: self.table.rounds() as u32 + 1,
            pairs,
            byes,
        }))
    }

    fn known(&self, player: u32) -> Result<(), TournamentError> {
        let exists = (1..=self.players.len() as u32).contains(&player);
        exists
            .then_some(())
            .ok_or(TournamentError::NoSuchPlayer(player))
    }

    fn enter(&mut self, name: &str) -> Result<(), TournamentError> {
        if self.closed {
            return Err(TournamentError::EntriesClosed);
        }
        if self.players.iter().any(|player| player == name) {
            return Err(TournamentError::EnteredTwice(name.to_owned()));
        }
        if self.players.len() >= MAX_PLAYERS as usize {
            return Err(TournamentError::TooManyPlayers);
        }
        self.players.push(name.to_owned());
        Ok(())
    }

    fn close(&mut self) -> Result<(), TournamentError> {
        if self.closed {
            return Err(TournamentError::EntriesClosed);
        }
        let mut closed = self.clone();
        closed.closed = true;
        closed.table = CrossTable::new(self.players.len() as u32, self.win);
        // A schedule that cannot be made is refused now rather than at the first round.
        closed.next()?;
        *self = closed;
        Ok(())
    }

    fn open(&self, running: &Running) -> Vec<OpenPairing> {
        let boards = running.pairs.iter().enumerate();
        let open = boards.filter(|(board, _)| !running.results.contains_key(board));
        open.map(|(board, game)| OpenPairing {
            round: self.table.rounds() as u32 + 1,
            board: board as u32 + 1,
            game: *game,
            replays: running.replays.get(&board).copied().unwrap_or_default(),
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
            Next::Over => return Err(TournamentError::Over),
            Next::Pair(due) if due != *event => return Err(TournamentError::WrongPairing(round)),
            Next::Pair(_) => {}
        }
        self.running = Some(Running {
            pairs: pairs.to_vec(),
            byes: byes.to_vec(),
            results: BTreeMap::new(),
            replays: BTreeMap::new(),
        });
        self.finish_round();
        Ok(())
    }

    /// The board of the running round and its players, if it has no result yet.
    fn board(&self, round: u32, board: u32) -> Result<(usize, Game), TournamentError> {
        let missing = TournamentError::NoSuchBoard { round, board };
        let running = self.running.as_ref().ok_or(missing.clone())?;
        let expected = self.table.rounds() as u32 + 1;
        if round != expected {
            return Err(TournamentError::WrongRound {
                expected,
                got: round,
            });
        }
        let place = board.checked_sub(1).ok_or(missing.clone())? as usize;
        let game = running.pairs.get(place).ok_or(missing)?;
        if running.results.contains_key(&place) {
            return Err(TournamentError::ResultTwice { round, board });
        }
        Ok((place, *game))
    }

    fn result(
        &mut self,
        round: u32,
        board: u32,
        (first, second): (u32, u32),
    ) -> Result<(), TournamentError> {
        let (place, (one, two)) = self.board(round, board)?;
        if first.saturating_add(second) > self.win.0 {
            return Err(TournamentError::BadResult { first, second });
        }
        let level = first == second;
        let is_knockout = self.format == Format::Knockout {};
        let Some(running) = &mut self.running else {
            return Err(TournamentError::NoSuchBoard { round, board });
        };
        if level && is_knockout {
            *running.replays.entry(place).or_default() += 1;
            return Ok(());
        }
        let played = |opponent, colour, score| Entry::Played {
            opponent,
            colour,
            score: HalfPoints(score),
        };
        let entries = (
            played(two, Colour::White, first),
            played(one, Colour::Black, second),
        );
        running.results.insert(place, entries);
        self.finish_round();
        Ok(())
    }

    fn forfeit(&mut self, round: u32, board: u32, losers: &[u32]) -> Result<(), TournamentError> {
        let (place, (one, two)) = self.board(round, board)?;
        let loses = |player: &u32| losers.contains(player);
        let all_play_here = losers.iter().all(|loser| *loser == one || *loser == two);
        let is_knockout = self.format == Format::Knockout {};
        let both = loses(&one) && loses(&two);
        // Somebody must go on in a knockout.
        if losers.is_empty() || losers.len() > 2 || !all_play_here || (both && is_knockout) {
            return Err(TournamentError::BadForfeit);
        }
        let entry = |opponent, colour, won| Entry::Forfeit {
            opponent,
            colour: Some(colour),
            won,
        };
        let entries = (
            entry(two, Colour::White, !loses(&one)),
            entry(one, Colour::Black, !loses(&two)),
        );
        if let Some(running) = &mut self.running {
            running.results.insert(place, entries);
        }
        self.finish_round();
        Ok(())
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
    }

    /// The pairs and byes of the next round; `None` after the last.
    fn next_pairs(&self) -> Result<Option<Boards>, TournamentError> {
        let players = self.players.len() as u32;
        let schedule = match self.format {
            Format::RoundRobin {} => Schedule::RoundRobin,
            Format::DoubleRoundRobin {} => Schedule::DoubleRoundRobin,
            Format::Gauntlet { seeds } => Schedule::Gauntlet { seeds },
            Format::Swiss { rounds, colours } => return self.next_swiss(rounds, colours),
            Format::Knockout {} => return self.next_knockout(),
        };
        let rounds = schedule
            .rounds(players)
            .map_err(TournamentError::Schedule)?;
        // A withdrawn player's games are not played; they count nothing for either side.
        let plays =
            |(one, two): &&Game| !self.withdrawn.contains(one) && !self.withdrawn.contains(two);
        let round = rounds.get(self.table.rounds());
        Ok(round.map(|round| (round.iter().filter(plays).copied().collect(), Vec::new())))
    }

    fn next_swiss(&self, rounds: u32, colours: bool) -> Result<Option<Boards>, TournamentError> {
        let mut rules = SwissRules::new(rounds as usize);
        rules.colours = colours;
        rules.absent = self.withdrawn.clone();
        match next_round(&self.table, &rules) {
            Ok(round) => Ok(Some((round.pairs, round.bye.into_iter().collect()))),
            Err(SwissError::Finished(_)) => Ok(None),
            Err(error) => Err(TournamentError::Swiss(error)),
        }
    }

    /// The winners of neighbouring places meet. Who has no opponent goes on with a bye; a withdrawn player is out.
    fn next_knockout(&self) -> Result<Option<Boards>, TournamentError> {
        let players = self.players.len() as u32;
        let bracket = knockout_slots(players).map_err(TournamentError::Schedule)?;
        let mut places: Vec<Option<u32>> = bracket
            .slots
            .into_iter()
            .map(|number| (number <= players).then_some(number))
            .collect();
        for round in 0..self.table.rounds() {
            places = places
                .chunks(2)
                .map(|two| {
                    let points = |player: &u32| self.table.row(*player)[round].points(self.win);
                    two.iter().flatten().copied().max_by_key(|player| {
                        (points(player), *player == two[0].unwrap_or_default())
                    })
                })
                .collect();
        }
        if places.len() < 2 {
            return Ok(None);
        }
        let in_play =
            |player: &Option<u32>| player.filter(|player| !self.withdrawn.contains(player));
        let (mut pairs, mut byes) = (Vec::new(), Vec::new());
        for two in places.chunks(2) {
            match (in_play(&two[0]), in_play(&two[1])) {
                (Some(one), Some(two)) => pairs.push((one, two)),
                (Some(one), None) | (None, Some(one)) => byes.push(one),
                (None, None) => {}
            }
        }
        Ok((!pairs.is_empty() || byes.len() > 1).then_some((pairs, byes)))
    }
}

#[cfg(test)]
mod tests;
