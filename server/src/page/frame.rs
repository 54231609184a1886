//! What every page has around it: the words, the files, the other languages.

use askama::Template;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, SET_COOKIE};
use axum::response::{IntoResponse as _, Response};
use grundy_words::{Catalogue, Language};

use super::site::Site;
use super::visitor::Visitor;
use super::{asset, cookie, live_words};

/// What every page has around it.
pub(super) struct Frame {
    pub(super) words: &'static Catalogue,
    pub(super) title: String,
    /// The path of the page, without a language.
    pub(super) path: String,
    /// The script that begins the page.
    pub(super) script: &'static str,
    /// The words of scripts.
    pub(super) live: String,
}

impl Frame {
    pub(super) fn new(visitor: &Visitor, title: String, script: &'static str) -> Self {
        let words = visitor.words();
        Self {
            words,
            title,
            path: visitor.path.clone(),
            script,
            live: live_words::json(words),
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
