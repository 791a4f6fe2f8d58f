//! Markdown: a table per list, as GitHub and most editors render it.
//!
//! In: an answer. Out: a table with all columns that are not rare; an object is a table of field and value. Several
//! texts of a cell are joined by `, `. Characters with a meaning in Markdown or HTML are escaped: a page must not
//! add links, images or markup of its own. O(cells).

use crate::error::OutputError;
use crate::format::Format;
use crate::visible_text::shown_text;
use copal_model::{Answer, Column, Object, Region};
use std::io::Write;

/// What separates several texts of one cell.
const TEXT_SEPARATOR: &str = ", ";

/// Writes a Markdown table per list.
#[derive(Debug, Default)]
pub struct Markdown {
    /// Write the name of each page as a heading above its tables.
    pub headings: bool,
    /// Do not leave out columns that few records have.
    pub all_columns: bool,
    /// Tables written so far.
    tables: usize,
}

impl Format for Markdown {
    fn page(
        &mut self,
        out: &mut (dyn Write + Send),
        name: &str,
        extraction: &Answer,
    ) -> Result<(), OutputError> {
        if self.headings {
            self.begin_table(out)?;
            writeln!(out, "## {}", escaped(name))?;
        }
        if let Some(object) = &extraction.object {
            self.begin_table(out)?;
            write_object(out, object)?;
        }
        for region in &extraction.regions {
            self.begin_table(out)?;
            self.write_list(out, region)?;
        }
        Ok(())
    }

    fn finish(&mut self, _: &mut (dyn Write + Send)) -> Result<(), OutputError> {
        Ok(())
    }
}

impl Markdown {
    /// A table without headings, for one page.
    pub fn new(headings: bool, all_columns: bool) -> Markdown {
        Markdown { headings, all_columns, tables: 0 }
    }

    /// Tables are separated by an empty line.
    fn begin_table(&mut self, out: &mut (dyn Write + Send)) -> Result<(), OutputError> {
        if self.tables > 0 {
            writeln!(out)?;
        }
        self.tables += 1;
        Ok(())
    }

    fn write_list(&self, out: &mut (dyn Write + Send), region: &Region) -> Result<(), OutputError> {
        let all = self.all_columns || region.columns.iter().all(Column::is_rare);
        let shown: Vec<usize> =
            (0..region.columns.len()).filter(|&c| all || !region.columns[c].is_rare()).collect();
        if shown.is_empty() {
            return Ok(());
        }
        write_row(out, shown.iter().map(|&c| escaped(&region.columns[c].name)))?;
        write_row(out, shown.iter().map(|_| "---".to_owned()))?;
        for record in &region.records {
            write_row(out, shown.iter().map(|&c| escaped(&record.cells[c].join(TEXT_SEPARATOR))))?;
        }
        Ok(())
    }
}

fn write_object(out: &mut (dyn Write + Send), object: &Object) -> Result<(), OutputError> {
    write_row(out, ["field".to_owned(), "value".to_owned()])?;
    write_row(out, ["---".to_owned(), "---".to_owned()])?;
    for field in &object.fields {
        write_row(out, [escaped(&field.name), escaped(&field.texts.join(TEXT_SEPARATOR))])?;
    }
    Ok(())
}

fn write_row(
    out: &mut (dyn Write + Send),
    cells: impl IntoIterator<Item = String>,
) -> Result<(), OutputError> {
    let cells: Vec<String> = cells.into_iter().collect();
    writeln!(out, "| {} |", cells.join(" | "))?;
    Ok(())
}

/// One line of plain text in Markdown.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in shown_text(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\\' | '|' | '`' | '*' | '_' | '[' | ']' | '!' | '~' | '#' | '$' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn texts_cannot_leave_their_cell_or_become_markup() {
        assert_eq!(escaped("a | b\n<img src=x>"), "a \\| b &lt;img src=x&gt;");
        assert_eq!(escaped("![x](y) `c` \\|"), "\\!\\[x\\](y) \\`c\\` \\\\\\|");
    }
}
