//! ROS 2 messages: the definition in the file (`ros2msg`), and the bytes by it (CDR).
//!
//! A definition is a list of fields, and after lines of `=` those of the types in it, each after `MSG: package/Type`.
use super::message::{Entry, Value};
use std::collections::HashMap;

/// The deepest nesting of types.
const MAX_DEPTH: usize = 32;
/// The longest array whose numbers are columns: longer ones are pictures and point clouds.
const MAX_ARRAY: usize = 1000;
const TIME: &str = "builtin_interfaces/Time";
const DURATION: &str = "builtin_interfaces/Duration";

/// The type of messages of a topic, with all types in it.
#[derive(Debug, Default)]
pub struct Definition {
    root: String,
    types: HashMap<String, Vec<FieldType>>,
}

#[derive(Clone, Debug)]
struct FieldType {
    name: String,
    element: Element,
    array: Array,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Array {
    No,
    Fixed(usize),
    Sequence,
}

#[derive(Clone, Debug, PartialEq)]
enum Element {
    Bool,
    /// Its size, and whether it has a sign.
    Integer(usize, bool),
    Float32,
    Float64,
    Text,
    Message(String),
}

impl Definition {
    /// Reads the definition of the type `name`.
    pub fn parse(name: &str, text: &str) -> Result<Self, String> {
        let root = plain(name);
        let mut definition = Self { root: root.clone(), types: HashMap::new() };
        let mut current = root;
        for line in text.lines() {
            let line = line.split('#').next().unwrap_or(line).trim();
            if line.is_empty() || line.starts_with("===") {
                continue;
            }
            if let Some(name) = line.strip_prefix("MSG:") {
                current = plain(name.trim());
                definition.types.entry(current.clone()).or_default();
            } else if let Some(field) = field(line, &current)? {
                definition.types.entry(current.clone()).or_default().push(field);
            }
        }
        Ok(definition)
    }
    /// The numbers and texts of a message. `start` is subtracted from times \[ns\].
    pub fn decode(&self, bytes: &[u8], start: u64) -> Result<Vec<Entry>, String> {
        let Some((&[_, kind, _, _], data)) = bytes.split_at_checked(4) else {
            return Err("it has no CDR header".to_owned());
        };
        // plain CDR, version 1 and 2; an odd number is little-endian
        let widest = match kind {
            0 | 1 => 8,
            6 | 7 => 4,
            _ => return Err(format!("its CDR is of kind {kind}; plain CDR is of kind 0, 1, 6 or 7")),
        };
        let mut cdr = Cdr { data, at: 0, little: kind % 2 == 1, widest, start, path: String::new(), out: Vec::new() };
        self.message(&self.root, &mut cdr, 0)?;
        Ok(cdr.out)
    }
    fn message(&self, name: &str, cdr: &mut Cdr, depth: usize) -> Result<(), String> {
        if depth == MAX_DEPTH {
            return Err(format!("types nested deeper than {MAX_DEPTH}"));
        }
        if name == TIME || name == DURATION {
            let seconds = i64::from(cdr.u32()?.cast_signed());
            let nanoseconds = i64::from(cdr.u32()?);
            let total = i128::from(seconds) * 1_000_000_000 + i128::from(nanoseconds);
            let origin = if name == TIME { i128::from(cdr.start) } else { 0 };
            cdr.put(Value::Seconds((total - origin) as f64 / 1e9));
            return Ok(());
        }
        let fields = self.types.get(name).ok_or_else(|| format!("the type {name} is not defined in the file"))?;
        if fields.is_empty() {
            // a type without fields is one byte
            return cdr.take(1).map(drop);
        }
        for field in fields {
            let length = cdr.path.len();
            if length > 0 {
                cdr.path.push('.');
            }
            cdr.path.push_str(&field.name);
            self.field(field, cdr, depth)?;
            cdr.path.truncate(length);
        }
        Ok(())
    }
    fn field(&self, field: &FieldType, cdr: &mut Cdr, depth: usize) -> Result<(), String> {
        let count = match field.array {
            Array::No => return self.element(&field.element, cdr, depth),
            Array::Fixed(count) => count,
            Array::Sequence => cdr.u32()? as usize,
        };
        // an element has one byte or more
        if count > cdr.data.len() - cdr.at {
            return Err("it ends too early".to_owned());
        }
        let shown = count <= MAX_ARRAY && field.element != Element::Integer(1, false);
        let before = cdr.out.len();
        for k in 1..=count {
            let length = cdr.path.len();
            if shown {
                cdr.path.push_str(&format!(".{k}"));
            }
            self.element(&field.element, cdr, depth)?;
            cdr.path.truncate(length);
            if !shown {
                cdr.out.truncate(before);
            }
        }
        if !shown && count > 0 {
            cdr.put(Value::Text("a long array".to_owned()));
        }
        Ok(())
    }
    fn element(&self, element: &Element, cdr: &mut Cdr, depth: usize) -> Result<(), String> {
        let value = match element {
            Element::Bool => f64::from(u8::from(cdr.take(1)? != [0])),
            Element::Float32 => f64::from(f32::from_bits(cdr.u32()?)),
            Element::Float64 => f64::from_bits(cdr.u64()?),
            Element::Integer(size, signed) => {
                let bits = match size {
                    1 => u64::from(cdr.take(1)?[0]),
                    2 => u64::from(cdr.u16()?),
                    4 => u64::from(cdr.u32()?),
                    _ => cdr.u64()?,
                };
                let unused = 64 - 8 * u32::try_from(*size).unwrap_or(8);
                if *signed { ((bits << unused).cast_signed() >> unused) as f64 } else { bits as f64 }
            }
            Element::Text => {
                let length = cdr.u32()? as usize;
                let bytes = cdr.take(length)?;
                let text = String::from_utf8_lossy(bytes.strip_suffix(&[0]).unwrap_or(bytes)).into_owned();
                cdr.put(Value::Text(text));
                return Ok(());
            }
            Element::Message(name) => return self.message(name, cdr, depth + 1),
        };
        cdr.put(Value::Number(value));
        Ok(())
    }
}

/// `package/msg/Type` without `msg`.
fn plain(name: &str) -> String {
    name.replacen("/msg/", "/", 1)
}

/// A field; none for a constant.
fn field(line: &str, current: &str) -> Result<Option<FieldType>, String> {
    let wrong = || format!("'{line}' in the definition of {current} is not a field");
    let (kind, rest) = line.split_once(char::is_whitespace).ok_or_else(wrong)?;
    let mut words = rest.trim().splitn(2, |c: char| c.is_whitespace() || c == '=');
    let name = words.next().filter(|name| !name.is_empty()).ok_or_else(wrong)?;
    let is_constant = rest.trim()[name.len()..].trim_start().starts_with('=');
    if is_constant {
        return Ok(None);
    }
    let (base, array) = match kind.split_once('[') {
        None => (kind, Array::No),
        Some((base, size)) => {
            let size = size.strip_suffix(']').ok_or_else(wrong)?;
            let fixed = !size.is_empty() && !size.starts_with("<=");
            (base, if fixed { Array::Fixed(size.parse().map_err(|_| wrong())?) } else { Array::Sequence })
        }
    };
    let base = base.split_once("<=").map_or(base, |(base, _)| base);
    let element = match base {
        "bool" => Element::Bool,
        "byte" | "char" | "uint8" => Element::Integer(1, false),
        "int8" => Element::Integer(1, true),
        "uint16" => Element::Integer(2, false),
        "int16" => Element::Integer(2, true),
        "uint32" => Element::Integer(4, false),
        "int32" => Element::Integer(4, true),
        "uint64" => Element::Integer(8, false),
        "int64" => Element::Integer(8, true),
        "float32" => Element::Float32,
        "float64" => Element::Float64,
        "string" => Element::Text,
        "wstring" => return Err("texts of two bytes per letter (wstring) are not read".to_owned()),
        "time" => Element::Message(TIME.to_owned()),
        "duration" => Element::Message(DURATION.to_owned()),
        "Header" => Element::Message("std_msgs/Header".to_owned()),
        own if !own.contains('/') => {
            let package = current.split('/').next().unwrap_or_default();
            Element::Message(format!("{package}/{own}"))
        }
        other => Element::Message(plain(other)),
    };
    Ok(Some(FieldType { name: name.to_owned(), element, array }))
}

/// The bytes of a message, and what was found in them.
struct Cdr<'a> {
    data: &'a [u8],
    at: usize,
    little: bool,
    /// The widest alignment \[bytes\].
    widest: usize,
    /// Subtracted from times \[ns\].
    start: u64,
    path: String,
    out: Vec<Entry>,
}

impl<'a> Cdr<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], String> {
        let end = self.at.checked_add(count).filter(|end| *end <= self.data.len());
        let end = end.ok_or("it ends too early")?;
        let bytes = &self.data[self.at..end];
        self.at = end;
        Ok(bytes)
    }
    /// A number of `N` bytes, at a multiple of its size, in little-endian order.
    fn number<const N: usize>(&mut self) -> Result<[u8; N], String> {
        self.at = self.at.next_multiple_of(N.min(self.widest));
        let mut bytes = [0; N];
        bytes.copy_from_slice(self.take(N)?);
        if !self.little {
            bytes.reverse();
        }
        Ok(bytes)
    }
    fn u16(&mut self) -> Result<u16, String> {
        self.number().map(u16::from_le_bytes)
    }
    fn u32(&mut self) -> Result<u32, String> {
        self.number().map(u32::from_le_bytes)
    }
    fn u64(&mut self) -> Result<u64, String> {
        self.number().map(u64::from_le_bytes)
    }
    fn put(&mut self, value: Value) {
        self.out.push(Entry { path: self.path.clone(), value });
    }
}
