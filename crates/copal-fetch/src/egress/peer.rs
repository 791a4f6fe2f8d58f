//! Whose connection it is: the proxy is on loopback, where other users of the machine can reach it too.
//!
//! In: both ends of a connection. Out: whether the same user who runs this process has opened it. Linux lists the owner
//! of every connection in `/proc/net/tcp`. Other systems do not, so the answer is no there. O(connections of the machine).

use std::net::SocketAddr;

/// True if the process at the other end runs as the same user. `client` and `server` are the ends of the connection.
#[cfg(target_os = "linux")]
pub(super) fn is_same_user(client: SocketAddr, server: SocketAddr) -> bool {
    use std::io::Read;
    use std::os::unix::fs::MetadataExt;
    /// Bytes of the table that are read. A line has 150.
    const MAX_TABLE_BYTES: u64 = 20_000_000;

    let Ok(own) = std::fs::metadata("/proc/self") else { return false };
    let mut table = String::new();
    let opened = std::fs::File::open("/proc/net/tcp");
    let read = opened.and_then(|file| file.take(MAX_TABLE_BYTES).read_to_string(&mut table));
    read.is_ok() && owner_of(&table, client, server) == Some(own.uid())
}

#[cfg(not(target_os = "linux"))]
pub(super) fn is_same_user(_: SocketAddr, _: SocketAddr) -> bool {
    false
}

/// The user id of the connection from `client` to `server` in the table; `None` if it has no such connection.
#[cfg(any(target_os = "linux", test))]
fn owner_of(table: &str, client: SocketAddr, server: SocketAddr) -> Option<u32> {
    let written = |address: SocketAddr| match address {
        SocketAddr::V4(address) => {
            Some(format!("{:08X}:{:04X}", u32::from_ne_bytes(address.ip().octets()), address.port()))
        }
        SocketAddr::V6(_) => None,
    };
    let (client, server) = (written(client)?, written(server)?);
    table.lines().find_map(|line| {
        let fields: Vec<&str> = line.split_ascii_whitespace().collect();
        let is_it = fields.get(1) == Some(&client.as_str()) && fields.get(2) == Some(&server.as_str());
        if is_it { fields.get(7)?.parse().ok() } else { None }
    })
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::net::{TcpListener, TcpStream};

    #[test]
    fn own_connections_are_recognised() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = listener.local_addr().unwrap();
        let client = TcpStream::connect(server).unwrap();
        assert!(is_same_user(client.local_addr().unwrap(), server));
        let other: SocketAddr = "127.0.0.1:1".parse().unwrap();
        assert!(!is_same_user(other, server));
    }

    #[test]
    fn owners_are_read_from_the_table() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n\
                     0: 0100007F:1F90 0100007F:9C40 01 00000000:00000000 00:00000000 00000000  1000        0 1 1\n\
                     1: 0100007F:9C40 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1001        0 2 1\n";
        let address = |text: &str| text.parse::<SocketAddr>().unwrap();
        let (client, server) = (address("127.0.0.1:40000"), address("127.0.0.1:8080"));
        assert_eq!(owner_of(table, client, server), Some(1001));
        assert_eq!(owner_of(table, server, client), Some(1000));
        assert_eq!(owner_of(table, address("127.0.0.1:4000"), server), None);
        assert_eq!(owner_of("x\n1: 0100007F:9C40 0100007F:1F90 01", client, server), None);
    }
}
