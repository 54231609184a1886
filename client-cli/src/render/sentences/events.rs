//! Events other than moves: presence, pauses, proposals, offers.

use grundy_shared::event::{Event, Proposal};
use grundy_shared::ids::{Millis, Seat};

use crate::duration::left;
use crate::session::match_view::MatchView;

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
            "The server was down or busy; the running clock was credited {}.",
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
        Event::Paused { .. } => Some(paused(view)),
        Event::Planned {
            seat,
            lines: Some(lines),
            ..
        } if ours(seat) => Some(plan(lines)),
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
    let paused = view.is_paused().then(|| paused(view));
    let planned = view.seat().map(|seat| referee.plan(seat));
    let planned = planned.filter(|plan| !plan.is_empty()).map(plan);
    let open = Seat::BOTH.into_iter().filter_map(|seat| {
        let open = referee.proposal(seat)?;
        Some(proposed(view, seat, open.proposal))
    });
    let delayed = view.is_delayed().then(|| {
        "This match is rated: each move is shown to you after two more were made. Clocks are those after the last move shown."
            .to_owned()
    });
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
    let most = left(until.unwrap_or_default().since(now));
    let adjourned = referee.is_some_and(|referee| referee.is_adjourned());
    let how = match (view.is_watched(), adjourned) {
        (true, _) => "",
        (false, false) => " Type continue to play on.",
        (false, true) => {
            " Type continue to propose resuming; after that time the clock runs again. You can leave and come back with grundy resume."
        }
    };
    match adjourned {
        true => format!("The match is adjourned, for at most {most}.{how}"),
        false => format!("The match is paused, for at most {most}.{how}"),
    }
}

/// The replies that we have planned.
pub(crate) fn plan(lines: &[Vec<String>]) -> String {
    if lines.is_empty() {
        return "No replies are planned. 'if A-1 B-2' plays B-2 when your opponent plays A-1."
            .to_owned();
    }
    let written = |line: &Vec<String>| {
        let replies = line.chunks(2).map(|pair| pair.join(" then "));
        format!("if {}", replies.collect::<Vec<_>>().join(", if "))
    };
    let lines: Vec<String> = lines.iter().map(written).collect();
    format!("Planned: {}.", lines.join("; "))
}

/// A player proposes something.
fn proposed(view: &MatchView, seat: Seat, proposal: Proposal) -> String {
    let what = match proposal {
        Proposal::Takeback => "to take the last move back",
        Proposal::Draw => "a draw",
        Proposal::Abort => "to call the match off",
        Proposal::Pause => "a pause of at most 15 minutes",
        Proposal::Adjourn => "to adjourn the match, for at most 7 days",
        Proposal::Resume => "to resume the match",
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
        Proposal::Adjourn => ("to adjourn the match", "to adjourn the match"),
        Proposal::Resume => ("to resume the match", "to resume the match"),
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
