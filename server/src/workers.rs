//! The threads that serve connections: the one that accepts them, and others, each with a runtime of its own that owns its
//! sockets for life. A connection never moves.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use tokio::net::TcpStream;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::shard;

/// Connections on their way to one thread.
const ON_THE_WAY: usize = 256;

type Errand = Box<dyn FnOnce() + Send>;

/// The serving threads. The others end soon after this is dropped, whatever still runs on them.
#[derive(Debug)]
pub struct Workers {
    /// The ways to the other threads: shards 1, 2, …
    others: Vec<mpsc::Sender<Errand>>,
    handed_out: AtomicUsize,
    ended: CancellationToken,
}

impl Workers {
    /// Starts all but one of `count` threads; that one is the caller's, shard 0. Each of the others runs what `beside` makes, for as
    /// long as it lives.
    ///
    /// # Errors
    /// The system has no thread to give.
    pub fn start<F>(count: u32, beside: impl Fn() -> F + Clone + Send + 'static) -> io::Result<Self>
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let ended = CancellationToken::new();
        let mut workers = Self {
            others: Vec::new(),
            handed_out: AtomicUsize::new(0),
            ended: ended.clone(),
        };
        for number in 1..count as usize {
            let (errands, taken) = mpsc::channel(ON_THE_WAY);
            let runtime = Builder::new_current_thread().enable_all().build()?;
            let (ended, beside) = (ended.clone(), beside.clone());
            thread::Builder::new()
                .name(format!("worker-{number}"))
                .spawn(move || work(number, &runtime, taken, &ended, beside))?;
            workers.others.push(errands);
        }
        Ok(workers)
    }

    /// Hands a connection to the next thread in turn, where `serve` runs within that thread's runtime. Waits while too many are on
    /// their way to it.
    ///
    /// # Errors
    /// The connection was lost on its way between two runtimes.
    pub async fn hand_over(
        &self,
        stream: TcpStream,
        serve: impl FnOnce(TcpStream) + Send + 'static,
    ) -> io::Result<()> {
        let next = self.handed_out.fetch_add(1, Ordering::Relaxed) % (self.others.len() + 1);
        let Some(other) = next.checked_sub(1).and_then(|other| self.others.get(other)) else {
            serve(stream);
            return Ok(());
        };
        let stream = stream.into_std()?;
        let errand = Box::new(move || match TcpStream::from_std(stream) {
            Ok(stream) => serve(stream),
            Err(error) => tracing::warn!(%error, "a connection was lost on its way to its thread"),
        });
        // The thread ends after everybody who hands over.
        let _ = other.send(errand).await;
        Ok(())
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.ended.cancel();
    }
}

fn work<F>(
    number: usize,
    runtime: &Runtime,
    mut errands: mpsc::Receiver<Errand>,
    ended: &CancellationToken,
    beside: impl FnOnce() -> F,
) where
    F: Future<Output = ()> + Send + 'static,
{
    shard::settle(number);
    let serve = async {
        while let Some(Some(errand)) = ended.run_until_cancelled(errands.recv()).await {
            errand();
        }
    };
    let beside = async {
        beside().await;
        std::future::pending::<()>().await;
    };
    runtime.block_on(async {
        tokio::select! {
            biased;
            () = beside => {}
            () = serve => {}
        }
    });
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::sync_channel;

    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;
    use tokio_util::task::TaskTracker;

    use super::*;

    #[tokio::test]
    async fn connections_are_served_by_all_threads_in_turn() {
        let workers = Workers::start(3, || std::future::ready(())).expect("threads");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let tracker = TaskTracker::new();
        let (served, serving) = sync_channel(6);
        let mut clients = Vec::new();
        for _ in 0..6 {
            clients.push(TcpStream::connect(address).await.expect("it listens"));
            let (stream, _) = listener.accept().await.expect("a connection");
            let (tracker, served) = (tracker.clone(), served.clone());
            let serve = move |mut stream: TcpStream| {
                tracker.spawn(async move {
                    served.send(shard::here()).expect("the test waits");
                    stream.write_all(b"hello").await.expect("it is read");
                });
            };
            workers.hand_over(stream, serve).await.expect("a stream");
        }
        for mut client in clients {
            let mut text = [0; 5];
            client.read_exact(&mut text).await.expect("an answer");
            assert_eq!(&text, b"hello");
        }
        let mut shards: Vec<usize> = serving.try_iter().collect();
        shards.sort_unstable();
        assert_eq!(shards, [0, 0, 1, 1, 2, 2]);
    }
}
