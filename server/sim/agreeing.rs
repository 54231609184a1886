//! What a client agrees on with its opponent: takebacks, pauses, and calling a match off.

use grundy_shared::event::{self, Proposal};
use grundy_shared::ids::{MatchId, Seat};
use grundy_shared::protocol::client::{
    Answer, Claim, Continue, ListStatus, Plan, Propose, WithdrawProposal,
};

use crate::client::Client;
use crate::known::Known;
use crate::talk::{Ask, Talk};

/// No position of the simulator has draws, so a draw is always refused.
const PROPOSALS: &[Proposal] = &[
    Proposal::Takeback,
    Proposal::Takeback,
    Proposal::Pause,
    Proposal::Adjourn,
    Proposal::Resume,
    Proposal::Abort,
    Proposal::Draw,
];

impl Client {
    /// Proposes something, answers a proposal, takes one back, ends a pause, or claims what an absent opponent has left.
    pub(crate) fn agree(&mut self, talk: &mut Talk) {
        let live = |known: &Known| known.seat.is_some() && known.status == ListStatus::Live;
        let asked = |known: &Known| known.seat.and_then(|seat| known.open[seat.other().index()]);
        let of = |wanted: &dyn Fn(&Known) -> bool| -> Vec<MatchId> {
            let wanted = self.known.iter().filter(|(_, known)| wanted(known));
            wanted.map(|(id, _)| *id).collect()
        };
        // Mostly it answers before the next move makes the proposal pass.
        let waiting = of(&|known| live(known) && asked(known).is_some());
        let live = of(&live);
        let from = match waiting.is_empty() || self.dice.one_in(4) {
            true => &live,
            false => &waiting,
        };
        if from.is_empty() {
            return;
        }
        let id = *self.dice.pick(from);
        let match_id = id.to_string();
        let known = &self.known[&id];
        let proposed = asked(known);
        if let Some(proposed_seq) = proposed.filter(|_| !self.dice.one_in(4)) {
            let agree = !self.dice.one_in(4);
            let answer = Answer {
                match_id,
                proposed_seq,
                agree,
            };
            talk.ask(Ask::Answer(id), answer);
        } else if self.dice.one_in(6) {
            let claim = match self.dice.one_in(2) {
                true => event::Claim::Win,
                false => event::Claim::Void,
            };
            talk.ask(Ask::Claim(id), Claim { match_id, claim });
        } else if self.dice.one_in(6) {
            talk.ask(Ask::Answer(id), WithdrawProposal { match_id });
        } else if known.paused && !self.dice.one_in(3) {
            talk.ask(Ask::Answer(id), Continue { match_id });
        } else if let Some(plan) = self.some_plan(id).filter(|_| !self.dice.one_in(3)) {
            talk.ask(Ask::Propose(id), plan);
        } else {
            let proposal = *self.dice.pick(PROPOSALS);
            talk.ask(Ask::Propose(id), Propose { match_id, proposal });
        }
    }

    /// Plans a reply to some move of the opponent, if it is the opponent's turn in a match without clocks.
    fn some_plan(&mut self, id: MatchId) -> Option<Plan> {
        let known = self.known.get(&id)?;
        let (seat, position) = (known.seat?, known.position.as_ref()?);
        let other = seat.other();
        if !known.untimed || Seat::to_move_at(known.ply) != other {
            return None;
        }
        let count = u64::try_from(position.move_count(other)).unwrap_or(u64::MAX);
        let theirs = position.nth_move(other, self.dice.within(0..count.max(1)).into())?;
        let after = position.play(&theirs);
        let mut line = vec![theirs.to_string()];
        let count = u64::try_from(after.move_count(seat)).unwrap_or(u64::MAX);
        let ours = after.nth_move(seat, self.dice.within(0..count.max(1)).into())?;
        line.push(ours.to_string());
        Some(Plan {
            match_id: id.to_string(),
            ply: known.ply.next(),
            lines: vec![line],
        })
    }

    /// Ends every pause: the match is to come to its end.
    pub(crate) fn end_pauses(&mut self, talk: &mut Talk) {
        let paused = self
            .known
            .iter()
            .filter(|(id, known)| known.is_open() && known.paused && talk.follows.contains_key(id));
        let paused: Vec<MatchId> = paused.map(|(id, _)| *id).collect();
        for id in paused {
            if !talk.waits(|ask| matches!(ask, Ask::Answer(asked) if *asked == id)) {
                let match_id = id.to_string();
                talk.ask(Ask::Answer(id), Continue { match_id });
            }
        }
    }
}
