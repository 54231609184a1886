//! What every page has around it: the words, the files, the other languages.

use askama::Template;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, SET_COOKIE};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use grundy_shared::protocol::{ErrorBody, ErrorCode};
use grundy_words::{Catalogue, Language};

use super::site::Site;
use super::visitor::Visitor;
use super::{asset, cookie, live_words, navigation, plain};

/// What every page has around it.
pub(super) struct Frame {
    pub(super) words: &'static Catalogue,
    pub(super) title: String,
    /// The path of the page.
    pub(super) path: String,
    /// What comes after the path, without a language.
    pub(super) query: String,
    /// The script that begins the page, if it has one.
    pub(super) script: Option<&'static str>,
    /// The words of scripts.
    pub(super) live: &'static str,
    /// The address of the picture that stands for the page where a link to it is shown.
    pub(super) card: Option<String>,
}

/// A page that says one thing.
#[derive(Template)]
#[template(path = "note.html")]
struct Note {
    frame: Frame,
    text: String,
}

impl Frame {
    pub(super) fn new(visitor: &Visitor, title: String, script: &'static str) -> Self {
        Self {
            script: Some(script),
            live: live_words::json(visitor.words()),
            ..Self::still(visitor, title)
        }
    }

    /// The frame of a page without scripts.
    pub(super) fn still(visitor: &Visitor, title: String) -> Self {
        Self {
            words: visitor.words(),
            title,
            path: visitor.path.clone(),
            query: visitor.query.clone(),
            script: None,
            live: "",
            card: None,
        }
    }

    /// The links to the other pages.
    pub(super) fn entries(&self) -> Vec<navigation::Entry> {
        navigation::entries(self.words, &self.path)
    }

    /// The address of this page in another language. Without a path: one that begins with two slashes would lead to another site.
    pub(super) fn in_language(&self, tag: &str) -> String {
        match self.query.as_str() {
            "" => format!("?lang={tag}"),
            query => format!("?{query}&lang={tag}"),
        }
    }

    /// The address of a file.
    pub(super) fn asset(&self, name: &str) -> String {
        asset::path(name)
    }

    /// The other languages: their tags and what they call themselves.
    pub(super) fn others(&self) -> impl Iterator<Item = (&'static str, &'static str)> + '_ {
        let others = Language::ALL.into_iter();
        let others = others.filter(|language| *language != self.words.language());
        others.map(|language| (language.tag(), language.own_name()))
    }

    /// A message without variables.
    pub(super) fn say(&self, name: &str) -> String {
        self.words.say(name)
    }
}

/// A page, with the language remembered if the reader has chosen one.
pub(super) fn page(
    site: &Site,
    visitor: &Visitor,
    status: StatusCode,
    template: &impl Template,
) -> Response {
    let html = template.render().expect("writing to a String cannot fail");
    painted(site, visitor, status, html.into())
}

/// The same for a page that is painted already.
pub(super) fn painted(site: &Site, visitor: &Visitor, status: StatusCode, html: Bytes) -> Response {
    let kind = [(CONTENT_TYPE, "text/html; charset=utf-8")];
    let mut response = (status, kind, html).into_response();
    if let Some(cookie) = visitor
        .chosen
        .and_then(|chosen| cookie::language(site, chosen))
    {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    response
}

/// The answer where something went wrong on the way: nothing is shown that a reader may not have.
pub(super) fn failed(site: &Site, visitor: &Visitor, error: &ErrorBody) -> Response {
    if !visitor.wants_html {
        return plain::failed(error);
    }
    let (title, text) = match error.code {
        ErrorCode::Internal => ("page-failed", "page-failed-how"),
        _ => ("page-busy", "page-busy-how"),
    };
    let words = visitor.words();
    let (title, text) = (words.say(title), words.say(text));
    note(site, visitor, StatusCode::SERVICE_UNAVAILABLE, title, text)
}

/// A page that says one thing, or for a program the same as text.
pub(super) fn note(
    site: &Site,
    visitor: &Visitor,
    status: StatusCode,
    title: String,
    text: String,
) -> Response {
    if !visitor.wants_html {
        return plain::text(status, format!("{title} {text}\n"));
    }
    painted(site, visitor, status, noted(visitor, title, text))
}

/// The page that says one thing.
pub(super) fn noted(visitor: &Visitor, title: String, text: String) -> Bytes {
    let frame = Frame::still(visitor, title);
    let note = Note { frame, text };
    let html = note.render().expect("writing to a String cannot fail");
    html.into()
}
