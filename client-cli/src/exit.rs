//! How the program ends: one list from which the codes, the help text, the documentation and a test are made.

use std::fmt::Write as _;
use std::process::ExitCode;

/// Declares the codes once: variant, number, meaning, and whether trying again helps.
macro_rules! exits {
    ($($variant:ident $number:literal $meaning:literal $retry:literal)*) => {
        /// Why the program ended.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Exit {
            $(#[doc = $meaning] $variant,)*
        }

        impl Exit {
            /// Every code, ascending.
            pub(crate) const ALL: &[Self] = &[$(Self::$variant),*];

            /// The number that a shell sees.
            pub(crate) fn number(self) -> u8 {
                match self { $(Self::$variant => $number),* }
            }

            /// What it means.
            pub(crate) fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $meaning),* }
            }

            /// Whether trying again helps.
            pub(crate) fn retry(self) -> &'static str {
                match self { $(Self::$variant => $retry),* }
            }
        }
    };
}

exits! {
    Done 0 "success; also a finished match, regardless of who won" ""
    Failed 1 "any failure not listed below" ""
    Usage 2 "the command line or the configuration file is wrong" "no"
    Input 3 "invalid input: a position, move, record or certificate that does not parse or is not legal" "no"
    NotFound 4 "not found: a match, a join code, a game, a file" "no"
    Unreachable 5 "the server cannot be reached or does not answer" "yes"
    NotAllowed 6 "not signed in, or not allowed" "no"
    Refused 7 "refused for now: not your turn, seat taken, match over, rate limit" "maybe"
    Protocol 8 "client and server speak different protocols" "update"
    No 10 "the answer is no: 'solve --expect', 'review --fail-on', 'verify', 'bot check'" ""
    Interrupted 130 "interrupted with Ctrl-C" ""
}

impl Exit {
    /// The table of `grundy --help`.
    pub(crate) fn table() -> String {
        let mut text = String::from("Exit codes:\n");
        for exit in Self::ALL {
            let retry = match exit.retry() {
                "" | "no" => String::new(),
                retry => format!(" (try again: {retry})"),
            };
            writeln!(text, "  {:>3}  {}{retry}", exit.number(), exit.meaning())
                .expect("writing to a String cannot fail");
        }
        text
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.number())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_that_scripts_rely_on() {
        let numbers: Vec<u8> = Exit::ALL.iter().map(|exit| exit.number()).collect();
        assert_eq!(numbers, [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 130]);
    }
}
