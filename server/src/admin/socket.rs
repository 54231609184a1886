//! The local socket, and who may use it.

use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use rustix::process::geteuid;
use tokio::net::{UnixListener, UnixStream};

/// The directory of the socket, in the data directory.
const DIRECTORY: &str = "admin";
/// The socket in it.
const SOCKET: &str = "socket";

/// Where the socket of the server with this data directory is.
#[must_use]
pub fn path_of(data: &Path) -> PathBuf {
    data.join(DIRECTORY).join(SOCKET)
}

/// The socket; its file goes when it is dropped.
#[derive(Debug)]
pub struct AdminSocket {
    listener: UnixListener,
    path: PathBuf,
}

impl AdminSocket {
    /// Opens the socket of the server that holds the lock of this data directory. A socket that is there is one of an earlier run.
    ///
    /// # Errors
    /// The directory or the socket cannot be made: the path may be longer than the 107 bytes that a socket can have.
    pub fn open(data: &Path) -> io::Result<Self> {
        let (directory, path) = (data.join(DIRECTORY), path_of(data));
        match DirBuilder::new().mode(0o700).create(&directory) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => fs::set_permissions(&directory, Permissions::from_mode(0o700))?,
        }
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let listener = UnixListener::bind(&path)?;
        fs::set_permissions(&path, Permissions::from_mode(0o600))?;
        Ok(Self { listener, path })
    }

    /// The next connection.
    pub(super) async fn accept(&self) -> io::Result<UnixStream> {
        self.listener.accept().await.map(|(stream, _)| stream)
    }
}

impl Drop for AdminSocket {
    fn drop(&mut self) {
        // The next start removes what is left.
        let _ = fs::remove_file(&self.path);
    }
}

/// The user at the other end, if that user may administer this server: its own, or root. Otherwise the user's id, as far as it is known.
pub(super) fn operator_of(stream: &UnixStream) -> Result<u32, Option<u32>> {
    let uid = stream.peer_cred().map_err(|_| None)?.uid();
    match uid == 0 || uid == geteuid().as_raw() {
        true => Ok(uid),
        false => Err(Some(uid)),
    }
}
