//! A command line that the parser does not understand, said in the reader's language.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use grundy_words::{Catalogue, Message};

use crate::misread::Misread;

/// What is wrong with the command line, on its lines: the fault, what may be written, how the command is written, and where there is more.
pub(crate) fn said(error: &clap::Error, words: &Catalogue) -> String {
    let fault = Message::new("failure-error").text("what", fault(error, words).said(words));
    let mut lines = vec![fault.said(words)];
    lines.extend(remarks(error).iter().map(|remark| remark.said(words)));
    if let Some(ContextValue::StyledStr(usage)) = error.get(ContextKind::Usage) {
        let usage = usage.to_string();
        let usage = usage.trim_start_matches("Usage:").trim();
        lines.push(format!("\n{}{usage}", words.say("help-usage")));
    }
    lines.push(format!("\n{}", words.say("help-more")));
    lines.join("\n")
}

/// The texts of a context, one after the other.
fn texts(error: &clap::Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        Some(ContextValue::Number(number)) => vec![number.to_string()],
        _ => Vec::new(),
    }
}

fn fault(error: &clap::Error, words: &Catalogue) -> Message {
    let text = |kind| texts(error, kind).join(&words.say("help-comma"));
    let argument = text(ContextKind::InvalidArg);
    let value = text(ContextKind::InvalidValue);
    match error.kind() {
        ErrorKind::ArgumentConflict => {
            let prior = text(ContextKind::PriorArg);
            let name = match prior == argument {
                true => "usage-twice",
                false => "usage-conflict",
            };
            let subcommand = text(ContextKind::InvalidSubcommand);
            let argument = if argument.is_empty() {
                subcommand
            } else {
                argument
            };
            Message::new(name)
                .text("argument", argument)
                .text("prior", prior)
        }
        ErrorKind::InvalidValue if value.is_empty() => {
            Message::new("usage-no-value").text("argument", argument)
        }
        ErrorKind::InvalidValue | ErrorKind::TooManyValues => Message::new("usage-bad-value")
            .text("argument", argument)
            .text("value", value),
        ErrorKind::ValueValidation => {
            let message = Message::new("usage-misread")
                .text("argument", argument)
                .text("value", value);
            message.message("why", why(error))
        }
        ErrorKind::InvalidSubcommand => {
            Message::new("usage-no-subcommand").text("name", text(ContextKind::InvalidSubcommand))
        }
        ErrorKind::MissingSubcommand => {
            Message::new("usage-subcommand").text("name", text(ContextKind::InvalidSubcommand))
        }
        ErrorKind::MissingRequiredArgument => {
            Message::new("usage-missing").text("arguments", argument)
        }
        ErrorKind::UnknownArgument => Message::new("usage-unknown").text("argument", argument),
        _ => Message::new("usage-other").text("said", error.kind()),
    }
}

/// Why a value is not valid. Parsers that are not ours have their words in English only, of which a range can be read.
fn why(error: &clap::Error) -> Message {
    let source = std::error::Error::source(error);
    let misread = source.and_then(|source| source.downcast_ref::<Misread>());
    if let Some(Misread(why)) = misread {
        return why.clone();
    }
    let said = source.map_or_else(String::new, ToString::to_string);
    let range = said.split_once(" is not in ").map(|(_, range)| range);
    match range {
        Some(range) => Message::new("usage-range").text("range", range),
        None => Message::new("usage-invalid").text("said", said),
    }
}

/// What may be written instead.
fn remarks(error: &clap::Error) -> Vec<Message> {
    let all = |kind| texts(error, kind).join(", ");
    let kinds = [
        (ContextKind::ValidValue, "usage-values"),
        (ContextKind::ValidSubcommand, "usage-subcommands"),
        (ContextKind::SuggestedArg, "usage-meant"),
        (ContextKind::SuggestedSubcommand, "usage-meant"),
        (ContextKind::SuggestedValue, "usage-meant"),
    ];
    let said = kinds.into_iter().filter_map(|(kind, message)| {
        let names = all(kind);
        (!names.is_empty()).then(|| Message::new(message).text("names", names))
    });
    said.collect()
}
