//! What a tournament does by itself: closes the entries, pairs rounds, has matches made, opens the seed.

use grundy_shared::bounds::TOURNAMENT_IDLE;
use grundy_shared::event::{EndReason, TournamentGame};
use grundy_shared::ids::{MatchId, Millis, Seat};
use grundy_shared::protocol::Notice;
use grundy_shared::tournament::{Next, OpenGame, Tournament, TournamentEvent};

use super::effect::Effect;
use super::state::Machine;
use crate::matches::{Frame, NewGame};

impl<C: Clone + Eq, R, D> Machine<C, R, D> {
    /// What is to be done unasked: the event, and the tournament after it. Cost: that of pairing a round, if one is due, once.
    pub(super) fn due(&self, now: Millis) -> Option<(TournamentEvent, Box<Tournament>)> {
        let tournament = self.tournament();
        if self.retry_at.is_some() || self.draining || self.waits(now) {
            return None;
        }
        let mut then = Box::new(Tournament::clone(tournament));
        let begins = !tournament.has_begun() && tournament.cancelled().is_none();
        let event = if let Some((_, reason)) = self.expires().filter(|(at, _)| *at <= now) {
            Err(reason.to_owned())
        } else if begins {
            let event = TournamentEvent::EntriesClosed {};
            let closed = then.apply(&event);
            closed
                .map(|()| event)
                .map_err(|error| format!("it cannot start: {error}"))
        } else {
            match then.pair_next() {
                Ok(Next::Pair(event)) => Ok(*event),
                Ok(Next::Finish) => {
                    let seed = self.begun.seed;
                    let event = TournamentEvent::SeedOpened { seed };
                    // It was committed to when the tournament was made, so it fits.
                    then.apply(&event).ok()?;
                    Ok(event)
                }
                Ok(Next::Entries | Next::Play(_) | Next::Paused | Next::Over) => return None,
                Err(error) => Err(format!("the next round cannot be paired: {error}")),
            }
        };
        event.map_or_else(
            |reason| {
                let event = TournamentEvent::Cancelled { reason };
                let mut then = Box::new(Tournament::clone(tournament));
                then.apply(&event).ok()?;
                Some((event, then))
            },
            |event| Some((event, then)),
        )
    }

    /// Whether nothing is to be done before somebody asks, a game ends, or time passes. Cheap.
    fn waits(&self, now: Millis) -> bool {
        let tournament = self.tournament();
        if tournament.is_over() {
            return true;
        }
        if tournament.cancelled().is_some() || self.expires().is_some_and(|(at, _)| at <= now) {
            return false;
        }
        if !tournament.has_begun() {
            let players = tournament.players().len();
            return match tournament.starts_at() {
                Some(at) => now < at,
                None => players < tournament.admission().most as usize,
            };
        }
        tournament.is_paused() || tournament.running_round().is_some()
    }

    /// When it is cancelled because nobody starts or resumes it, and the reason in its log: it takes one of few places. The moment follows from the log, so a
    /// restart does not change it, and all servers agree.
    pub(in crate::tournaments) fn expires(&self) -> Option<(Millis, &'static str)> {
        let tournament = self.tournament();
        if tournament.is_over() || tournament.cancelled().is_some() {
            return None;
        }
        if tournament.is_paused() {
            let at = self.begun.last_at.plus(TOURNAMENT_IDLE);
            return Some((at, "it was paused for 48 hours"));
        }
        let waits = !tournament.has_begun() && tournament.starts_at().is_none();
        waits.then(|| {
            let at = self.begun.created_at.plus(TOURNAMENT_IDLE);
            (at, "it was not started within 48 hours")
        })
    }

    fn running(&self) -> Vec<OpenGame> {
        match self.tournament().next() {
            Ok(Next::Play(open)) => open,
            _ => Vec::new(),
        }
    }

    /// Has the matches made that are to be played and were not asked for.
    pub(super) fn open_games(&mut self, effects: &mut Vec<Effect<C, R, D>>) {
        let tournament = &self.begun.tournament;
        if self.draining || self.retry_at.is_some() || tournament.is_paused() {
            return;
        }
        if tournament.running_round().is_none() {
            return;
        }
        for open in self.running() {
            let key = (open.round, open.board, open.game);
            let players = [open.players.0, open.players.1]
                .map(|number| self.tournament().player(number).cloned());
            let [Some(first), Some(second)] = players else {
                continue;
            };
            if !self.asked.insert(key) {
                continue;
            }
            let starts = &self.begun.starts;
            let start = (open.start % starts.len().max(1) as u64) as usize;
            effects.push(Effect::Open(Box::new(NewGame {
                id: self.match_of(open.round, open.board, open.game),
                game: self.game_of(&open),
                position: starts.get(start).cloned().unwrap_or_default(),
                clock: self.tournament().rules().clock,
                players: [first, second],
            })));
        }
    }

    /// The match of a game is there, or could not be made.
    pub(super) fn opened(
        &mut self,
        now: Millis,
        game: TournamentGame,
        is_there: bool,
        effects: &mut Vec<Effect<C, R, D>>,
    ) {
        let key = (game.round, game.board, game.game);
        if !self.asked.contains(&key) {
            return;
        }
        if !is_there {
            self.asked.remove(&key);
            self.put_off(now);
            return;
        }
        if self.tournament().cancelled().is_some() {
            // That was while it was being made.
            let match_id = self.match_of(game.round, game.board, game.game);
            effects.push(Effect::Stop(match_id, None, EndReason::Cancelled));
            return;
        }
        self.made.insert(key);
        let of = |open: &OpenGame| (open.round, open.board, open.game) == key;
        let Some(open) = self.running().into_iter().find(of) else {
            return;
        };
        self.announce(&open, effects);
        self.stop_games_of_withdrawn(effects);
    }

    /// Tells the players of a game who follow the tournament, and seats them.
    fn announce(&self, open: &OpenGame, effects: &mut Vec<Effect<C, R, D>>) {
        let match_id = self.match_of(open.round, open.board, open.game);
        let numbers = [open.players.0, open.players.1];
        for seat in Seat::BOTH {
            let own = self.tournament().player(numbers[seat.index()]);
            let opponent = self.tournament().player(numbers[seat.other().index()]);
            let (Some(own), Some(opponent)) = (own, opponent) else {
                continue;
            };
            let notice = Frame::notice(&Notice::TournamentMatch {
                tournament: self.id,
                match_id,
                round: open.round,
                board: open.board,
                game: open.game,
                seat,
                opponent: opponent.clone(),
            });
            for follower in self
                .followers
                .iter()
                .filter(|follower| follower.player == own.id)
            {
                let connection = follower.connection.clone();
                effects.push(Effect::Send(connection.clone(), notice.clone()));
                if follower.play {
                    effects.push(Effect::Seat(connection, own.id, match_id));
                }
            }
        }
    }

    /// The running matches of a player that are there.
    pub(super) fn matches_of(&self, player: grundy_shared::ids::PlayerId) -> Vec<MatchId> {
        let plays = |number: u32| {
            let of = self.tournament().player(number);
            of.is_some_and(|of| of.id == player)
        };
        let open = self.running().into_iter();
        open.filter(|open| plays(open.players.0) || plays(open.players.1))
            .filter(|open| self.made.contains(&(open.round, open.board, open.game)))
            .map(|open| self.match_of(open.round, open.board, open.game))
            .collect()
    }

    /// Ends the running games of players who have withdrawn. Of a tournament that was paused at a start, matches run although nobody here has asked for them.
    pub(super) fn stop_games_of_withdrawn(&self, effects: &mut Vec<Effect<C, R, D>>) {
        let paused = self.tournament().is_paused();
        for open in self.running() {
            if !paused && !self.made.contains(&(open.round, open.board, open.game)) {
                continue;
            }
            let gone = [open.players.0, open.players.1]
                .map(|number| self.tournament().has_withdrawn(number));
            let loser = match gone {
                [false, false] => continue,
                [true, false] => Some(Seat::First),
                [false, true] => Some(Seat::Second),
                [true, true] => None,
            };
            let match_id = self.match_of(open.round, open.board, open.game);
            effects.push(Effect::Stop(match_id, loser, EndReason::Withdrawn));
        }
    }

    /// Ends all running games: the tournament was cancelled. They run although nobody here has asked for them, if it was paused at a start.
    pub(super) fn stop_all_games(&mut self, effects: &mut Vec<Effect<C, R, D>>) {
        self.made.clear();
        for open in self.tournament().unfinished() {
            let match_id = self.match_of(open.round, open.board, open.game);
            effects.push(Effect::Stop(match_id, None, EndReason::Cancelled));
        }
    }
}
