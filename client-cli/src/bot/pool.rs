//! Programs of one bot that share its matches. Each thinks about one move at a time; since every request tells it the whole position, it
//! does not matter which of them is asked. A program that ends is started again and goes on within the clock of its match.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::time::Instant;

use grundy_words::Message;
use tokio::task::{JoinHandle, spawn_blocking};

use super::escape::quoted;
use super::request::{Go, NewGame};
use super::stdio::{Answer, Launch, StdioBot, Trouble};
use super::table::Turn;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;
use crate::system;

/// Starts of a program for one move.
const STARTS: u32 = 4;

/// The programs.
#[derive(Debug)]
pub(crate) struct Pool {
    launch: Launch,
    /// Those that wait for something to do; the one that was busy last is the last.
    idle: Vec<Program>,
    busy: usize,
    most: usize,
    /// Games that ended while a program was busy, which may know them.
    over: HashMap<u64, &'static str>,
    name: Option<String>,
}

/// One of them.
#[derive(Debug, Default)]
pub(crate) struct Program {
    /// None after it has ended.
    bot: Option<StdioBot>,
    /// The games it knows that have not ended.
    games: HashSet<u64>,
}

/// A program that thinks, to be called off if its game ends.
#[derive(Clone, Default, Debug)]
pub(crate) struct Recall {
    called_off: Arc<AtomicBool>,
    /// Its process group; 0 while none runs.
    group: Arc<AtomicI32>,
}

/// What came of thinking: the program, and the move, or none if it gives up.
pub(crate) type Thought = (Program, Result<Option<String>, Failure>);

impl Pool {
    /// Starts the first program; others are started when they are needed, `most` in all.
    ///
    /// # Errors
    /// It does not start, or does not greet.
    pub(crate) fn start(launch: Launch, most: usize) -> Result<Self, Failure> {
        let bot = start(&launch)?;
        let name = bot.about().fields.get("name").cloned();
        let first = Program {
            bot: Some(bot),
            games: HashSet::new(),
        };
        Ok(Self {
            launch,
            idle: vec![first],
            busy: 0,
            most,
            over: HashMap::new(),
            name,
        })
    }

    /// The name that the program gives itself.
    pub(crate) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Whether a program could think now.
    pub(crate) fn has_room(&self) -> bool {
        !self.idle.is_empty() || self.busy < self.most
    }

    /// Gives the question to an idle program, if possible to one that knows the game already, and waits for the answer on a separate thread. There must be room.
    pub(crate) fn think(
        &mut self,
        game: u64,
        turn: Turn,
        output: Output,
    ) -> (JoinHandle<Thought>, Recall) {
        let knows = |program: &Program| program.games.contains(&game);
        let place = self.idle.iter().position(knows);
        let program = match place {
            Some(place) => self.idle.swap_remove(place),
            None => self.idle.pop().unwrap_or_default(),
        };
        self.busy += 1;
        let launch = self.launch.clone();
        let recall = Recall::default();
        let given = recall.clone();
        let thinking = spawn_blocking(move || think(program, &launch, game, &turn, &given, output));
        (thinking, recall)
    }

    /// Takes a program back.
    pub(crate) fn take_back(&mut self, mut program: Program) {
        self.busy -= 1;
        for (game, outcome) in &self.over {
            program.tell_result(*game, outcome);
        }
        if self.busy == 0 {
            self.over.clear();
        }
        self.idle.push(program);
    }

    /// A program is lost with the thread on which it thought.
    pub(crate) fn lose(&mut self) {
        self.busy -= 1;
    }

    /// Tells the programs how a game ended.
    pub(crate) fn tell_result(&mut self, game: u64, outcome: &'static str) {
        for program in &mut self.idle {
            program.tell_result(game, outcome);
        }
        if self.busy > 0 {
            self.over.insert(game, outcome);
        }
    }

    /// Ends a program that thinks about a game that is over.
    pub(crate) fn call_off(&self, recall: &Recall) {
        recall.called_off.store(true, Ordering::SeqCst);
        self.launch.groups.kill(recall.group.load(Ordering::SeqCst));
    }

    /// Ends the programs.
    pub(crate) fn quit(self) {
        for program in self.idle {
            if let Some(bot) = program.bot {
                bot.quit();
            }
        }
        self.launch.groups.kill_all();
    }
}

impl Program {
    fn tell_result(&mut self, game: u64, outcome: &str) {
        if self.games.remove(&game)
            && let Some(bot) = &mut self.bot
        {
            bot.result(game, outcome, "over");
        }
    }
}

impl Recall {
    /// Notes which process thinks; whether it shall go on.
    fn goes_on(&self, bot: &StdioBot) -> bool {
        self.group.store(bot.group(), Ordering::SeqCst);
        !self.called_off.load(Ordering::SeqCst)
    }
}

fn start(launch: &Launch) -> Result<StdioBot, Failure> {
    StdioBot::start(launch).map_err(|trouble| {
        let why = match trouble {
            Ok(trouble) => trouble.message(),
            Err(error) => system::said(&error),
        };
        failure(Message::new("bot-does-not-start").message("why", why))
            .help(Message::new("bot-check-how"))
    })
}

fn failure(message: Message) -> Failure {
    Failure::told(Exit::Failed, "bot", message)
}

/// Asks until there is an answer: a program that ends is started again while there is time.
fn think(
    mut program: Program,
    launch: &Launch,
    game: u64,
    turn: &Turn,
    recall: &Recall,
    output: Output,
) -> Thought {
    let deadline = turn.since + turn.left[0];
    let mut trouble = None;
    for _ in 0..STARTS {
        let mut running = match program.bot.take().map_or_else(|| start(launch), Ok) {
            Ok(running) => running,
            Err(failure) => return (Program::default(), Err(failure)),
        };
        if !recall.goes_on(&running) {
            program.bot = Some(running);
            return (program, Err(failure(Message::new("bot-game-over"))));
        }
        match ask(&mut running, &mut program.games, game, turn, deadline) {
            Ok(answer) => {
                program.bot = Some(running);
                return (program, read(turn, answer));
            }
            Err(found) => {
                program.games.clear();
                if recall.called_off.load(Ordering::SeqCst) {
                    return (program, Err(failure(Message::new("bot-game-over"))));
                }
                let again = Message::new("bot-started-again").message("why", found.message());
                output.talk(&again.said(output.words()));
                trouble = Some(found);
            }
        }
        if Instant::now() >= deadline {
            break;
        }
    }
    let why = trouble
        .as_ref()
        .map_or_else(|| Message::new("unreachable-silent"), Trouble::message);
    let failed = Message::new("bot-failed").message("why", why);
    (program, Err(failure(failed)))
}

/// Asks a program once; tells it of the game first, if it does not know it.
fn ask(
    running: &mut StdioBot,
    games: &mut HashSet<u64>,
    game: u64,
    turn: &Turn,
    deadline: Instant,
) -> Result<Answer, Trouble> {
    if games.insert(game) {
        running.new_game(&NewGame {
            game,
            start: &turn.start,
            seat: turn.seat,
            opponent: "-",
            pace: turn.pace,
            seed: rand::random(),
        })?;
    }
    let spent = turn.since.elapsed();
    let go = Go {
        id: running.next_id(),
        position: &turn.position,
        seat: turn.seat,
        last: turn.last.as_deref(),
        pace: turn.pace,
        left: [turn.left[0].saturating_sub(spent), turn.left[1]],
        latency: spent,
    };
    running.ask(&go, deadline)
}

/// The move that an answer means.
fn read(turn: &Turn, answer: Answer) -> Result<Option<String>, Failure> {
    let Answer::Move(text) = answer else {
        return Ok(None);
    };
    match turn.position.parse_move(turn.seat, &text) {
        Ok(mv) => Ok(Some(mv.to_string())),
        Err(error) => {
            let message = Message::new("bot-illegal").text("text", quoted(text.as_bytes()));
            Err(failure(message.text("said", error)))
        }
    }
}
