//! Who follows a tournament, and what they are shown.

use grundy_shared::ids::{Millis, PlayerId, Seq};
use grundy_shared::protocol::account::AccountEvent;
use grundy_shared::protocol::tournament::{TournamentState, TournamentStatus};
use grundy_shared::tournament::{Game, Report};

use super::effect::Effect;
use super::state::{Follower, Machine};

/// Rows of the standings with an answer that is not about them.
pub(super) const FEW_ROWS: u32 = 50;
/// The most rows in one message: a row has at most about 300 bytes.
const MOST_ROWS: u32 = 150;

impl<C: Clone + Eq, R, D> Machine<C, R, D> {
    /// A connection follows the tournament from the state of the answer on.
    pub(super) fn follow(
        &mut self,
        now: Millis,
        reply: R,
        connection: C,
        player: PlayerId,
        play: bool,
        effects: &mut Vec<Effect<C, R, D>>,
    ) {
        self.followers
            .retain(|follower| follower.connection != connection);
        let state = self.state_for(now, Some(player), 0, FEW_ROWS);
        effects.push(Effect::show(reply, state));
        if play {
            for match_id in self.matches_of(player) {
                effects.push(Effect::Seat(connection.clone(), player, match_id));
            }
        }
        self.followers.push(Follower {
            connection,
            player,
            play,
        });
    }

    /// Announces a round that is stored to the accounts of its players.
    pub(super) fn ring(
        &self,
        at_ms: Millis,
        round: u32,
        (pairs, byes): (&[Game], &[u32]),
        effects: &mut Vec<Effect<C, R, D>>,
    ) {
        let of = |number: u32| self.tournament().player(number);
        let mut ring = |number: u32, board: Option<u32>, opponent: Option<u32>| {
            let Some(player) = of(number) else { return };
            let event = AccountEvent::TournamentPaired {
                at_ms,
                tournament: self.id,
                round,
                board,
                opponent: opponent.and_then(of).cloned(),
            };
            effects.push(Effect::Ring(player.id, Box::new(event)));
        };
        for (board, (one, two)) in (1..).zip(pairs) {
            ring(*one, Some(board), Some(*two));
            ring(*two, Some(board), Some(*one));
        }
        for player in byes {
            ring(*player, None, None);
        }
    }

    /// The number of its last event.
    pub(in crate::tournaments) fn seq(&self) -> Seq {
        self.begun.seq
    }

    /// When it was created.
    pub(in crate::tournaments) fn created_at(&self) -> Millis {
        self.begun.created_at
    }

    /// How far the tournament has come.
    pub(in crate::tournaments) fn status(&self) -> TournamentStatus {
        let tournament = self.tournament();
        if tournament.cancelled().is_some() {
            TournamentStatus::Cancelled
        } else if tournament.is_over() {
            TournamentStatus::Over
        } else if tournament.is_paused() {
            TournamentStatus::Paused
        } else if tournament.has_begun() {
            TournamentStatus::Running
        } else {
            TournamentStatus::Entries
        }
    }

    /// Whether the standings after the last event are known.
    pub(in crate::tournaments) fn is_reported(&self) -> bool {
        let seq = self.begun.seq;
        self.report.as_ref().is_some_and(|(of, _)| *of == seq)
    }

    /// Keeps the standings after this event.
    pub(in crate::tournaments) fn keep_report(&mut self, seq: Seq, report: Report) {
        if seq == self.begun.seq {
            self.report = Some((seq, report));
        }
    }

    /// The state with a page of the standings.
    pub(in crate::tournaments) fn state_for(
        &mut self,
        now: Millis,
        player: Option<PlayerId>,
        after: u32,
        limit: u32,
    ) -> TournamentState {
        let seq = self.begun.seq;
        if !self.is_reported() {
            self.keep_report(seq, Report::of(self.tournament()));
        }
        let matches = player.map(|player| self.matches_of(player));
        let begun = &self.begun;
        let tournament = &begun.tournament;
        let report = self.report.as_ref().map(|(_, report)| report);
        let rows = report.map(|report| report.rows.as_slice());
        let rows = rows.unwrap_or_default().iter().skip(after as usize);
        TournamentState {
            tournament: self.id,
            seq,
            head: data_encoding::HEXLOWER.encode(&begun.head),
            name: tournament.name().to_owned(),
            organiser: tournament.organiser().clone(),
            status: self.status(),
            cancelled: tournament.cancelled().map(ToOwned::to_owned),
            format: tournament.format(),
            games_of_pairing: tournament.rules().games,
            // The list of names is in the first event of the log.
            admission: grundy_shared::tournament::Admission {
                names: Vec::new(),
                ..tournament.admission().clone()
            },
            players: tournament.players().len() as u32,
            commitment: tournament.commitment(),
            seed: tournament.seed(),
            starts_at_ms: tournament.starts_at(),
            began_at_ms: begun.began_at,
            last_at_ms: begun.last_at,
            now_ms: now,
            rounds: tournament.table().rounds() as u32,
            games_ended: tournament.games_ended(),
            games_planned: tournament.games_planned(),
            left_ms: begun.pace.left(now),
            matches: matches.unwrap_or_default(),
            standings: rows.take(limit.min(MOST_ROWS) as usize).cloned().collect(),
            elo_why: report.and_then(|report| report.elo_why.clone()),
        }
    }
}
