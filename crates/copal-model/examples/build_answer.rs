//! Builds an answer by hand and prints its records, as a writer of a new output format would read them.

use copal_model::{
    Answer, Cell, CellSource, Column, Layout, Method, NamedBy, Origin, PageKind, Record, Region, RegionPlace,
    Role,
};

fn column(name: &str) -> Column {
    Column { support: 1.0, ..Column::new(name, NamedBy::Label, CellSource::Text) }
}

fn main() {
    let record = |title: &str, price: &str| Record {
        cells: vec![Cell::found([title.to_owned()]), Cell::found([price.to_owned()])],
        ..Record::default()
    };
    let list = Region {
        role: Role::Primary,
        layout: Layout::List,
        method: Method::Combined,
        origin: Origin::Page,
        score: 1.0,
        confidence: Some(0.9),
        place: RegionPlace::Unknown,
        columns: vec![column("title"), column("price")],
        records: vec![record("Blue lamp", "£12"), record("Red lamp", "£14")],
        sections: Vec::new(),
    };
    let answer = Answer { kind: PageKind::List, regions: vec![list], ..Answer::default() };
    if let Some(list) = answer.primary() {
        for record in &list.records {
            for (column, cell) in list.columns.iter().zip(&record.cells) {
                println!("{}: {}", column.name, cell.join(" | "));
            }
        }
    }
}
