//! What a bot has started, also what left its process group: found by descent, and by a mark in the environment that every child
//! inherits. Where there is no `/proc`, the process group is all that is known.

use std::collections::BTreeSet;
use std::fs;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

/// The variable that holds the mark.
pub(super) const MARK: &str = "GRUNDY_BOT";
/// How long a family that starts new processes as fast as they are killed is hunted.
const HUNT: Duration = Duration::from_millis(500);

/// Makes orphans below this process its children, so that they cannot hide below another one.
pub(super) fn adopt_orphans() {
    #[cfg(target_os = "linux")]
    {
        static ONCE: std::sync::Once = std::sync::Once::new();
        ONCE.call_once(|| {
            // Without it the mark still finds them.
            let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
        });
    }
}

/// A process as the system lists it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Listed {
    id: i32,
    parent: i32,
    is_dead: bool,
}

/// The processes of one bot.
#[derive(Debug)]
pub(crate) struct Family {
    /// Known members: descendants of the bot while it still ran.
    members: BTreeSet<i32>,
    others: Others,
}

/// How further members are known.
#[derive(Debug)]
enum Others {
    /// By this entry of their environment.
    Marked(Vec<u8>),
    /// By an entry that begins so.
    MarkedLike(Vec<u8>),
    /// This process has adopted them.
    Adopted,
}

impl Family {
    /// What this bot has started, to be asked before it is killed.
    pub(super) fn of(bot: Pid, mark: &str) -> Self {
        let bot = bot.as_raw_nonzero().get();
        let mut members = BTreeSet::from([bot]);
        add_descendants(&mut members, &list());
        members.remove(&bot);
        Self {
            members,
            others: Others::Marked(format!("{MARK}={mark}").into_bytes()),
        }
    }

    /// Everything that was left to this process by bots that have ended.
    pub(super) fn leftovers() -> Self {
        Self {
            members: BTreeSet::new(),
            others: Others::Adopted,
        }
    }

    /// All bots of another runner with what they have started.
    pub(crate) fn of_runner(runner: u32) -> Self {
        Self {
            members: BTreeSet::new(),
            others: Others::MarkedLike(format!("{MARK}={runner}.").into_bytes()),
        }
    }

    fn has(&self, process: &Listed) -> bool {
        let has_entry = |is_it: &dyn Fn(&[u8]) -> bool| {
            let environment = fs::read(format!("/proc/{}/environ", process.id)).unwrap_or_default();
            environment.split(|byte| *byte == 0).any(is_it)
        };
        match &self.others {
            Others::Marked(mark) => has_entry(&|entry| entry == mark),
            Others::MarkedLike(mark) => has_entry(&|entry| entry.starts_with(mark)),
            Others::Adopted => process.parent == own_id(),
        }
    }

    /// Kills all of it.
    pub(crate) fn kill_all(self) {
        self.kill(&BTreeSet::new());
    }

    /// Kills all of it but the bots that run, and frees the entries of those that died as children of this process.
    pub(super) fn kill(mut self, running: &BTreeSet<i32>) {
        let begun = Instant::now();
        loop {
            let all = list();
            let found = all
                .iter()
                .filter(|process| !process.is_dead && self.has(process));
            let found: Vec<i32> = found.map(|process| process.id).collect();
            self.members.extend(found);
            add_descendants(&mut self.members, &all);
            let mut is_clean = true;
            for process in &all {
                let is_ours = self.members.contains(&process.id) && !running.contains(&process.id);
                let Some(id) = Pid::from_raw(process.id).filter(|_| is_ours) else {
                    continue;
                };
                if process.is_dead {
                    if process.parent == own_id() {
                        let _ = waitpid(Some(id), WaitOptions::NOHANG);
                    }
                } else {
                    is_clean = false;
                    let _ = kill_process(id, Signal::KILL);
                }
            }
            if is_clean || begun.elapsed() > HUNT {
                return;
            }
            std::thread::yield_now();
        }
    }
}

fn own_id() -> i32 {
    rustix::process::getpid().as_raw_nonzero().get()
}

/// Adds the children of members, their children, and so on.
fn add_descendants(members: &mut BTreeSet<i32>, all: &[Listed]) {
    loop {
        let children = all
            .iter()
            .filter(|process| members.contains(&process.parent));
        let new: Vec<i32> = children
            .map(|process| process.id)
            .filter(|id| !members.contains(id))
            .collect();
        if new.is_empty() {
            return;
        }
        members.extend(new);
    }
}

/// All processes.
fn list() -> Vec<Listed> {
    let Ok(entries) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    let ids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    ids.filter_map(listed).collect()
}

/// Reads `ID (NAME) STATE PARENT …`. The name may contain parentheses and spaces, so the fields are read after its last parenthesis.
fn listed(id: i32) -> Option<Listed> {
    let text = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let mut words = text.rsplit_once(')')?.1.split_ascii_whitespace();
    let state = words.next()?;
    Some(Listed {
        id,
        parent: words.next()?.parse().ok()?,
        is_dead: matches!(state, "Z" | "X"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descendants_are_found_to_any_depth() {
        let process = |id, parent| Listed {
            id,
            parent,
            is_dead: false,
        };
        let all = [process(5, 4), process(4, 3), process(3, 1), process(9, 1)];
        let mut members = BTreeSet::from([3]);
        add_descendants(&mut members, &all);
        assert_eq!(members, BTreeSet::from([3, 4, 5]));
    }

    #[test]
    fn the_list_has_this_process() {
        let own = list().into_iter().find(|process| process.id == own_id());
        assert_eq!(own.map(|own| own.is_dead), Some(false));
    }
}
