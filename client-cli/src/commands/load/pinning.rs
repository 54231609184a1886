//! The server and the load generator on different cores, so that a figure says what one core does and the two do not push
//! each other about.

#[cfg(not(target_os = "linux"))]
pub(super) use elsewhere::Pinning;
#[cfg(target_os = "linux")]
pub(super) use linux::Pinning;

#[cfg(target_os = "linux")]
mod linux {
    use rustix::process::Pid;
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    /// Holds processes to cores; dropped, it gives every thread the cores that it had.
    pub(crate) struct Pinning {
        before: Vec<(Pid, CpuSet)>,
        /// The core of the server and of the relay.
        pub(crate) server_core: usize,
        /// The core of this process.
        pub(crate) load_core: usize,
    }

    impl Pinning {
        /// Holds every thread of `servers` to the first core that this process may use, and this process to the
        /// last. Threads made later inherit it.
        ///
        /// # Errors
        /// In words: fewer than two cores, or not allowed.
        pub(crate) fn new(servers: &[u32]) -> Result<Self, String> {
            let ours = sched_getaffinity(None).map_err(|error| error.to_string())?;
            let mut cores = (0..CpuSet::MAX_CPU).filter(|core| ours.is_set(*core));
            let (Some(server_core), Some(load_core)) = (cores.next(), cores.next_back()) else {
                return Err("fewer than two cores".into());
            };
            let mut pinning = Self {
                before: Vec::new(),
                server_core,
                load_core,
            };
            for server in servers {
                pinning.hold(*server, server_core)?;
            }
            pinning.hold(std::process::id(), load_core)?;
            Ok(pinning)
        }

        fn hold(&mut self, process: u32, core: usize) -> Result<(), String> {
            let mut one = CpuSet::new();
            one.set(core);
            for thread in threads_of(process)? {
                let before = sched_getaffinity(Some(thread)).map_err(|error| error.to_string())?;
                sched_setaffinity(Some(thread), &one)
                    .map_err(|error| format!("process {process}: {error}"))?;
                self.before.push((thread, before));
            }
            Ok(())
        }
    }

    impl Drop for Pinning {
        fn drop(&mut self) {
            let held = std::mem::take(&mut self.before);
            for (thread, before) in &held {
                // A thread that has ended meanwhile needs nothing; one made meanwhile gets what its process had.
                let process = thread.as_raw_nonzero().get().unsigned_abs();
                for thread in threads_of(process).unwrap_or_default() {
                    if !held.iter().any(|(known, _)| *known == thread) {
                        let _ = sched_setaffinity(Some(thread), before);
                    }
                }
                let _ = sched_setaffinity(Some(*thread), before);
            }
        }
    }

    /// Every thread of a process. Cost: linear in their number.
    fn threads_of(process: u32) -> Result<Vec<Pid>, String> {
        let entries = std::fs::read_dir(format!("/proc/{process}/task"))
            .map_err(|error| format!("process {process}: {error}"))?;
        Ok(entries
            .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
            .filter_map(Pid::from_raw)
            .collect())
    }
}

#[cfg(not(target_os = "linux"))]
mod elsewhere {
    /// There is no pinning here.
    pub(crate) struct Pinning {
        pub(crate) server_core: usize,
        pub(crate) load_core: usize,
    }

    impl Pinning {
        /// # Errors
        /// Always.
        pub(crate) fn new(_servers: &[u32]) -> Result<Self, String> {
            Err("processes are held to cores on Linux only".into())
        }
    }
}
