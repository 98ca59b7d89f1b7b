//! Converts between Python values and JSON values directly, without JSON text in between.
//!
//! It refuses what JSON cannot represent, with name and path, and never guesses: `nan`, a key that is not a
//! string, a lone surrogate, a value that contains itself. One exception is kept: for hooks that are not
//! Python, an integer beyond 64 bits becomes the nearest float, as in every JSON reader, and [`Numbers`]
//! remembers the original, so that Python gets it back exactly.

use checkrein::Map;
use pyo3::{
    IntoPyObjectExt,
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple},
};
use serde_json::{Number, Value};
use std::collections::HashMap;

/// The maximum depth, equal to that of the JSON reader.
const DEPTH: usize = 128;

/// The original Python values of large numbers in one payload, by the bits of their floats.
#[derive(Debug, Default)]
pub(crate) struct Numbers(HashMap<u64, Py<PyAny>>);

impl Numbers {
    /// The largest whole number up to which floats are exact.
    const EXACT: f64 = 9_007_199_254_740_992.0;

    /// Returns a float near `wanted` that nothing else in this payload uses, and that represents `what`
    /// from now on.
    fn stand_in(&mut self, wanted: f64, what: &Bound<'_, PyAny>) -> PyResult<f64> {
        let mut float = wanted.clamp(f64::MIN, f64::MAX);
        // Towards zero, so that there is always a next one.
        while let Some(taken) = self.0.get(&float.to_bits()) {
            if taken.bind(what.py()).get_type().is(what.get_type()) && taken.bind(what.py()).eq(what)? {
                return Ok(float);
            }
            float = if float > 0.0 { float.next_down() } else { float.next_up() };
        }
        self.0.insert(float.to_bits(), what.clone().unbind());
        Ok(float)
    }

    fn find<'py>(&self, py: Python<'py>, float: f64) -> Option<Bound<'py, PyAny>> {
        if float.abs() < Self::EXACT {
            return None;
        }
        Some(self.0.get(&float.to_bits())?.bind(py).clone())
    }
}

/// The path of a value in a payload, for messages.
#[derive(Clone, Copy)]
enum At<'a> {
    Root,
    Key(&'a At<'a>, &'a str),
    Index(&'a At<'a>, usize),
}

impl At<'_> {
    fn show(&self) -> String {
        match self {
            Self::Root => String::new(),
            Self::Key(Self::Root, key) => (*key).to_owned(),
            Self::Key(outer, key) => format!("{}.{key}", outer.show()),
            Self::Index(outer, index) => format!("{}[{index}]", outer.show()),
        }
    }

    fn refuse(&self, what: &str) -> String {
        match self {
            Self::Root => what.to_owned(),
            Self::Key(..) | Self::Index(..) => format!("`{}`: {what}", self.show()),
        }
    }

    fn depth(&self) -> usize {
        match self {
            Self::Root => 0,
            Self::Key(outer, _) | Self::Index(outer, _) => outer.depth() + 1,
        }
    }
}

/// Converts a dict to an object.
pub(crate) fn object(dict: &Bound<'_, PyDict>, numbers: &mut Numbers) -> PyResult<Map> {
    read_object(dict, numbers, &At::Root)
}

/// Converts any value.
pub(crate) fn read(value: &Bound<'_, PyAny>, numbers: &mut Numbers) -> PyResult<Value> {
    read_at(value, numbers, &At::Root)
}

fn read_object(dict: &Bound<'_, PyDict>, numbers: &mut Numbers, at: &At<'_>) -> PyResult<Map> {
    let mut map = Map::with_capacity(dict.len());
    for (key, value) in dict {
        let Ok(key) = key.cast::<PyString>() else {
            let what = format!("the key {} is no string", key.repr()?);
            return Err(PyTypeError::new_err(at.refuse(&what)));
        };
        let key = text(key, at)?;
        let value = read_at(&value, numbers, &At::Key(at, key))?;
        map.insert(key.to_owned(), value);
    }
    Ok(map)
}

fn read_at(value: &Bound<'_, PyAny>, numbers: &mut Numbers, at: &At<'_>) -> PyResult<Value> {
    if let Ok(string) = value.cast::<PyString>() {
        return Ok(text(string, at)?.into());
    }
    if value.is_none() {
        return Ok(Value::Null);
    }
    if let Ok(boolean) = value.cast::<PyBool>() {
        return Ok(boolean.is_true().into());
    }
    if let Ok(integer) = value.cast::<PyInt>() {
        return read_integer(integer, numbers).map(Value::Number);
    }
    if let Ok(float) = value.cast::<PyFloat>() {
        return read_float(float, numbers, at).map(Value::Number);
    }
    if at.depth() >= DEPTH {
        let what = format!("nested deeper than {DEPTH} levels, or inside of itself");
        return Err(PyValueError::new_err(At::Root.refuse(&what)));
    }
    if let Ok(dict) = value.cast::<PyDict>() {
        return Ok(Value::Object(read_object(dict, numbers, at)?));
    }
    if let Ok(list) = value.cast::<PyList>() {
        return read_items(list.iter(), numbers, at);
    }
    if let Ok(tuple) = value.cast::<PyTuple>() {
        return read_items(tuple.iter(), numbers, at);
    }
    let what = format!("a value of type `{}` has no place in a payload", value.get_type().name()?);
    Err(PyTypeError::new_err(at.refuse(&what)))
}

fn read_items<'py>(
    items: impl Iterator<Item = Bound<'py, PyAny>>,
    numbers: &mut Numbers,
    at: &At<'_>,
) -> PyResult<Value> {
    let items = items.enumerate();
    items.map(|(index, item)| read_at(&item, numbers, &At::Index(at, index))).collect()
}

fn read_integer(integer: &Bound<'_, PyInt>, numbers: &mut Numbers) -> PyResult<Number> {
    if let Ok(small) = integer.extract::<i64>() {
        return Ok(small.into());
    }
    if let Ok(positive) = integer.extract::<u64>() {
        return Ok(positive.into());
    }
    let nearest = match integer.extract::<f64>() {
        Ok(float) => float,
        // Beyond the range of a float: the largest one, with the right sign.
        Err(_) if integer.lt(0)? => f64::MIN,
        Err(_) => f64::MAX,
    };
    let float = numbers.stand_in(nearest, integer.as_any())?;
    Number::from_f64(float).ok_or_else(|| PyValueError::new_err("an integer is too large"))
}

fn read_float(float: &Bound<'_, PyFloat>, numbers: &mut Numbers, at: &At<'_>) -> PyResult<Number> {
    let mut value = float.value();
    // Only where an integer could have the same bits.
    if value.is_finite() && value.abs() >= 9_223_372_036_854_775_808.0 {
        value = numbers.stand_in(value, float.as_any())?;
    }
    Number::from_f64(value)
        .ok_or_else(|| PyValueError::new_err(at.refuse(&format!("`{value}` is no JSON number"))))
}

/// Returns the content of a string, borrowed from Python.
fn text<'a>(string: &'a Bound<'_, PyString>, at: &At<'_>) -> PyResult<&'a str> {
    string.to_str().map_err(|_| {
        PyValueError::new_err(at.refuse("the text holds a lone surrogate, which is no character"))
    })
}

/// Converts a value for Python.
pub(crate) fn write<'py>(py: Python<'py>, value: &Value, numbers: &Numbers) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Null => Ok(py.None().into_bound(py)),
        Value::Bool(boolean) => boolean.into_bound_py_any(py),
        Value::Number(number) => write_number(py, number, numbers),
        Value::String(text) => text.into_bound_py_any(py),
        Value::Array(items) => {
            let list = PyList::empty(py);
            for item in items {
                list.append(write(py, item, numbers)?)?;
            }
            Ok(list.into_any())
        }
        Value::Object(map) => Ok(write_object(py, map, numbers)?.into_any()),
    }
}

/// Converts an object to a dict.
pub(crate) fn write_object<'py>(
    py: Python<'py>,
    map: &Map,
    numbers: &Numbers,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (key, value) in map {
        dict.set_item(key, write(py, value, numbers)?)?;
    }
    Ok(dict)
}

fn write_number<'py>(py: Python<'py>, number: &Number, numbers: &Numbers) -> PyResult<Bound<'py, PyAny>> {
    if let Some(small) = number.as_i64() {
        return small.into_bound_py_any(py);
    }
    if let Some(positive) = number.as_u64() {
        return positive.into_bound_py_any(py);
    }
    let float = number.as_f64().unwrap_or_default();
    match numbers.find(py, float) {
        Some(exact) => Ok(exact),
        None => float.into_bound_py_any(py),
    }
}
