//! RSS 2.0 and Atom: a feed of a list's records, so that a feed reader can watch a page that has none.
//!
//! In: answers. Out: one feed. A record becomes an entry with its title, its link, its date if the page shows a
//! complete one, and its other texts as the description. The id of an entry is the record's key
//! ([`list_keys`](crate::rows)), which stays the same from run to run. Entries are kept until the end, because the
//! newest date is the date of the feed. O(cells).

use crate::error::OutputError;
use crate::format::Format;
use crate::rows::{KeyNumbering, list_keys};
use copal_model::{Answer, CellSource, Column, Record, Region};
use copal_values::Value;
use std::io::Write;
use std::time::{Duration, SystemTime};

/// Which kind of feed is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FeedKind {
    /// RSS 2.0.
    Rss,
    /// Atom 1.0.
    Atom,
}

/// Writes one feed.
#[derive(Debug)]
pub struct Feed {
    kind: FeedKind,
    title: Option<String>,
    link: Option<String>,
    entries: Vec<FeedEntry>,
    keys: KeyNumbering,
}

/// An entry of a feed.
#[derive(Debug, Clone)]
pub struct FeedEntry {
    /// Stays the same when the feed is written again.
    pub id: String,
    /// Its heading.
    pub title: String,
    /// The page that it is about.
    pub link: Option<String>,
    /// When it was written.
    pub date: Option<SystemTime>,
    /// Its text.
    pub description: String,
}

impl Feed {
    /// A feed without entries.
    pub fn new(kind: FeedKind) -> Feed {
        Feed { kind, title: None, link: None, entries: Vec::new(), keys: KeyNumbering::default() }
    }

    /// A feed of entries that are not the records of a page.
    pub fn of_entries(
        kind: FeedKind,
        title: impl Into<String>,
        link: Option<String>,
        entries: Vec<FeedEntry>,
    ) -> Feed {
        Feed { title: Some(title.into()), link, entries, ..Feed::new(kind) }
    }
}

impl Format for Feed {
    fn page(
        &mut self,
        _: &mut (dyn Write + Send),
        name: &str,
        extraction: &Answer,
    ) -> Result<(), OutputError> {
        // The first page gives the feed its title.
        if self.title.is_none() {
            self.title = Some(extraction.page.title.clone().unwrap_or_else(|| name.to_owned()));
            let url = extraction.page.url.clone().unwrap_or_else(|| name.to_owned());
            self.link = Some(url).filter(|url| is_web_url(url));
        }
        for region in &extraction.regions {
            for (record, key) in region.records.iter().zip(list_keys(region, &[])) {
                let id = self.keys.next(&key);
                self.entries.push(entry(region, record, id));
            }
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut (dyn Write + Send)) -> Result<(), OutputError> {
        match self.kind {
            FeedKind::Rss => self.write_rss(out),
            FeedKind::Atom => self.write_atom(out),
        }
    }
}

impl Feed {
    fn title(&self) -> String {
        xml_text(self.title.as_deref().unwrap_or("copal"))
    }

    fn newest(&self) -> Option<SystemTime> {
        self.entries.iter().filter_map(|entry| entry.date).max()
    }

    fn write_rss(&self, out: &mut (dyn Write + Send)) -> Result<(), OutputError> {
        writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\">\n<channel>")?;
        writeln!(out, "<title>{}</title>", self.title())?;
        // RSS requires a link, but a file that nobody gave a URL has none, and an empty one leads back to the feed
        if let Some(link) = &self.link {
            writeln!(out, "<link>{}</link>", xml_text(link))?;
        }
        writeln!(out, "<description>{}</description>", self.title())?;
        if let Some(date) = self.newest() {
            writeln!(out, "<pubDate>{}</pubDate>", httpdate::fmt_http_date(date))?;
        }
        for entry in &self.entries {
            writeln!(out, "<item>\n<title>{}</title>", xml_text(&entry.title))?;
            if let Some(link) = &entry.link {
                writeln!(out, "<link>{}</link>", xml_text(link))?;
            }
            let is_link = entry.link.as_ref() == Some(&entry.id);
            writeln!(out, "<guid isPermaLink=\"{is_link}\">{}</guid>", xml_text(&entry.id))?;
            if let Some(date) = entry.date {
                writeln!(out, "<pubDate>{}</pubDate>", httpdate::fmt_http_date(date))?;
            }
            writeln!(out, "<description>{}</description>\n</item>", xml_text(&entry.description))?;
        }
        writeln!(out, "</channel>\n</rss>")?;
        Ok(())
    }

    fn write_atom(&self, out: &mut (dyn Write + Send)) -> Result<(), OutputError> {
        // Atom requires a date; without one on the page it is the time of the run.
        let updated = self.newest().unwrap_or_else(SystemTime::now);
        let id = self.link.clone().unwrap_or_else(|| format!("urn:copal:{}", self.title()));
        writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
        writeln!(out, "<feed xmlns=\"http://www.w3.org/2005/Atom\">\n<title>{}</title>", self.title())?;
        writeln!(out, "<id>{}</id>\n<updated>{}</updated>", xml_text(&id), internet_time(updated))?;
        writeln!(out, "<author><name>{}</name></author>", self.title())?;
        if let Some(link) = &self.link {
            writeln!(out, "<link href=\"{}\"/>", xml_text(link))?;
        }
        for entry in &self.entries {
            let id = if is_web_url(&entry.id) { entry.id.clone() } else { format!("urn:copal:{}", entry.id) };
            writeln!(out, "<entry>\n<title>{}</title>\n<id>{}</id>", xml_text(&entry.title), xml_text(&id))?;
            writeln!(out, "<updated>{}</updated>", internet_time(entry.date.unwrap_or(updated)))?;
            if let Some(link) = &entry.link {
                writeln!(out, "<link href=\"{}\"/>", xml_text(link))?;
            }
            writeln!(out, "<summary>{}</summary>\n</entry>", xml_text(&entry.description))?;
        }
        writeln!(out, "</feed>")?;
        Ok(())
    }
}

fn entry(region: &Region, record: &Record, id: String) -> FeedEntry {
    let is_text = |column: &Column| !matches!(column.source, CellSource::Href | CellSource::Src);
    let title_column = region.title_column().or_else(|| {
        (0..region.columns.len()).find(|&c| is_text(&region.columns[c]) && !record.cells[c].is_empty())
    });
    let link = region.link_column().and_then(|c| record.cells[c].first()).map(str::to_owned);
    let date = record.cells.iter().find_map(|cell| match &cell.value {
        Some(Value::Date(iso)) => system_time(iso),
        _ => None,
    });
    let others = region.columns.iter().zip(&record.cells).enumerate();
    let description: Vec<String> = others
        .filter(|(c, (column, cell))| Some(*c) != title_column && is_text(column) && !cell.is_empty())
        .map(|(_, (column, cell))| format!("{}: {}", column.name, cell.join(" | ")))
        .filter(|text| !text.contains("://"))
        .collect();
    let title = title_column.and_then(|c| record.cells[c].first()).unwrap_or(&record.text).to_owned();
    FeedEntry { id, title, link, date, description: description.join("\n") }
}

fn is_web_url(text: &str) -> bool {
    text.starts_with("http://") || text.starts_with("https://")
}

/// Text in XML: markup is escaped, and characters that XML does not allow are omitted.
fn xml_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' | '\r' => out.push(c),
            '\u{fffe}' | '\u{ffff}' => {}
            c if (c as u32) < 0x20 => {}
            c => out.push(c),
        }
    }
    out
}

/// The time of an ISO date, `2024-03-18` or `2024-03-18T10:30`, in UTC. Dates without a day, before 1970 or after
/// 9999 have none.
pub fn system_time(iso: &str) -> Option<SystemTime> {
    let (date, time) = iso.split_once('T').unwrap_or((iso, ""));
    let mut parts = date.split('-').map(|part| part.parse::<u64>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    if parts.next().is_some()
        || !(1970..=9999).contains(&year)
        || !(1..=12).contains(&month)
        || !(1..=31).contains(&day)
    {
        return None;
    }
    let mut clock = time.trim_end_matches('Z').split(':').map(|part| part.parse::<u64>().ok());
    let mut next = |limit: u64| clock.next().flatten().filter(|number| *number < limit).unwrap_or(0);
    let seconds = next(24) * 3600 + next(60) * 60 + next(60);
    Some(SystemTime::UNIX_EPOCH + Duration::from_secs(days_from_civil(year, month, day) * 86_400 + seconds))
}

/// Days from 1970 to a date of the Gregorian calendar. Years begin in March here, so that the leap day is their
/// last day.
fn days_from_civil(year: u64, month: u64, day: u64) -> u64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days_before_month = (153 * month + 2) / 5;
    365 * year + year / 4 - year / 100 + year / 400 + days_before_month + day - 1 - 719_468
}

/// A time as Atom writes it: `2024-03-18T00:00:00Z`.
fn internet_time(time: SystemTime) -> String {
    let seconds = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
    let days = seconds / 86_400;
    // The inverse of `days_from_civil`.
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let day_of_era = shifted % 146_097;
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = year_of_era + era * 400 + carry;
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_converted_both_ways() {
        for iso in
            ["1970-01-01", "2000-02-29", "2024-02-29", "2024-12-31", "2026-11-17", "2100-03-01", "9999-12-31"]
        {
            assert_eq!(internet_time(system_time(iso).unwrap()), format!("{iso}T00:00:00Z"));
        }
        let time = system_time("2024-03-18T10:30").unwrap();
        assert_eq!(httpdate::fmt_http_date(time), "Mon, 18 Mar 2024 10:30:00 GMT");
        for incomplete in
            ["2017-01", "2017", "", "x-y-z", "1969-12-31", "2024-13-01", "2024-1-1-1", "99999-01-01"]
        {
            assert_eq!(system_time(incomplete), None, "{incomplete}");
        }
    }

    #[test]
    fn texts_are_safe_in_xml() {
        assert_eq!(xml_text("a<b>&\"\u{0}\u{b}\u{ffff}é"), "a&lt;b&gt;&amp;&quot;é");
    }
}
