//! The other end of the socket: asks the running server, and prints its reply.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;

use super::socket::path_of;
use crate::exit::{Exit, Failure};
use crate::operator::{AdminReply, AdminRequest};

/// Bytes of the longest reply.
const REPLY_MAX: u64 = 16 << 20;

/// Asks the server of this data directory; its reply, and the line of JSON as which it came.
///
/// # Errors
/// No server runs there, this user may not ask it, it has hung up, or it has refused the request.
pub fn ask(data: &Path, request: &AdminRequest) -> Result<(AdminReply, String), Failure> {
    let path = path_of(data);
    let stream = UnixStream::connect(&path).map_err(|error| match error.kind() {
        io::ErrorKind::PermissionDenied => Failure::new(
            Exit::Refused,
            format!(
                "this user may not open {}: run the command as root or as the user that runs the server",
                path.display()
            ),
        ),
        io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused => Failure::new(
            Exit::NotReady,
            format!(
                "no server runs on the data directory {}; check --data and --config",
                data.display()
            ),
        ),
        _ => Failure::new(Exit::Failed, format!("cannot ask {}: {error}", path.display())),
    })?;
    let line = exchange(stream, request).map_err(|error| {
        let message = format!("the server has hung up without a reply: {error}");
        Failure::new(Exit::Failed, message)
    })?;
    let reply = serde_json::from_str(&line).map_err(|error| {
        let message = format!("the server's reply is of another version: {error}");
        Failure::new(Exit::Failed, message)
    })?;
    Ok((reply, line))
}

fn exchange(mut stream: UnixStream, request: &AdminRequest) -> io::Result<String> {
    let mut line = serde_json::to_string(request).expect("a request has only plain values");
    line.push('\n');
    stream.write_all(line.as_bytes())?;
    let mut reply = String::new();
    BufReader::new(stream.take(REPLY_MAX)).read_line(&mut reply)?;
    match reply.ends_with('\n') {
        true => Ok(reply),
        false => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}
