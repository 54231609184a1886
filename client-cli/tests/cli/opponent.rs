//! An opponent on a server, in the test itself: speaks frames by hand, and plays many matches on one connection.

use std::collections::BTreeMap;
use std::net::TcpStream;

use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::{self, Message, WebSocket};

use crate::program::PATIENCE;
use crate::server::Server;

/// A bot of the server's, as the test plays it.
pub(crate) struct Opponent {
    socket: WebSocket<TcpStream>,
    next_id: u64,
    pub(crate) token: String,
    /// Frames that came while something else was waited for.
    waiting: Vec<Value>,
}

impl Opponent {
    /// A new player with the limits of a bot, and a name that the server makes up: names belong to one player each.
    pub(crate) fn at(server: &Server) -> Self {
        Self::hello(server, json!({"type":"hello","protocol":1,"bot":true}))
    }

    /// The same player again.
    pub(crate) fn again(server: &Server, token: &str) -> Self {
        Self::hello(server, json!({"type":"hello","protocol":1,"token":token}))
    }

    fn hello(server: &Server, hello: Value) -> Self {
        let mut opponent = Self::saying(server, hello);
        opponent.ask(json!({"type":"follow_account"}));
        opponent
    }

    /// The player that this greeting makes us.
    pub(crate) fn saying(server: &Server, hello: Value) -> Self {
        let stream = TcpStream::connect(server.address()).expect("it listens");
        stream.set_nodelay(true).expect("a stream");
        stream.set_read_timeout(Some(PATIENCE)).expect("a stream");
        let url = format!("ws://{}/ws", server.address());
        let (socket, _) = tungstenite::client(url, stream).expect("the handshake");
        let mut opponent = Self {
            socket,
            next_id: 0,
            token: String::new(),
            waiting: Vec::new(),
        };
        let welcome = opponent.ask(hello);
        if let Some(token) = welcome["token"].as_str() {
            token.clone_into(&mut opponent.token);
        }
        opponent
    }

    pub(crate) fn send(&mut self, body: Value) -> u64 {
        self.next_id += 1;
        let frame = json!({"id":self.next_id,"body":body}).to_string();
        self.socket.send(Message::text(frame)).expect("it listens");
        self.next_id
    }

    /// Asks and waits for the answer.
    pub(crate) fn ask(&mut self, body: Value) -> Value {
        let id = self.send(body);
        loop {
            let mut frame = self.read();
            if frame["re"] == id {
                return frame["body"].take();
            }
            self.waiting.push(frame);
        }
    }

    /// The next frame that is no answer waited for.
    pub(crate) fn frame(&mut self) -> Value {
        match self.waiting.is_empty() {
            true => self.read(),
            false => self.waiting.remove(0),
        }
    }

    fn read(&mut self) -> Value {
        loop {
            match self.socket.read().expect("it speaks in time") {
                Message::Text(text) => return serde_json::from_str(&text).expect("JSON"),
                _ => continue,
            }
        }
    }

    /// Plays matches of Nim from these heaps to their ends, moving first and taking one object at a time, and gives how each ended.
    pub(crate) fn play_all(
        &mut self,
        matches: &[String],
        heaps: &[u32],
    ) -> BTreeMap<String, Value> {
        let mut boards: BTreeMap<String, Vec<u32>> = matches
            .iter()
            .map(|id| (id.clone(), heaps.to_vec()))
            .collect();
        for (id, heaps) in &boards.clone() {
            self.moves(id, 1, heaps);
        }
        let mut ends = BTreeMap::new();
        while ends.len() < matches.len() {
            let frame = self.frame();
            let (Some(id), body) = (frame["match"].as_str(), &frame["body"]) else {
                if frame["body"]["type"] == "error" {
                    panic!("{frame}");
                }
                continue;
            };
            match body["type"].as_str().expect("a type") {
                "moved" => {
                    let board = boards.get_mut(id).expect("a match of ours");
                    take(board, body["move"].as_str().expect("a move"));
                    let ply =
                        u32::try_from(body["ply"].as_u64().expect("a number")).expect("small");
                    if ply % 2 == 0 {
                        let board = board.clone();
                        self.moves(id, ply + 1, &board);
                    }
                }
                "ended" => {
                    let before = ends.insert(id.to_owned(), body.clone());
                    assert!(before.is_none(), "a match ends once: {frame}");
                }
                _ => {}
            }
        }
        ends
    }

    fn moves(&mut self, id: &str, ply: u32, heaps: &[u32]) {
        let heap = heaps.iter().position(|heap| *heap > 0);
        let Some(heap) = heap else { return };
        let letter = char::from(b"ABCDEFGH"[heap]);
        let mv = format!("{letter}-1");
        self.send(json!({"type":"move","match":id,"ply":ply,"move":mv}));
    }
}

/// Takes a move such as `B-2` from the heaps.
fn take(heaps: &mut [u32], mv: &str) {
    let (heap, count) = mv.split_once('-').expect("a move of Nim");
    let heap = usize::from(heap.as_bytes()[0] - b'A');
    heaps[heap] -= count.parse::<u32>().expect("a number");
}
