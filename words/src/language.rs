//! The languages that the catalogue has, and which of them a reader wants.

use std::fmt;
use std::str::FromStr;

use unic_langid::LanguageIdentifier;

/// A language in which everything can be read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Simplified Chinese.
    Chinese,
}

/// No language has this name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownLanguage {
    /// The name.
    pub name: String,
}

impl fmt::Display for UnknownLanguage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tags: Vec<&str> = Language::ALL
            .iter()
            .map(|language| language.tag())
            .collect();
        let languages = tags.join(", ");
        write!(
            f,
            "no language has the name {:?}; the languages are {languages}",
            self.name
        )
    }
}

impl std::error::Error for UnknownLanguage {}

impl Language {
    /// All of them. The first is the one for readers whose language is not there.
    pub const ALL: [Self; 2] = [Self::English, Self::Chinese];

    /// The tag of BCP 47: `en`, `zh-CN`.
    #[must_use]
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Chinese => "zh-CN",
        }
    }

    /// What the language calls itself.
    #[must_use]
    pub const fn own_name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::Chinese => "中文",
        }
    }

    /// The language for a reader whose browser sends this `Accept-Language` header (RFC 9110, section 12.5.4): of those that are there, the one with the
    /// greatest weight, and the first of several. O(length).
    #[must_use]
    pub fn accepted(header: &str) -> Self {
        let mut best: Option<(f32, Self)> = None;
        for item in header.split(',') {
            let (tag, parameters) = item.split_once(';').unwrap_or((item, ""));
            let Ok(language) = tag.trim().parse() else {
                continue;
            };
            let weight = parameters.trim().strip_prefix("q=");
            let weight = weight.map_or(Some(1.0), |text| text.trim().parse().ok());
            let weight: f32 = weight.unwrap_or(0.0);
            if weight > 0.0 && best.is_none_or(|(most, _)| weight > most) {
                best = Some((weight, language));
            }
        }
        best.map_or_else(Self::default, |(_, language)| language)
    }

    pub(crate) fn identifier(self) -> LanguageIdentifier {
        self.tag().parse().unwrap_or_default()
    }
}

/// Reads a tag; letters of either case, and the names of a terminal's locale: `zh_CN.UTF-8`.
impl FromStr for Language {
    type Err = UnknownLanguage;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let tag = name
            .split(['.', '@'])
            .next()
            .unwrap_or(name)
            .replace('_', "-");
        let unknown = || UnknownLanguage {
            name: name.to_owned(),
        };
        let wanted: LanguageIdentifier = tag.parse().map_err(|_| unknown())?;
        let mut all = Self::ALL.into_iter();
        let same = |language: &Self| language.identifier().language == wanted.language;
        all.find(same).ok_or_else(unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_gets_the_first_of_its_languages_that_is_there() {
        for (header, language) in [
            ("", Language::English),
            ("en-GB,en;q=0.9", Language::English),
            ("zh-CN,zh;q=0.9,en;q=0.8", Language::Chinese),
            ("zh", Language::Chinese),
            ("de,zh-CN;q=0.5", Language::Chinese),
            ("en;q=0.2,zh-CN;q=0.9", Language::Chinese),
            ("zh;q=0, en;q=0.1", Language::English),
            ("fr, *;q=0.1", Language::English),
            (",,;q=x,\u{0}", Language::English),
        ] {
            assert_eq!(Language::accepted(header), language, "{header:?}");
        }
    }

    #[test]
    fn names_are_read_as_terminals_write_them() {
        for language in Language::ALL {
            assert_eq!(language.tag().parse(), Ok(language));
        }
        for name in ["zh", "zh_CN.UTF-8", "ZH-hans", "zh-CN@x"] {
            assert_eq!(name.parse(), Ok(Language::Chinese), "{name}");
        }
        for name in ["", "C", "de", "../en", "e\u{301}n"] {
            let refused = name.parse::<Language>();
            let words = refused.expect_err(name).to_string();
            assert!(words.contains("en, zh-CN"), "{words}");
        }
    }
}
