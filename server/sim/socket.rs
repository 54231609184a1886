//! The server's end of a connection. What leaves the server here is compared with what is stored at this moment.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use grundy_server::matches::Frame;
use grundy_server::session::socket::{CloseCode, Heard, Lost, Socket};
use grundy_shared::ids::Seq;
use grundy_shared::protocol::Reply;
use grundy_shared::protocol::server::ServerFrame;
use serde::{Deserialize, de};
use serde_json::value::RawValue;
use tokio::time::{Instant, Sleep};

use crate::bells;
use crate::faults::Fault;
use crate::life::Life;
use crate::link::{Downward, Link, Upward};
use crate::pipe::Sent;
use crate::seated;

/// A peer has so long to take our last words, and to hang up then, as in `transport::ws`.
const LAST_FRAMES: Duration = Duration::from_secs(5);
const PARTING: Duration = Duration::from_secs(2);

/// The server's end.
pub(crate) struct SimSocket {
    life: Arc<Life>,
    link: Arc<Link>,
    timer: Pin<Box<Sleep>>,
    fed: VecDeque<(usize, Downward)>,
}

impl SimSocket {
    pub(crate) fn new(life: Arc<Life>, link: Arc<Link>) -> Self {
        Self {
            life,
            link,
            timer: Box::pin(tokio::time::sleep_until(Instant::now())),
            fed: VecDeque::new(),
        }
    }

    fn read(&self, frame: Frame) -> (usize, Downward) {
        let bytes = frame.into_bytes();
        let size = bytes.len();
        let text = match std::str::from_utf8(&bytes) {
            Ok(text) => text,
            Err(error) => {
                self.life
                    .world
                    .wrong(format!("a frame is not UTF-8: {error}"));
                "{}"
            }
        };
        let said = understand(text).unwrap_or_else(|error| {
            self.life
                .world
                .wrong(format!("a frame cannot be read: {error}: {text}"));
            Downward::Ping
        });
        (size, said)
    }

    /// What leaves the server now must be stored now.
    fn witness(&self, said: &Downward) {
        let world = &self.life.world;
        let link = self.link.number;
        match said {
            Downward::Event {
                match_id,
                seq,
                body,
            } => {
                world.note(format_args!("link {link} < {match_id} {seq} {body}"));
                world.disk.expect(world, *match_id, *seq, body);
                seated::expect(world, *match_id, &self.link);
            }
            Downward::Reply(re, reply) => {
                world.note(format_args!("link {link} < re {re:?} {}", kind_of(reply)));
                world.disk.expect_acknowledged(world, reply);
            }
            Downward::Account { player, seq, body } => {
                world.note(format_args!("link {link} < account {player} {seq} {body}"));
                match serde_json::from_str(body) {
                    Ok(event) => bells::expect(world, *player, &event),
                    Err(error) => world.wrong(format!("an account event cannot be read: {error}")),
                }
            }
            Downward::Notice(notice) => {
                world.note(format_args!("link {link} < notice {notice:?}"));
            }
            Downward::Ping => {}
            Downward::Close(code, reason) => {
                world.note(format_args!("link {link} < close {code:?} {reason}"));
            }
        }
    }

    fn poll_send_all(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Lost>> {
        while let Some((size, _)) = self.fed.front() {
            if self.life.is_dead() {
                return Poll::Pending;
            }
            match self.link.down.poll_room(context, *size) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Sent::Lost | Sent::Full) => return Poll::Ready(Err(Lost)),
                Poll::Ready(Sent::Yes) => {}
            }
            let world = self.life.world.clone();
            if world.strikes(Fault::CrashBeforeSend, 6_000) {
                self.life.die();
                return Poll::Pending;
            }
            let Some((size, said)) = self.fed.pop_front() else {
                break;
            };
            self.witness(&said);
            if self.link.down.send(said, size, world.latency()) == Sent::Lost {
                return Poll::Ready(Err(Lost));
            }
        }
        Poll::Ready(Ok(()))
    }
}

/// The name of a reply on the wire.
pub(crate) fn kind_of(reply: &Reply) -> String {
    match reply {
        Reply::Error(error) => format!("error {}", error.code),
        Reply::Accepted { seq, ply, .. } => format!("accepted {seq} {ply}"),
        other => {
            let text = format!("{other:?}");
            text.split([' ', '(', '{']).next().unwrap_or("").to_owned()
        }
    }
}

fn understand(text: &str) -> Result<Downward, serde_json::Error> {
    let frame: ServerFrame = serde_json::from_str(text)?;
    let body = frame.body.get();
    Ok(match (frame.re, frame.match_id, frame.seq) {
        (Some(re), _, _) => Downward::Reply(re, Box::new(answer(body)?)),
        (None, Some(match_id), Some(seq)) => Downward::Event {
            match_id,
            seq: Seq(seq.0),
            body: body.into(),
        },
        (None, None, Some(seq)) => Downward::Account {
            player: frame
                .account
                .ok_or_else(|| de::Error::missing_field("account"))?,
            seq,
            body: body.into(),
        },
        _ => Downward::Notice(serde_json::from_str(body)?),
    })
}

/// Reads a reply. A solution is kept as it is, which the tag of the reply would not let through.
fn answer(body: &str) -> Result<Reply, serde_json::Error> {
    #[derive(Deserialize)]
    struct Solved {
        solution: Box<RawValue>,
    }
    if body.starts_with(r#"{"type":"solved""#) {
        let Solved { solution } = serde_json::from_str(body)?;
        return Ok(Reply::Solved { solution });
    }
    serde_json::from_str(body)
}

impl Drop for SimSocket {
    fn drop(&mut self) {
        if !self.life.is_dead() {
            // A socket that is closed: what was sent still arrives.
            self.link.down.end(usize::MAX);
            self.link.up.end(0);
        }
    }
}

impl Socket for SimSocket {
    type Text = String;

    fn poll_hear(&mut self, context: &mut Context<'_>) -> Poll<Heard<String>> {
        if self.life.is_dead() {
            return Poll::Pending;
        }
        let heard = std::task::ready!(self.link.up.poll_next(context, self.timer.as_mut()));
        let world = &self.life.world;
        let link = self.link.number;
        Poll::Ready(match heard {
            None => {
                world.note(format_args!("link {link} > gone"));
                Heard::Gone
            }
            Some(Upward::Text(text)) => {
                world.note(format_args!("link {link} > {text}"));
                Heard::Text(text)
            }
            Some(Upward::Binary) => Heard::Binary,
            Some(Upward::Pong) => Heard::Pong,
            Some(Upward::Unlawful(code, why)) => Heard::Unlawful(code, why),
        })
    }

    fn feed(&mut self, frame: Frame) -> Result<(), Lost> {
        let read = self.read(frame);
        self.fed.push_back(read);
        Ok(())
    }

    fn feed_ping(&mut self) -> Result<(), Lost> {
        self.fed.push_back((2, Downward::Ping));
        Ok(())
    }

    fn poll_flush(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Lost>> {
        self.poll_send_all(context)
    }

    async fn close(mut self, code: CloseCode, reason: &'static str) {
        self.fed.push_back((8, Downward::Close(code, reason)));
        let said = std::future::poll_fn(|context| self.poll_send_all(context));
        if let Ok(Ok(())) = tokio::time::timeout(LAST_FRAMES, said).await {
            self.link.down.end(usize::MAX);
            let hung_up = async {
                // What the peer still says is read and thrown away.
                while std::future::poll_fn(|context| {
                    self.link.up.poll_next(context, self.timer.as_mut())
                })
                .await
                .is_some()
                {}
            };
            let _ = tokio::time::timeout(PARTING, hung_up).await;
        }
    }
}
