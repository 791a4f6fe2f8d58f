//! Keeps what a run reads: an output that is one of the inputs is refused before anything is opened.
//!
//! `copal extract page.html -o page.html` would write a report in place of the page, and a pattern like `pages/*.html`
//! also matches the report that the run before wrote among the pages.

use crate::error::CliError;
use crate::inputs::Input;
use std::fs;
use std::path::Path;

/// Refuses an output that would replace one of the inputs.
pub(crate) fn check_inputs_stay(output: Option<&Path>, inputs: &[Input]) -> Result<(), CliError> {
    check_files_stay(output, inputs.iter().filter_map(Input::file))
}

/// Refuses an output that would replace one of the files.
pub(crate) fn check_files_stay<'a>(
    output: Option<&Path>,
    mut files: impl Iterator<Item = &'a Path>,
) -> Result<(), CliError> {
    // an output that is not there yet replaces nothing, and devices and pipes are written to
    let Some(output) = output.filter(|path| path.is_file()) else { return Ok(()) };
    let Ok(replaced) = fs::canonicalize(output) else { return Ok(()) };
    // thousands of pages are compared by name, and only files of the same name by where they are
    let names = [output.file_name(), replaced.file_name()];
    let is_replaced = |file: &Path| {
        (names.contains(&file.file_name()) || file.is_symlink())
            && fs::canonicalize(file).is_ok_and(|file| file == replaced)
    };
    match files.find(|file| is_replaced(file)) {
        None => Ok(()),
        Some(file) => {
            let message = format!("{}: is read by this run: its output would replace it", file.display());
            Err(CliError::usage(message).with_hint("choose another name with -o"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_is_recognised_under_another_path() {
        let folder = tempfile::tempdir().unwrap();
        let page = folder.path().join("page.html");
        fs::write(&page, "<p>").unwrap();
        fs::create_dir(folder.path().join("sub")).unwrap();
        let other = folder.path().join("sub").join("page.html");
        fs::write(&other, "<p>").unwrap();
        let indirect = folder.path().join("sub").join("..").join("page.html");
        let is_refused =
            |output: &Path, file: &Path| check_files_stay(Some(output), [file].into_iter()).is_err();
        assert!(is_refused(&page, &page) && is_refused(&indirect, &page) && is_refused(&page, &indirect));
        assert!(!is_refused(&other, &page), "another file of the same name");
        assert!(!is_refused(&folder.path().join("new.html"), &page));
        assert!(check_files_stay(None, [page.as_path()].into_iter()).is_ok());
    }
}
