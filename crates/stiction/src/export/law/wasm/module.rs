//! The binary format of WebAssembly: sections, and whole numbers in LEB128.

/// The type of a value on the stack or in a local variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueType {
    /// A number in double precision.
    F64 = 0x7C,
    /// 64 bits.
    I64 = 0x7E,
    /// A boolean.
    I32 = 0x7F,
}

/// A function from numbers to numbers.
pub(super) struct ModuleFunction {
    pub name: String,
    /// Whether it can be called from outside.
    pub exported: bool,
    /// Names of the arguments, for debuggers.
    pub arguments: Vec<String>,
    /// Number of results.
    pub results: usize,
    /// Types of the local variables after the arguments.
    pub locals: Vec<ValueType>,
    /// Instructions, without the last `end`.
    pub code: Vec<u8>,
}

/// A module of functions that need nothing from outside and have no memory of their own.
pub(super) struct Module {
    pub functions: Vec<ModuleFunction>,
    /// Name and content of a section that engines ignore.
    pub custom: (String, String),
}

/// Numbers of the sections in the order in which they stand.
mod section {
    pub const CUSTOM: u8 = 0;
    pub const TYPES: u8 = 1;
    pub const FUNCTIONS: u8 = 3;
    pub const EXPORTS: u8 = 7;
    pub const CODE: u8 = 10;
}

impl Module {
    pub fn bytes(&self) -> Vec<u8> {
        let mut types: Vec<Vec<u8>> = Vec::new();
        let mut type_of = Vec::new();
        for function in &self.functions {
            let numbers = |count: usize| vector((0..count).map(|_| vec![ValueType::F64 as u8]));
            let of = [vec![0x60], numbers(function.arguments.len()), numbers(function.results)].concat();
            let known = types.iter().position(|other| *other == of);
            type_of.push(unsigned(known.unwrap_or(types.len()) as u64));
            if known.is_none() {
                types.push(of);
            }
        }
        let exported = self.functions.iter().enumerate().filter(|(_, function)| function.exported);
        let exports = exported.map(|(i, function)| [text(&function.name), vec![0x00], unsigned(i as u64)].concat());
        let mut out = b"\0asm\x01\0\0\0".to_vec();
        out.extend(section(section::TYPES, vector(types)));
        out.extend(section(section::FUNCTIONS, vector(type_of)));
        out.extend(section(section::EXPORTS, vector(exports)));
        out.extend(section(section::CODE, vector(self.functions.iter().map(|function| sized(function.body())))));
        let (name, content) = &self.custom;
        out.extend(section(section::CUSTOM, [text(name), content.as_bytes().to_vec()].concat()));
        out.extend(section(section::CUSTOM, self.names()));
        out
    }
    /// The section that tells debuggers the names of functions and arguments.
    fn names(&self) -> Vec<u8> {
        let named = |(i, name): (usize, &String)| [unsigned(i as u64), text(name)].concat();
        let functions = vector(self.functions.iter().map(|function| &function.name).enumerate().map(named));
        let arguments = vector(self.functions.iter().enumerate().map(|(i, function)| {
            [unsigned(i as u64), vector(function.arguments.iter().enumerate().map(named))].concat()
        }));
        [text("name"), vec![1], sized(functions), vec![2], sized(arguments)].concat()
    }
}

impl ModuleFunction {
    fn body(&self) -> Vec<u8> {
        let runs = self.locals.chunk_by(|a, b| a == b);
        let locals = vector(runs.map(|run| [unsigned(run.len() as u64), vec![run[0] as u8]].concat()));
        [locals, self.code.clone(), vec![super::instruction::END]].concat()
    }
}

fn section(number: u8, content: Vec<u8>) -> Vec<u8> {
    [vec![number], sized(content)].concat()
}

/// The number of bytes, and these bytes.
fn sized(content: Vec<u8>) -> Vec<u8> {
    [unsigned(content.len() as u64), content].concat()
}

/// The number of items, and these items.
fn vector(items: impl IntoIterator<Item = Vec<u8>>) -> Vec<u8> {
    let items: Vec<Vec<u8>> = items.into_iter().collect();
    [unsigned(items.len() as u64), items.concat()].concat()
}

fn text(text: &str) -> Vec<u8> {
    sized(text.as_bytes().to_vec())
}

/// LEB128: seven bits in each byte, the lowest first; the eighth says that more follow.
pub(super) fn unsigned(mut x: u64) -> Vec<u8> {
    let mut out = Vec::new();
    loop {
        let low = (x & 0x7F) as u8;
        x >>= 7;
        if x == 0 {
            out.push(low);
            return out;
        }
        out.push(low | 0x80);
    }
}

/// LEB128 with a sign: the highest bit of the last seven is the sign.
pub(super) fn signed(mut x: i64) -> Vec<u8> {
    let mut out = Vec::new();
    loop {
        let low = (x & 0x7F) as u8;
        x >>= 7;
        let sign = low & 0x40 != 0;
        if (x == 0 && !sign) || (x == -1 && sign) {
            out.push(low);
            return out;
        }
        out.push(low | 0x80);
    }
}

#[cfg(test)]
mod tests {
    use super::{signed, unsigned};

    /// The examples of the DWARF standard, where the encoding comes from, and the ends of the range.
    #[test]
    fn whole_numbers_are_written_as_the_standard_says() {
        assert_eq!(unsigned(2), [2]);
        assert_eq!(unsigned(127), [127]);
        assert_eq!(unsigned(128), [0x80, 1]);
        assert_eq!(unsigned(12857), [57 + 0x80, 100]);
        assert_eq!(unsigned(u64::MAX), [[0xFF; 9].to_vec(), vec![1]].concat());
        assert_eq!(signed(2), [2]);
        assert_eq!(signed(-2), [0x7E]);
        assert_eq!(signed(127), [0xFF, 0]);
        assert_eq!(signed(-127), [0x81, 0x7F]);
        assert_eq!(signed(-129), [0xFF, 0x7E]);
        assert_eq!(signed(i64::MIN), [[0x80; 9].to_vec(), vec![0x7F]].concat());
    }
}
