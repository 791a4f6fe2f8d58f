//! Small bodies that decompress to huge ones: memory stays within the limit plus one megabyte, for every
//! encoding and window size. Each is fetched by its own process (this test again), whose memory is measured.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::io::Write;

use copal_testserver::{Server, response};
use flate2::Compression;
use support::*;

const BOMB_BYTES: usize = 64 << 20;
const MEGABYTE: usize = 1 << 20;

fn compressed<W: Write>(mut encoder: W, size: usize) -> W {
    let piece = vec![b'a'; 1 << 16];
    for _ in 0..size >> 16 {
        encoder.write_all(&piece).unwrap();
    }
    encoder
}

/// A frame of blocks that each repeat one byte 128 K times. The window is 2 to the power of `10 + exponent`.
fn zstd(exponent: u8, size: usize) -> Vec<u8> {
    let mut bytes = vec![0x28, 0xb5, 0x2f, 0xfd, 0, exponent << 3];
    for _ in 0..size >> 17 {
        bytes.extend_from_slice(&((1_u32 << 17) << 3 | 2).to_le_bytes()[..3]);
        bytes.push(b'a');
    }
    bytes
}

fn memory_status(field: &str) -> usize {
    let text = fs::read_to_string("/proc/self/status").unwrap();
    let line = text.lines().find(|line| line.starts_with(field)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap() * 1024
}

/// Fetches a bomb and prints the peak memory above that of a small page, then the length of the body or the
/// error.
fn fetch_in_child(given: &str) {
    let words: Vec<&str> = given.split(' ').collect();
    let mut options = test_options(true);
    options.limits.decoded_bytes = words[1].parse().unwrap();
    options.limits.compression_ratio = words[2].parse().unwrap();
    options.limits.wire_bytes = 20_000_000;
    let fetcher = fetcher(options);
    block_on(async {
        fetcher.get(&words[0].replace("/bomb/", "/small/")).await.unwrap();
        let before = memory_status("VmRSS");
        fs::write("/proc/self/clear_refs", "5").unwrap();
        let result = fetcher.get(words[0]).await;
        let used = memory_status("VmHWM").saturating_sub(before);
        match result {
            Ok(page) => {
                assert!(page.truncated && page.body.iter().all(|byte| *byte == b'a'));
                println!("\nresult {used} {}", page.body.len());
            }
            Err(error) => println!("\nresult {used} {error}"),
        }
    });
}

#[test]
fn bombs_stay_within_the_limit_and_a_megabyte() {
    if let Ok(given) = std::env::var("COPAL_TEST_BOMB") {
        return fetch_in_child(&given);
    }
    let gzip = compressed(flate2::write::GzEncoder::new(Vec::new(), Compression::fast()), BOMB_BYTES)
        .finish()
        .unwrap();
    let zlib = compressed(flate2::write::ZlibEncoder::new(Vec::new(), Compression::fast()), BOMB_BYTES)
        .finish()
        .unwrap();
    let raw = compressed(flate2::write::DeflateEncoder::new(Vec::new(), Compression::fast()), BOMB_BYTES)
        .finish()
        .unwrap();
    let bombs: Vec<(&str, Vec<u8>)> = vec![
        ("gzip", gzip),
        ("deflate", zlib),
        ("deflate", raw),
        ("br", include_bytes!("data/bomb-22.br").to_vec()), // windows of 4 and 16 MB
        ("br", include_bytes!("data/bomb-24.br").to_vec()),
        ("zstd", zstd(7, BOMB_BYTES)), // of 128 KB, 1, 8 and 128 MB
        ("zstd", zstd(10, BOMB_BYTES)),
        ("zstd", zstd(13, BOMB_BYTES)),
        ("zstd", zstd(17, BOMB_BYTES)),
        ("", vec![b'a'; 12 << 20]),
    ];
    let served = bombs.clone();
    let server = Server::start(move |request| {
        let Some(number) = request.path.strip_prefix("/bomb/") else {
            return response("200 OK", "", "small");
        };
        let (encoding, body) = &served[number.parse::<usize>().unwrap()];
        response("200 OK", &format!("Content-Encoding: {encoding}\r\n"), body)
    });
    for cap in [10_000_000, 4 * MEGABYTE] {
        for ratio in [100, 1_000_000] {
            for (number, (encoding, _)) in bombs.iter().enumerate() {
                let given = format!("{} {cap} {ratio}", server.url(&format!("/bomb/{number}")));
                let output = std::process::Command::new(std::env::current_exe().unwrap())
                    .args(["--nocapture", "bombs_stay_within_the_limit_and_a_megabyte"])
                    .env("COPAL_TEST_BOMB", given)
                    .output()
                    .unwrap();
                let text = String::from_utf8_lossy(&output.stdout);
                let result = text.lines().find_map(|line| line.strip_prefix("result ")).expect(&text);
                println!("cap {cap} ratio {ratio} {number} {encoding}: {result}");
                let (used, outcome) = result.split_once(' ').unwrap();
                assert!(used.parse::<usize>().unwrap() <= cap + MEGABYTE, "{encoding} {number}: {result}");
                match outcome.parse::<usize>() {
                    Ok(length) => {
                        let min_length = if ratio == 100 && number != 9 { MEGABYTE } else { cap / 2 };
                        assert!((min_length..=cap).contains(&length), "{encoding} {number}: {result}");
                    }
                    Err(_) => {
                        let large_window = matches!(number, 3 | 4 | 6..=8);
                        assert!(
                            outcome.contains("needs too much memory") && large_window,
                            "{number}: {outcome}"
                        );
                    }
                }
            }
        }
    }
}
