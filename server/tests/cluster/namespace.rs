//! Network namespaces of the kernel, in which servers run as if on machines of their own, and the wires that join them to this one. Packets on a wire are dropped or
//! refused by nftables: what proxies cannot do.
//!
//! Nothing here has a name of its own in the system but the ends of wires, and all of it goes with the process that holds the namespace. That one ends when its input
//! ends, also when the tests are killed.

use std::io::{BufRead, BufReader, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::cable::Way;

/// Holds a namespace and obeys orders until its input ends. Servers listen on loopback, so what comes over the wire for one is sent there.
const SCRIPT: &str = r#"
exec 2>&1
read -r _
ip link set dev lo up && ip address add "$NODE" peer "$HUB" dev wire && ip link set dev wire up || exit
echo 1 >/proc/sys/net/ipv4/conf/all/route_localnet || exit
nft "add table ip wires; add chain ip wires arrive { type nat hook prerouting priority dstnat; }" || exit
echo done
while read -r order rest; do
    case $order in
        rules) nft "$rest" && echo done ;;
        reach) timeout 2 bash -c "exec 3<>/dev/tcp/$rest" && echo done ;;
    esac
done
"#;

/// Addresses for tests of networks (RFC 2544): no network uses them. Each hub has a block of eight.
const ADDRESSES: u32 = u32::from_be_bytes([198, 18, 0, 0]);
const BLOCKS: u32 = 1 << 14;
/// Blocks that are tried before it is given up.
const TRIES: u32 = 64;
/// Namespaces of a hub at most.
const MOST: usize = 6;
/// A slow wire loses one packet of so many.
const LOST: u32 = 8;
/// A packet crosses a wire in this time.
const CROSSING: Duration = Duration::from_secs(2);

/// This machine, with a wire to each of some namespaces.
pub(crate) struct Hub {
    address: Ipv4Addr,
    namespaces: Vec<Arc<Namespace>>,
}

/// A namespace.
struct Namespace {
    /// The end of its wire on this machine.
    link: String,
    address: Ipv4Addr,
    holder: Child,
    line: Mutex<(ChildStdin, BufReader<ChildStdout>)>,
}

/// What passes between a namespace and a server, to one port.
pub(crate) struct Wire {
    namespace: Arc<Namespace>,
    port: u16,
    /// Whether the server is in the namespace.
    inside: bool,
}

impl Hub {
    /// Makes so many namespaces.
    ///
    /// # Errors
    /// Why that is not possible here.
    pub(crate) fn with(count: usize) -> Result<Self, String> {
        assert!(count <= MOST, "a block has {MOST} addresses for namespaces");
        // Other processes begin elsewhere. Who takes a name first has the block.
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let begin = std::process::id() * 16;
        let mut why = String::new();
        for _ in 0..TRIES {
            let block = (begin + NEXT.fetch_add(1, Ordering::Relaxed)) % BLOCKS;
            match Self::on_block(block, count) {
                Err(error) if error.contains("File exists") => why = error,
                made => return made,
            }
        }
        Err(why)
    }

    fn on_block(block: u32, count: usize) -> Result<Self, String> {
        let address = |number: u32| Ipv4Addr::from(ADDRESSES + block * 8 + number);
        let hub = address(1);
        let namespaces = (2..).take(count).map(|number| {
            let link = format!("gr{block}n{number}");
            Namespace::join(&link, hub, address(number)).map(Arc::new)
        });
        Ok(Self {
            address: hub,
            namespaces: namespaces.collect::<Result<_, _>>()?,
        })
    }

    /// Whether packets cross in both directions, and can be dropped and refused, which a firewall or an old kernel may not let happen.
    ///
    /// # Errors
    /// What does not work.
    pub(crate) fn check(&self) -> Result<(), String> {
        let namespace = self.namespaces.first().ok_or("no namespace")?;
        let listener = TcpListener::bind((self.address, 0)).map_err(|error| error.to_string())?;
        let here = listener.local_addr().map_err(|error| error.to_string())?;
        let wire = Wire::new(namespace, here.port(), false)?;
        for way in [
            Way::Cut,
            Way::Slow,
            Way::NothingUp,
            Way::Forgotten,
            Way::Open,
        ] {
            wire.try_set(way)?;
        }
        namespace.order(&format!("reach {}/{}", here.ip(), here.port()))?;
        // Nothing listens there, which is said at once.
        let there = SocketAddr::from((namespace.address, here.port()));
        match TcpStream::connect_timeout(&there, CROSSING) {
            Err(error) if error.kind() != std::io::ErrorKind::ConnectionRefused => {
                Err(error.to_string())
            }
            _ => Ok(()),
        }
    }

    /// The address of this machine on the wires.
    pub(crate) fn address(&self) -> Ipv4Addr {
        self.address
    }

    /// The addresses of all namespaces, as a range.
    pub(crate) fn range(&self) -> String {
        format!("{}/29", Ipv4Addr::from(u32::from(self.address) & !7))
    }

    /// The wire from a namespace to a server at this port of this machine.
    pub(crate) fn wire_to(&self, number: usize, port: u16) -> Wire {
        let wire = Wire::new(&self.namespaces[number], port, false);
        wire.unwrap_or_else(|why| panic!("{why}"))
    }

    /// The wire to a server at this port of 127.0.0.1 in a namespace, and its address here.
    pub(crate) fn wire_into(&self, number: usize, port: u16) -> (Wire, IpAddr) {
        let namespace = &self.namespaces[number];
        let lead = format!(
            "rules add rule ip wires arrive iifname wire tcp dport {port} dnat to 127.0.0.1"
        );
        let wire = namespace
            .order(&lead)
            .and_then(|()| Wire::new(namespace, port, true));
        let wire = wire.unwrap_or_else(|why| panic!("{why}"));
        (wire, namespace.address.into())
    }

    /// What runs a program in a namespace in this process's stead. The program ends with the tests.
    pub(crate) fn entrance(&self, number: usize) -> Vec<String> {
        let id = self.namespaces[number].holder.id();
        let net = format!("--net=/proc/{id}/ns/net");
        ["nsenter", &net, "--", "setpriv", "--pdeathsig", "KILL"]
            .map(str::to_owned)
            .to_vec()
    }
}

impl Namespace {
    /// A new one, joined to this machine by a wire whose end here has this name.
    fn join(link: &str, hub: Ipv4Addr, address: Ipv4Addr) -> Result<Self, String> {
        let holder = Command::new("unshare")
            .args(["--net", "sh", "-c", SCRIPT])
            .env("NODE", address.to_string())
            .env("HUB", hub.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut holder = holder.map_err(|error| format!("unshare: {error}"))?;
        let orders = holder.stdin.take().expect("it is piped");
        let answers = BufReader::new(holder.stdout.take().expect("it is piped"));
        let mut namespace = Self {
            link: String::new(),
            address,
            holder,
            line: Mutex::new((orders, answers)),
        };
        namespace.is_apart()?;
        let id = namespace.holder.id().to_string();
        let (hub, peer) = (hub.to_string(), format!("{address}/32"));
        for order in [
            &[
                "link", "add", link, "type", "veth", "peer", "name", "wire", "netns", &id,
            ][..],
            &["address", "add", &hub, "peer", &peer, "dev", link],
            &["link", "set", "dev", link, "up"],
        ] {
            let made = Command::new("ip").args(order).output();
            let made = made.map_err(|error| format!("ip: {error}"))?;
            if !made.status.success() {
                return Err(String::from_utf8_lossy(&made.stderr).trim().to_owned());
            }
            // From here on it is ours: another process may have that name.
            link.clone_into(&mut namespace.link);
        }
        namespace.order("begin")?;
        Ok(namespace)
    }

    /// Waits until the holder is in a namespace of its own.
    fn is_apart(&self) -> Result<(), String> {
        let net = |process: &str| std::fs::read_link(format!("/proc/{process}/ns/net"));
        let id = self.holder.id().to_string();
        let deadline = std::time::Instant::now() + CROSSING;
        while std::time::Instant::now() < deadline {
            match (net("self"), net(&id)) {
                (Ok(here), Ok(there)) if here != there => return Ok(()),
                (Ok(_), Ok(_)) => std::thread::yield_now(),
                (here, there) => return Err(format!("{here:?}, {there:?}")),
            }
        }
        Err("unshare: no namespace may be made".to_owned())
    }

    /// Lets the holder do this, and waits until it has.
    fn order(&self, order: &str) -> Result<(), String> {
        let mut line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        let (orders, answers) = &mut *line;
        writeln!(orders, "{order}").map_err(|error| error.to_string())?;
        let mut answer = String::new();
        let read = answers.read_line(&mut answer);
        match read.is_ok() && answer == "done\n" {
            true => Ok(()),
            false => Err(format!("{order}: {}", answer.trim())),
        }
    }
}

impl Drop for Namespace {
    fn drop(&mut self) {
        // With the last process in it the namespace goes, and with the namespace its wire. What was never acknowledged keeps both for minutes.
        let _ = self.holder.kill();
        let _ = self.holder.wait();
        if !self.link.is_empty() {
            let remove = ["link", "delete", "dev", &self.link];
            let _ = Command::new("ip").args(remove).output();
        }
    }
}

impl Wire {
    fn new(namespace: &Arc<Namespace>, port: u16, inside: bool) -> Result<Self, String> {
        namespace.order(&format!(
            "rules add chain ip wires in{port} {{ type filter hook input priority 0; }}; \
             add chain ip wires out{port} {{ type filter hook output priority 0; }}"
        ))?;
        Ok(Self {
            namespace: Arc::clone(namespace),
            port,
            inside,
        })
    }

    /// From now on this happens.
    pub(crate) fn set(&self, way: Way) {
        self.try_set(way).unwrap_or_else(|why| panic!("{why}"));
    }

    fn try_set(&self, way: Way) -> Result<(), String> {
        let port = self.port;
        let (input, output) = (format!("in{port}"), format!("out{port}"));
        let (to_server, to_client) = match self.inside {
            true => (&input, &output),
            false => (&output, &input),
        };
        let up = format!("add rule ip wires {to_server} tcp dport {port}");
        let down = format!("add rule ip wires {to_client} tcp sport {port}");
        let rules = match way {
            Way::Open => String::new(),
            // What refuses others is not refused itself.
            Way::Cut => {
                let refuse = "tcp flags & rst == 0 reject with tcp reset";
                format!("{up} {refuse}; {down} {refuse}")
            }
            Way::Slow => {
                let lose = format!("numgen random mod {LOST} 0 drop");
                format!("{up} {lose}; {down} {lose}")
            }
            Way::NothingUp => format!("{up} drop"),
            Way::NothingDown => format!("{down} drop"),
            // New connections are known by their first packet.
            Way::Forgotten => format!(
                "{up} tcp flags & (syn | ack) == syn ct mark set 1; {up} ct mark != 1 drop; {down} ct mark != 1 drop"
            ),
        };
        self.namespace.order(&format!(
            "rules flush chain ip wires {input}; flush chain ip wires {output}; {rules}"
        ))
    }
}
