#![doc = include_str!("../README.md")]

use include_dir::{Dir, include_dir};

static PACKS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/packs");

/// The folder of gazetteers that any domain may use.
pub const SHARED_FOLDER: &str = "shared";

/// The names of the built-in domains, in alphabetical order.
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<&str> = PACKS
        .dirs()
        .filter_map(|pack| pack.path().file_name())
        .filter_map(|name| name.to_str())
        .filter(|name| *name != SHARED_FOLDER)
        .collect();
    names.sort_unstable();
    names
}

/// The text of a file of a built-in domain, or of a gazetteer in [`SHARED_FOLDER`].
pub fn file(folder: &str, name: &str) -> Option<&'static str> {
    PACKS.get_file(format!("{folder}/{name}"))?.contents_utf8()
}

/// The shared gazetteers as domain files name them: `shared/gb-towns.txt`.
pub fn shared_gazetteers() -> Vec<String> {
    let files = PACKS.get_dir(SHARED_FOLDER).map(Dir::files).into_iter().flatten();
    let mut names: Vec<String> = files
        .filter(|file| file.path().extension().is_some_and(|end| end == "txt"))
        .filter_map(|file| Some(file.path().to_str()?.replace('\\', "/")))
        .collect();
    names.sort_unstable();
    names
}
