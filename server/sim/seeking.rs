//! How a client looks for somebody to play with: its account, challenges, and standing offers.

use grundy_shared::event::TimeControl;
use grundy_shared::ids::{ChallengeId, Millis, PlayerId, Seq};
use grundy_shared::protocol::AccountEvent;
use grundy_shared::protocol::account::{ChallengeInfo, DeclineReason};
use grundy_shared::protocol::client::{
    Accept, Challenge, Decline, FollowAccount, LeaveAccount, Offer, Offers, Side, WithdrawChallenge,
};

use crate::acts::POSITIONS;
use crate::client::Client;
use crate::known::Known;
use crate::talk::{Ask, Talk};

/// The clock of the first challenge in milliseconds; each has its own, by which the match that came of it is known.
pub(crate) const FIRST_CLOCK_MS: u64 = 20_000;

/// What a client knows of its account.
#[derive(Default)]
pub(crate) struct Account {
    /// The numbering, and the newest event that was heard of it.
    newest: Option<(String, Seq)>,
    /// Challenges that are open, from it and to it.
    open: Vec<ChallengeInfo>,
    /// Challenges that have ended in this numbering.
    ended: Vec<ChallengeId>,
}

impl Account {
    /// Whether this challenge is open, as far as the numbering says.
    pub(crate) fn has_open(&self, challenge: ChallengeId) -> bool {
        self.open.iter().any(|open| open.challenge == challenge)
    }

    fn end(&mut self, challenge: ChallengeId) {
        self.open.retain(|open| open.challenge != challenge);
        self.ended.push(challenge);
    }
}

impl Client {
    /// Does something about its account.
    pub(crate) fn seek(&mut self, talk: &mut Talk) {
        if talk.account_next.is_none() {
            return self.follow_account(talk);
        }
        if talk.waits(|ask| matches!(ask, Ask::LeaveAccount)) {
            return;
        }
        let me = self.player;
        let is_to_me = |open: &&ChallengeInfo| Some(open.to.id) == me;
        let to_me: Vec<_> = self.account.open.iter().filter(is_to_me).collect();
        let id_of = |open: &ChallengeInfo| open.challenge;
        let to_me: Vec<_> = to_me.into_iter().map(id_of).collect();
        let is_from_me = |open: &&ChallengeInfo| Some(open.from.id) == me;
        let from_me = self.account.open.iter().find(is_from_me).map(id_of);
        match self.dice.below(20) {
            0..7 => self.challenge(talk),
            7..12 if !to_me.is_empty() => {
                let id = *self.dice.pick(&to_me);
                let challenge = id.to_string();
                talk.ask(Ask::Accept(id), Accept { challenge });
            }
            12 if !to_me.is_empty() => {
                let id = *self.dice.pick(&to_me);
                let (challenge, reason) = (id.to_string(), DeclineReason::Later);
                talk.ask(Ask::AnswerChallenge(id), Decline { challenge, reason });
            }
            13 => {
                if let Some(id) = from_me {
                    let challenge = id.to_string();
                    talk.ask(Ask::AnswerChallenge(id), WithdrawChallenge { challenge });
                }
            }
            14 | 15 => self.offer(talk),
            16 => talk.ask(Ask::Offers, Offers::default()),
            17 => talk.ask(Ask::LeaveAccount, LeaveAccount {}),
            18 => self.follow_account(talk),
            _ => {}
        }
    }

    fn follow_account(&mut self, talk: &mut Talk) {
        if talk.waits(|ask| matches!(ask, Ask::FollowAccount(..))) {
            return;
        }
        let (stream, since_seq) = match &self.account.newest {
            Some((stream, seq)) => (Some(stream.clone()), *seq),
            None => (None, Seq(0)),
        };
        let ask = Ask::FollowAccount(stream.clone(), since_seq);
        talk.ask(ask, FollowAccount { stream, since_seq });
    }

    fn challenge(&mut self, talk: &mut Talk) {
        let someone = self
            .world
            .board()
            .any_player(|count| self.dice.below(count));
        let Some(player) = someone.filter(|player| Some(*player) != self.player) else {
            return;
        };
        let number = self.world.board().next_challenge();
        let challenge = Challenge {
            player: player.to_string(),
            position: (*self.dice.pick(POSITIONS)).to_owned(),
            clock: TimeControl::Fischer {
                base_ms: Millis(FIRST_CLOCK_MS + number),
                increment_ms: Millis(0),
            },
            games: 1,
            rated: false,
            side: *self.dice.pick(&[Side::First, Side::Second, Side::Random]),
            expires_ms: Some(Millis(self.dice.within(1_000..15_000))),
        };
        talk.ask(Ask::Challenge, challenge);
    }

    fn offer(&mut self, talk: &mut Talk) {
        let at_once = self.world.plan.matches_of(self.bot);
        let offer = Offer {
            games: Vec::new(),
            at_once: 1 + u32::try_from(self.dice.below(at_once as usize)).unwrap_or(0),
            min_base_ms: None,
            untimed: true,
        };
        talk.ask(Ask::Offer, offer);
    }

    /// Takes in the answer to `follow_account`.
    pub(crate) fn follows_account(
        &mut self,
        talk: &mut Talk,
        asked: (Option<String>, Seq),
        stream: String,
        seq: Seq,
        complete: bool,
        challenges: Vec<ChallengeInfo>,
    ) {
        let (asked_stream, since) = asked;
        let same = asked_stream.as_ref() == Some(&stream);
        if complete && (!same || since > seq) {
            self.world
                .wrong(format!("{stream} at {seq} is complete after {since}"));
        }
        let heard = if complete { since } else { seq };
        talk.account_next = Some(heard.next());
        let account = &mut self.account;
        if account
            .newest
            .as_ref()
            .is_none_or(|(old, _)| *old != stream)
        {
            account.ended.clear();
        }
        let ended = challenges
            .iter()
            .find(|open| account.ended.contains(&open.challenge));
        if let Some(ended) = ended {
            self.world
                .wrong(format!("challenge {} is open again", ended.challenge));
        }
        account.newest = Some((stream, heard));
        account.open = challenges;
    }

    /// Takes in an event of its account.
    pub(crate) fn account_event(
        &mut self,
        talk: &mut Talk,
        player: PlayerId,
        seq: Seq,
        body: &str,
        event: AccountEvent,
    ) {
        let due = talk.account_next;
        let newest = self.account.newest.as_mut();
        let (Some((stream, heard)), true) =
            (newest, due == Some(seq) && Some(player) == self.player)
        else {
            return self.world.wrong(format!(
                "link {}: event {seq} of account {player}, and {due:?} was due",
                talk.link.number
            ));
        };
        talk.account_next = Some(seq.next());
        *heard = seq;
        if let Err(error) = self.world.bells().hear(stream, seq, body, &event) {
            self.world.wrong(error);
        }
        match event {
            AccountEvent::Challenged { challenge, .. } => {
                let id = challenge.challenge;
                if !self.account.has_open(id) && !self.account.ended.contains(&id) {
                    self.account.open.push(challenge);
                }
            }
            AccountEvent::ChallengeEnded { challenge, .. } => self.account.end(challenge),
            AccountEvent::MatchBegan { match_id, seat, .. } => {
                let known = self.known.entry(match_id);
                known.or_insert_with(|| Known::new(Some(seat))).seat = Some(seat);
            }
            AccountEvent::MatchEnded { .. } | AccountEvent::TournamentPaired { .. } => {}
        }
    }

    /// Whether a refusal of something about this challenge contradicts what was told: its end comes first.
    pub(crate) fn knows_it_open(&self, talk: &Talk, challenge: ChallengeId) -> bool {
        // One whose time is over has ended; where several servers share a store, that is stored before it is told.
        let is_over = |open: &ChallengeInfo| {
            self.world.plan.nodes > 1 && open.expires_at_ms <= self.world.wall()
        };
        let mut open = self.account.open.iter();
        let open = open.find(|open| open.challenge == challenge);
        talk.account_next.is_some() && open.is_some_and(|open| !is_over(open))
    }
}
