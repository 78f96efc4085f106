//! From expressions to operations of a program, with units checked on the way.
use super::dimension::Dimension;
use super::nonnegative::NonNegative;
use super::reserved_names::{ReservedName, reserved_name};
use crate::error::LawFileError;
use std::collections::BTreeSet;
use stiction_core::program::{Builder, Function as Elementary, OperationId};
use stiction_io::expression::{Function, Node, Operator, Part, parse};
use stiction_io::similar_names::similar;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A number with a dimension.
    Number(Dimension),
    /// The literal zero, which has every dimension.
    Zero,
    /// True or false.
    Condition,
}

/// A value of the program.
#[derive(Clone, Copy, Debug)]
pub struct Quantity {
    pub id: OperationId,
    pub kind: Kind,
}

/// What is wrong in an expression, and at which character, from one.
pub type ExpressionError = (usize, LawFileError);

/// A quantity by name.
pub struct Name {
    pub name: String,
    pub meaning: Meaning,
}

/// What a name stands for.
pub enum Meaning {
    /// An input of the program.
    Input { input: u32, dimension: Dimension },
    /// A state, by its index: it has its value in the environment.
    State { index: usize, dimension: Dimension },
    /// An equation above.
    Equation(Vec<Part>),
    /// A curve interpolated at the value of an expression.
    Curve { input: Vec<Part>, curve: super::curve::Curve, dimension: Dimension },
    /// A value that is computed already.
    Value(Quantity),
    /// An equation that stands further down.
    Later,
}

/// Expressions become operations here.
pub struct Compiler {
    pub builder: Builder,
    pub names: Vec<Name>,
    /// Differences whose signs decide between branches.
    pub kinks: BTreeSet<OperationId>,
    /// Divisors, each with its quotient's position in the expression that is being compiled.
    pub divisors: Vec<(OperationId, usize)>,
    /// The values that are never negative.
    pub nonnegative: NonNegative,
}

/// The values of the states, and the equations that were evaluated with them.
pub struct Environment {
    pub states: Vec<OperationId>,
    known: Vec<Option<Quantity>>,
}

impl Environment {
    pub fn new(states: Vec<OperationId>) -> Self {
        Self { states, known: Vec::new() }
    }
    /// Whether the name at this place was evaluated.
    fn knows(&self, place: usize) -> bool {
        self.known.get(place).is_some_and(Option::is_some)
    }
}

impl Compiler {
    /// Parses an expression.
    pub fn parse(text: &str) -> Result<Vec<Part>, ExpressionError> {
        parse(text).map_err(|error| (error.position, LawFileError::Syntax(error.kind)))
    }
    /// The names in an expression; none if it is not well formed.
    pub fn names_in(text: &str) -> Vec<String> {
        let name = |part: Part| if let Node::Name(name) = part.node { Some(name) } else { None };
        parse(text).map_or_else(|_| Vec::new(), |parts| parts.into_iter().filter_map(name).collect())
    }
    /// The value of an expression.
    pub fn evaluate(&mut self, parts: &[Part], of: &mut Environment) -> Result<Quantity, ExpressionError> {
        self.evaluate_equations_of(parts, of);
        let mut stack: Vec<Quantity> = Vec::new();
        for Part { node, position } in parts {
            let fail = |error| (*position, error);
            let value = match node {
                Node::Number(x) => {
                    let kind = if *x == 0.0 { Kind::Zero } else { Kind::Number(Dimension::NONE) };
                    Quantity { id: self.builder.number(*x), kind }
                }
                Node::Name(name) => self.name(name, of).map_err(fail)?,
                Node::Column(_) => return Err(fail(LawFileError::Column)),
                Node::Negate => {
                    let a = pop(&mut stack);
                    number(a).map_err(fail)?;
                    Quantity { id: self.builder.negate(a.id), ..a }
                }
                Node::Not => {
                    let a = pop(&mut stack);
                    condition(a).map_err(fail)?;
                    Quantity { id: self.builder.not(a.id), ..a }
                }
                Node::Operator(operator) => {
                    let b = pop(&mut stack);
                    let a = pop(&mut stack);
                    self.operator(*operator, a, b, *position).map_err(fail)?
                }
                Node::Call(function, count) => {
                    let arguments = stack.split_off(stack.len().saturating_sub(*count));
                    self.call(*function, &arguments).map_err(fail)?
                }
            };
            stack.push(value);
        }
        Ok(pop(&mut stack))
    }
    /// Evaluates the equations that an expression depends on, each after those above it: however long a chain of equations is,
    /// calls do not nest. What is wrong in them was told where they stand.
    fn evaluate_equations_of(&mut self, parts: &[Part], of: &mut Environment) {
        let mut needed = BTreeSet::new();
        let mut open = self.equations_in(parts, of);
        while let Some(place) = open.pop() {
            if let (true, Meaning::Equation(parts)) = (needed.insert(place), &self.names[place].meaning) {
                open.extend(self.equations_in(parts, of));
            }
        }
        // an equation uses those above it only, which have smaller places
        for place in needed {
            let name = self.names[place].name.clone();
            let _ = self.name(&name, of);
        }
    }
    /// The places of the equations in an expression that have no value yet.
    fn equations_in(&self, parts: &[Part], of: &Environment) -> Vec<usize> {
        let place = |part: &Part| {
            let Node::Name(name) = &part.node else { return None };
            let place = self.names.iter().position(|known| known.name == *name)?;
            let open = matches!(self.names[place].meaning, Meaning::Equation(_)) && !of.knows(place);
            open.then_some(place)
        };
        parts.iter().filter_map(place).collect()
    }
    fn name(&mut self, name: &str, of: &mut Environment) -> Result<Quantity, LawFileError> {
        let Some(place) = self.names.iter().position(|known| known.name == name) else {
            if name == "pi" {
                let id = self.builder.number(std::f64::consts::PI);
                return Ok(Quantity { id, kind: Kind::Number(Dimension::NONE) });
            }
            let usable = self.names.iter().filter(|name| !matches!(name.meaning, Meaning::Later));
            let known: Vec<String> = usable.map(|name| name.name.clone()).collect();
            let near: Vec<String> =
                similar(name, known.iter().map(String::as_str)).into_iter().map(str::to_owned).collect();
            // that of a rate is the only one with a point
            let first = name.split_once('.').filter(|_| near.is_empty()).map_or(name, |(first, _)| first);
            if let Some(ReservedName { meaning, place, .. }) = reserved_name(first) {
                return Err(LawFileError::NotHere { name: name.to_owned(), meaning, place });
            }
            return Err(LawFileError::UnknownName { name: name.to_owned(), near, known });
        };
        if let Some(known) = of.known.get(place).copied().flatten() {
            return Ok(known);
        }
        let value = match &self.names[place].meaning {
            Meaning::Input { input, dimension } => {
                let kind = Kind::Number(*dimension);
                Quantity { id: self.builder.input(*input), kind }
            }
            Meaning::State { index, dimension } => Quantity { id: of.states[*index], kind: Kind::Number(*dimension) },
            Meaning::Value(value) => *value,
            Meaning::Later => return Err(LawFileError::Later { name: name.to_owned() }),
            // equations were checked where they stand, so they have a value, and its position does not matter
            Meaning::Equation(parts) => {
                let parts = parts.clone();
                self.evaluate(&parts, of).map_err(|(_, error)| error)?
            }
            Meaning::Curve { input, curve, dimension } => {
                let (input, curve, dimension) = (input.clone(), curve.clone(), *dimension);
                let x = self.evaluate(&input, of).map_err(|(_, error)| error)?;
                Quantity { id: curve.compile(&mut self.builder, x.id), kind: Kind::Number(dimension) }
            }
        };
        if of.known.len() <= place {
            of.known.resize(place + 1, None);
        }
        of.known[place] = Some(value);
        Ok(value)
    }
    /// Marks the sign of a quantity as one that decides between branches.
    fn kink(&mut self, a: OperationId) {
        self.kinks.insert(a);
    }
    fn difference(&mut self, a: OperationId, b: OperationId) {
        let zero = self.builder.number(0.0);
        let difference = if b == zero {
            a
        } else if a == zero {
            b
        } else {
            self.builder.subtract(a, b)
        };
        self.kink(difference);
    }
    fn operator(
        &mut self,
        operator: Operator,
        a: Quantity,
        b: Quantity,
        position: usize,
    ) -> Result<Quantity, LawFileError> {
        let builder = &mut self.builder;
        let quantity = |id, kind| Ok(Quantity { id, kind });
        match operator {
            Operator::Add => {
                let kind = same("a sum", a, b)?;
                quantity(builder.add(a.id, b.id), kind)
            }
            Operator::Subtract => {
                let kind = same("a difference", a, b)?;
                quantity(builder.subtract(a.id, b.id), kind)
            }
            Operator::Multiply => {
                let kind = match (number(a)?, number(b)?) {
                    (Some(a), Some(b)) => Kind::Number(a.times(b)),
                    _ => Kind::Zero,
                };
                quantity(builder.multiply(a.id, b.id), kind)
            }
            Operator::Divide => {
                let kind = match (number(a)?, number(b)?) {
                    (Some(a), b) => Kind::Number(a.over(b.unwrap_or(Dimension::NONE))),
                    (None, _) => Kind::Zero,
                };
                self.divisors.push((b.id, position));
                quantity(self.builder.divide(a.id, b.id), kind)
            }
            Operator::Power => self.power(a, b),
            Operator::And | Operator::Or => {
                condition(a)?;
                condition(b)?;
                let id = if operator == Operator::And { builder.and(a.id, b.id) } else { builder.or(a.id, b.id) };
                quantity(id, Kind::Condition)
            }
            Operator::Less
            | Operator::LessOrEqual
            | Operator::Greater
            | Operator::GreaterOrEqual
            | Operator::Equal
            | Operator::NotEqual => {
                same("a comparison", a, b)?;
                let id = match operator {
                    Operator::Less => builder.less(a.id, b.id),
                    Operator::Greater => builder.less(b.id, a.id),
                    // for numbers, which these values are wherever the law is defined
                    Operator::LessOrEqual => {
                        let above = builder.less(b.id, a.id);
                        builder.not(above)
                    }
                    Operator::GreaterOrEqual => {
                        let below = builder.less(a.id, b.id);
                        builder.not(below)
                    }
                    _ => {
                        let equal = builder.equal(a.id, b.id);
                        if operator == Operator::Equal { equal } else { builder.not(equal) }
                    }
                };
                self.difference(a.id, b.id);
                quantity(id, Kind::Condition)
            }
        }
    }
    fn power(&mut self, a: Quantity, b: Quantity) -> Result<Quantity, LawFileError> {
        let dimension = number(a)?.unwrap_or(Dimension::NONE);
        plain("an exponent", b)?;
        let literal = self.builder.literal(b.id).map(|value| value.as_number());
        let kind = match literal {
            Some(power) => Kind::Number(dimension.to_the(power)),
            None if dimension.is(Dimension::NONE) => Kind::Number(dimension),
            None => {
                return Err(LawFileError::NotPlain {
                    what: "the base of a power with a variable exponent",
                    found: dimension.to_string(),
                });
            }
        };
        // small whole exponents as products: they need no logarithm
        let id = match literal {
            Some(power) if power.fract() == 0.0 && power.abs() <= 8.0 => {
                let mut product = self.builder.number(1.0);
                for _ in 0..power.abs() as u32 {
                    product = self.builder.multiply(product, a.id);
                }
                if power < 0.0 {
                    let one = self.builder.number(1.0);
                    self.builder.divide(one, product)
                } else {
                    product
                }
            }
            _ if self.nonnegative.holds(&self.builder, a.id) => self.builder.power(a.id, b.id),
            _ => self.signed_power(a.id, b.id),
        };
        Ok(Quantity { id, kind })
    }
    /// `x^y` where `x` may be negative: for a whole `y` it is `(−x)^y`, with the other sign if `y` is odd. For any other `y` it is not a number.
    fn signed_power(&mut self, x: OperationId, y: OperationId) -> OperationId {
        let builder = &mut self.builder;
        let (zero, one, half) = (builder.number(0.0), builder.number(1.0), builder.number(0.5));
        let is_whole = |builder: &mut Builder, x: OperationId| {
            let below = builder.call(Elementary::Floor, x);
            builder.equal(below, x)
        };
        let halved = builder.multiply(y, half);
        let (whole, even) = (is_whole(builder, y), is_whole(builder, halved));
        let negative = builder.less(x, zero);
        let (mirrored, minus) = (builder.and(negative, whole), builder.negate(one));
        let opposite = builder.negate(x);
        let base = builder.select(mirrored, opposite, x);
        let odd = builder.not(even);
        let changes_sign = builder.and(mirrored, odd);
        let sign = builder.select(changes_sign, minus, one);
        let power = builder.power(base, y);
        builder.multiply(sign, power)
    }
    fn call(&mut self, function: Function, arguments: &[Quantity]) -> Result<Quantity, LawFileError> {
        let none = Kind::Number(Dimension::NONE);
        let a = arguments[0];
        let smooth = |compiler: &mut Self, elementary: Elementary, what| {
            plain(what, a)?;
            Ok(Quantity { id: compiler.builder.call(elementary, a.id), kind: none })
        };
        match function {
            Function::Sin | Function::Cos | Function::Tan => Err(LawFileError::Function(function)),
            Function::Exp => smooth(self, Elementary::Exp, "the argument of exp"),
            Function::Ln => smooth(self, Elementary::Ln, "the argument of ln"),
            Function::Tanh => smooth(self, Elementary::Tanh, "the argument of tanh"),
            Function::Sqrt => {
                let dimension = number(a)?.unwrap_or(Dimension::NONE);
                Ok(Quantity {
                    id: self.builder.call(Elementary::Sqrt, a.id),
                    kind: Kind::Number(dimension.to_the(0.5)),
                })
            }
            Function::Abs => {
                number(a)?;
                self.kink(a.id);
                Ok(Quantity { id: self.builder.abs(a.id), ..a })
            }
            Function::Sign => {
                number(a)?;
                self.kink(a.id);
                Ok(Quantity { id: self.builder.sign(a.id), kind: none })
            }
            Function::Min | Function::Max => {
                let mut out = a;
                for b in &arguments[1..] {
                    let kind = same(if function == Function::Min { "min" } else { "max" }, out, *b)?;
                    self.difference(out.id, b.id);
                    let id = if function == Function::Min {
                        self.builder.min(out.id, b.id)
                    } else {
                        self.builder.max(out.id, b.id)
                    };
                    out = Quantity { id, kind };
                }
                Ok(out)
            }
            Function::Pow => self.power(a, arguments[1]),
            Function::Clip => {
                let (low, high) = (arguments[1], arguments[2]);
                let limited = self.call(Function::Min, &[a, high])?;
                self.call(Function::Max, &[low, limited])
            }
            Function::Where => {
                condition(a)?;
                let (yes, no) = (arguments[1], arguments[2]);
                let kind = same("where", yes, no)?;
                Ok(Quantity { id: self.builder.select(a.id, yes.id, no.id), kind })
            }
        }
    }
}

/// Expressions are well formed, so there is always an operand.
fn pop(stack: &mut Vec<Quantity>) -> Quantity {
    stack.pop().unwrap_or(Quantity { id: 0, kind: Kind::Zero })
}

/// The dimension of a number; none for zero, which has every dimension.
fn number(a: Quantity) -> Result<Option<Dimension>, LawFileError> {
    match a.kind {
        Kind::Number(dimension) => Ok(Some(dimension)),
        Kind::Zero => Ok(None),
        Kind::Condition => Err(LawFileError::Condition),
    }
}

fn condition(a: Quantity) -> Result<(), LawFileError> {
    if a.kind == Kind::Condition { Ok(()) } else { Err(LawFileError::Number) }
}

fn plain(what: &'static str, a: Quantity) -> Result<(), LawFileError> {
    match number(a)? {
        Some(found) if !found.is(Dimension::NONE) => Err(LawFileError::NotPlain { what, found: found.to_string() }),
        _ => Ok(()),
    }
}

/// The common kind of two numbers.
fn same(what: &'static str, a: Quantity, b: Quantity) -> Result<Kind, LawFileError> {
    match (number(a)?, number(b)?) {
        (Some(left), Some(right)) if left.is(right) => Ok(Kind::Number(left)),
        (Some(left), Some(right)) => {
            Err(LawFileError::Mixed { what, left: left.to_string(), right: right.to_string() })
        }
        (Some(one), None) | (None, Some(one)) => Ok(Kind::Number(one)),
        (None, None) => Ok(Kind::Zero),
    }
}
