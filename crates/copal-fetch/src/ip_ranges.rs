//! Tells global IP addresses from private and special ones. An address goes in, true or false comes out;
//! O(1).
//!
//! Global is what the IANA registries of special-purpose addresses do not list. IPv6 addresses that contain
//! an IPv4 address are refused or judged by it.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// True if the address can belong to a host on the public internet.
pub(crate) fn is_global(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_global_v4(address),
        IpAddr::V6(address) => is_global_v6(address),
    }
}

/// First address and prefix length of each special range.
const SPECIAL_V4: &[([u8; 4], u32)] = &[
    ([0, 0, 0, 0], 8),       // this network
    ([10, 0, 0, 0], 8),      // private
    ([100, 64, 0, 0], 10),   // carrier-grade NAT
    ([127, 0, 0, 0], 8),     // loopback
    ([169, 254, 0, 0], 16),  // link-local, cloud metadata
    ([172, 16, 0, 0], 12),   // private
    ([192, 0, 0, 0], 24),    // protocol assignments
    ([192, 0, 2, 0], 24),    // documentation
    ([192, 88, 99, 0], 24),  // 6to4 relays
    ([192, 168, 0, 0], 16),  // private
    ([198, 18, 0, 0], 15),   // benchmarks
    ([198, 51, 100, 0], 24), // documentation
    ([203, 0, 113, 0], 24),  // documentation
    ([224, 0, 0, 0], 4),     // multicast
    ([240, 0, 0, 0], 4),     // reserved, broadcast
];

fn is_global_v4(address: Ipv4Addr) -> bool {
    let bits = address.to_bits();
    let within = |(first, length): &([u8; 4], u32)| (bits ^ u32::from_be_bytes(*first)) >> (32 - length) == 0;
    !SPECIAL_V4.iter().any(within)
}

/// Special ranges within `2000::/3`. Outside of it only IPv4-mapped addresses can be global.
const SPECIAL_V6: &[([u16; 8], u32)] = &[
    ([0x2001, 0, 0, 0, 0, 0, 0, 0], 23),     // protocol assignments, Teredo
    ([0x2001, 0xdb8, 0, 0, 0, 0, 0, 0], 32), // documentation
    ([0x2002, 0, 0, 0, 0, 0, 0, 0], 16),     // 6to4: contains an IPv4 address
    ([0x3fff, 0, 0, 0, 0, 0, 0, 0], 20),     // documentation
];

fn is_global_v6(address: Ipv6Addr) -> bool {
    if let Some(inner) = address.to_ipv4_mapped() {
        return is_global_v4(inner);
    }
    let bits = address.to_bits();
    let unicast = bits >> 125 == 0b001;
    let within =
        |(first, length): &([u16; 8], u32)| (bits ^ Ipv6Addr::from(*first).to_bits()) >> (128 - length) == 0;
    unicast && !SPECIAL_V6.iter().any(within)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_global_text(address: &str) -> bool {
        is_global(address.parse().unwrap())
    }

    #[test]
    fn special_ipv4_ranges_are_refused_and_their_neighbours_are_not() {
        let special = [
            "0.0.0.0 0.255.255.255",
            "10.0.0.0 10.255.255.255",
            "100.64.0.0 100.127.255.255",
            "127.0.0.0 127.255.255.255",
            "169.254.0.0 169.254.255.255",
            "172.16.0.0 172.31.255.255",
            "192.0.0.0 192.0.0.255",
            "192.0.2.0 192.0.2.255",
            "192.88.99.0 192.88.99.255",
            "192.168.0.0 192.168.255.255",
            "198.18.0.0 198.19.255.255",
            "198.51.100.0 198.51.100.255",
            "203.0.113.0 203.0.113.255",
            "224.0.0.0 239.255.255.255",
            "240.0.0.0 255.255.255.255",
        ];
        for range in special {
            let (first, last) = range.split_once(' ').unwrap();
            assert!(!is_global_text(first) && !is_global_text(last), "{range}");
        }
        let global = [
            "1.0.0.0",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "169.253.255.255",
            "169.255.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.0",
            "192.0.3.0",
            "192.88.98.255",
            "192.88.100.0",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "198.51.99.255",
            "198.51.101.0",
            "203.0.112.255",
            "203.0.114.0",
            "223.255.255.255",
            "93.184.216.34",
        ];
        for address in global {
            assert!(is_global_text(address), "{address}");
        }
    }

    #[test]
    fn ipv6_is_global_only_in_its_unicast_range() {
        let refused = [
            "::",
            "::1",
            "::127.0.0.1",
            "::93.184.216.34",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::ffff:0:127.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b::5db8:d822",
            "64:ff9b:1::1",
            "100::1",
            "100:0:0:1::1",
            "2001::1",
            "2001:1ff::1",
            "2001:0:4136:e378:8000:63bf:3fff:fdd2",
            "2001:db8::1",
            "2002:7f00:1::",
            "2002:5db8:d822::",
            "3fff::1",
            "3fff:fff::1",
            "5f00::1",
            "fc00::1",
            "fd12::1",
            "fe80::1",
            "febf::1",
            "fec0::1",
            "ff02::1",
            "4000::1",
            "1fff::1",
        ];
        for address in refused {
            assert!(!is_global_text(address), "{address}");
        }
        for address in [
            "2606:4700::1",
            "2001:200::1",
            "2a00:1450:4001::8a",
            "3ffe::1",
            "3fff:1000::1",
            "::ffff:93.184.216.34",
        ] {
            assert!(is_global_text(address), "{address}");
        }
    }
}
