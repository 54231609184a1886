//! The yardstick: what a move costs when nothing is done with it but to parse, check, apply and pass it on.
//!
//! A bare tokio-tungstenite relay of the same frames as the server's: one thread, one task a connection,
//! `select!` over the socket and the connection's own queue, 4 KiB buffers, `TCP_NODELAY`. It knows no
//! rules (a move is legal when its ply is the next one), keeps no log and stores nothing. It runs as a
//! process of its own so that its CPU time is its own.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::io::Write as _;
use std::rc::Rc;
use std::time::SystemTime;

use futures::{SinkExt as _, StreamExt as _};
use grundy_shared::event::{Clocks, EndReason, Event, Outcome};
use grundy_shared::ids::{ClientMoveId, JoinCode, MatchId, Millis, Ply, Seat, Seq};
use grundy_shared::protocol::Reply;
use grundy_shared::protocol::server::{event_frame, reply_frame};
use serde::Deserialize;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio_tungstenite::tungstenite::{Error, Message, Utf8Bytes};

use super::process::cpu_time;
use super::wire::socket_config;

/// Frames that wait for a connection: as many as the server lets wait.
const QUEUE: usize = 64;

/// What the relay reads of any request.
#[derive(Deserialize)]
struct Ask<'a> {
    id: u64,
    #[serde(borrow)]
    body: AskBody<'a>,
}

#[derive(Deserialize)]
struct AskBody<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    #[serde(default, rename = "match")]
    match_id: Option<&'a str>,
    ply: Option<Ply>,
    #[serde(default, rename = "move")]
    move_text: Option<&'a str>,
    client_move_id: Option<ClientMoveId>,
    code: Option<JoinCode>,
}

type Outgoing = mpsc::Sender<Utf8Bytes>;

/// One match: two counters and where its events go.
struct Contest {
    id: MatchId,
    seq: Cell<Seq>,
    ply: Cell<Ply>,
    players: RefCell<Vec<Outgoing>>,
}

impl Contest {
    /// Sends the next event to both players.
    fn announce(&self, event_json: &str) {
        self.seq.set(self.seq.get().next());
        let frame = Utf8Bytes::from(event_frame(self.id, self.seq.get(), event_json));
        for player in &*self.players.borrow() {
            // A player with a full queue has lost the race already: the load client reports the gap.
            let _ = player.try_send(frame.clone());
        }
    }
}

/// What all connections share.
struct Relay {
    /// Moves after which a match is over.
    plies: Ply,
    created: Cell<u64>,
    open: RefCell<HashMap<JoinCode, Rc<Contest>>>,
}

/// Serves until standard input ends. Prints the address first, then the CPU time in microseconds for each line read.
///
/// # Errors
/// No socket to be had, or standard output is closed.
pub(super) async fn serve(plies: u32) -> std::io::Result<()> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    say(&format!("listening on http://{}", listener.local_addr()?))?;
    let mut questions = BufReader::new(tokio::io::stdin()).lines();
    let answered = async {
        while questions.next_line().await?.is_some() {
            say(&cpu_time().as_micros().to_string())?;
        }
        Ok(())
    };
    tokio::select! {
        answered = answered => answered,
        accepted = accept(listener, plies) => accepted,
    }
}

/// Takes connections for ever.
async fn accept(listener: TcpListener, plies: u32) -> std::io::Result<()> {
    let relay = Rc::new(Relay {
        plies: Ply(plies),
        created: Cell::new(0),
        open: RefCell::default(),
    });
    loop {
        let (stream, _) = listener.accept().await?;
        let relay = Rc::clone(&relay);
        tokio::task::spawn_local(async move {
            // An error means that the other end is gone, and that is how a run ends.
            let _ = connection(&relay, stream).await;
        });
    }
}

fn say(line: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}

async fn connection(relay: &Relay, stream: TcpStream) -> Result<(), Error> {
    stream.set_nodelay(true)?;
    let mut socket =
        tokio_tungstenite::accept_async_with_config(stream, Some(socket_config())).await?;
    let (queue, mut waiting) = mpsc::channel::<Utf8Bytes>(QUEUE);
    let mut session = Session {
        seat: Seat::First,
        contest: None,
        queue,
    };
    loop {
        tokio::select! {
            message = socket.next() => match message {
                Some(Ok(Message::Text(text))) => {
                    if session.handle(relay, &text).is_none() {
                        return Ok(());
                    }
                }
                Some(Ok(Message::Close(_))) | None => return Ok(()),
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(error),
            },
            Some(frame) = waiting.recv() => {
                socket.feed(Message::Text(frame)).await?;
                while let Ok(frame) = waiting.try_recv() {
                    socket.feed(Message::Text(frame)).await?;
                }
                socket.flush().await?;
            }
        }
    }
}

/// One connection's seat.
struct Session {
    seat: Seat,
    contest: Option<Rc<Contest>>,
    queue: Outgoing,
}

impl Session {
    /// Answers one request; `None` for what the load client does not say.
    fn handle(&mut self, relay: &Relay, text: &str) -> Option<()> {
        let Ask { id, body } = serde_json::from_str(text).ok()?;
        match body.kind {
            "move" => self.make_move(relay, id, body),
            "hello" => self.reply(format!(r#"{{"re":{id},"body":{{"type":"welcome"}}}}"#)),
            "create" => {
                let number = relay.created.get() + 1;
                relay.created.set(number);
                let contest = Rc::new(Contest {
                    id: MatchId::from_random(number),
                    seq: Cell::default(),
                    ply: Cell::default(),
                    players: RefCell::new(vec![self.queue.clone()]),
                });
                let code = JoinCode::from_random(number);
                relay.open.borrow_mut().insert(code, Rc::clone(&contest));
                let created = Reply::Created {
                    match_id: contest.id,
                    seat: Seat::First,
                    code: Some(code),
                    expires_at_ms: None,
                };
                self.reply(reply_frame(Some(id), &created))?;
                contest.announce(r#"{"type":"created"}"#);
                (self.seat, self.contest) = (Seat::First, Some(contest));
                Some(())
            }
            "join" => {
                let contest = relay.open.borrow_mut().remove(&body.code?)?;
                let joined = Reply::Joined {
                    match_id: contest.id,
                    seat: Seat::Second,
                };
                self.reply(reply_frame(Some(id), &joined))?;
                let created = event_frame(contest.id, Seq(1), r#"{"type":"created"}"#);
                self.reply(created)?;
                contest.players.borrow_mut().push(self.queue.clone());
                contest.announce(r#"{"type":"joined"}"#);
                (self.seat, self.contest) = (Seat::Second, Some(contest));
                Some(())
            }
            // `leave` and `resign`.
            _ => self.reply(format!(r#"{{"re":{id},"body":{{"type":"done"}}}}"#)),
        }
    }

    fn make_move(&self, relay: &Relay, id: u64, body: AskBody<'_>) -> Option<()> {
        let contest = self.contest.as_ref()?;
        let ply = contest.ply.get().next();
        let in_turn = Seat::to_move_at(contest.ply.get()) == self.seat;
        if body.match_id?.parse() != Ok(contest.id) || body.ply? != ply || !in_turn {
            return None;
        }
        contest.ply.set(ply);
        let clocks = Some(Clocks {
            first_ms: Millis(3_600_000),
            second_ms: Millis(3_600_000),
            periods: None,
        });
        let move_text = body.move_text?.to_owned();
        let accepted = Reply::Accepted {
            match_id: contest.id,
            seq: contest.seq.get().next(),
            ply,
            move_text: move_text.clone(),
            clocks,
        };
        self.reply(reply_frame(Some(id), &accepted))?;
        let moved = Event::Moved {
            at_ms: now(),
            seat: self.seat,
            ply,
            move_text,
            client_move_id: body.client_move_id,
            clocks,
            lag_ms: Millis(0),
            planned: false,
            hints: 0,
        };
        contest.announce(&moved.to_json());
        if ply == relay.plies {
            let ended = Event::Ended {
                at_ms: now(),
                outcome: Outcome::win_of(self.seat),
                reason: EndReason::LastMove,
                next: None,
            };
            contest.announce(&ended.to_json());
        }
        Some(())
    }

    fn reply(&self, frame: String) -> Option<()> {
        self.queue.try_send(frame.into()).ok()
    }
}

fn now() -> Millis {
    let since_1970 = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
    Millis(since_1970.as_millis().try_into().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::super::plan::{Plan, Script};
    use super::super::pool::Pool;
    use super::super::seating::Seating;
    use super::*;

    /// Long enough for a busy machine; nothing waits for it when all is well.
    const PATIENCE: Duration = Duration::from_secs(60);

    fn on_one_thread(test: impl Future<Output = ()>) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        tokio::task::LocalSet::new().block_on(&runtime.expect("a runtime"), test);
    }

    #[test]
    fn the_load_client_plays_match_after_match_and_finds_nothing_amiss() {
        on_one_thread(async {
            let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
            let address = listener.local_addr().expect("an address");
            let script = Rc::new(Script::nim(7));
            tokio::task::spawn_local(accept(listener, script.moves.len() as u32));
            let plies = script.moves.len() as u64;
            let plan = Plan {
                script,
                period: None,
                open: None,
                keeps_log: false,
            };
            let mut pool = Pool::open(&Seating::at(address), 3, &plan)
                .await
                .expect("three matches");
            assert_eq!(
                pool.tally.moves.get(),
                0,
                "nobody moves before the phase opens"
            );
            while pool.tally.finished.get() < 6 {
                pool.play(Duration::from_millis(5)).await.expect("moves");
            }
            let tally = pool.close().await.expect("an end");
            assert!(tally.clean(), "{:?}", tally.slips);
            let moves = tally.moves.get();
            assert!(moves >= tally.finished.get() * plies);
            assert_eq!(tally.acknowledged.borrow().len(), moves);
            assert_eq!(tally.at_opponent.borrow().len(), moves);
        });
    }

    #[test]
    fn a_paced_pool_keeps_its_pace() {
        on_one_thread(async {
            let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
            let address = listener.local_addr().expect("an address");
            tokio::task::spawn_local(accept(listener, u32::MAX));
            // 4 matches with 20 ms from move to move: 200 moves a second, 50 in a quarter of it.
            let period = Duration::from_millis(20);
            let plan = Plan {
                script: Rc::new(Script::nim(4_000)),
                period: Some(period),
                open: None,
                keeps_log: false,
            };
            let mut pool = Pool::open(&Seating::at(address), 4, &plan)
                .await
                .expect("four matches");
            let begun = Instant::now();
            loop {
                let quarter = Duration::from_millis(250);
                let (moves, took) = pool.play(quarter).await.expect("moves");
                // Never too fast: the first move of each match, and one for each period that has passed.
                let periods = took.as_micros() / period.as_micros();
                let most = 4 * (periods + 1);
                assert!(u128::from(moves) <= most, "{moves} in {took:?}");
                // A busy machine cannot keep the pace all the time, but sooner or later it has a quarter of a second for it.
                if moves >= 30 {
                    break;
                }
                assert!(begun.elapsed() < PATIENCE, "{moves} in {took:?}");
            }
        });
    }
}
