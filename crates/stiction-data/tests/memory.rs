//! A file needs no more memory to read the longer it is.
#[path = "../../../tests/common/heap.rs"]
mod heap;
use heap::Mark;
use std::io::{self, Read};
use stiction_data::log::audit::Auditor;
use stiction_data::log::{Chunk, ColumnSelection, DataFile, Downsampler, ReadOptions, RowConsumer};
use stiction_data::{DataError, list_columns};

/// A file that nobody has to write: a header, then the same lines for ever, up to a length.
struct Endless {
    left: u64,
    block: Vec<u8>,
    at: usize,
}

impl Endless {
    fn new(bytes: u64) -> Self {
        let rows: String = (0..1000).map(|k| format!("{},{}.5,7,{}\n", k, k * 3, k % 11)).collect();
        Self { left: bytes, block: rows.into_bytes(), at: 0 }
    }
}

impl Read for Endless {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = out.len().min(self.block.len() - self.at).min(usize::try_from(self.left).unwrap_or(usize::MAX));
        out[..count].copy_from_slice(&self.block[self.at..self.at + count]);
        self.at = (self.at + count) % self.block.len();
        self.left -= count as u64;
        Ok(count)
    }
}

#[derive(Default)]
struct Sum {
    rows: u64,
    total: f64,
}

impl RowConsumer for Sum {
    type Error = DataError;

    fn take(&mut self, chunk: &Chunk) -> Result<(), DataError> {
        self.rows += chunk.rows() as u64;
        self.total += chunk.columns[0].iter().sum::<f64>();
        Ok(())
    }
}

/// Peak memory, rows and sum of a reading.
fn measure(bytes: u64) -> (isize, Sum) {
    let mark = Mark::new();
    let table = DataFile::from_reader("endless", Endless::new(bytes), &ReadOptions::default()).expect("a table");
    let plan = ColumnSelection::new(&table).with("force", "2*c2 + sin(c1)*0", &[]).expect("a plan");
    let mut sum = Sum::default();
    plan.stream(&mut Downsampler::new(10, &mut sum)).expect("rows");
    (mark.peak(), sum)
}

#[test]
fn a_long_file_needs_no_more_memory_than_a_short_one() {
    let (short, few) = measure(2 << 20);
    let (long, many) = measure(16 << 20);
    assert!(many.rows > 7 * few.rows, "{} {}", many.rows, few.rows);
    assert!(few.total > 0.0 && many.total > few.total);
    assert_eq!(short, long, "peak memory");
    // some pieces of 4096 rows, the beginning of 256 KiB thrice while it is looked at, its lines, buffers
    assert!(long < 4 << 20, "{long}");
}

#[test]
fn an_audit_needs_no_more_memory_than_it_says() {
    let audit = |bytes: u64| {
        let mark = Mark::new();
        let table = DataFile::from_reader("endless", Endless::new(bytes), &ReadOptions::default()).expect("a table");
        let plan = ColumnSelection::all(&table);
        let mut auditor = Auditor::new(plan.fields(), Some(0));
        let rows = plan.stream(&mut auditor).expect("rows").rows;
        assert_eq!(auditor.finish().rows, rows);
        mark.peak()
    };
    // both longer than what is kept of a column
    let (short, long) = (audit(4 << 20), audit(16 << 20));
    // how full the sample is at the end differs, by a factor of two at most
    assert!(long < 2 * short && long < 16 << 20, "{short} {long}");
}

/// A table of so many columns and 4 rows.
fn wide(columns: usize) -> Vec<u8> {
    let header: Vec<String> = (0..columns).map(|k| format!("channel{k} [mm]")).collect();
    let row = |r: usize| (0..columns).map(|k| format!("{}.25", (k * 7 + r) % 1000)).collect::<Vec<_>>().join(",");
    let rows: Vec<String> = (0..4).map(row).collect();
    format!("{}\n{}\n", header.join(","), rows.join("\n")).into_bytes()
}

/// The work on a wide table grows with the number of its columns, not with its square: seen by allocations, and by how
/// much memory they take.
#[test]
fn a_wide_table_takes_work_and_memory_in_proportion_to_its_columns() {
    let work = |columns: usize| {
        let bytes = wide(columns);
        let mark = Mark::new();
        let file = DataFile::from_bytes("wide", &bytes, &ReadOptions::default()).expect("a table");
        assert_eq!(file.fields().len(), columns);
        let record = ColumnSelection::all(&file).read().expect("rows");
        assert_eq!((record.columns.len(), record.rows()), (columns, 4));
        (mark.count(), mark.peak())
    };
    let ((few, small), (many, large)) = (work(2_000), work(100_000));
    // fifty times the columns: fifty times the allocations and bytes, and a margin for buffers that double
    assert!(many < 75 * few, "{few} and {many} allocations");
    assert!(large < 100 * small, "{small} and {large} bytes");
}

/// Messages about a wide table are as short as about a narrow one.
#[test]
fn messages_list_few_of_many_columns() {
    let bytes = wide(100_000);
    let file = DataFile::from_bytes("wide", &bytes, &ReadOptions::default()).expect("a table");
    let error = ColumnSelection::new(&file).with("", "no such column", &[]).err().expect("unknown");
    assert!(error.to_string().len() + error.hint().len() < 1000, "{error} {}", error.hint());
    let known: Vec<String> = file.fields().iter().map(|field| field.name.clone()).collect();
    assert!(list_columns(&known).len() < 1000);
    let same = format!("{}\n{}\n", vec!["x"; 10_000].join(","), vec!["1"; 10_000].join(","));
    let file = DataFile::from_bytes("same", same.as_bytes(), &ReadOptions::default()).expect("a table");
    let error = ColumnSelection::new(&file).with("", "x", &[]).err().expect("ambiguous");
    assert!(error.to_string().len() + error.hint().len() < 1000, "{error} {}", error.hint());
}
