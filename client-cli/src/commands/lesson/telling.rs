//! What a lesson says: sentences in a talk, or JSON.

use grundy_shared::Position;
use grundy_shared::ids::Seat;

use crate::failure::Failure;
use crate::output::Output;
use crate::practice::event::Event;
use crate::render::practice as words;
use crate::talk::Talk;

/// Says an event before a talk, or after it.
pub(in crate::commands) fn announce(output: &Output, event: &Event<'_>) -> Result<(), Failure> {
    match output.json {
        true => output.object(event),
        false => output.sentences(&words::event(event, output.words())),
    }
}

/// Says an event in a talk.
pub(in crate::commands) fn tell(talk: &mut Talk, event: &Event<'_>) -> Result<(), Failure> {
    match talk.output().json {
        true => talk.output().object(event),
        false => talk.say(&words::event(event, talk.output().words())),
    }
}

/// Says which exercise or puzzle comes now.
pub(in crate::commands) fn put(
    talk: &mut Talk,
    event: &Event<'_>,
    is_forgettable: bool,
) -> Result<(), Failure> {
    match talk.output().json {
        true => talk.output().object(event),
        false => talk.put(&words::event(event, talk.output().words()), is_forgettable),
    }
}

/// The position as a match draws it, with these words, and nothing of its solution. Nothing as JSON, which names the position otherwise.
pub(in crate::commands) fn show(
    talk: &mut Talk,
    at: (&Position, Seat),
    words: &str,
) -> Result<(), Failure> {
    match talk.output().json {
        true => Ok(()),
        // The example of the notation could be a move that wins.
        false => talk.show(at, words, String::new),
    }
}

/// Reports what cannot be done here.
pub(in crate::commands) fn refuse(talk: &mut Talk, failure: &Failure) -> Result<(), Failure> {
    if talk.output().json {
        let error = failure.in_batch();
        return tell(talk, &Event::Error { error });
    }
    talk.refuse(&failure.shown_in(talk.output().words()));
    Ok(())
}
