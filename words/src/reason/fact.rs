//! What facts say of a position, and of a move.

use grundy_shared::fact::Fact;
use grundy_shared::solver::Assessment;
use grundy_shared::theory::compound::Compound;

use super::compounds::{self, Won};
use super::partizan::{self, Sum};
use super::sentence::{About, Sentence};
use super::sums::{self, Quotient};
use super::{changes, games, short};
use crate::Catalogue;
use crate::message::Message;

/// What a move changes; nothing if the fact is about a position.
pub(super) fn change(catalogue: &Catalogue, fact: &Fact) -> Option<Sentence> {
    let text = match fact {
        Fact::NimChange {
            component,
            before,
            after,
        } => Message::new("nim-change")
            .text("component", numbered(*component))
            .text("before", before)
            .text("after", after),
        Fact::WorthChange {
            component,
            before,
            after,
        } => Message::new("worth-change")
            .text("component", numbered(*component))
            .text("before", before)
            .text("after", after),
        Fact::ClassChange {
            before,
            after,
            lost,
        } => Message::new("class-change")
            .whether("lost", *lost)
            .text("before", before)
            .text("after", after),
        Fact::StandingChange {
            component,
            before,
            after,
        } => return Some(compounds::change(catalogue, *component, *before, *after)),
        Fact::Game { component, of } => {
            let said = changes::change(catalogue, of)?;
            return Some(in_component(catalogue, *component, said));
        }
        _ => return None,
    };
    Some(Sentence::plain(catalogue, &text))
}

/// The number of a component as the messages have it.
fn numbered(component: Option<u64>) -> String {
    component.map_or("none".to_owned(), |number| number.to_string())
}

/// What a fact says of a position.
pub(super) fn sentences(catalogue: &Catalogue, fact: &Fact, of: &Assessment) -> Vec<Sentence> {
    match fact {
        Fact::PartizanSum {
            of: kind,
            terms,
            terms_total,
            total,
            stake,
            hottest,
        } => {
            let sum = Sum {
                of: *kind,
                terms,
                terms_total: *terms_total,
                total,
                stake,
                hottest: hottest.as_deref(),
            };
            partizan::sum(catalogue, &sum, of.outcome)
        }
        _ => sentence(catalogue, fact, of).into_iter().collect(),
    }
}

/// What a fact says in one sentence; nothing if it is about a move.
fn sentence(catalogue: &Catalogue, fact: &Fact, of: &Assessment) -> Option<Sentence> {
    let wins = of
        .outcome
        .winner(of.to_move)
        .map(|winner| winner == of.to_move);
    let about = About {
        catalogue,
        outcome: match wins {
            Some(true) => "wins",
            Some(false) => "loses",
            None => "open",
        },
        misere: of.position.ends_with("@misere"),
    };
    Some(match fact {
        Fact::Over {
            component,
            one_sided,
        } => {
            let ended = (*component, *one_sided);
            sums::over(catalogue, ended, wins == Some(true), is_until_zero(of))
        }
        Fact::NimSum { terms, xor } => sums::nim(about, terms, *xor, is_until_zero(of)),
        Fact::TameSum { terms, xor, large } => {
            sums::tame(about, terms, (*xor, *large), is_until_zero(of))
        }
        Fact::MisereQuotient {
            terms,
            product,
            order,
            lost_order,
            lost_classes,
            ..
        } => {
            let of = Quotient {
                terms,
                product: *product,
                order: *order,
                lost_order: *lost_order,
                lost_classes,
            };
            sums::quotient(about, &of)
        }
        Fact::OneLeft { component } => {
            let text = Message::new("one-left").text("component", component);
            Sentence::plain(catalogue, &text)
        }
        Fact::LoopySum {
            terms,
            xor,
            endless,
            can_exit,
        } => sums::loopy(about, terms, *xor, *endless, *can_exit),
        Fact::Searched { plies, line } => sums::searched(catalogue, *plies, line, of.outcome),
        Fact::ShortestWin { plies, line } => sums::shortest_win(catalogue, *plies, line),
        Fact::ByMethod { method } => {
            Sentence::plain(catalogue, &Message::new("by-method").text("method", method))
        }
        Fact::KnownAfterMove { mv } => {
            let text = about
                .message("known-after-move")
                .whether("named", mv.is_some())
                .text("move", mv.as_deref().map_or(String::new(), short));
            Sentence::plain(catalogue, &text)
        }
        Fact::Game { component, of } => {
            in_component(catalogue, *component, games::sentence(about, of)?)
        }
        _ => return of_compound(about, fact),
    })
}

/// The same for the facts of compounds.
fn of_compound(about: About<'_>, fact: &Fact) -> Option<Sentence> {
    Some(match fact {
        Fact::GreatestSuspense {
            terms,
            greatest,
            decides,
            others,
        } => compounds::greatest_suspense(about, terms, (*greatest, *decides, *others)),
        Fact::LeastRemoteness {
            terms,
            least,
            decides,
            others,
        } => compounds::least_remoteness(about, terms, (*least, *decides, *others)),
        Fact::WonComponents {
            misere,
            last_in_misere,
            short,
            won,
            won_total,
            alive,
        } => {
            let won = Won {
                misere: *misere,
                last_in_misere: *last_in_misere,
                short: *short,
                numbers: won,
                total: *won_total,
                alive: *alive,
            };
            compounds::won_components(about, &won)
        }
        Fact::Foreclosed { terms, ending, xor } => {
            compounds::foreclosed(about, terms, ending, *xor)
        }
        _ => return None,
    })
}

/// Whether the position is a compound that ends once every nim-value is 0.
fn is_until_zero(of: &Assessment) -> bool {
    let mut words = of.position.split('@').skip(1);
    words.any(|word| word == Compound::UntilZero.word())
}

/// Says of which component a sentence is.
fn in_component(catalogue: &Catalogue, component: Option<u64>, said: Sentence) -> Sentence {
    match component {
        None => said,
        Some(number) => Sentence {
            text: Message::new("in-component")
                .text("component", number)
                .text("said", &said.text)
                .said(catalogue),
            ..said
        },
    }
}
