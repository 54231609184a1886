//! Requests that wait for a match, and those that are refused because it cannot be played.

use grundy_shared::protocol::ErrorBody;

use super::input::Input;
use crate::matches::refusal;

/// Requests that wait while a match is read from its log; of those who want to watch it, an eighth.
const WAITING_MAX: usize = 512;

/// Refuses what was asked for; what needs no answer is nothing to a match that cannot be played. Somebody who repeats a request for a new
/// match has it already, and is refused all the same: its events could not follow the answer.
pub(super) fn refuse(input: Input, why: &ErrorBody) {
    let reply = match input {
        Input::Act { reply, .. }
        | Input::Join { reply, .. }
        | Input::Leave { reply, .. }
        | Input::Seat { reply, .. } => Some(reply),
        Input::Attach { reply, .. } => reply,
        _ => None,
    };
    if let Some(reply) = reply {
        reply.refuse(why.clone());
    }
}

/// Lets something wait until the match is read.
pub(super) fn wait(waiting: &mut Vec<Input>, input: Input) {
    let watches = |input: &Input| matches!(input, Input::Attach { seated: false, .. });
    let fits = match &input {
        // What a machine asked for that is gone, or what the new one asks for anew.
        Input::Committed(_)
        | Input::Tail(_)
        | Input::Thought { .. }
        | Input::Time
        | Input::Hint(_)
        | Input::Elsewhere(_)
        | Input::Continue => return,
        input if watches(input) => {
            waiting.iter().filter(|other| watches(other)).count() < WAITING_MAX / 8
        }
        Input::Act { .. } | Input::Join { .. } => waiting.len() < WAITING_MAX,
        _ => true,
    };
    match fits {
        true => waiting.push(input),
        false => refuse(input, &refusal::busy("too much waits for this match")),
    }
}
