//! What the facts of compounds say.

use super::phrases::{Sentence, added, capital, counted, list, named, parity};
use crate::fact::{Standing, Terms};

/// `@every`: the component that lasts longest.
pub(super) fn greatest_suspense(
    terms: &Terms,
    (greatest, decides, others): (u64, u64, u64),
    outcome: &str,
) -> Sentence {
    let rest = match others == greatest {
        true => "no other lasts longer".to_owned(),
        false => format!("the others are over after {others} at most"),
    };
    Sentence::by(
        "The component that lasts longest decides. Its suspense is how many moves it lasts if its winner delays and its loser hurries: where you win, leave a lost position that lasts long; where you lose, end as fast as you can.",
        format!(
            "The suspense is {}. Component {decides} decides: it lasts {}, and {rest}; {greatest} is {}: {outcome}.",
            list(terms),
            counted(greatest, "move", "moves"),
            parity(greatest)
        ),
    )
}

/// `@conjunctive`: the component that ends first.
pub(super) fn least_remoteness(
    terms: &Terms,
    (least, decides, others): (u64, u64, u64),
    outcome: &str,
) -> Sentence {
    let rest = match others == least {
        true => "no other is over earlier".to_owned(),
        false => format!("the others last {others} at least"),
    };
    Sentence::by(
        "The component that ends first decides. Its remoteness is how many moves it lasts if its winner hurries and its loser delays: where you win, end as fast as you can; where you lose, leave what lasts long.",
        format!(
            "The remoteness is {}. Component {decides} decides: it is over after {}, and {rest}; {least} is {}: {outcome}.",
            list(terms),
            counted(least, "move", "moves"),
            parity(least)
        ),
    )
}

/// The components that the player to move wins alone.
pub(super) struct Won<'f> {
    pub(super) misere: bool,
    pub(super) last_in_misere: bool,
    pub(super) short: bool,
    pub(super) numbers: &'f [u64],
    pub(super) total: u64,
    pub(super) alive: u64,
}

/// `@selective` and `@shortselective`: whether every component is lost.
pub(super) fn won_components(of: &Won<'_>, outcome: &str) -> Sentence {
    let play = if of.misere { "misere" } else { "normal" };
    let rule = match (of.last_in_misere, of.short) {
        (false, false) => {
            "The position is lost if every component is: any moves make some of them won, and the answer makes just these lost again. Otherwise make all won components lost at once, and leave the others alone."
        }
        (false, true) if of.misere => {
            "The position is lost if every component is lost in misere play: any moves make some of them won, and the answer makes just these lost again. Otherwise make all won components lost at once; the game ends in a component that its winner never needs to end."
        }
        (false, true) => {
            "The position is lost if every component is: any moves make some of them won, and the answer makes just these lost again. Otherwise end a component if a move can, which wins at once, or make all won components lost."
        }
        (true, _) => {
            "While two or more components have a move, the position is lost if every component is lost in normal play. Otherwise make all of them lost in normal play, or leave a move in one component only, and this one lost in misere play."
        }
    };
    Sentence::by(
        rule,
        match of.total {
            0 => format!(
                "Each of the {} is lost in {play} play: {outcome}.",
                counted(of.alive, "component with a move", "components with a move")
            ),
            _ => format!(
                "The player to move wins {} alone in {play} play{}: {outcome}.",
                named("component", "components", of.numbers, of.total),
                match of.alive - of.total {
                    0 => "",
                    1 => ", and loses the other one",
                    _ => ", and loses the others",
                },
            ),
        },
    )
}

/// `@shortsum`: the foreclosed values.
pub(super) fn foreclosed(
    terms: &Terms,
    ending: &[u64],
    xor: Option<u64>,
    (outcome, misere): (&str, bool),
) -> Sentence {
    let Some(xor) = xor else {
        return Sentence::plain(format!(
            "A move ends {}, which wins at once.",
            named("component", "components", ending, ending.len() as u64)
        ));
    };
    let rule = match misere {
        false => {
            "The player who ends a component wins, so nobody makes a move after which the opponent can end one. The foreclosed value of a component is the least number that none of its other moves leaves."
        }
        true => {
            "The player who ends a component loses, so nobody does while another move is left. The foreclosed value of a component is the least number that none of its moves leaves, those that end it left out."
        }
    };
    Sentence::by(
        rule,
        format!(
            "{}, so {outcome}.",
            capital(&added("foreclosed value", terms, xor))
        ),
    )
}

/// What a move changes in one component.
pub(super) fn change(component: u64, before: Standing, after: Standing) -> String {
    let values = match (before, after) {
        (_, Standing::Over {}) => return format!("It ends component {component}."),
        (Standing::Hot {}, Standing::Hot {}) => {
            return format!(
                "Component {component} stays hot: the opponent can end it at once and win."
            );
        }
        (_, Standing::Hot {}) => {
            return format!(
                "It makes component {component} hot: the opponent can end it at once and win."
            );
        }
        (Standing::Outcome { lost: before }, Standing::Outcome { lost: after }) => {
            let word = |lost: bool| if lost { "lost" } else { "won" };
            return match before == after {
                true => format!(
                    "Component {component} was {} for the player to move, and still is.",
                    word(after)
                ),
                false => format!(
                    "Component {component} was {} for the player to move, and is {} now.",
                    word(before),
                    word(after)
                ),
            };
        }
        (Standing::Suspense { plies: before }, Standing::Suspense { plies: after }) => {
            ("suspense", before, after)
        }
        (Standing::Remoteness { plies: before }, Standing::Remoteness { plies: after }) => {
            ("remoteness", before, after)
        }
        (Standing::NimValue { value: before }, Standing::NimValue { value: after }) => {
            ("nim-value", before, after)
        }
        (Standing::Foreclosed { value: before }, Standing::Foreclosed { value: after }) => {
            ("foreclosed value", before, after)
        }
        // A hot component that no longer is, and what no law compares.
        (_, Standing::Foreclosed { value }) => {
            return format!(
                "Component {component} is no longer hot: its foreclosed value is {value}."
            );
        }
        _ => return format!("It moves in component {component}."),
    };
    let (what, before, after) = values;
    if before == after {
        return format!("The {what} of component {component} stays {before}.");
    }
    format!("It changes the {what} of component {component} from {before} to {after}.")
}
