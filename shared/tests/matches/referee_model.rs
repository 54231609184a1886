//! The referee against a model: whatever is asked, in whatever order and at whatever times, both decide alike, and the
//! log stays lawful. The model knows Nim, keeps a few numbers, and shares no code with the referee.

use std::collections::HashMap;

use grundy_shared::event::{Claim, EndReason, Event, Outcome, PlayerInfo, Proposal, TimeControl};
use grundy_shared::ids::{MatchId, Millis, PlayerId, Ply, Seat, Seq};
use grundy_shared::referee::{Command, Decision, Judged, Referee, Refusal, Status, Terms};
use proptest::prelude::*;

const BASE: u64 = 5_000;
const INCREMENT: u64 = 700;

/// Something asked, by one of three people (0 moves first, 1 second, 2 is a stranger), after some time has passed.
#[derive(Clone, Debug)]
enum Asked {
    Join(usize),
    /// Who, how far the ply is from the right one, the heap and number taken, the name of the move.
    Move(usize, i64, usize, u64, Option<u8>),
    /// The last command again, word for word.
    Again,
    Resign(usize),
    Abort(usize),
    Rematch(usize),
    Presence(usize, bool),
    ClockCheck,
    Withdraw(usize),
    Decline(usize),
    Outage(u64, bool),
    StartClock(Option<usize>),
    Expire,
    Propose(usize, Proposal),
    /// Who, whether to what is open, whether the answer is yes.
    Answer(usize, bool, bool),
    WithdrawProposal(usize),
    Continue(Option<usize>),
    /// Who, whether the win, whether the solver found that the other wins, whether it looked at the position that stands.
    Claim(usize, bool, Option<bool>, bool),
}

fn asked() -> impl Strategy<Value = Asked> {
    let ply_error = prop_oneof![8 => Just(0i64), 1 => -2i64..=2];
    let name = prop_oneof![2 => Just(None), 3 => (0u8..4).prop_map(Some)];
    let proposal = prop_oneof![
        4 => Just(Proposal::Takeback),
        1 => Just(Proposal::Draw),
        1 => Just(Proposal::Abort),
        2 => Just(Proposal::Pause),
        2 => Just(Proposal::Adjourn),
        2 => Just(Proposal::Resume),
    ];
    let agreeing = prop_oneof![
        4 => (0usize..3, proposal).prop_map(|(who, what)| Asked::Propose(who, what)),
        6 => (0usize..3, prop::bool::weighted(0.9), prop::bool::weighted(0.8))
            .prop_map(|(who, open, agree)| Asked::Answer(who, open, agree)),
        1 => (0usize..3).prop_map(Asked::WithdrawProposal),
        2 => prop::option::of(0usize..3).prop_map(Asked::Continue),
    ];
    prop_oneof![
        12 => agreeing,
        4 => (0usize..3).prop_map(Asked::Join),
        16 => (0usize..2, ply_error, 0usize..4, 0u64..4, name)
            .prop_map(|(who, ply, heap, take, name)| Asked::Move(who, ply, heap, take, name)),
        4 => (0usize..3, any::<bool>(), prop_oneof![
                1 => Just(None),
                1 => Just(Some(true)),
                4 => Just(Some(false)),
            ], prop::bool::weighted(0.9))
            .prop_map(|(who, win, wins, stands)| Asked::Claim(who, win, wins, stands)),
        3 => Just(Asked::Again),
        1 => (0usize..3).prop_map(Asked::Resign),
        1 => (0usize..3).prop_map(Asked::Abort),
        3 => (0usize..3).prop_map(Asked::Rematch),
        4 => (0usize..2, prop::bool::weighted(0.3)).prop_map(|(who, online)| Asked::Presence(who, online)),
        2 => Just(Asked::ClockCheck),
        2 => (0usize..3).prop_map(Asked::Withdraw),
        2 => (0usize..3).prop_map(Asked::Decline),
        2 => (0u64..9_000, any::<bool>()).prop_map(|(away, hold)| Asked::Outage(away, hold)),
        2 => prop::option::of(0usize..2).prop_map(Asked::StartClock),
        1 => Just(Asked::Expire),
    ]
}

/// Mostly quick, now and then long enough to lose on time, sometimes a clock that runs backwards.
fn pause() -> impl Strategy<Value = i64> {
    prop_oneof![30 => 0i64..900, 3 => 0i64..7_000, 3 => -2_000i64..0, 1 => 890_000i64..910_000, 1 => 604_790_000i64..604_810_000, 1 => 55_000i64..65_000]
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Answer {
    Moved {
        seq: u64,
        ply: usize,
        left: Option<[u64; 2]>,
    },
    Done,
    Nothing,
    Refused(&'static str),
}

struct Model {
    heaps: Vec<u64>,
    misere: bool,
    timed: bool,
    joined: bool,
    turn: usize,
    plies: usize,
    /// Both have made a move, or one was taken back.
    begun: bool,
    left: [u64; 2],
    turn_began: u64,
    now: u64,
    seq: u64,
    here: [bool; 2],
    names: HashMap<(usize, u8), (usize, String, Answer)>,
    over: Option<(Option<usize>, EndReason)>,
    offered: Option<usize>,
    offers: u32,
    accepted: bool,
    /// Whose clock stands still.
    held: [bool; 2],
    /// What both had left when the turn began.
    fresh: [u64; 2],
    /// The heaps before each move that stands.
    history: Vec<Vec<u64>>,
    /// What each has proposed, with which event.
    open: [Option<(Proposal, u64)>; 2],
    made: [u32; 2],
    pauses: u32,
    paused: Option<u64>,
    adjourned: bool,
    /// Since when each has been here, or away.
    presence_since: [u64; 2],
    /// Since when the player to move could do so.
    turn_since: u64,
}

impl Model {
    fn new(heaps: Vec<u64>, misere: bool, timed: bool) -> Self {
        Self {
            heaps,
            misere,
            timed,
            joined: false,
            turn: 0,
            plies: 0,
            begun: false,
            left: [BASE; 2],
            turn_began: 0,
            now: 0,
            seq: 1,
            here: [true, false],
            names: HashMap::new(),
            over: None,
            offered: None,
            offers: 0,
            accepted: false,
            held: [false; 2],
            fresh: [BASE; 2],
            history: Vec::new(),
            open: [None; 2],
            made: [0; 2],
            pauses: 0,
            paused: None,
            adjourned: false,
            presence_since: [0; 2],
            turn_since: 0,
        }
    }

    fn runs(&self) -> bool {
        self.timed && self.joined && self.over.is_none()
    }

    /// Whether time passes for the player to move.
    fn ticks(&self) -> bool {
        self.runs() && !self.held[self.turn]
    }

    fn flag(&self) -> bool {
        self.ticks() && self.now - self.turn_began >= self.left[self.turn]
    }

    fn end(&mut self, winner: Option<usize>, reason: EndReason) -> Answer {
        if self.ticks() {
            let used = (self.now - self.turn_began).min(self.left[self.turn]);
            self.left[self.turn] -= used;
        }
        self.over = Some((winner, reason));
        (self.open, self.paused, self.adjourned) = ([None; 2], None, false);
        self.seq += 1;
        Answer::Done
    }

    fn lose_on_time(&mut self) -> Answer {
        match self.begun {
            true => self.end(Some(1 - self.turn), EndReason::Time),
            false => self.end(None, EndReason::NoStart),
        }
    }

    fn happened(&mut self) -> Answer {
        self.seq += 1;
        Answer::Done
    }

    fn text(heap: usize, take: u64) -> String {
        format!("{}-{take}", ["A", "B", "C", "D"][heap])
    }

    fn ask(&mut self, now: u64, what: &Asked) -> Answer {
        let (last_event, seq) = (self.now, self.seq);
        self.now = self.now.max(now);
        let answer = self.answer(what);
        // Only an event moves the match's time on.
        if self.seq == seq {
            self.now = last_event;
        }
        answer
    }

    fn answer(&mut self, what: &Asked) -> Answer {
        use Answer::{Nothing, Refused};
        match *what {
            Asked::Join(who) => match (who, self.joined) {
                (0, true) => Refused("own_match"),
                (1, true) => Nothing,
                (_, true) => Refused("seat_taken"),
                _ if self.over.is_some() => Refused("match_over"),
                (0, false) => Refused("own_match"),
                // The stranger comes too late by agreement of this test: only player 1 takes the seat.
                _ => {
                    self.joined = true;
                    self.here[1] = true;
                    self.presence_since[1] = self.now;
                    self.turn_began = self.now;
                    self.turn_since = self.now;
                    self.happened()
                }
            },
            Asked::Move(who, ply_error, heap, take, name) => {
                self.make(who, ply_error, heap, take, name)
            }
            Asked::Again => unreachable!("the test repeats by itself"),
            Asked::Resign(who)
            | Asked::Abort(who)
            | Asked::Rematch(who)
            | Asked::Withdraw(who)
            | Asked::Decline(who)
            | Asked::Propose(who, _)
            | Asked::Answer(who, ..)
            | Asked::WithdrawProposal(who)
            | Asked::Claim(who, ..)
            | Asked::Continue(Some(who))
                if self.absent(who) =>
            {
                Refused("not_a_player")
            }
            Asked::Resign(_)
            | Asked::Abort(_)
            | Asked::Propose(..)
            | Asked::Answer(..)
            | Asked::WithdrawProposal(_)
            | Asked::Claim(..)
            | Asked::Continue(Some(_))
                if self.over.is_some() =>
            {
                Refused("match_over")
            }
            Asked::Abort(_) if !self.joined => self.end(None, EndReason::Aborted),
            Asked::Propose(..)
            | Asked::Answer(..)
            | Asked::WithdrawProposal(_)
            | Asked::Claim(..)
                if !self.joined =>
            {
                Refused("not_started")
            }
            Asked::Abort(_)
            | Asked::Propose(..)
            | Asked::Answer(..)
            | Asked::WithdrawProposal(_)
            | Asked::Claim(..)
                if self.flag() =>
            {
                self.lose_on_time()
            }
            Asked::Abort(who) => self.propose(who, Proposal::Abort),
            Asked::Propose(who, proposal) => self.propose(who, proposal),
            Asked::Answer(who, open, agree) => match self.open[1 - who] {
                Some((proposal, _)) if open && agree => self.agree(1 - who, proposal),
                Some(_) if open => {
                    self.open[1 - who] = None;
                    self.happened()
                }
                _ => Refused("no_such_proposal"),
            },
            Asked::WithdrawProposal(who) => match self.open[who].take() {
                Some(_) => self.happened(),
                None => Nothing,
            },
            Asked::Claim(..) if self.paused.is_some() => Refused("paused"),
            Asked::Claim(who, win, wins, stands) => {
                let patience = if self.timed { 60_000 } else { 600_000 };
                let waits = self.here == [who == 0, who == 1] && self.turn == 1 - who;
                let [first, second] = self.presence_since;
                let since = first.max(second).max(self.turn_since);
                let lasted = waits && self.now - since >= patience;
                match wins.filter(|_| lasted && stands) {
                    None => Refused("not_possible"),
                    Some(true) => Refused("absent_player_wins"),
                    Some(false) => self.end(win.then_some(who), EndReason::Abandoned),
                }
            }
            Asked::Continue(who) => match (self.paused, who) {
                (Some(until), Some(who)) if self.adjourned && self.now < until => {
                    self.propose(who, Proposal::Resume)
                }
                (Some(until), who) if who.is_some() || self.now >= until => self.go_on(),
                _ => Nothing,
            },
            Asked::Resign(_) if !self.joined => Refused("not_started"),
            Asked::Resign(_) if self.flag() => self.lose_on_time(),
            Asked::Resign(who) => self.end(Some(1 - who), EndReason::Resignation),
            Asked::Rematch(_) if !self.joined => Refused("not_started"),
            Asked::Rematch(_) if self.over.is_none() => Refused("not_over"),
            Asked::Rematch(who) => match self.offered {
                None if self.offers == 16 => Refused("too_many"),
                None => {
                    self.offered = Some(who);
                    self.offers += 1;
                    self.happened()
                }
                Some(by) if by != who && !self.accepted => {
                    self.accepted = true;
                    self.happened()
                }
                Some(_) => Nothing,
            },
            Asked::Withdraw(_) | Asked::Decline(_) if self.over.is_none() => Refused("not_over"),
            Asked::Decline(who) if self.offered == Some(1 - who) && !self.accepted => {
                self.offered = None;
                self.happened()
            }
            Asked::Decline(_) => Nothing,
            Asked::Withdraw(who) if self.offered == Some(who) && !self.accepted => {
                self.offered = None;
                self.happened()
            }
            Asked::Withdraw(_) => Nothing,
            Asked::Presence(who, online) => {
                if self.absent(who) || self.here[who] == online || self.over.is_some() {
                    return Nothing;
                }
                self.here[who] = online;
                self.presence_since[who] = self.now;
                self.happened()
            }
            Asked::ClockCheck if self.flag() => self.lose_on_time(),
            Asked::ClockCheck => Nothing,
            Asked::Outage(away, hold) => {
                let credit = match self.ticks() {
                    true => away.min(self.now - self.turn_began),
                    false => 0,
                };
                let hold = hold && self.runs() && self.held != [true; 2];
                if credit == 0 && !hold {
                    return Nothing;
                }
                self.turn_began += credit;
                if hold {
                    self.hold();
                }
                self.happened()
            }
            Asked::StartClock(_) if self.paused.is_some() => Nothing,
            Asked::StartClock(who) => {
                let mut answer = Nothing;
                for seat in [0, 1] {
                    if self.runs() && self.held[seat] && who.is_none_or(|who| who == seat) {
                        self.held[seat] = false;
                        if self.turn == seat {
                            self.turn_began = self.now;
                        }
                        answer = self.happened();
                    }
                }
                answer
            }
            Asked::Expire if self.over.is_none() && !self.runs() => {
                self.end(None, EndReason::Expired)
            }
            Asked::Expire => Nothing,
        }
    }

    fn go_on(&mut self) -> Answer {
        (self.paused, self.adjourned) = (None, false);
        let ends = |(proposal, _): &(Proposal, u64)| *proposal != Proposal::Resume;
        self.open = self.open.map(|open| open.filter(ends));
        self.turn_since = self.now;
        self.held = [false; 2];
        self.turn_began = self.now;
        self.happened()
    }

    fn hold(&mut self) {
        if self.ticks() {
            let used = (self.now - self.turn_began).min(self.left[self.turn]);
            self.left[self.turn] -= used;
        }
        self.held = [true; 2];
    }

    /// How many moves go back if this player's last one does.
    fn takes_back(&self, who: usize) -> usize {
        if self.turn == who { 2 } else { 1 }
    }

    fn obstacle(&self, who: usize, proposal: Proposal) -> Option<&'static str> {
        match proposal {
            Proposal::Takeback => (self.plies < self.takes_back(who)).then_some("not_possible"),
            Proposal::Draw => Some("not_possible"),
            Proposal::Abort => (self.plies >= 2).then_some("too_late"),
            Proposal::Pause | Proposal::Adjourn if !self.timed => Some("not_possible"),
            Proposal::Pause | Proposal::Adjourn => (self.pauses == 3).then_some("too_many"),
            Proposal::Resume => (!self.adjourned).then_some("not_possible"),
        }
    }

    fn propose(&mut self, who: usize, proposal: Proposal) -> Answer {
        let same = |open: Option<(Proposal, u64)>| open.is_some_and(|(other, _)| other == proposal);
        let needless = match proposal {
            Proposal::Pause => self.paused.is_some(),
            Proposal::Adjourn => self.adjourned,
            Proposal::Resume => self.paused.is_none(),
            _ => false,
        };
        if needless {
            return Answer::Nothing;
        }
        if let Some(code) = self.obstacle(who, proposal) {
            return Answer::Refused(code);
        }
        if same(self.open[who]) {
            return Answer::Nothing;
        }
        if same(self.open[1 - who]) && proposal != Proposal::Takeback {
            return self.agree(1 - who, proposal);
        }
        if self.made[who] >= if proposal == Proposal::Resume { 64 } else { 16 } {
            return Answer::Refused("too_many");
        }
        self.made[who] += 1;
        self.open[who] = Some((proposal, self.seq + 1));
        self.happened()
    }

    fn agree(&mut self, by: usize, proposal: Proposal) -> Answer {
        match proposal {
            Proposal::Takeback => {
                let to = self.plies - self.takes_back(by);
                self.heaps = self.history[to].clone();
                self.history.truncate(to);
                self.plies = to;
                self.begun = true;
                self.turn = to % 2;
                self.turn_since = self.now;
                self.left = self.fresh;
                self.turn_began = self.now;
            }
            Proposal::Pause => {
                self.hold();
                self.pauses += 1;
                self.paused = Some(self.now + 900_000);
            }
            Proposal::Adjourn => {
                self.hold();
                self.pauses += 1;
                (self.paused, self.adjourned) = (Some(self.now + 604_800_000), true);
            }
            Proposal::Resume => return self.go_on(),
            Proposal::Abort => return self.end(None, EndReason::Aborted),
            Proposal::Draw => unreachable!("Nim has no draws"),
        }
        self.open = [None; 2];
        self.happened()
    }

    fn absent(&self, who: usize) -> bool {
        who == 2 || (who == 1 && !self.joined)
    }

    fn make(
        &mut self,
        who: usize,
        ply_error: i64,
        heap: usize,
        take: u64,
        name: Option<u8>,
    ) -> Answer {
        use Answer::Refused;
        if self.absent(who) {
            return Refused("not_a_player");
        }
        let ply = sent_ply(self.plies, ply_error);
        let text = Self::text(heap, take);
        if let Some(known) = name.and_then(|name| self.names.get(&(who, name))) {
            return if known.0 == ply as usize && known.1 == text {
                known.2
            } else {
                Refused("idempotency_conflict")
            };
        }
        if self.over.is_some() {
            return Refused("match_over");
        }
        if !self.joined {
            return Refused("not_started");
        }
        if self.flag() {
            return self.lose_on_time();
        }
        if self.paused.is_some() {
            return Refused("paused");
        }
        if ply as usize != self.plies + 1 {
            return Refused("stale_ply");
        }
        if who != self.turn {
            return Refused("not_your_turn");
        }
        if take == 0 || self.heaps.get(heap).is_none_or(|size| *size < take) {
            return Refused("illegal_move");
        }
        self.history.push(self.heaps.clone());
        self.heaps[heap] -= take;
        self.plies += 1;
        self.begun |= self.plies >= 2;
        self.open[1 - who] = None;
        let stays = |(proposal, _): &(Proposal, u64)| {
            matches!(proposal, Proposal::Pause | Proposal::Adjourn)
        };
        self.open[who] = self.open[who].filter(stays);
        if self.timed {
            let used = if self.ticks() {
                self.now - self.turn_began
            } else {
                0
            };
            self.left[who] = self.left[who] - used + INCREMENT;
        }
        self.held[who] = false;
        self.fresh = self.left;
        self.turn_began = self.now;
        self.turn = 1 - who;
        self.turn_since = self.now;
        self.seq += 1;
        let answer = Answer::Moved {
            seq: self.seq,
            ply: self.plies,
            left: self.timed.then_some(self.left),
        };
        if let Some(name) = name {
            self.names.insert((who, name), (self.plies, text, answer));
        }
        if self.heaps.iter().all(|heap| *heap == 0) {
            let winner = if self.misere { 1 - who } else { who };
            self.end(Some(winner), EndReason::LastMove);
        }
        answer
    }
}

fn sent_ply(plies: usize, error: i64) -> u32 {
    u32::try_from((plies as i64 + 1 + error).max(0)).expect("a small number")
}

fn person(who: usize) -> PlayerInfo {
    PlayerInfo {
        id: PlayerId::from_random(who as u128),
        name: format!("person {who}"),
        bot: false,
    }
}

fn command(what: &Asked, referee: &Referee) -> Command {
    let player = |who: usize| person(who).id;
    match *what {
        Asked::Join(who) => Command::Join {
            player: person(who),
        },
        Asked::Move(who, ply_error, heap, take, name) => Command::Move {
            player: player(who),
            ply: Ply(sent_ply(referee.moves().len(), ply_error)),
            client_move_id: name.map(|name| format!("m{name}").parse().expect("a move id")),
            text: Model::text(heap, take),
            opponent_lag: Millis(0),
            hints: 0,
        },
        Asked::Again => unreachable!("the test repeats by itself"),
        Asked::Resign(who) => Command::Resign {
            player: player(who),
        },
        Asked::Abort(who) => Command::Abort {
            player: player(who),
        },
        Asked::Rematch(who) => Command::Rematch {
            player: player(who),
            new_match: MatchId::from_random(9),
        },
        Asked::Presence(who, online) => Command::Presence {
            seat: Seat::BOTH[who],
            online,
        },
        Asked::ClockCheck => Command::ClockCheck,
        Asked::Withdraw(who) => Command::WithdrawRematch {
            player: player(who),
        },
        Asked::Decline(who) => Command::DeclineRematch {
            player: player(who),
        },
        Asked::Outage(away, hold) => Command::Outage {
            away_ms: Millis(away),
            hold,
        },
        Asked::StartClock(who) => Command::StartClock {
            seat: who.map(|who| Seat::BOTH[who]),
        },
        Asked::Expire => Command::Expire,
        Asked::Propose(who, proposal) => Command::Propose {
            player: player(who),
            proposal,
        },
        Asked::Answer(who, open, agree) => {
            let other = Seat::BOTH.get(who).map(|seat| seat.other());
            let proposed = other.and_then(|other| referee.proposal(other));
            Command::Answer {
                player: player(who),
                proposed: proposed
                    .filter(|_| open)
                    .map_or(Seq(9_999), |open| open.seq),
                agree,
            }
        }
        Asked::WithdrawProposal(who) => Command::WithdrawProposal {
            player: player(who),
        },
        Asked::Claim(who, win, wins, stands) => Command::Claim {
            player: player(who),
            claim: if win { Claim::Win } else { Claim::Void },
            judged: wins.map(|absent_wins| Judged {
                ply: Ply(referee.ply().0 + u32::from(!stands)),
                absent_wins,
            }),
        },
        Asked::Continue(who) => Command::Continue {
            player: who.map(player),
        },
    }
}

fn as_answer(referee: &Referee, result: &Result<Decision, Refusal>) -> Answer {
    let pair = |clocks: grundy_shared::event::Clocks| [clocks.first_ms.0, clocks.second_ms.0];
    match result {
        Err(refusal) => Answer::Refused(refusal.code()),
        Ok(Decision::Nothing) => Answer::Nothing,
        Ok(Decision::Repeat {
            seq, ply, clocks, ..
        }) => Answer::Moved {
            seq: seq.0,
            ply: ply.0 as usize,
            left: clocks.map(pair),
        },
        Ok(Decision::Events(events)) => match &events[0] {
            Event::Moved { ply, clocks, .. } => Answer::Moved {
                seq: referee.seq().0 + 1,
                ply: ply.0 as usize,
                left: clocks.map(pair),
            },
            _ => Answer::Done,
        },
    }
}

fn same_state(model: &Model, referee: &Referee, now: u64) {
    assert_eq!(referee.seq(), Seq(model.seq));
    assert_eq!(referee.moves().len(), model.plies);
    assert_eq!(referee.last_at(), Millis(model.now));
    let expected = model.over.map(|(winner, reason)| {
        let outcome = winner.map_or(Outcome::Void, |seat| Outcome::win_of(Seat::BOTH[seat]));
        (outcome, reason)
    });
    assert_eq!(referee.outcome(), expected);
    assert_eq!(referee.status() == Status::Over, model.over.is_some());
    assert_eq!(Seat::BOTH.map(|seat| referee.online(seat)), model.here);
    let left = model.timed.then(|| {
        let mut left = model.left;
        if model.ticks() {
            let used = now.max(model.now).saturating_sub(model.turn_began);
            left[model.turn] = left[model.turn].saturating_sub(used);
        }
        left
    });
    let clocks = referee.clocks_at(Millis(now.max(model.now)));
    assert_eq!(
        clocks.map(|clocks| [clocks.first_ms.0, clocks.second_ms.0]),
        left
    );
    let held = [0, 1].map(|seat| model.runs() && model.held[seat]);
    assert_eq!(Seat::BOTH.map(|seat| referee.is_held(seat)), held);
    let deadline = model
        .ticks()
        .then(|| Millis(model.turn_began + model.left[model.turn]));
    assert_eq!(referee.deadline(), deadline);
    assert_eq!(referee.paused_until(), model.paused.map(Millis));
    assert_eq!(referee.is_adjourned(), model.adjourned);
    let open = Seat::BOTH.map(|seat| {
        referee
            .proposal(seat)
            .map(|open| (open.proposal, open.seq.0))
    });
    assert_eq!(open, model.open);
}

/// What must be true of any log: dense numbers, one result at most, clocks that add up where none was held.
fn lawful(log: &[Event], timed: bool) {
    let (mut plies, mut made) = (0, 0);
    let mut results = 0;
    let (mut elapsed, mut credited, mut began, mut held) = (0, 0, None, false);
    for event in log {
        match event {
            Event::Joined { at_ms, .. } => began = Some(at_ms.0),
            Event::Outage {
                credited_ms,
                held: now_held,
                ..
            } => {
                credited += credited_ms.0;
                held |= now_held;
            }
            Event::Moved {
                at_ms,
                ply,
                seat,
                clocks,
                ..
            } => {
                plies += 1;
                made += 1;
                assert_eq!(ply.0, plies);
                assert_eq!(*seat, Seat::to_move_at(Ply(plies - 1)));
                assert_eq!(results, 0);
                elapsed = at_ms.0 - began.expect("joined before the first move");
                if let Some(clocks) = clocks {
                    let given = 2 * BASE + made * INCREMENT + credited;
                    let kept = clocks.first_ms.0 + clocks.second_ms.0;
                    assert!(kept + elapsed >= given && (held || kept + elapsed == given));
                }
                assert_eq!(clocks.is_some(), timed);
            }
            Event::Ended { .. } => results += 1,
            // The time of a turn is given back, or stands still.
            Event::TakenBack { ply, .. } => (plies, held) = (ply.0, true),
            Event::Paused { .. } => held = true,
            _ => {}
        }
    }
    assert!(results <= 1);
    assert!(!timed || held || elapsed <= 2 * BASE + made * INCREMENT + credited);
    assert!(log.is_sorted_by_key(Event::at));
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1_500,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn referee_and_model_decide_alike(
        heaps in prop::collection::vec(1u64..5, 1..4),
        misere: bool,
        timed in prop::bool::weighted(0.75),
        join_first in prop::bool::weighted(0.8),
        asked in prop::collection::vec((pause(), asked()), 1..60),
    ) {
        let texts: Vec<String> = heaps.iter().map(u64::to_string).collect();
        let terms = Terms {
            position: format!("nim:{}{}", texts.join(","), if misere { "@misere" } else { "" }),
            clock: if timed {
                TimeControl::Fischer { base_ms: Millis(BASE), increment_ms: Millis(INCREMENT) }
            } else {
                TimeControl::Untimed {}
            },
            rematch_of: None,
            series: None,
        };
        let (mut referee, mut log) =
            Referee::create(terms, person(0), Seat::First, Millis(0)).expect("lawful terms");
        let mut model = Model::new(heaps, misere, timed);
        let mut now = 0u64;
        let mut last: Option<(Asked, Command)> = None;
        let asked = join_first.then_some((0, Asked::Join(1))).into_iter().chain(asked);
        for (pause, what) in asked {
            now = now.saturating_add_signed(pause);
            // A stranger may ask for the seat only once it is taken; before that anybody is welcome.
            if matches!(what, Asked::Join(2)) && !model.joined && model.over.is_none() {
                continue;
            }
            let (what, command) = match (what, &last) {
                (Asked::Again, None) => continue,
                // Word for word: the ply stays what it was, whatever has happened since.
                (Asked::Again, Some((Asked::Move(who, _, heap, take, name), command))) => {
                    let Command::Move { ply, .. } = command else { unreachable!("a move is a move") };
                    let error = i64::from(ply.0) - 1 - model.plies as i64;
                    (Asked::Move(*who, error, *heap, *take, *name), command.clone())
                }
                (Asked::Again, Some(last)) => last.clone(),
                (what, _) => {
                    let command = command(&what, &referee);
                    (what, command)
                }
            };
            let result = referee.handle(Millis(now), &command);
            prop_assert_eq!(as_answer(&referee, &result), model.ask(now, &what), "{:?} at {}", command, now);
            if let Ok(Decision::Events(ruling)) = result {
                // Played again by the laws of the log, and taken over without playing again: the same.
                let mut checked = referee.clone();
                for event in &ruling {
                    checked.apply(event).expect("own events are lawful");
                    log.push(event.clone());
                }
                referee.accept(ruling).expect("nothing came between");
                prop_assert_eq!(&referee, &checked);
            }
            same_state(&model, &referee, now);
            last = Some((what, command));
        }
        lawful(&log, timed);
        prop_assert_eq!(Referee::replay(&log), Ok(referee));
    }
}
