//! A match in sentences: what line mode says, one function a sentence.

use grundy_shared::event::{Clocks, EndReason, Event, Outcome, Proposal, Series, TimeControl};
use grundy_shared::game::{EndRule, Kind};
use grundy_shared::ids::{Millis, Ply, Seat};
use grundy_shared::referee::{Referee, Status};
use grundy_shared::review::Review;
use grundy_shared::{Move, Position};

use super::{count, short};
use crate::duration::{left, period};
use crate::session::match_view::{Ending, MatchView};

/// Moves that `moves` lists.
const LISTED_MOVES: usize = 40;
/// Turning points shown at the end of a match; `grundy review` shows all.
const TURNING_POINTS: usize = 3;
/// Moves after which a match cannot be called off any more.
const ABORTABLE: u32 = 2;
/// Characters of a position's description that are worth reading aloud.
const DESCRIBED: usize = 600;

/// What can be typed.
const HELP: &str = "\
Type a move, or one of these words:
  board    show the position
  moves    legal moves; more: next page
  pre MOVE play it when it is your turn
  hint     is there a winning move?
  why      the reason, in game terms
  undo     take your last move back
  rules    show the rules
  clock    show the time left
  pause    stop both clocks
  continue end a pause
  draw     offer a draw
  abort    call the match off
           before move 2
  accept, decline, withdraw
  claim    win if your opponent is gone
  resign   give up
  rematch  play again, sides swapped
  quit     leave (back: grundy resume)
  help     show this text
undo, pause, draw and abort happen if
the other player accepts. Against
another player there are no hints.";

/// What can be typed, and whose moves are whose.
pub(crate) fn help(view: &MatchView) -> String {
    match (view.referee(), view.seat()) {
        (Some(referee), Some(seat)) if is_coloured(referee) => {
            format!("{HELP}\nYou are {}.", role(referee, seat))
        }
        _ => HELP.to_owned(),
    }
}

/// Whether some moves are one player's alone.
fn is_coloured(referee: &Referee) -> bool {
    referee.start().kind() == Kind::Partizan
}

/// The name of a seat; in partizan games with Left or Right, as the rules call the players.
fn role(referee: &Referee, seat: Seat) -> String {
    match (is_coloured(referee), seat) {
        (false, _) => seat.to_string(),
        (true, Seat::First) => format!("Left ({seat})"),
        (true, Seat::Second) => format!("Right ({seat})"),
    }
}

/// The start: who plays whom, under which rules, and how it ends.
pub(crate) fn opening(view: &MatchView) -> String {
    let Some(referee) = view.referee() else {
        return String::new();
    };
    let position = referee.position();
    let clock = super::terms(referee.clock_control());
    let named = match view.is_local() {
        true => String::new(),
        false => format!("Match {}. ", view.match_id()),
    };
    let [first, second] = Seat::BOTH.map(|seat| view.name(seat));
    let [as_first, as_second] = Seat::BOTH.map(|seat| role(referee, seat));
    let players = match (view.seat(), view.is_local()) {
        (Some(seat), true) => format!(
            "You play {} against {}",
            role(referee, seat),
            view.name(seat.other())
        ),
        (Some(Seat::First), false) => format!("You are {first}, {as_first}, against {second}"),
        (Some(Seat::Second), false) => format!("You are {second}, {as_second}, against {first}"),
        (None, true) if is_coloured(referee) => {
            format!("Two players share this keyboard, {as_first} and {as_second}")
        }
        (None, true) => "Two players share this keyboard".to_owned(),
        (None, false) => format!("{first} plays {as_first}, {second} {as_second}"),
    };
    let games = position.games();
    let mut rules: Vec<String> = games
        .iter()
        .map(|game| format!("{}: {}", game.title, rule(game.rule)))
        .collect();
    if position.component_count() > 1 {
        rules.push(position.compound().rule().to_owned());
    }
    let start = short(&referee.start().to_string());
    let place = score(view).map_or_else(String::new, |score| format!("{score}\n"));
    format!(
        "{named}{players}; {start}, {clock}.\n{place}{}\n{}",
        rules.join("\n"),
        end_rule(position),
    )
}

/// The place of the match in its series and the score: before the match, or after it once it is over.
pub(crate) fn score(view: &MatchView) -> Option<String> {
    let referee = view.referee()?;
    let series = referee.series()?;
    let of = match series.rated {
        true => format!("game {} of a rated pair", series.game),
        false => format!("game {} of {}", series.game, series.games),
    };
    let players = |series: Series| {
        let scored = Seat::BOTH.map(|seat| {
            let who = match view.seat() == Some(seat) {
                true => "you".to_owned(),
                false => view.name(seat),
            };
            format!("{who} {}", super::points(series.half_points(seat)))
        });
        scored.join(", ")
    };
    let Some((outcome, _)) = referee.outcome() else {
        return Some(match series.game {
            1 => format!("This is {of}, sides swapped after each."),
            _ => format!("This is {of}. Score: {}.", players(series)),
        });
    };
    let end = match (referee.next_match(), series.game == series.games) {
        (Some(_), _) => "",
        (None, true) => " The series is over.",
        (None, false) => " The series ends here.",
    };
    Some(format!(
        "Score after {of}: {}.{end}",
        players(series.after(outcome))
    ))
}

/// The rule without its last sentence about winning, which the end rule states for the whole position.
fn rule(text: &str) -> &str {
    text.split(" The player who ").next().unwrap_or(text)
}

/// Who wins when nobody can move any more.
fn end_rule(position: &Position) -> &'static str {
    match position.end_rule() {
        EndRule::Normal => "The player who makes the last move wins.",
        EndRule::Misere => "The player who makes the last move loses (misere).",
    }
}

/// The position, as short as can be read.
pub(crate) fn describe(position: &Position) -> String {
    readable(position.describe())
}

/// The position in notation, to be copied or read instead of the description.
pub(crate) fn notation(position: &Position) -> String {
    format!("Position: {}", readable(position.to_string()))
}

/// A text of any length, cut to a readable length.
fn readable(text: String) -> String {
    if text.len() <= DESCRIBED {
        return text;
    }
    let end = text.floor_char_boundary(DESCRIBED);
    let end = text[..end].rfind(' ').unwrap_or(end);
    format!(
        "{} ... (cut; the whole is {} characters long)",
        &text[..end],
        text.len()
    )
}

/// The position, and whose turn it is.
pub(crate) fn state(view: &MatchView) -> String {
    let position = view.position().map_or(String::new(), describe);
    match view.is_over() {
        true => position,
        false => format!("{position} {}", turn_in_full(view)),
    }
}

/// Whose turn it is, and what the clock says.
pub(crate) fn turn(view: &MatchView) -> String {
    let Some(referee) = view.referee() else {
        return String::new();
    };
    let seat = referee.to_move();
    let time = view.clocks().map_or(String::new(), |clocks| {
        format!(", {} left", time_left(view, &clocks, seat))
    });
    if view.seat() == Some(seat) {
        format!("Your move{time}.")
    } else {
        format!("{} is to move{time}.", view.name(seat))
    }
}

/// The same, and by when the match has to begin.
pub(crate) fn turn_in_full(view: &MatchView) -> String {
    let whose = turn(view);
    match view.first_move_in() {
        Some(left) => {
            let left = count(left.0.div_ceil(1_000), "second");
            format!("{whose} If the first move is not made within {left}, the match is called off.")
        }
        None => whose,
    }
}

/// A move that was made from `before`.
pub(crate) fn moved(view: &MatchView, before: &Position, seat: Seat, text: &str) -> String {
    let who = match view.seat() == Some(seat) {
        true => "You".to_owned(),
        false => view.name(seat),
    };
    let what = match before.parse_move(seat, text) {
        Ok(mv) => described_move(before, &mv),
        Err(_) => format!("played {text}"),
    };
    format!("{who} {what}.")
}

/// How far the match has come, and the last move.
pub(crate) fn last_move(view: &MatchView) -> Option<String> {
    let referee = view.referee()?;
    let moves = referee.moves();
    let (last, earlier) = moves.split_last()?;
    let mut position = referee.start().clone();
    for (played, ply) in earlier.iter().zip(0..) {
        let mv = position
            .parse_move(Seat::to_move_at(Ply(ply)), &played.text)
            .ok()?;
        position = position.play(&mv);
    }
    let seat = referee.to_move().other();
    let so_far = count(moves.len() as u64, "move");
    Some(format!(
        "{so_far} so far. {}",
        moved(view, &position, seat, &last.text)
    ))
}

fn described_move(before: &Position, mv: &Move) -> String {
    short_words(&before.describe_move(mv))
}

fn short_words(words: &str) -> String {
    if words.len() <= DESCRIBED {
        words.to_owned()
    } else {
        format!("{} ...", &words[..words.floor_char_boundary(DESCRIBED)])
    }
}

/// An event that is no move: presence, outage, joining, offers. `None` for what needs no sentence.
pub(crate) fn happened(view: &MatchView, event: &Event) -> Option<String> {
    let ours = |seat: &Seat| view.seat() == Some(*seat);
    match event {
        Event::Joined { seat, .. } if !ours(seat) => {
            Some(format!("{} has joined.", view.name(*seat)))
        }
        Event::Presence { seat, online, .. } if !ours(seat) => Some(if *online {
            format!("{} is back.", view.name(*seat))
        } else {
            let gone = format!(
                "{} has disconnected or left; the match goes on.",
                view.name(*seat)
            );
            match view.claim_in().and_then(|wait| absent(view, wait)) {
                Some(claim) => format!("{gone} {claim}"),
                None => gone,
            }
        }),
        Event::Outage { held: true, .. } => {
            Some("The server was down; each clock waits until its player is back.".to_owned())
        }
        Event::Outage { credited_ms, .. } => Some(format!(
            "The server was down; the running clock was credited {}.",
            left(*credited_ms)
        )),
        Event::Proposed { seat, proposal, .. } => Some(proposed(view, *seat, *proposal)),
        Event::ProposalEnded {
            seat, proposal, by, ..
        } => Some(not_agreed(view, *seat, *proposal, *by)),
        Event::TakenBack { ply, .. } => Some(match ply.0 {
            0 => "Taken back: the match is at its start again.".to_owned(),
            _ => format!("Taken back: the match goes on after move {ply}."),
        }),
        Event::Paused { at_ms, until_ms } => {
            let most = left(until_ms.since(*at_ms));
            let how = if view.is_watched() {
                ""
            } else {
                " Type continue to play on."
            };
            Some(format!("The match is paused, for at most {most}.{how}"))
        }
        Event::Continued { .. } => Some("The match goes on.".to_owned()),
        Event::RematchOffered { seat, .. } if !ours(seat) => Some(format!(
            "{} offers a rematch, sides swapped.",
            view.name(*seat)
        )),
        Event::RematchWithdrawn { seat, .. } if !ours(seat) => {
            Some(format!("{} no longer offers a rematch.", view.name(*seat)))
        }
        Event::RematchDeclined { seat, .. } if !ours(seat) => {
            Some(format!("{} declines the rematch.", view.name(*seat)))
        }
        _ => None,
    }
}

/// What is open when somebody comes: a pause, proposals.
pub(crate) fn open_between_players(view: &MatchView) -> Vec<String> {
    let Some(referee) = view.referee() else {
        return Vec::new();
    };
    let paused = view.is_paused().then(|| match view.is_watched() {
        true => "The match is paused.".to_owned(),
        false => "The match is paused. Type continue to play on.".to_owned(),
    });
    let open = Seat::BOTH.into_iter().filter_map(|seat| {
        let open = referee.proposal(seat)?;
        Some(proposed(view, seat, open.proposal))
    });
    paused.into_iter().chain(open).collect()
}

/// A player proposes something.
fn proposed(view: &MatchView, seat: Seat, proposal: Proposal) -> String {
    let what = match proposal {
        Proposal::Takeback => "to take the last move back",
        Proposal::Draw => "a draw",
        Proposal::Abort => "to call the match off",
        Proposal::Pause => "a pause of at most 15 minutes",
    };
    match view.seat() {
        Some(ours) if ours == seat => {
            let other = view.name(seat.other());
            format!(
                "You propose {what}. {other} can accept or decline. Type withdraw to take it back."
            )
        }
        Some(_) => format!(
            "{} proposes {what}. Type accept or decline.",
            view.name(seat)
        ),
        None => format!("{} proposes {what}.", view.name(seat)),
    }
}

/// A proposal was declined or withdrawn.
fn not_agreed(view: &MatchView, seat: Seat, proposal: Proposal, by: Seat) -> String {
    let (what, declined) = match proposal {
        Proposal::Takeback => ("to take the last move back", "to take the last move back"),
        Proposal::Draw => ("of a draw", "the draw"),
        Proposal::Abort => ("to call the match off", "to call the match off"),
        Proposal::Pause => ("of a pause", "the pause"),
    };
    let you = view.seat() == Some(by);
    let name = view.name(by);
    match (by == seat, you) {
        (true, true) => format!("You have withdrawn your proposal {what}."),
        (true, false) => format!("{name} has withdrawn the proposal {what}."),
        (false, true) => format!("You have declined the proposal {what}."),
        (false, false) => format!("{name} declines {declined}."),
    }
}

/// Who won, and why.
pub(crate) fn result(view: &MatchView) -> Option<String> {
    let (outcome, reason) = match view.ending()? {
        Ending::Known(outcome, reason) => (*outcome, *reason),
        Ending::Strange {
            outcome,
            outcome_word,
            reason_word,
        } => {
            let winner = outcome.and_then(Outcome::winner);
            return Some(match winner {
                Some(winner) => format!(
                    "{}, for a reason that this client does not know: {reason_word}.",
                    wins(view, winner)
                ),
                None => format!(
                    "The match ended in a way that this client does not know: {outcome_word}, {reason_word}."
                ),
            });
        }
    };
    let winner = match outcome {
        Outcome::First => Some(Seat::First),
        Outcome::Second => Some(Seat::Second),
        Outcome::Draw => None,
        Outcome::Void => {
            return Some(match reason {
                EndReason::Expired => "Nobody joined in time; the match does not count.".to_owned(),
                EndReason::Outgrown => {
                    "The match became too long to store; it does not count.".to_owned()
                }
                EndReason::Abandoned => {
                    "The match was called off because a player stayed away; it does not count."
                        .to_owned()
                }
                EndReason::NoStart => {
                    "The first move was not made in time; the match does not count.".to_owned()
                }
                EndReason::NoShow => "Neither player came in time: both lose.".to_owned(),
                EndReason::Disconnected => "Both players were away too long: both lose.".to_owned(),
                EndReason::Withdrawn => "Both players left the tournament.".to_owned(),
                EndReason::Cancelled => "The tournament was cancelled.".to_owned(),
                _ => "The match was called off; it does not count.".to_owned(),
            });
        }
    };
    let Some(winner) = winner else {
        return Some(match reason {
            EndReason::Repetition => "The position occurred for the third time: a draw.".to_owned(),
            EndReason::Agreement => "Both players agreed: a draw.".to_owned(),
            _ => "Nobody wins: a draw.".to_owned(),
        });
    };
    let you = |seat: Seat| view.seat() == Some(seat);
    let name = |seat: Seat| view.name(seat);
    let loser = winner.other();
    let head = wins(view, winner);
    let misere = view
        .position()
        .is_some_and(|position| position.end_rule() == EndRule::Misere);
    let why = match reason {
        EndReason::LastMove => {
            let last = if misere { loser } else { winner };
            let who = if you(last) {
                "you".to_owned()
            } else {
                name(last)
            };
            match misere {
                true => format!("{who} had to make the last move"),
                false => format!("{who} made the last move"),
            }
        }
        EndReason::Resignation if you(loser) => "you resigned".to_owned(),
        EndReason::Resignation => format!("{} resigned", name(loser)),
        EndReason::Time if you(loser) => "your time ran out".to_owned(),
        EndReason::Time => format!("{}'s time ran out", name(loser)),
        EndReason::Abandoned if you(loser) => "you stayed away, and the win was claimed".to_owned(),
        EndReason::Abandoned => format!("{} stayed away", name(loser)),
        EndReason::NoShow if you(loser) => "you did not come in time".to_owned(),
        EndReason::NoShow => format!("{} did not come in time", name(loser)),
        EndReason::Disconnected if you(loser) => "you were away too long".to_owned(),
        EndReason::Disconnected => format!("{} was away too long", name(loser)),
        EndReason::Withdrawn if you(loser) => "you left the tournament".to_owned(),
        EndReason::Withdrawn => format!("{} left the tournament", name(loser)),
        EndReason::Aborted
        | EndReason::Expired
        | EndReason::NoStart
        | EndReason::Outgrown
        | EndReason::Repetition
        | EndReason::Agreement
        | EndReason::Cancelled => "it was called off".to_owned(),
    };
    Some(format!("{head}: {why}."))
}

/// What we can do about a player who stays away, now or after this time.
pub(crate) fn absent(view: &MatchView, wait: Millis) -> Option<String> {
    let name = view.name(view.seat()?.other());
    Some(match wait {
        Millis(0) => format!(
            "{name} is still away: type claim to claim the win or abort to call the match off, or wait."
        ),
        wait => format!(
            "If {name} stays away, you can claim the win in {}.",
            left(Millis(wait.0.div_ceil(1_000) * 1_000))
        ),
    })
}

fn wins(view: &MatchView, winner: Seat) -> String {
    match view.seat() == Some(winner) {
        true => "You win".to_owned(),
        false => format!("{} wins", view.name(winner)),
    }
}

/// The player who gave a win away without a move, and how.
fn conceded(view: &MatchView, review: &Review) -> Option<String> {
    let seat = review.conceded()?;
    let who = match view.seat() == Some(seat) {
        true => "you".to_owned(),
        false => view.name(seat),
    };
    let how = match review.reason {
        Some(EndReason::Time) => "ran out of time",
        _ => "gave up",
    };
    Some(format!(
        "{who} {how} in a won position, which decided the match"
    ))
}

/// The last moves at which the win changed hands.
pub(crate) fn turning_points(view: &MatchView, review: &Review) -> String {
    let points = &review.turning_points;
    if points.is_empty() {
        return match (conceded(view, review), review.unknown_positions) {
            (Some(words), _) => format!("No move gave a win away; {words}."),
            (None, 0) if !review.had_a_win() => {
                "No turning points: neither player ever had a won position.".to_owned()
            }
            (None, 0) => {
                "No turning points: the player with the win never gave it away.".to_owned()
            }
            _ => "No turning points were found in the time available.".to_owned(),
        };
    }
    let mut lines = vec!["Turning points:".to_owned()];
    let left_out = points.len().saturating_sub(TURNING_POINTS);
    if left_out > 0 {
        lines.push(format!(
            "  {} before these",
            count(left_out as u64, "turning point")
        ));
    }
    for point in &points[left_out..] {
        let who = if view.seat() == Some(point.seat) {
            "you".to_owned()
        } else {
            view.name(point.seat)
        };
        let kept = point.winning_moves.join(", ");
        let of = match (point.winning_moves_total, point.legal_moves) {
            (Some(winning), Some(legal)) => format!(" ({winning} of {legal})"),
            _ => String::new(),
        };
        let only = if point.winning_moves_total == Some(1) {
            "only "
        } else {
            ""
        };
        let more = match point.winning_moves_total {
            Some(total) if total > point.winning_moves.len() as u64 => ", ...",
            _ => "",
        };
        let decisive = if review.decisive_ply == Some(point.ply) {
            " This decided the match."
        } else {
            ""
        };
        lines.push(format!(
            "  Move {}, {who}: {} gave the win away; {only}{kept}{more} would have kept it{of}.{decisive}",
            point.ply,
            short(&point.mv)
        ));
    }
    let end = conceded(view, review);
    lines.extend(end.map(|words| format!("  At the end {words}.")));
    lines.join("\n")
}

/// A page of the moves that there are, from this number on, counted from 1; and where the next page begins.
pub(crate) fn moves(position: &Position, to_move: Seat, from: u128) -> (String, u128) {
    let total = position.move_count(to_move);
    // After the last move comes the first again.
    let from = match (1..=total).contains(&from) {
        true => from,
        false => 1,
    };
    let listed: Vec<String> = position
        .moves_from(to_move, from - 1)
        .take(LISTED_MOVES)
        .map(|mv| mv.to_string())
        .collect();
    let next = from + listed.len() as u128;
    let list = listed.join(" ");
    let text = match (from, total.saturating_sub(next - 1)) {
        (1, 0) => format!("{}: {list}", count(total, "move")),
        (_, 0) => format!("Moves {from} to {} of {total}: {list}", next - 1),
        (_, rest) => format!(
            "Moves {from} to {} of {total}: {list} ... and {rest} more; type more for the next",
            next - 1
        ),
    };
    (text, next)
}

/// The rules of the games in a position.
pub(crate) fn rules(position: &Position) -> String {
    let games = position.games();
    let mut lines: Vec<String> = games
        .iter()
        .map(|game| {
            format!(
                "{}: {}\nA move: {}.",
                game.title,
                rule(game.rule),
                game.move_notation
            )
        })
        .collect();
    if position.component_count() > 1 {
        lines.push(position.compound().rule().to_owned());
    }
    lines.push(end_rule(position).to_owned());
    lines.join("\n")
}

/// The time left on the prompt; a sign when it is short.
pub(crate) fn clock_on_prompt(time: Millis) -> String {
    let sign = if time.0 <= 10_000 { "! " } else { "" };
    format!("{sign}{}", left(time))
}

/// Little time is left.
pub(crate) fn clock_warning(time: Millis) -> String {
    format!("You have {} left.", left(time))
}

/// What is shown may not be true any more.
pub(crate) fn stale(since: std::time::Duration) -> String {
    format!(
        "Not connected for {}: this may be out of date.",
        count(since.as_secs().max(1), "second")
    )
}

/// What a player has left, with the periods that come after it: `4:10 + 3x30s`.
fn time_left(view: &MatchView, clocks: &Clocks, seat: Seat) -> String {
    let time = left(clocks.of(seat));
    let periods = clocks.periods.map_or(0, |periods| periods.of(seat));
    let control = view.referee().map(|referee| referee.clock_control());
    match control {
        Some(TimeControl::ByoYomi { period_ms, .. }) if periods > 0 => {
            format!("{time} + {periods}x{}", period(period_ms))
        }
        _ => time,
    }
}

/// Both clocks.
pub(crate) fn clock(view: &MatchView) -> String {
    let Some(clocks) = view.clocks() else {
        return "This match has no clock.".to_owned();
    };
    let of = |seat: Seat, you: &str| {
        let name = match view.seat() == Some(seat) {
            true => you.to_owned(),
            false => view.name(seat),
        };
        format!("{name} {}", time_left(view, &clocks, seat))
    };
    format!("{}, {}.", of(Seat::First, "You"), of(Seat::Second, "you"))
}

/// A move that may be typed, for the first screen.
pub(crate) fn invitation_to_move(view: &MatchView) -> String {
    let example = view.referee().and_then(|referee| {
        let position = referee.position();
        position.nth_move(referee.to_move(), 0)
    });
    let example = example.map_or_else(String::new, |mv| {
        format!(" such as {}", short(&mv.to_string()))
    });
    format!("Type a move{example}, or: {}.", words(view))
}

/// The words that can be typed besides a move, as the match stands.
pub(crate) fn words(view: &MatchView) -> String {
    let moves = view.referee().map_or(0, |referee| referee.ply().0);
    let ending = match view.status() {
        Status::Waiting => "abort, ",
        Status::Live if moves < ABORTABLE => "resign, abort, ",
        Status::Live => "resign, ",
        Status::Over => "",
    };
    let hints = match view.no_hints() {
        None => "hint, why, ",
        Some(_) => "",
    };
    let undo = match (view.is_local(), view.clocks().is_some()) {
        (true, true) => "",
        (true, false) => "undo, ",
        // Who is to move takes back the other player's answer, too.
        (false, _) if moves < 1 + u32::from(view.is_our_turn()) || in_tournament(view) => "",
        (false, _) => "undo, ",
    };
    let agrees = view.status() == Status::Live && !in_tournament(view);
    let pause = if agrees && view.clocks().is_some() {
        "pause, "
    } else {
        ""
    };
    let draw = match view.position() {
        Some(position) if agrees && position.kind() == Kind::Loopy => "draw, ",
        _ => "",
    };
    let claim = match view.claim_in() {
        Some(Millis(0)) => "claim, ",
        _ => "",
    };
    let ahead = match view.status() {
        Status::Live if !view.is_our_turn() => "pre MOVE, ",
        _ => "",
    };
    format!("help, moves, board, {ahead}{hints}{undo}clock, {pause}{draw}{claim}{ending}quit")
}

fn in_tournament(view: &MatchView) -> bool {
    view.referee()
        .is_some_and(|referee| referee.tournament().is_some())
}

/// The connection is back.
pub(crate) fn back(view: &MatchView, away: std::time::Duration, ply: Option<Ply>) -> String {
    let before = view.referee().map_or(0, |referee| referee.ply().0);
    let Some(ply) = ply else {
        let away = count(away.as_secs().max(1), "second");
        return format!("Back after {away}.");
    };
    let missed = ply.0.saturating_sub(before);
    format!(
        "Back after {}: {} happened meanwhile.",
        count(away.as_secs().max(1), "second"),
        match missed {
            0 => "nothing".to_owned(),
            missed => count(missed, "move"),
        }
    )
}
