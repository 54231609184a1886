//! Events other than moves: presence, pauses, proposals, offers.

use grundy_shared::event::{Event, Proposal};
use grundy_shared::ids::{Millis, Seat};
use grundy_words::Message;

use crate::duration::left_in;
use crate::session::match_view::MatchView;

/// An event that is no move: presence, outage, joining, offers. `None` for what needs no sentence.
pub(crate) fn happened(view: &MatchView, event: &Event) -> Option<String> {
    let words = view.words();
    let ours = |seat: &Seat| view.seat() == Some(*seat);
    let of = |seat: &Seat, message: &'static str| {
        let message = Message::new(message).text("name", view.name(*seat));
        Some(message.said(words))
    };
    match event {
        Event::Joined { seat, .. } if !ours(seat) => of(seat, "match-joined"),
        Event::Presence { seat, online, .. } if !ours(seat) => {
            if *online {
                return of(seat, "match-is-back");
            }
            let claim = view.claim_in().and_then(|wait| absent(view, wait));
            let said: Vec<String> = of(seat, "match-gone").into_iter().chain(claim).collect();
            Some(words.sentences(&said))
        }
        Event::Outage { held: true, .. } => Some(words.say("match-outage-held")),
        Event::Outage { credited_ms, .. } => {
            let message = Message::new("match-outage").text("time", left_in(*credited_ms, words));
            Some(message.said(words))
        }
        Event::Proposed { seat, proposal, .. } => Some(proposed(view, *seat, *proposal)),
        Event::ProposalEnded {
            seat, proposal, by, ..
        } => Some(not_agreed(view, *seat, *proposal, *by)),
        Event::TakenBack { ply, .. } => Some(match ply.0 {
            0 => words.say("match-taken-back-start"),
            ply => Message::new("match-taken-back")
                .text("ply", ply)
                .said(words),
        }),
        Event::Paused { .. } => Some(paused(view)),
        Event::Planned {
            seat,
            lines: Some(lines),
            ..
        } if ours(seat) => Some(plan(view, lines)),
        Event::Continued { .. } => Some(words.say("match-goes-on")),
        Event::RematchOffered { seat, .. } if !ours(seat) => of(seat, "match-rematch-offered"),
        Event::RematchWithdrawn { seat, .. } if !ours(seat) => of(seat, "match-rematch-withdrawn"),
        Event::RematchDeclined { seat, .. } if !ours(seat) => of(seat, "match-rematch-declined"),
        _ => None,
    }
}

/// What is open when somebody comes: a pause, proposals.
pub(crate) fn open_between_players(view: &MatchView) -> Vec<String> {
    let Some(referee) = view.referee() else {
        return Vec::new();
    };
    let paused = view.is_paused().then(|| paused(view));
    let planned = view.seat().map(|seat| referee.plan(seat));
    let planned = planned
        .filter(|lines| !lines.is_empty())
        .map(|lines| plan(view, lines));
    let open = Seat::BOTH.into_iter().filter_map(|seat| {
        let open = referee.proposal(seat)?;
        Some(proposed(view, seat, open.proposal))
    });
    let delayed = view.is_delayed().then(|| view.words().say("match-delayed"));
    let all = paused.into_iter().chain(open).chain(planned);
    all.chain(delayed).collect()
}

/// The match is paused or adjourned: until when, and how to play on.
fn paused(view: &MatchView) -> String {
    let referee = view.referee();
    let until = referee.and_then(|referee| referee.paused_until());
    // Our clock may be behind the server's.
    let last = referee.map_or(Millis(0), |referee| referee.last_at());
    let now = view.server_time().max(last);
    let most = left_in(until.unwrap_or_default().since(now), view.words());
    let adjourned = referee.is_some_and(|referee| referee.is_adjourned());
    let message = match adjourned {
        true => Message::new("match-adjourned"),
        false => Message::new("match-paused"),
    };
    message
        .whether("type", !view.is_watched())
        .text("time", most)
        .said(view.words())
}

/// The replies that we have planned, as they are typed.
pub(crate) fn plan(view: &MatchView, lines: &[Vec<String>]) -> String {
    if lines.is_empty() {
        return view.words().say("match-no-plan");
    }
    let written = |line: &Vec<String>| {
        let replies = line.chunks(2).map(|pair| pair.join(" then "));
        format!("if {}", replies.collect::<Vec<_>>().join(", if "))
    };
    let lines: Vec<String> = lines.iter().map(written).collect();
    Message::new("match-planned")
        .text("lines", lines.join("; "))
        .said(view.words())
}

/// A proposal, as the messages name it.
fn named(proposal: Proposal) -> &'static str {
    match proposal {
        Proposal::Takeback => "takeback",
        Proposal::Draw => "draw",
        Proposal::Abort => "abort",
        Proposal::Pause => "pause",
        Proposal::Adjourn => "adjourn",
        Proposal::Resume => "resume",
    }
}

/// A player proposes something.
fn proposed(view: &MatchView, seat: Seat, proposal: Proposal) -> String {
    let (who, name) = match view.seat() {
        Some(ours) if ours == seat => ("you", seat.other()),
        Some(_) => ("asked", seat),
        None => ("name", seat),
    };
    Message::new("match-proposed")
        .text("who", who)
        .text("name", view.name(name))
        .text("proposal", named(proposal))
        .said(view.words())
}

/// What the other player proposes, and how it is answered.
pub(crate) fn to_answer(view: &MatchView) -> Option<String> {
    let other = view.seat()?.other();
    let open = view.referee()?.proposal(other)?;
    let message = Message::new("match-to-answer")
        .text("name", view.name(other))
        .text("proposal", named(open.proposal));
    Some(message.said(view.words()))
}

/// A proposal was declined or withdrawn.
fn not_agreed(view: &MatchView, seat: Seat, proposal: Proposal, by: Seat) -> String {
    let case = match (by == seat, view.seat() == Some(by)) {
        (true, true) => "withdrawn-own",
        (true, false) => "withdrawn",
        (false, true) => "declined-own",
        (false, false) => "declined",
    };
    Message::new("match-not-agreed")
        .text("case", case)
        .text("name", view.name(by))
        .text("proposal", named(proposal))
        .said(view.words())
}

/// What we can do about a player who stays away, now or after this time.
pub(crate) fn absent(view: &MatchView, wait: Millis) -> Option<String> {
    let name = view.name(view.seat()?.other());
    let message = match wait {
        Millis(0) => Message::new("match-away"),
        wait => {
            let whole = Millis(wait.0.div_ceil(1_000) * 1_000);
            Message::new("match-away-until").text("time", left_in(whole, view.words()))
        }
    };
    Some(message.text("name", name).said(view.words()))
}
