//! Which modules and crates a source file names.

use std::collections::BTreeSet;

/// The names in `source`, a file of the module `home` (as `shared::referee::clock`): absolute, without its own tests.
pub(crate) fn named(home: &str, source: &str) -> BTreeSet<String> {
    named_in(home, &code_of(source))
}

/// The code of a file without comments, text literals and its own tests.
fn code_of(source: &str) -> String {
    let code = without_comments_and_strings(source);
    let mut own = String::with_capacity(code.len());
    let mut parts = code.split("#[cfg(test)]\nmod ");
    own.push_str(parts.next().unwrap_or(""));
    for part in parts {
        // `mod tests;` or `mod tests { … }`: the code goes on behind it.
        let end = match part.split_once(['{', ';']) {
            Some((name, rest)) if part[name.len()..].starts_with('{') => {
                inside_end(rest).map(|end| name.len() + 1 + end)
            }
            Some((name, _)) => Some(name.len()),
            None => None,
        };
        own.push_str(end.and_then(|end| part.get(end + 1..)).unwrap_or(""));
    }
    own
}

/// The names in the code of a module. Its inline modules have homes of their own: their `super` is this one.
fn named_in(home: &str, code: &str) -> BTreeSet<String> {
    let Some((before, module, inside, after)) = inline_module(code) else {
        return named_in_one(home, code);
    };
    let mut names = named_in_one(home, before);
    names.extend(named_in(&format!("{home}::{module}"), inside));
    names.extend(named_in(home, after));
    names
}

fn named_in_one(home: &str, code: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for statement in code.split(';') {
        if let Some(tree) = use_tree(statement) {
            flatten("", tree, &mut names);
        }
    }
    paths(code, &mut names);
    names
        .into_iter()
        .filter_map(|name| absolute(home, &name))
        .collect()
}

/// The first `mod name { … }`: the code before it, its name, its inside and the code behind it.
fn inline_module(code: &str) -> Option<(&str, &str, &str, &str)> {
    let boundary = |c: char| !c.is_alphanumeric() && c != '_';
    code.match_indices("mod ").find_map(|(at, word)| {
        let before = &code[..at];
        if !before.chars().next_back().is_none_or(boundary) {
            return None;
        }
        let (name, rest) = code[at + word.len()..].split_once('{')?;
        if name.trim_end().contains(boundary) {
            return None;
        }
        let end = inside_end(rest)?;
        Some((before, name.trim_end(), &rest[..end], &rest[end + 1..]))
    })
}

/// Where the brace is that closes one which stands right before this code.
fn inside_end(code: &str) -> Option<usize> {
    let mut depth = 1;
    code.find(|c: char| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth == 0
    })
}

/// The names that `source` only passes on: those of a `pub use` that its code does not use.
pub(crate) fn passed_on(home: &str, source: &str) -> BTreeSet<String> {
    let code = code_of(source);
    let mut names = BTreeSet::new();
    let mut words = BTreeSet::new();
    for statement in code.split(';') {
        let declaration = statement.rfind(if use_tree(statement).is_some() {
            "use "
        } else {
            "mod "
        });
        let (before, declared) = statement.split_at(declaration.unwrap_or(statement.len()));
        words.extend(before.split(|c: char| !c.is_alphanumeric() && c != '_'));
        if let Some(tree) = use_tree(declared)
            && ["pub", "pub(crate)", "pub(super)"]
                .iter()
                .any(|public| before.trim_end().ends_with(public))
        {
            flatten("", tree, &mut names);
        }
    }
    names.retain(|name| {
        !name
            .rsplit("::")
            .next()
            .is_some_and(|item| words.contains(item))
    });
    let names = names.iter();
    names.filter_map(|name| absolute(home, name)).collect()
}

/// The tree of a `use` declaration that ends this statement.
fn use_tree(statement: &str) -> Option<&str> {
    let at = statement.rfind("use ")?;
    let boundary = |c: char| !c.is_alphanumeric() && c != '_';
    let starts = statement[..at].chars().next_back().is_none_or(boundary);
    starts.then(|| statement[at + 4..].trim())
}

/// Writes out the braces: `a::{b, c::d}` names `a::b` and `a::c::d`.
fn flatten(prefix: &str, tree: &str, names: &mut BTreeSet<String>) {
    let Some((head, rest)) = tree.split_once('{') else {
        let name = tree.split_whitespace().next().unwrap_or("");
        names.insert(format!("{prefix}{name}"));
        return;
    };
    let inner = rest.rfind('}').map_or(rest, |end| &rest[..end]);
    let prefix = format!("{prefix}{}", head.trim());
    let (mut depth, mut start) = (0, 0);
    for (at, sign) in inner.char_indices().chain([(inner.len(), ',')]) {
        match sign {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let part = inner.get(start..at).unwrap_or("").trim();
                if !part.is_empty() {
                    flatten(&prefix, part, names);
                }
                start = at + 1;
            }
            _ => {}
        }
    }
}

/// Every `a::b::c` in the code.
fn paths(code: &str, names: &mut BTreeSet<String>) {
    let in_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    for word in code.split(|c| !in_path(c)) {
        let word = word.trim_matches(':');
        if word.contains("::") && word.starts_with(|c: char| c.is_lowercase()) {
            names.insert(word.to_owned());
        }
    }
}

/// `crate`, `super`, `self` and the crate names of the workspace resolved; `None` for what is no module path.
fn absolute(home: &str, name: &str) -> Option<String> {
    let own_crate = home.split("::").next().unwrap_or(home);
    let mut place: Vec<&str> = home.split("::").collect();
    let mut parts: Vec<&str> = name.split("::").filter(|part| !part.is_empty()).collect();
    let absolute: Vec<&str> = match *parts.first()? {
        "crate" => {
            parts[0] = own_crate;
            parts
        }
        "grundy_shared" => {
            parts[0] = "shared";
            parts
        }
        "grundy_server" => {
            parts[0] = "server";
            parts
        }
        "grundy_cli" => {
            parts[0] = "client";
            parts
        }
        "self" => [place, parts.split_off(1)].concat(),
        "super" => {
            let ups = parts.iter().take_while(|part| **part == "super").count();
            place.truncate(place.len().saturating_sub(ups));
            [place, parts.split_off(ups)].concat()
        }
        // A name of this crate's own, as `client` inside of `protocol`.
        "client" | "server" | "shared" => [place, parts].concat(),
        _ => parts,
    };
    Some(absolute.join("::"))
}

/// The code with every comment and every text literal left out.
fn without_comments_and_strings(source: &str) -> String {
    let mut code = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(sign) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if rest.starts_with('"') {
            literal_end(rest)
        } else if let Some(end) = raw_literal_end(rest) {
            end
        } else if rest.starts_with("'{'") || rest.starts_with("'}'") {
            "'{'".len()
        } else if rest.starts_with("'\"'") || rest.starts_with("'\\\"'") {
            rest[1..].find('\'').map_or(rest.len(), |end| end + 2)
                + usize::from(rest.starts_with("'\\"))
        } else {
            code.push(sign);
            sign.len_utf8()
        };
        rest = rest.get(skipped..).unwrap_or("");
    }
    code
}

fn literal_end(text: &str) -> usize {
    let mut escaped = false;
    for (at, sign) in text.char_indices().skip(1) {
        match sign {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

fn raw_literal_end(text: &str) -> Option<usize> {
    let hashes = text.strip_prefix('r')?;
    let count = hashes.len() - hashes.trim_start_matches('#').len();
    if !hashes[count..].starts_with('"') {
        return None;
    }
    let end = format!("\"{}", "#".repeat(count));
    let body = 1 + count + 1;
    Some(
        text[body..]
            .find(&end)
            .map_or(text.len(), |at| body + at + end.len()),
    )
}

#[test]
fn names_are_found_wherever_they_stand() {
    let source = "//! use sqlx::No;\nuse std::{fmt, sync::{Arc, Mutex}};\npub(crate) use super::command::Command as C;\n\
        fn f() { let s = \"toml::No\"; let r = r#\"axum::No\"#; let c = '\"'; crate::ids::x(); self::inner::y(); }\n\
        /// clap::No\n#[cfg(test)]\nmod tests { use proptest::prelude::*; }\n";
    let found: Vec<_> = named("shared::referee::clock", source)
        .into_iter()
        .collect();
    let expected = [
        "shared::ids::x",
        "shared::referee::clock::inner::y",
        "shared::referee::command::Command",
        "std::fmt",
        "std::sync::Arc",
        "std::sync::Mutex",
    ];
    assert_eq!(found, expected);
}

#[test]
fn an_inline_module_has_a_home_of_its_own() {
    let source = "use super::a::A;\nmod other;\n\
        mod inner {\n use super::B;\n use super::super::c::C;\n fn f() { if '}' == '{' { super::g::h(); } }\n}\n\
        fn f() { super::d::e(); }";
    let found: Vec<_> = named("server::home", source).into_iter().collect();
    let expected = [
        "server::a::A",
        "server::c::C",
        "server::d::e",
        "server::home::B",
        "server::home::g::h",
    ];
    assert_eq!(found, expected);
}

#[test]
fn the_code_goes_on_behind_tests() {
    let source = "#[cfg(test)]\nmod tests;\nuse super::a::A;\n#[cfg(test)]\nmod more {\n use sqlx::B; fn f() {}\n}\nuse super::c::C;\n\
        #[cfg(test)]\nmod last { use sqlx::D; }\n";
    let found: Vec<_> = named("server::home", source).into_iter().collect();
    assert_eq!(found, ["server::a::A", "server::c::C"]);
}
