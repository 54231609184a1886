//! A match in this process: the same referee as the server's, against a built-in bot or between two people at one keyboard.

mod clock;
mod keeping;
mod players;
mod thinking;

use std::time::Duration;

use grundy_shared::bot::Bot;
use grundy_shared::event::{Event, PlayerInfo, Proposal};
use grundy_shared::ids::{MatchId, Millis, PlayerId, Seat, Seq};
use grundy_shared::record::Record;
use grundy_shared::referee::{Command, Decision, Referee, Refusal, Rematch, Status, Terms};
use grundy_words::Message;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::sleep;

pub(crate) use clock::now;
use keeping::{Keeping, Kept};
pub(crate) use players::{Players, people};
use thinking::{finished, think};

use super::{Ask, Ends, Link, News};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::library::keeper::Keeper;
use crate::render::refusals::in_words;

/// The task's state.
#[derive(Debug)]
struct Local {
    own_id: MatchId,
    referee: Referee,
    players: Players,
    news: mpsc::Sender<News>,
    /// What has happened so far.
    events: Vec<Event>,
    keeping: Keeping,
}

/// Why the task ends: nobody listens.
struct Unheard;

/// What the task waited for.
enum Step {
    Asked(Option<Ask>),
    Flag,
    Thought(Option<String>),
}

/// Begins a match and keeps it until nobody listens any more; with a keeper also in the library, and its rematches too.
///
/// # Errors
/// The terms are refused.
pub(crate) fn start(
    own_id: MatchId,
    terms: Terms,
    players: Players,
    keeper: Option<Keeper>,
) -> Result<Link, Failure> {
    let player = |id, name: &str| PlayerInfo {
        id,
        name: name.to_owned(),
        bot: false,
    };
    let [one, two] = people();
    let (creator, seat, other) = match &players {
        Players::Bot(seat, bot) => {
            let bot = PlayerInfo {
                bot: true,
                ..player(PlayerId::from_random(rand::random()), &bot.to_string())
            };
            (player(one, "Player"), *seat, bot)
        }
        Players::Two => (
            player(one, "Player 1"),
            Seat::First,
            player(two, "Player 2"),
        ),
    };
    let now = now();
    let (mut referee, mut events) =
        Referee::create_here(terms, creator, seat, now).map_err(|refusal| refused(&refusal))?;
    let join = Command::Join { player: other };
    match referee.handle(now, &join) {
        Ok(Decision::Events(joined)) => {
            events.extend(referee.accept(joined).map_err(|error| impossible(&error))?);
        }
        Ok(decision) => return Err(impossible(&format!("{decision:?}"))),
        Err(refusal) => return Err(refused(&refusal)),
    }
    let keeping = Keeping::with(keeper);
    Ok(begin(own_id, referee, players, keeping, events, None))
}

/// Goes on with a match that was left, and says who plays whom. The clock of the player to move gets the turn's time back.
///
/// # Errors
/// The match was not played here.
pub(crate) fn resume(record: &Record, keeper: Keeper) -> Result<(Link, Players), Failure> {
    let mut referee = record.referee().clone();
    let players = Players::of(&referee).ok_or_else(|| {
        let message = Message::new("match-not-local").text("match", record.match_id());
        Failure::told(Exit::Refused, "not_local", message)
    })?;
    let mut events = record.events().to_vec();
    let past = Seq(events.len() as u64);
    let now = now();
    let away_ms = events.last().map_or(Millis(0), |last| now.since(last.at()));
    let outage = Command::Outage {
        away_ms,
        hold: false,
    };
    if let Ok(Decision::Events(ruling)) = referee.handle(now, &outage) {
        let credited = referee.accept(ruling);
        events.extend(credited.map_err(|error| impossible(&error))?);
    }
    let keeping = Keeping::with(Some(keeper));
    let seated = players.clone();
    let link = begin(
        record.match_id(),
        referee,
        players,
        keeping,
        events,
        Some(past),
    );
    Ok((link, seated))
}

/// Starts the task. Events up to `past` happened before the user came.
fn begin(
    own_id: MatchId,
    referee: Referee,
    players: Players,
    keeping: Keeping,
    events: Vec<Event>,
    past: Option<Seq>,
) -> Link {
    Link::start(move |ends| async move {
        let Ends { asks, news } = ends;
        let local = Local {
            own_id,
            referee,
            players,
            news,
            events: Vec::new(),
            keeping,
        };
        // The task ends when nobody listens any more.
        let _ = local.run(asks, events, past).await;
    })
}

impl Local {
    async fn run(
        mut self,
        mut asks: mpsc::Receiver<Ask>,
        begun: Vec<Event>,
        past: Option<Seq>,
    ) -> Result<(), Unheard> {
        if let Some(seq) = past {
            self.tell(News::Attached { seq }).await?;
        }
        self.tell_events(Seq(0), begun).await?;
        let mut thinking: Option<JoinHandle<Option<String>>> = None;
        loop {
            // One thought a move, whatever is asked meanwhile; what it comes to is of no use once the match is over.
            match self.bot_to_move() {
                Some(bot) if thinking.is_none() => thinking = Some(think(&self.referee, bot)),
                Some(_) => {}
                None => thinking = None,
            }
            // The flag falls, or the pause ends.
            let due = self.referee.deadline().or(self.referee.paused_until());
            let to_flag = match due {
                Some(deadline) => Duration::from_millis(deadline.since(now()).0),
                None => Duration::MAX,
            };
            let step = tokio::select! {
                ask = asks.recv() => Step::Asked(ask),
                thought = finished(&mut thinking) => Step::Thought(thought),
                () = sleep(to_flag) => Step::Flag,
            };
            match step {
                Step::Asked(None) => return Ok(()),
                Step::Asked(Some(Ask::Undo)) => {
                    // What the bot thinks about is a position that is gone.
                    if self.undo().await? {
                        thinking = None;
                    }
                }
                Step::Asked(Some(ask)) => self.put(ask).await?,
                Step::Flag => {
                    self.handle(&Command::Continue { player: None }).await?;
                    self.handle(&Command::ClockCheck).await?;
                }
                Step::Thought(Some(text)) => {
                    let player = self.mover();
                    self.handle(&self.a_move(player, text, 0)).await?;
                }
                Step::Thought(None) => {
                    self.handle(&Command::Resign {
                        player: self.mover(),
                    })
                    .await?;
                }
            }
        }
    }

    /// The bot, when it is its turn.
    fn bot_to_move(&self) -> Option<Bot> {
        match &self.players {
            Players::Bot(seat, bot)
                if self.referee.status() == Status::Live
                    && self.referee.paused_until().is_none()
                    && self.referee.to_move() != *seat =>
            {
                Some(bot.clone())
            }
            _ => None,
        }
    }

    async fn put(&mut self, ask: Ask) -> Result<(), Unheard> {
        let player = self.person();
        match ask {
            Ask::Move { text, hints, .. } => {
                let command = self.a_move(player, text, hints);
                self.handle(&command).await
            }
            Ask::Resign => self.handle(&Command::Resign { player }).await,
            Ask::Abort => self.propose(player, Proposal::Abort).await,
            Ask::Propose(proposal) => self.propose(player, proposal).await,
            Ask::Continue => {
                let player = Some(player);
                self.handle(&Command::Continue { player }).await
            }
            // What is proposed here is answered at once.
            Ask::Answer { .. } | Ask::WithdrawProposal => {
                self.tell(News::NotAgreed(refused(&Refusal::NoProposal)))
                    .await
            }
            Ask::Plan { ply, lines } => {
                let read = None;
                self.handle(&Command::Plan {
                    player,
                    ply,
                    lines,
                    read,
                })
                .await
            }
            // Nobody is ever away here.
            Ask::Claim(_) => self.tell(News::NotAgreed(refused(&Refusal::NotAway))).await,
            // The session reports this.
            Ask::Say(_) | Ask::Lines | Ask::Mute { .. } => Ok(()),
            // Nobody else offers one.
            Ask::DeclineRematch => Ok(()),
            Ask::Rematch => self.rematch().await,
            Ask::Undo => self.undo().await.map(drop),
        }
    }

    /// Proposes something, and answers it for the other side: a bot plays a draw out and agrees to the rest, and two people at one
    /// keyboard have agreed before they type.
    async fn propose(&mut self, player: PlayerId, proposal: Proposal) -> Result<(), Unheard> {
        self.handle(&Command::Propose { player, proposal }).await?;
        let Some(seat) = self.referee.seat_of(player) else {
            return Ok(());
        };
        let Some(open) = self.referee.proposal(seat) else {
            return Ok(());
        };
        let is_bot = matches!(self.players, Players::Bot(..));
        let answer = Command::Answer {
            player: self.player(seat.other()),
            proposed: open.seq,
            agree: !(is_bot && proposal == Proposal::Draw),
        };
        self.handle(&answer).await
    }

    fn a_move(&self, player: PlayerId, text: String, hints: u32) -> Command {
        Command::Move {
            player,
            ply: self.referee.ply().next(),
            client_move_id: None,
            text,
            opponent_lag: Millis(0),
            hints,
        }
    }

    /// Who is to move.
    fn mover(&self) -> PlayerId {
        self.player(self.referee.to_move())
    }

    /// For whom the keyboard speaks.
    fn person(&self) -> PlayerId {
        match self.players {
            Players::Bot(seat, _) => self.player(seat),
            Players::Two => self.mover(),
        }
    }

    fn player(&self, seat: Seat) -> PlayerId {
        let info = self.referee.player(seat);
        info.expect("both seats were taken at the start").id
    }

    async fn handle(&mut self, command: &Command) -> Result<(), Unheard> {
        match self.referee.handle(now(), command) {
            Ok(Decision::Events(ruling)) => {
                let before = self.referee.seq();
                match self.referee.accept(ruling) {
                    Ok(events) => self.tell_events(before, events).await,
                    Err(error) => self.tell(News::Gone(impossible(&error))).await,
                }
            }
            Ok(Decision::Repeat { .. } | Decision::Nothing) => Ok(()),
            Err(refusal) => {
                let failure = refused(&refusal);
                let agreeing = matches!(
                    command,
                    Command::Propose { .. } | Command::Answer { .. } | Command::Continue { .. }
                );
                self.tell(match agreeing {
                    true => News::NotAgreed(failure),
                    false => News::Refused(failure),
                })
                .await
            }
        }
    }

    /// Both agree at once: there is nobody to wait for.
    async fn rematch(&mut self) -> Result<(), Unheard> {
        let new_match = MatchId::from_random(rand::random());
        for seat in Seat::BOTH {
            let player = self.player(seat);
            self.handle(&Command::Rematch { player, new_match }).await?;
        }
        if self.referee.rematch() != Rematch::Accepted(new_match) {
            return Ok(());
        }
        match self
            .referee
            .create_rematch(self.own_id, new_match, now(), false)
        {
            Ok((referee, events)) => {
                self.referee = referee;
                self.own_id = new_match;
                self.keeping = self.keeping.next(new_match);
                if let Players::Bot(seat, _) = &mut self.players {
                    *seat = seat.other();
                }
                self.tell(News::Rematch(new_match)).await?;
                self.tell_events(Seq(0), events).await
            }
            Err(refusal) => self.tell(News::Refused(refused(&refusal))).await,
        }
    }

    /// Goes back to before the person's last move; whether that was possible.
    async fn undo(&mut self) -> Result<bool, Unheard> {
        let ours = |seat: Seat| match self.players {
            Players::Bot(person, _) => seat == person,
            Players::Two => true,
        };
        let last = self
            .events
            .iter()
            .rposition(|event| matches!(event, Event::Moved { seat, .. } if ours(*seat)));
        let words = match (self.referee.status(), self.referee.clocks_at(now()), last) {
            (Status::Live, None, Some(last)) => {
                return match Referee::replay(&self.events[..last]) {
                    Ok(referee) => {
                        self.referee = referee;
                        self.events.truncate(last);
                        let kept = self.keeping.take_back(&self.events);
                        self.kept(kept).await?;
                        self.tell(News::Undone(self.events.clone()))
                            .await
                            .map(|()| true)
                    }
                    Err(error) => self
                        .tell(News::Gone(impossible(&error)))
                        .await
                        .map(|()| false),
                };
            }
            (Status::Live, None, None) => "typed-no-own-move",
            (Status::Live, Some(_), _) => "typed-undo-clock",
            _ => "typed-over",
        };
        let refused = Failure::told(Exit::Refused, "refused", Message::new(words));
        self.tell(News::Refused(refused)).await.map(|()| false)
    }

    async fn tell_events(&mut self, mut seq: Seq, events: Vec<Event>) -> Result<(), Unheard> {
        if seq == Seq(0) {
            self.events.clear();
        }
        self.events.extend_from_slice(&events);
        // Nothing else goes on in this process meanwhile: what is not kept is not shown.
        let kept = self.keeping.keep(&self.referee, &self.events);
        self.kept(kept).await?;
        for event in events {
            seq = seq.next();
            self.tell(News::Event(seq, event)).await?;
        }
        Ok(())
    }

    /// Says whether what is shown next is on the disk.
    async fn kept(&self, kept: Option<Kept>) -> Result<(), Unheard> {
        match kept {
            Some(Kept::Yes) => self.tell(News::Kept).await,
            Some(Kept::No(failure)) => self.tell(News::NotKept(failure)).await,
            None => Ok(()),
        }
    }

    async fn tell(&self, news: News) -> Result<(), Unheard> {
        self.news.send(news).await.map_err(|_| Unheard)
    }
}

fn refused(refusal: &Refusal) -> Failure {
    let exit = match refusal {
        Refusal::Notation(_)
        | Refusal::FinishedStart { .. }
        | Refusal::StartTooLong { .. }
        | Refusal::MovesTooLong { .. }
        | Refusal::OutOfRange { .. }
        | Refusal::IllegalMove(_) => Exit::Input,
        _ => Exit::Refused,
    };
    let message = Message::new("refused")
        .text("code", refusal.code())
        .text("said", in_words(&refusal.to_string(), None));
    Failure::told(exit, refusal.code(), message)
}

fn impossible(error: &impl std::fmt::Display) -> Failure {
    Failure::internal(format!("the match went wrong: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Requests that are refused while the bot thinks: each wakes the task up.
    const REFUSED: usize = 20_000;

    #[tokio::test]
    async fn a_bot_goes_on_thinking_whatever_is_asked_meanwhile() {
        let terms = Terms {
            position: "nim:30,50".to_owned(),
            clock: grundy_shared::event::TimeControl::Untimed {},
            rematch_of: None,
            series: None,
        };
        let bot = "random".parse().expect("a bot");
        let players = Players::Bot(Seat::Second, bot);
        let id = MatchId::from_random(rand::random());
        let Ok(Link { asks, mut news, .. }) = start(id, terms, players, None) else {
            panic!("the terms are lawful");
        };
        tokio::spawn(async move { while asks.send(Ask::Rematch).await.is_ok() {} });
        let mut refused = 0;
        loop {
            match news.recv().await {
                Some(News::Event(_, Event::Moved { .. })) => break,
                Some(News::Refused(_)) => refused += 1,
                other => assert!(matches!(other, Some(News::Event(..))), "{other:?}"),
            }
            assert!(refused < REFUSED, "the bot never comes to its move");
        }
    }
}
