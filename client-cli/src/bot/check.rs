//! Whether a program speaks the protocol: named checks, each on the running bot, with the lines that led to the first slip.

use std::time::{Duration, Instant};

use grundy_shared::games;
use grundy_shared::ids::Seat;
use grundy_words::Message;

use super::checked::{Checked, Found, figure};
use super::conversation::{Conversation, PER_MOVE, parse};
use super::escape::quoted;
use super::groups::Groups;
use super::request::{self, Pace};
use super::stdio::Launch;

/// How long a bot is listened to for what it should not say.
const QUIET: Duration = Duration::from_millis(150);
/// Moves of the check of speed.
const QUICK: u32 = 200;
/// Plies after which a game of the checks is long enough.
const PLIES: u32 = 200;

/// A check: its name, what it asks for, and how it is made.
struct Check {
    name: &'static str,
    about: &'static str,
    run: fn(&mut Conversation<'_>) -> Found,
}

const fn check(
    name: &'static str,
    about: &'static str,
    run: fn(&mut Conversation<'_>) -> Found,
) -> Check {
    Check { name, about, run }
}

const CHECKS: &[Check] = &[
    check("starts", "the command can be started", |c| c.start()),
    check("greets", "answers 'grundy protocol 1' with ok", |c| {
        c.greets()
    }),
    check(
        "greeting",
        "says only bot, option and ok in its greeting",
        |c| c.greeting_is_clean(),
    ),
    check("name", "says its name: bot name NAME", |c| c.has_name()),
    check("games", "names only games that exist, if any", |c| {
        c.games_exist()
    }),
    check("features", "asks for no feature but ready", |c| {
        c.features_exist()
    }),
    check(
        "options",
        "gives each option a name, a type and a default",
        |c| c.options_are_typed(),
    ),
    check("set", "takes its own defaults back by set", |c| {
        c.takes_options()
    }),
    check("quiet", "says nothing that was not asked for", |c| {
        c.is_quiet()
    }),
    check("new", "takes a new game", |c| c.takes_new_game()),
    check("answers", "answers go with move or resign", |c| c.answers()),
    check("id", "answers with the number of the request", |c| {
        c.large_id()
    }),
    check("legal", "plays a legal move", |c| c.legal_move()),
    check("once", "answers each request once", |c| c.answers_once()),
    check("second", "plays the second seat", |c| c.plays_second()),
    check("forced", "finds the only legal move", |c| c.forced_move()),
    check("whole-game", "plays a whole game against itself", |c| {
        c.whole_game()
    }),
    check(
        "stateless",
        "answers for a position that it was not led to",
        |c| c.stateless(),
    ),
    check("two-games", "answers for two games in turn", |c| {
        c.two_games()
    }),
    check("misere", "plays @misere", |c| c.misere()),
    check("large", "plays heaps of 10^18", |c| c.large_heaps()),
    check("long", "reads lines of 60 KiB", |c| c.long_line()),
    check(
        "every-game",
        "plays every game that it says it plays",
        |c| c.every_game(),
    ),
    check("sums", "plays sums and compounds", |c| c.sums()),
    check(
        "unknown-verb",
        "ignores a verb that it does not know",
        |c| c.unknown_verb(),
    ),
    check("unknown-key", "ignores a key that it does not know", |c| {
        c.unknown_key()
    }),
    check("any-order", "reads keys in any order", |c| c.any_order()),
    check("result", "plays on after the result of a game", |c| {
        c.plays_on()
    }),
    check(
        "stock",
        "plays with a starting time and an increment",
        |c| c.stock_of_time(),
    ),
    check(
        "quick",
        "answers 200 times, nearly always within 100 ms",
        |c| c.is_quick(),
    ),
    check("quits", "ends within 1 s of quit", |c| c.quits()),
    check("exit-code", "ends with exit code 0", |c| c.exit_code()),
    check("end-of-input", "ends within 1 s when its input ends", |c| {
        c.ends_with_input()
    }),
];

/// Makes all checks. After a failed one the bot is started anew if it has ended; without a greeting the rest is left out.
pub(crate) fn check_all(launch: &Launch, mut told: impl FnMut(&Checked)) -> Vec<Checked> {
    let mut conversation = Conversation::new(launch);
    let mut all = Vec::new();
    for check in CHECKS {
        let found = (check.run)(&mut conversation);
        let checked = Checked::of((check.name, check.about), found, || {
            conversation.lines.iter().cloned().collect()
        });
        told(&checked);
        let ends = !checked.passed && ["starts", "greets"].contains(&check.name);
        all.push(checked);
        if ends {
            break;
        }
    }
    all
}

impl Conversation<'_> {
    fn greeting_is_clean(&mut self) -> Found {
        match self.noise.first() {
            None => Ok(None),
            Some(line) => Err(Message::new("check-noise").text("line", line)),
        }
    }

    fn has_name(&mut self) -> Found {
        match self.about.fields.get("name") {
            Some(name) if !name.is_empty() => Ok(figure(quoted(name.as_bytes()))),
            _ => Err(Message::new("check-no-name")),
        }
    }

    fn games_exist(&mut self) -> Found {
        let Some(named) = self.about.fields.get("games") else {
            return Ok(figure("all"));
        };
        let known: Vec<&str> = games::REGISTRY.iter().map(|game| game.name).collect();
        match named.split(',').find(|name| !known.contains(name)) {
            None => Ok(figure(quoted(named.as_bytes()))),
            Some(name) => Err(Message::new("check-no-game")
                .text("name", quoted(name.as_bytes()))
                .text("games", known.join(","))),
        }
    }

    fn features_exist(&mut self) -> Found {
        let features = self.about.fields.get("features");
        let features = features.map_or("", |features| features);
        match features.split(',').find(|one| !["", "ready"].contains(one)) {
            None => Ok(Some(features)
                .filter(|all| !all.is_empty())
                .and_then(figure)),
            Some(one) => Err(Message::new("check-no-feature").text("name", quoted(one.as_bytes()))),
        }
    }

    fn options_are_typed(&mut self) -> Found {
        for option in &self.about.options {
            for key in ["name", "type", "default"] {
                if option.get(key).is_none_or(String::is_empty) {
                    return Err(Message::new("check-option-key").text("key", key));
                }
            }
            if !["int", "text"].contains(&&*option["type"]) {
                return Err(Message::new("check-option-type")
                    .text("name", quoted(option["name"].as_bytes()))
                    .text("type", quoted(option["type"].as_bytes())));
            }
        }
        Ok(figure(self.about.options.len()))
    }

    fn takes_options(&mut self) -> Found {
        let mut text = String::new();
        for option in &self.about.options {
            request::option(&mut text, &option["name"], &option["default"]);
        }
        self.say(&text)?;
        self.go("nim:3,5,7", Seat::First).map(|_| None)
    }

    fn is_quiet(&mut self) -> Found {
        self.revive()?;
        match self.hear(QUIET)? {
            None => Ok(None),
            Some(line) => Err(Message::new("check-unasked").text("line", quoted(&line))),
        }
    }

    fn takes_new_game(&mut self) -> Found {
        self.new_game("nim:3,5,7", Seat::First, PER_MOVE)?;
        match self.hear(QUIET)? {
            None => Ok(None),
            Some(line) => Err(Message::new("check-answers-new").text("line", quoted(&line))),
        }
    }

    fn answers(&mut self) -> Found {
        let position = parse("nim:3,5,7");
        let text = self.request(&position, Seat::First, PER_MOVE);
        self.exchange(&text, &position, Seat::First).map(|_| None)
    }

    fn large_id(&mut self) -> Found {
        self.next_id = self.next_id.max(9_007_199_254_740_993);
        self.answers()
    }

    fn legal_move(&mut self) -> Found {
        self.go("nim:3,5,7", Seat::First).map(figure)
    }

    fn answers_once(&mut self) -> Found {
        self.go("nim:3,5,7", Seat::First)?;
        match self.hear(QUIET)? {
            None => Ok(None),
            Some(line) => Err(Message::new("check-says-more").text("line", quoted(&line))),
        }
    }

    fn plays_second(&mut self) -> Found {
        self.new_game("nim:3,5,7", Seat::Second, PER_MOVE)?;
        self.go("nim:3,5,2", Seat::Second).map(|_| None)
    }

    fn forced_move(&mut self) -> Found {
        self.go("nim:1", Seat::First).map(|_| None)
    }

    fn whole_game(&mut self) -> Found {
        self.new_game("nim:3,5,7", Seat::First, PER_MOVE)?;
        self.play_out("nim:3,5,7")
    }

    fn play_out(&mut self, start: &str) -> Found {
        let mut position = parse(start);
        let mut seat = Seat::First;
        for ply in 0..PLIES {
            if position.is_over(seat) {
                return Ok(Some(Message::new("check-moves").text("n", ply)));
            }
            position = self.go(&position.to_string(), seat)?;
            seat = seat.other();
        }
        Ok(Some(Message::new("check-moves-more").text("n", PLIES)))
    }

    fn stateless(&mut self) -> Found {
        self.new_game("nim:3,5,7", Seat::First, PER_MOVE)?;
        self.go("nim:9,9,4,1", Seat::Second)?;
        self.go("nim:2,3", Seat::First).map(|_| None)
    }

    fn two_games(&mut self) -> Found {
        let (mut one, mut two) = ("nim:3,5,7".to_owned(), "nim:1,2,3,4".to_owned());
        for _ in 0..3 {
            one = self.go(&one, Seat::First)?.to_string();
            two = self.go(&two, Seat::Second)?.to_string();
        }
        Ok(None)
    }

    fn misere(&mut self) -> Found {
        self.play_out("nim:2,3@misere")
    }

    fn large_heaps(&mut self) -> Found {
        self.go("nim:1000000000000000000,999999999999999999", Seat::First)
            .map(|_| None)
    }

    fn long_line(&mut self) -> Found {
        let heaps = vec!["1"; 30_000].join(",");
        self.go(&format!("nim:{heaps}"), Seat::First).map(|_| None)
    }

    fn every_game(&mut self) -> Found {
        let mut played = 0;
        for game in games::REGISTRY {
            if !self.about.plays(game.name) {
                continue;
            }
            for example in game.examples {
                if parse(example).is_over(Seat::First) {
                    continue;
                }
                self.go(example, Seat::First).map_err(|why| {
                    let of_game = Message::new("check-of-game").text("game", game.name);
                    of_game.message("why", why)
                })?;
            }
            played += 1;
        }
        Ok(Some(Message::new("check-games").text("n", played)))
    }

    fn sums(&mut self) -> Found {
        if !self.about.plays("kayles") || !self.about.plays("nim") {
            return Ok(Some(Message::new("check-no-sums")));
        }
        for position in [
            "nim:3,5+kayles:7",
            "nim:3,5+kayles:7@every",
            "nim:2+nim:3@selective",
        ] {
            self.go(position, Seat::First)?;
        }
        Ok(None)
    }

    fn unknown_verb(&mut self) -> Found {
        self.revive()?;
        self.say("novelty 1 2 3\n")?;
        self.go("nim:3,5,7", Seat::First).map(|_| None)
    }

    fn unknown_key(&mut self) -> Found {
        let position = parse("nim:3,5,7");
        let text = self.request(&position, Seat::First, PER_MOVE);
        let text = text.replacen("go ", "go novelty 9 ", 1);
        self.exchange(&text, &position, Seat::First).map(|_| None)
    }

    fn any_order(&mut self) -> Found {
        let position = parse("nim:3,5,7");
        self.next_id += 1;
        let text = format!(
            "go latency_us 0 movetime 1000 side first position {position} id {}\n",
            self.next_id
        );
        self.exchange(&text, &position, Seat::First).map(|_| None)
    }

    fn plays_on(&mut self) -> Found {
        self.revive()?;
        let mut text = String::new();
        request::result(&mut text, 1, "win", "normal");
        self.say(&text)?;
        self.new_game("nim:3,5,7", Seat::Second, PER_MOVE)?;
        self.go("nim:3,5,7", Seat::First).map(|_| None)
    }

    fn stock_of_time(&mut self) -> Found {
        let pace = Pace::Stock {
            base: Duration::from_secs(10),
            increment: Duration::from_millis(100),
        };
        self.new_game("nim:3,5,7", Seat::First, pace)?;
        let position = parse("nim:3,5,7");
        let text = self.request(&position, Seat::First, pace);
        self.exchange(&text, &position, Seat::First).map(|_| None)
    }

    fn is_quick(&mut self) -> Found {
        let (mut longest, mut slow) = (Duration::ZERO, 0);
        let begun = Instant::now();
        for _ in 0..QUICK {
            let asked = Instant::now();
            self.go("nim:3,5,7", Seat::First)?;
            let took = asked.elapsed();
            longest = longest.max(took);
            slow += u32::from(took >= Duration::from_millis(100));
        }
        let mean = begun.elapsed().as_secs_f64() * 1_000.0 / f64::from(QUICK);
        let speed = Message::new("check-speed")
            .text("mean", format!("{mean:.3}"))
            .text("longest", format!("{:.1}", longest.as_secs_f64() * 1_000.0));
        // One in 40: a computer that does something else is not the bot's fault.
        match slow <= QUICK / 40 {
            true => Ok(Some(speed)),
            false => Err(Message::new("check-slow")
                .message("speed", speed)
                .text("slow", slow)
                .text("of", QUICK)),
        }
    }

    fn quits(&mut self) -> Found {
        self.revive()?;
        self.say("quit\n")?;
        self.waits_for_end("quit")
    }

    fn exit_code(&mut self) -> Found {
        match self.ended.as_deref() {
            Some("exit code 0") => Ok(None),
            Some(other) => Err(Message::new("check-ended").text("how", other)),
            None => Err(Message::new("check-not-ended")),
        }
    }

    fn ends_with_input(&mut self) -> Found {
        self.revive()?;
        self.waits_for_end("input")
    }
}

/// A launch for a check: everything as in an arena.
pub(crate) fn launch(command: Vec<String>, limits: super::limits::Limits) -> Launch {
    Launch {
        command,
        directory: None,
        variables: Vec::new(),
        limits,
        options: Vec::new(),
        log: None,
        patience: super::stdio::Patience::default(),
        groups: Groups::default(),
    }
}
