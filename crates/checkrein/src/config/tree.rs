//! The syntax tree of both formats, with the position of every value.
//!
//! TOML and the JSON list differ in spelling only, so each has a small reader that ends here, and everything that can
//! be wrong with a hook is checked once, on this tree.

use std::{borrow::Cow, ops::Range};

/// The place of something in the text, in bytes.
pub(crate) type Span = Range<usize>;

/// A value and its place.
#[derive(Clone, Debug)]
pub(crate) struct Node<'t> {
    pub(crate) span: Span,
    pub(crate) value: NodeValue<'t>,
}

/// A value of either notation.
#[derive(Clone, Debug)]
pub(crate) enum NodeValue<'t> {
    Null,
    Bool(bool),
    /// Not a number where the text is one that no number can hold.
    Number(f64),
    Text(Cow<'t, str>),
    /// A date or a time of TOML, as it is written.
    Date(String),
    List(Vec<Node<'t>>),
    Table(Vec<Field<'t>>),
}

/// A key of a table and what it is set to.
#[derive(Clone, Debug)]
pub(crate) struct Field<'t> {
    pub(crate) key: Cow<'t, str>,
    pub(crate) key_span: Span,
    pub(crate) node: Node<'t>,
}
