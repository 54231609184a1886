//! What a bot's process may use, and how it is started within these bounds: this program starts itself, lowers its own
//! limits and becomes the bot, so that no moment of the bot is without them.

use std::io;
use std::ops::RangeInclusive;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// What each bound may be.
pub(crate) const MEMORY_MIB: RangeInclusive<u64> = 0..=1 << 20;
pub(crate) const CPU_SECONDS: RangeInclusive<u64> = 1..=1 << 32;
pub(crate) const FILES: RangeInclusive<u64> = 8..=1 << 20;
pub(crate) const PROCESSES: RangeInclusive<u64> = 1..=1 << 22;

/// How a process ends that could not become its command, as with a shell: the command is not there, or cannot be executed.
pub(crate) const NOT_FOUND: u8 = 127;
pub(crate) const NOT_EXECUTABLE: u8 = 126;

/// Bounds of one process of a bot.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Args)]
pub(crate) struct Limits {
    /// Memory that each process of a bot may use for data, in MiB; 0 for no limit
    #[arg(long, value_name = "MIB", default_value_t = 2_048, allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(MEMORY_MIB))]
    pub(crate) memory: u64,
    /// Processor time that each process of a bot may use in all, in seconds [default: no limit]
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(CPU_SECONDS))]
    pub(crate) cpu: Option<u64>,
    /// Files that each process of a bot may have open
    #[arg(long, value_name = "N", default_value_t = 256, allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(FILES))]
    pub(crate) files: u64,
    /// Processes that the bot's user may have in all; root has no such limit [default: no limit]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(PROCESSES))]
    pub(crate) processes: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            memory: 2_048,
            cpu: None,
            files: 256,
            processes: None,
        }
    }
}

/// The largest file that a bot may write, in bytes.
const FILE_BYTES: u64 = 1 << 30;

impl Limits {
    /// The command that becomes this one within the limits.
    ///
    /// # Errors
    /// The program of this process is not known.
    pub(crate) fn wrap(&self, command: &[String]) -> io::Result<Command> {
        let mut launch = Command::new(own_program()?);
        launch.args(["bot", "launch"]);
        launch.arg(format!("--memory={}", self.memory));
        launch.arg(format!("--files={}", self.files));
        if let Some(cpu) = self.cpu {
            launch.arg(format!("--cpu={cpu}"));
        }
        if let Some(processes) = self.processes {
            launch.arg(format!("--processes={processes}"));
        }
        launch.arg("--").args(command);
        Ok(launch)
    }

    /// Lowers the limits of this process and becomes the command. Returns only if that fails.
    pub(crate) fn become_command(&self, command: &[String]) -> io::Error {
        let bounds = [
            (Resource::Core, Some(0)),
            (
                Resource::Data,
                (self.memory > 0).then_some(self.memory << 20),
            ),
            (Resource::Nofile, Some(self.files)),
            (Resource::Fsize, Some(FILE_BYTES)),
            (Resource::Cpu, self.cpu),
            (Resource::Nproc, self.processes),
        ];
        for (resource, bound) in bounds {
            if let Some(bound) = bound
                && let Err(error) = lower(resource, bound)
            {
                return error;
            }
        }
        let Some((program, arguments)) = command.split_first() else {
            return io::Error::other("no command was given");
        };
        Command::new(program).args(arguments).exec()
    }
}

/// The program of this process, also right after its file was replaced by a newer build.
///
/// # Errors
/// It is not known.
pub(super) fn own_program() -> io::Result<PathBuf> {
    let own = Path::new("/proc/self/exe");
    match own.exists() {
        true => Ok(own.to_owned()),
        false => std::env::current_exe(),
    }
}

/// A limit is never raised.
fn lower(resource: Resource, bound: u64) -> io::Result<()> {
    let now = getrlimit(resource);
    let bound = now.maximum.map_or(bound, |maximum| maximum.min(bound));
    let limit = Rlimit {
        current: Some(bound),
        maximum: Some(bound),
    };
    Ok(setrlimit(resource, limit)?)
}
