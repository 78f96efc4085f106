//! What stands where in a JSON file.
use super::rows;
use super::scan::{DEEPEST, Scalar, Scan};
use crate::DataError;
use crate::log::source::Source;
use crate::log::table::Rows;
use crate::log::{Constant, Field, Problem, head};

/// More columns than anyone can use.
const MANY: usize = 10_000;

/// Where a column is.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Where its array begins.
    pub offset: u64,
    /// Whether the array is in brackets, or objects follow each other.
    pub brackets: bool,
    /// The way to it within a member of the array; empty if it is the member.
    pub path: String,
}

/// What stands where in a JSON file.
#[derive(Debug, Default)]
pub struct Map {
    pub fields: Vec<Field>,
    pub constants: Vec<Constant>,
    places: Vec<Place>,
}

impl Map {
    /// Looks through the file.
    pub fn find(source: &Source) -> Result<Self, DataError> {
        let mut map = Self::default();
        let mut scan = Scan::new(source, 0)?;
        scan.peek()?;
        let offset = scan.offset();
        map.value(&mut scan, "", 0)?;
        if scan.peek()? == Some(b'{') {
            // one object to a line
            map = Self::default();
            map.array(&mut Scan::new(source, offset)?, "", 0, false)?;
        } else if scan.peek()?.is_some() {
            return Err(scan.broken("something follows the end"));
        }
        if map.fields.iter().all(|field| field.text.is_some()) {
            return Err(source.fault(Problem::NoNumbers));
        }
        Ok(map)
    }
    pub fn open<'a>(&self, source: &'a Source, wanted: &[usize]) -> Result<Box<dyn Rows + 'a>, DataError> {
        let wanted: Vec<(&Place, &Field)> = wanted.iter().map(|&at| (&self.places[at], &self.fields[at])).collect();
        rows::open(source, &wanted)
    }

    fn value(&mut self, scan: &mut Scan, path: &str, depth: usize) -> Result<(), DataError> {
        if depth == DEEPEST {
            return Err(scan.broken(format!("nested deeper than {DEEPEST}")));
        }
        match scan.first()? {
            b'{' => {
                scan.expect(b'{')?;
                if scan.take(b'}')? {
                    return Ok(());
                }
                loop {
                    let key = scan.key()?;
                    self.value(scan, &join(path, &key), depth + 1)?;
                    if !scan.more(b'}')? {
                        return Ok(());
                    }
                }
            }
            b'[' => self.array(scan, path, depth, true),
            _ => {
                if let Scalar::Number(value) = scan.scalar()?
                    && self.constants.len() < MANY
                {
                    self.constants.push(Constant { name: path.to_owned(), value });
                }
                Ok(())
            }
        }
    }
    /// An array is columns: of numbers, or of what its first member holds.
    fn array(&mut self, scan: &mut Scan, path: &str, depth: usize, brackets: bool) -> Result<(), DataError> {
        let offset = scan.offset();
        if brackets {
            scan.expect(b'[')?;
            if scan.take(b']')? {
                return Ok(());
            }
        }
        let begin = self.fields.len();
        leaves(scan, "", depth + 1, &mut |way, scalar| {
            let text = match scalar {
                Scalar::Number(_) => None,
                Scalar::Text(text) => Some(text),
            };
            if self.fields.len() < MANY {
                let (above, last) = way.rsplit_once('.').unwrap_or(("", way));
                let (name, unit) = head::split(if way.is_empty() { path } else { last });
                let name = if way.is_empty() { name } else { join(path, &join(above, &name)) };
                self.fields.push(Field { name, unit, rows: None, text });
                self.places.push(Place { offset, brackets, path: way.to_owned() });
            }
        })?;
        let mut rows = 1;
        loop {
            let more = if brackets {
                scan.more(b']')?
            } else {
                scan.take(b',')?;
                scan.peek()?.is_some()
            };
            if !more {
                break;
            }
            scan.skip(depth + 1)?;
            rows += 1;
        }
        for field in &mut self.fields[begin..] {
            field.rows = Some(rows);
            if field.name.is_empty() {
                field.name = "c1".to_owned();
            }
        }
        Ok(())
    }
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// Every scalar of a value, with the way to it; members of an array count from one.
pub fn leaves(scan: &mut Scan, path: &str, depth: usize, take: &mut dyn FnMut(&str, Scalar)) -> Result<(), DataError> {
    let open = scan.first()?;
    if !matches!(open, b'{' | b'[') {
        take(path, scan.scalar()?);
        return Ok(());
    }
    if depth >= DEEPEST {
        return Err(scan.broken(format!("nested deeper than {DEEPEST}")));
    }
    scan.expect(open)?;
    let close = if open == b'{' { b'}' } else { b']' };
    if scan.take(close)? {
        return Ok(());
    }
    let mut count = 0;
    loop {
        count += 1;
        let key = if open == b'{' { scan.key()? } else { format!("{count}") };
        leaves(scan, &join(path, &key), depth + 1, take)?;
        if !scan.more(close)? {
            return Ok(());
        }
    }
}
