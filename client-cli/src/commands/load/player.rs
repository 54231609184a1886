//! One player: makes the moves of the script when it is their turn, and checks everything that comes.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use futures::future::OptionFuture;
use grundy_shared::ids::{Ply, Seat};
use serde::Deserialize;
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep, sleep_until};
use tokio_tungstenite::tungstenite::Utf8Bytes;

use super::phase::Phase;
use super::plan::{Open, Plan, Script};
use super::tally::{Tally, add, note_time};
use super::wire::{Frame, Link, LinkError, read};

/// A paced move counts as late when it is sent so long after its time.
const LATE: Duration = Duration::from_millis(10);

/// How soon a player asks again who does not wait for as long as the server asks.
const HOSTILE: Duration = Duration::from_millis(20);

/// What the two players of a match and their pool share.
pub(super) struct Shared {
    /// The counts of the pool.
    pub(super) tally: Rc<Tally>,
    /// How to play.
    pub(super) plan: Plan,
    /// The moves of the first match, if it is a shorter one: matches that begin together are not to end together.
    pub(super) first: Option<Rc<Script>>,
    /// When this match makes its first paced move, from the opening of the phase.
    pub(super) offset: Duration,
    /// When the newest move was sent.
    pub(super) sent_at: Cell<Instant>,
    /// When the next paced move is due.
    pub(super) due: Cell<Instant>,
}

/// See the module.
pub(super) struct Player {
    link: Link,
    shared: Rc<Shared>,
    phase: watch::Receiver<Phase>,
    /// No match has begun yet.
    is_first: bool,
}

/// A player's own view of one match.
struct View {
    match_id: String,
    seat: Seat,
    begun: bool,
    over: bool,
    /// The newest event.
    seq: u64,
    /// The newest move.
    ply: u32,
    /// The moves of the match.
    script: Rc<Script>,
    /// The request of the move in flight, and when it was sent.
    pending: Option<(u64, Instant)>,
    /// Ply and event number of the newest own move, as acknowledged.
    acknowledged: Option<(u32, u64)>,
    /// The same as the event came.
    seen: Option<(u32, u64)>,
}

impl View {
    fn new(match_id: Option<&str>, seat: Seat, script: Rc<Script>) -> Result<Self, LinkError> {
        let match_id =
            match_id.ok_or_else(|| LinkError::Wrong("a reply without a match".into()))?;
        Ok(Self {
            match_id: match_id.to_owned(),
            seat,
            begun: false,
            over: false,
            seq: 0,
            ply: 0,
            script,
            pending: None,
            acknowledged: None,
            seen: None,
        })
    }

    fn to_move(&self) -> bool {
        // The acknowledgement may come before the event: then the own move is not in `ply` yet.
        let own_move_seen = self.acknowledged.is_none_or(|(ply, _)| ply <= self.ply);
        self.begun
            && !self.over
            && self.pending.is_none()
            && own_move_seen
            && (self.ply as usize) < self.script.moves.len()
            && Seat::to_move_at(Ply(self.ply)) == self.seat
    }

    fn settled(&self) -> bool {
        self.over && self.pending.is_none()
    }

    /// Takes in whatever came.
    fn take(&mut self, text: &str, shared: &Shared) -> Result<(), LinkError> {
        let frame = read(text)?;
        match (frame.seq, self.pending) {
            // An event of the match before may still come: that somebody left it.
            (Some(seq), _) if frame.match_id == Some(&self.match_id) => {
                self.event(seq, &frame, shared)
            }
            (None, Some((asked, sent_at))) if frame.re == Some(asked) => {
                note_time(&shared.tally.acknowledged, sent_at);
                add(&shared.tally.moves, 1);
                self.pending = None;
                self.acknowledged = frame.body.ply.zip(frame.body.seq);
                self.compare()
            }
            _ => Ok(()),
        }
    }

    fn event(&mut self, seq: u64, frame: &Frame<'_>, shared: &Shared) -> Result<(), LinkError> {
        if seq != self.seq + 1 {
            let after = self.seq;
            return Err(LinkError::Wrong(format!("event {seq} came after {after}")));
        }
        self.seq = seq;
        match frame.body.kind {
            "moved" => {
                let expected = self.script.moves.get(self.ply as usize).map(String::as_str);
                let own = Seat::to_move_at(Ply(self.ply)) == self.seat;
                self.ply += 1;
                if frame.body.ply != Some(self.ply) || frame.body.move_text != expected {
                    let got = (frame.body.ply, frame.body.move_text);
                    return Err(LinkError::Wrong(format!(
                        "event {seq} has {got:?} instead of {expected:?} at ply {}",
                        self.ply
                    )));
                }
                if own {
                    self.seen = Some((self.ply, seq));
                    return self.compare();
                }
                note_time(&shared.tally.at_opponent, shared.sent_at.get());
            }
            "joined" => self.begun = true,
            "ended" => self.over = true,
            _ => {}
        }
        Ok(())
    }

    /// An own move has the same number in its acknowledgement and as an event, whichever comes first.
    fn compare(&self) -> Result<(), LinkError> {
        match (self.acknowledged, self.seen) {
            (Some(told), Some(came)) if told.0 == came.0 && told.1 != came.1 => Err(
                LinkError::Wrong(format!("acknowledged as {told:?}, came as {came:?}")),
            ),
            _ => Ok(()),
        }
    }
}

impl Player {
    /// A player at this connection.
    pub(super) fn new(link: Link, shared: Rc<Shared>, phase: watch::Receiver<Phase>) -> Self {
        Self {
            link,
            shared,
            phase,
            is_first: true,
        }
    }

    /// The moves of the next match.
    fn next_script(&mut self) -> Rc<Script> {
        let first = self.shared.first.clone().filter(|_| self.is_first);
        self.is_first = false;
        first.unwrap_or_else(|| Rc::clone(&self.shared.plan.script))
    }

    /// Asks for something that an overloaded server may refuse in an open loop, until it is done.
    async fn insist(
        &mut self,
        asked: &'static str,
        body: std::fmt::Arguments<'_>,
    ) -> Result<Utf8Bytes, LinkError> {
        let Some(Open { obedient, .. }) = self.shared.plan.open else {
            return self.link.request(body, |_| Ok(())).await;
        };
        loop {
            let sheds = &self.shared.tally.sheds;
            let refused = match self.link.request(body, |_| Ok(())).await {
                Ok(reply) => {
                    sheds.borrow_mut().did(asked);
                    return Ok(reply);
                }
                Err(error) => sheds.borrow_mut().refused(asked, error)?,
            };
            let wait = match obedient {
                true => Duration::from_millis(refused.unwrap_or_default()),
                false => HOSTILE,
            };
            sleep(wait).await;
        }
    }

    /// Creates one match after the other, hands the join codes over and plays, until the phase says stop.
    ///
    /// # Errors
    /// The first slip.
    pub(super) async fn create_matches(
        mut self,
        codes: mpsc::Sender<String>,
    ) -> Result<(), LinkError> {
        loop {
            let script = self.next_script();
            let reply = self
                .insist(
                    "match",
                    format_args!(
                        r#"{{"type":"create","position":"{}","clock":{{"type":"fischer","base_ms":3600000,"increment_ms":1000}},"side":"first","opponent":{{"type":"invite"}}}}"#,
                        script.position
                    ),
                )
                .await?;
            let body = read(&reply)?.body;
            let mut view = View::new(body.match_id, Seat::First, script)?;
            let code = body.code.unwrap_or_default().to_owned();
            if codes.send(code).await.is_err() || !self.play(&mut view).await? {
                return Ok(());
            }
        }
    }

    /// Joins and plays whatever it is invited to; `announce` hears of each match that can be watched from now on.
    ///
    /// # Errors
    /// The first slip.
    pub(super) async fn join_matches(
        mut self,
        mut invitations: mpsc::Receiver<String>,
        announce: Option<watch::Sender<String>>,
    ) -> Result<(), LinkError> {
        while let Some(code) = invitations.recv().await {
            let join = format_args!(r#"{{"type":"join","code":"{code}"}}"#);
            let script = self.next_script();
            let reply = self.insist("join", join).await?;
            let mut view = View::new(read(&reply)?.body.match_id, Seat::Second, script)?;
            if let Some(announce) = &announce {
                announce.send_replace(view.match_id.clone());
            }
            if !self.play(&mut view).await? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Plays a match to its end; false when no other is to follow.
    async fn play(&mut self, view: &mut View) -> Result<bool, LinkError> {
        while !view.settled() {
            if view.to_move() {
                let Some(due) = self.may_move(view).await? else {
                    self.give_up(view).await?;
                    return Ok(false);
                };
                self.send_move(view, due).await?;
            }
            let text = self.link.next().await?;
            view.take(&text, &self.shared)?;
        }
        if *self.phase.borrow() == Phase::Stop {
            self.check_log(view).await?;
            return Ok(false);
        }
        if view.seat == Seat::First {
            add(&self.shared.tally.finished, 1);
        }
        let leave = format_args!(r#"{{"type":"leave","match":"{}"}}"#, view.match_id);
        self.link.request(leave, |_| Ok(())).await?;
        Ok(true)
    }

    /// Sends the next move; its time counts from `sent_at`.
    async fn send_move(&mut self, view: &mut View, sent_at: Instant) -> Result<(), LinkError> {
        let ply = view.ply + 1;
        let move_text = &view.script.moves[view.ply as usize];
        self.shared.sent_at.set(sent_at);
        let asked = self
            .link
            .ask(format_args!(
                r#"{{"type":"move","match":"{}","ply":{ply},"move":"{move_text}","client_move_id":"m{ply}"}}"#,
                view.match_id
            ))
            .await?;
        view.pending = Some((asked, sent_at));
        Ok(())
    }

    /// Waits until the phase and the pace allow a move; from when its time counts, or `None` when the match is to be given up.
    async fn may_move(&mut self, view: &mut View) -> Result<Option<Instant>, LinkError> {
        loop {
            let mut dealt = None;
            let phase = *self.phase.borrow_and_update();
            let due = match (phase, self.shared.plan.period) {
                (Phase::Stop, _) => return Ok(None),
                (Phase::Open { .. }, None) => match &self.shared.plan.open {
                    None => return Ok(Some(Instant::now())),
                    Some(open) => {
                        dealt = Some(open.arrivals.next_move());
                        None
                    }
                },
                (Phase::Open { since }, Some(period)) => {
                    let due = self.shared.due.get().max(since + self.shared.offset);
                    let now = Instant::now();
                    if now >= due {
                        self.shared.due.set(due + period);
                        add(&self.shared.tally.late, u64::from(now > due + LATE));
                        return Ok(Some(now));
                    }
                    Some(due)
                }
                (Phase::Closed, _) => None,
            };
            let parks = due.is_none() && dealt.is_none();
            if parks {
                self.shared.tally.set_parked(true);
            }
            let came = tokio::select! {
                biased;
                Some(Ok(due)) = OptionFuture::from(dealt) => return Ok(Some(due)),
                came = self.link.next() => Some(came?),
                _ = self.phase.changed() => None,
                () = sleep_until(due.unwrap_or_else(Instant::now)), if due.is_some() => None,
            };
            if parks {
                self.shared.tally.set_parked(false);
            }
            if let Some(text) = came {
                view.take(&text, &self.shared)?;
            }
        }
    }

    /// Resigns, so that nothing is left to be played on the server.
    async fn give_up(&mut self, view: &View) -> Result<(), LinkError> {
        self.check_log(view).await?;
        let resign = format_args!(r#"{{"type":"resign","match":"{}"}}"#, view.match_id);
        self.link.request(resign, |_| Ok(())).await?;
        Ok(())
    }

    /// Asks the log for the newest own move: what was acknowledged must be there.
    async fn check_log(&mut self, view: &View) -> Result<(), LinkError> {
        let Some((ply, seq)) = view.acknowledged.filter(|_| self.shared.plan.keeps_log) else {
            return Ok(());
        };
        let record = format_args!(
            r#"{{"type":"record","match":"{}","since_seq":{},"limit":1}}"#,
            view.match_id,
            seq - 1
        );
        let reply = self.link.request(record, |_| Ok(())).await?;
        let page = read(&reply)?
            .body
            .events
            .map_or("[]", |events| events.get());
        let page: Vec<Kept> = serde_json::from_str(page)
            .map_err(|error| LinkError::Wrong(format!("{error} in {page}")))?;
        let kept = page
            .first()
            .is_some_and(|event| (event.body.ply, event.seq) == (Some(ply), seq));
        if !kept {
            let what = format!(
                "move {ply} of {}, event {seq}, is not in the log",
                view.match_id
            );
            self.shared.tally.slip(&self.shared.tally.lost, what);
        }
        Ok(())
    }
}

/// An event in the answer to `record`.
#[derive(Deserialize)]
struct Kept {
    seq: u64,
    body: KeptBody,
}

#[derive(Deserialize)]
struct KeptBody {
    #[serde(default)]
    ply: Option<u32>,
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::super::plan::Script;
    use super::*;

    fn shared() -> Shared {
        Shared {
            tally: Rc::new(Tally::new(1)),
            plan: Plan {
                script: Rc::new(Script {
                    position: "nim:3".into(),
                    moves: vec!["A-1".into(), "A-2".into()],
                }),
                period: None,
                open: None,
                keeps_log: true,
            },
            first: None,
            offset: Duration::ZERO,
            sent_at: Cell::new(Instant::now()),
            due: Cell::new(Instant::now()),
        }
    }

    fn event(seq: u64, body: &str) -> String {
        format!(r#"{{"match":"M","seq":{seq},"body":{body}}}"#)
    }

    /// What a player with the first seat and a move in flight (request 5) makes of these frames.
    fn first_player(frames: &[String]) -> Result<View, String> {
        let shared = shared();
        let mut view =
            View::new(Some("M"), Seat::First, shared.plan.script.clone()).expect("a match");
        view.take(&event(1, r#"{"type":"created"}"#), &shared)
            .expect("event 1");
        view.take(&event(2, r#"{"type":"joined"}"#), &shared)
            .expect("event 2");
        assert!(view.to_move());
        view.pending = Some((5, Instant::now()));
        let view = RefCell::new(view);
        for frame in frames {
            view.borrow_mut()
                .take(frame, &shared)
                .map_err(|error| error.to_string())?;
        }
        Ok(view.into_inner())
    }

    fn accepted(seq: u64) -> String {
        format!(
            r#"{{"re":5,"body":{{"type":"accepted","match":"M","seq":{seq},"ply":1,"move":"A-1"}}}}"#
        )
    }

    fn moved(seq: u64, ply: u32, text: &str) -> String {
        event(
            seq,
            &format!(r#"{{"type":"moved","at_ms":1,"seat":"first","ply":{ply},"move":"{text}"}}"#),
        )
    }

    #[test]
    fn a_match_as_it_should_be() {
        let ended = event(
            5,
            r#"{"type":"ended","at_ms":1,"outcome":"second","reason":"last_move"}"#,
        );
        for beginning in [
            [accepted(3), moved(3, 1, "A-1")],
            [moved(3, 1, "A-1"), accepted(3)],
        ] {
            let frames = [&beginning[..], &[moved(4, 2, "A-2"), ended.clone()]].concat();
            let view = first_player(&frames).expect("nothing amiss");
            assert!(view.settled());
            assert_eq!(view.acknowledged, Some((1, 3)));
        }
    }

    #[test]
    fn every_slip_is_found() {
        for (frames, slip) in [
            (vec![accepted(3), moved(4, 1, "A-1")], "event 4 came after 2"),
            (vec![accepted(3), moved(3, 1, "A-1"), moved(3, 1, "A-1")], "event 3 came after 3"),
            (vec![accepted(3), moved(3, 2, "A-1")], "at ply 1"),
            (vec![accepted(3), moved(3, 1, "A-2")], "instead of"),
            (vec![accepted(4), moved(3, 1, "A-1")], "acknowledged as (1, 4), came as (1, 3)"),
            (vec![moved(3, 1, "A-1"), accepted(4)], "acknowledged as (1, 4), came as (1, 3)"),
            (vec![moved(3, 1, "A-1"), accepted(3), moved(4, 2, "A-2"), moved(5, 3, "A-1")], "instead of None"),
            (
                vec![r#"{"re":5,"body":{"type":"error","code":"read_only","message":"no","closes":false}}"#.into()],
                "refused: no (read_only)",
            ),
        ] {
            let error = first_player(&frames).map(|_| ()).expect_err(slip);
            assert!(error.contains(slip), "{error} / {slip}");
        }
    }

    #[test]
    fn events_of_other_matches_are_passed_over() {
        let other = r#"{"match":"N","seq":9,"body":{"type":"presence","at_ms":1,"seat":"first","online":false}}"#;
        assert!(first_player(&[other.into(), moved(3, 1, "A-1")]).is_ok());
    }
}
