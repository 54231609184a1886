//! Circles of source files: files of one crate that reach each other by the names they use.

use std::collections::{BTreeMap, BTreeSet};

use super::names;

/// The files of a crate, and for each the files whose names it uses.
pub(crate) type Arrows = BTreeMap<String, BTreeSet<String>>;

/// What each file uses: `files` are modules with their text. A name that a file only passes on leads to where it is
/// defined; files for which `merge` has one name are one node.
pub(crate) fn arrows(files: &[(String, String)], merge: impl Fn(&str) -> String) -> Arrows {
    let homes: BTreeSet<&str> = files.iter().map(|(home, _)| home_of(home)).collect();
    let named: BTreeMap<&str, BTreeSet<String>> = files
        .iter()
        .map(|(home, source)| {
            let home = home_of(home);
            (home, names::named(home, source))
        })
        .collect();
    let mut arrows = Arrows::new();
    for (home, source) in files {
        let (home, passed_on) = (home_of(home), names::passed_on(home, source));
        let from = merge(home);
        let uses = named[home]
            .difference(&passed_on)
            .filter_map(|name| defined_in(name, home, &homes, &named, 0));
        let uses = uses.map(&merge).filter(|to| *to != from);
        arrows.entry(from.clone()).or_default().extend(uses);
    }
    arrows
}

/// The root of a crate goes by the name of the crate.
fn home_of(home: &str) -> &str {
    home.strip_suffix("::lib")
        .or_else(|| home.strip_suffix("::main"))
        .unwrap_or(home)
}

/// The file that defines `name`, as `home` uses it; `None` for a name of another crate.
fn defined_in<'h>(
    name: &str,
    home: &str,
    homes: &BTreeSet<&'h str>,
    named: &BTreeMap<&str, BTreeSet<String>>,
    depth: usize,
) -> Option<&'h str> {
    let child = format!("{home}::{name}");
    let (file, rest) = split(name, homes).or_else(|| {
        // `mod parse; use parse::plain;`
        split(&child, homes).filter(|(file, _)| *file != home)
    })?;
    let item = rest.split("::").next().unwrap_or("");
    let passed_on = named.get(file).and_then(|names| {
        let mut names = names.iter();
        names.find(|other| *other != name && other.rsplit("::").next() == Some(item))
    });
    match passed_on {
        Some(other) if depth < 8 && !item.is_empty() => {
            defined_in(other, file, homes, named, depth + 1).or(Some(file))
        }
        _ => Some(file),
    }
}

/// The longest beginning of a name that is a file, and what follows it.
fn split<'h, 'n>(name: &'n str, homes: &BTreeSet<&'h str>) -> Option<(&'h str, &'n str)> {
    let ends = name.match_indices("::").map(|(at, _)| at);
    let mut ends: Vec<usize> = ends.chain([name.len()]).collect();
    ends.reverse();
    ends.into_iter().find_map(|end| {
        let file = homes.get(&name[..end])?;
        Some((*file, name[end..].trim_start_matches("::")))
    })
}

/// A shortest circle through each file that is in one, the file first; each circle once.
pub(crate) fn circles(arrows: &Arrows) -> Vec<Vec<String>> {
    let mut found: BTreeMap<BTreeSet<String>, Vec<String>> = BTreeMap::new();
    for start in arrows.keys() {
        if let Some(circle) = shortest(start, arrows) {
            found
                .entry(circle.iter().cloned().collect())
                .or_insert(circle);
        }
    }
    found.into_values().collect()
}

/// The shortest way from a file back to itself, breadth first.
fn shortest(start: &str, arrows: &Arrows) -> Option<Vec<String>> {
    let mut before: BTreeMap<&str, &str> = BTreeMap::new();
    let mut edge = vec![start];
    while !edge.is_empty() {
        let mut next = Vec::new();
        for from in edge {
            for to in arrows.get(from).into_iter().flatten() {
                if to == start {
                    let mut way = vec![from.to_owned()];
                    let mut at = from;
                    while let Some(earlier) = before.get(at).filter(|_| at != start) {
                        way.push((*earlier).to_owned());
                        at = earlier;
                    }
                    way.reverse();
                    return Some(way);
                }
                if !before.contains_key(to.as_str()) {
                    before.insert(to, from);
                    next.push(to.as_str());
                }
            }
        }
        edge = next;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<Vec<String>> {
        let own = |(home, source): &(&str, &str)| ((*home).to_owned(), (*source).to_owned());
        let files: Vec<_> = files.iter().map(own).collect();
        circles(&arrows(&files, str::to_owned))
    }

    #[test]
    fn a_circle_is_found_however_the_names_are_written() {
        let two = ["shared::a".to_owned(), "shared::b".to_owned()];
        for (a, b) in [
            ("use crate::b::B;", "use super::a::A;"),
            ("fn f() { crate::b::g(); }", "use crate::{a::{A, C}, ids};"),
            // Through a name that the root passes on.
            ("use crate::b::B;", "use crate::Passed;"),
        ] {
            let root = "pub mod a;\npub mod b;\npub use a::Passed;";
            let files = [("shared::lib", root), ("shared::a", a), ("shared::b", b)];
            assert_eq!(found(&files), [two.to_vec()], "{a} {b}");
        }
    }

    #[test]
    fn a_folder_and_a_file_in_it_can_be_a_circle() {
        let files = [
            (
                "client::session",
                "mod plain;\nuse plain::Plain;\ntrait Face {}",
            ),
            ("client::session::plain", "use super::Face;"),
        ];
        assert_eq!(found(&files).len(), 1);
    }

    #[test]
    fn what_only_passes_a_name_on_is_no_part_of_a_circle() {
        let files = [
            (
                "client::session",
                "mod face;\nmod plain;\nuse plain::Plain;\nuse face::Face;",
            ),
            ("client::session::plain", "use super::Face;"),
            (
                "client::session::face",
                "#[cfg(test)]\nmod tests { use super::super::plain::Plain; }",
            ),
        ];
        assert_eq!(found(&files), Vec::<Vec<String>>::new());
    }
}
