//! Finds the function that a call calls: by its whole name, by its method, or by the text's own definition.

use super::{Args, Follower, Value, compute};
use crate::{
    Language,
    names::{Call, With},
    value::{Origin, Shape},
};

/// Methods that call their argument with the elements of their receiver.
const CALLBACKS: &[&str] =
    &["then", "forEach", "map", "each", "filter", "flatMap", "finally", "catch", "some", "every"];

/// The maximum number of parameters of a function that are followed.
const PARAMETERS: usize = 64;

impl Follower {
    /// A part of a value: of a module, of an object.
    pub(super) fn attribute(&mut self, value: &Value, name: &str) -> Value {
        if self.language == Language::JavaScript {
            self.names_variable(value, name);
        }
        match &value.shape {
            // What a module holds, by name.
            Shape::Name(_) if name == "__dict__" => value.clone(),
            Shape::Name(module) => {
                if self.language == Language::JavaScript {
                    if self.table.environment.contains(&module.as_str()) && module != "Deno.env" {
                        self.names_variable(value, name);
                        return self.variable_of(name);
                    }
                    if matches!(name, "promises" | "default") {
                        return value.clone();
                    }
                }
                let whole = if module.is_empty() { name.to_owned() } else { format!("{module}.{name}") };
                if whole.len() > super::MAX_NAME {
                    return Value::default();
                }
                if let Some(value) = self.lookup(&whole) {
                    return value;
                }
                let object = self.is_object(module) || self.classes.contains_key(module);
                match object.then(|| self.field_of(name)).flatten() {
                    Some(value) => value,
                    None => Value::name(whole),
                }
            }
            Shape::Map(_) => {
                let found = value.at(&Value::text(name));
                if found == Value::default() { Value::unknown_from([value]) } else { found }
            }
            Shape::OneOf(list) => {
                let list = list.clone();
                Value::any(list.iter().map(|value| self.attribute(value, name)))
            }
            Shape::Text(_) if name == "parent" => compute::dirname(value),
            Shape::Text(_) if matches!(name, "path" | "href") => value.clone(),
            Shape::Text(_) if name == "name" => compute::last_part(value),
            Shape::File(path) if name == "name" => Value::word(path.clone()),
            Shape::Unknown if self.field_of(name).is_some() => {
                let known = self.field_of(name).unwrap_or_default();
                known.with(value.from.clone())
            }
            Shape::Text(_)
            | Shape::Number(_)
            | Shape::List(_)
            | Shape::File(_)
            | Shape::Socket(_)
            | Shape::Unknown => Value::unknown_from([value]),
        }
    }

    /// The value of an index; the bracket is here.
    pub(super) fn index(&mut self, value: &Value) -> Value {
        let close = self.close();
        let inside = self.frame.at.saturating_add(1)..close;
        let ops: Vec<_> = inside.take(5).filter_map(|at| self.tok(at)).cloned().collect();
        use crate::lex::Tok::{Name, Number, Op};
        if matches!(ops.as_slice(), [Op("::"), Op("-"), Number(1)] | [Op(":"), Op(":"), Op("-"), Number(1)]) {
            self.frame.at = close.saturating_add(1);
            return compute::reverse(value);
        }
        if let Some(slice) = self.slice(value, &ops, close) {
            return slice;
        }
        let key = match ops.as_slice() {
            // From the end.
            [Op("-"), Number(back)] => {
                self.frame.at = close.saturating_add(1);
                let length = match &value.shape {
                    Shape::List(list) => i64::try_from(list.len()).unwrap_or(i64::MAX),
                    _ => 0,
                };
                Shape::Number(length.saturating_sub(*back)).into()
            }
            // A bare word in the braces of Perl is a text.
            [Name(word)] if self.language == Language::Perl && !word.starts_with('$') => {
                self.frame.at = close.saturating_add(1);
                Value::text(word)
            }
            _ => {
                let mut keys = self.items(close);
                if keys.len() == 1 { keys.pop().unwrap_or_default() } else { Value::list(keys) }
            }
        };
        self.key = key.constant();
        if let Some(key) = key.constant() {
            self.names_variable(value, &key);
        }
        match &value.shape {
            Shape::Name(name) if self.table.environment.contains(&name.as_str()) => self.variable_at(&key),
            Shape::Name(name) if name == "sys.modules" => {
                key.constant().map_or_else(Value::default, |module| compute::module(&module))
            }
            Shape::Name(name) if name == "Dir" && self.language == Language::Ruby => self.pattern(&key),
            Shape::Name(_) => match key.constant() {
                Some(key) => self.attribute(value, &key),
                None => Value::default(),
            },
            // `$self->{root}`
            Shape::Unknown if matches!(self.language, Language::Perl | Language::Lua) => match key.constant()
            {
                Some(field) => self.field_of(&field).unwrap_or_else(|| value.at(&key)),
                None => value.at(&key),
            },
            _ => value.at(&key),
        }
    }

    /// `list[1:]`, `list[1..]`: a part of a list.
    fn slice(&mut self, value: &Value, ops: &[crate::lex::Tok], close: usize) -> Option<Value> {
        use crate::lex::Tok::{Number, Op};
        let Shape::List(list) = &value.shape else { return None };
        let place = |number: &i64| usize::try_from(*number).ok();
        let part: Vec<Value> = match ops {
            [Number(from), Op(":" | ".." | "...")] | [Number(from), Op(".." | "..."), Op("-"), Number(1)] => {
                list.iter().skip(place(from)?).cloned().collect()
            }
            [Op(":" | ".." | "..."), Number(to)] => list.iter().take(place(to)?).cloned().collect(),
            [Number(from), Op(":"), Number(to)] => {
                list.iter().take(place(to)?).skip(place(from)?).cloned().collect()
            }
            [Op(":")] => list.clone(),
            _ => return None,
        };
        self.frame.at = close.saturating_add(1);
        Some(Value::list(part).with(value.from.clone()))
    }

    /// Calls something.
    pub(super) fn call(
        &mut self,
        callee: &Value,
        receiver: Option<Value>,
        method: Option<String>,
        mut args: Args,
        start: usize,
    ) -> Value {
        for value in args.list.iter_mut().chain(args.named.iter_mut().map(|(_, value)| value)) {
            *value = self.shown(std::mem::take(value));
        }
        // Its arguments were walked, so there is room for what it does with them.
        if self.depth >= super::MAX_DEPTH.saturating_add(super::expression::SLACK) {
            self.cut = true;
            return Value::default();
        }
        self.depth = self.depth.saturating_add(1);
        let value = self.call_value(callee, receiver, method, args, start);
        self.depth = self.depth.saturating_sub(1);
        value
    }

    fn call_value(
        &mut self,
        callee: &Value,
        receiver: Option<Value>,
        method: Option<String>,
        mut args: Args,
        start: usize,
    ) -> Value {
        let name = match &callee.shape {
            Shape::Name(name) => Some(name.clone()),
            // A text that is called names a function.
            Shape::Text(_) if matches!(self.language, Language::Php | Language::Perl) => callee.constant(),
            Shape::OneOf(list) => {
                let results: Vec<Value> = list
                    .iter()
                    .filter(|value| matches!(value.shape, Shape::Name(_)))
                    .map(|value| self.call(value, receiver.clone(), method.clone(), args.clone(), start))
                    .collect();
                if !results.is_empty() {
                    return Value::any(results);
                }
                None
            }
            _ => None,
        };
        self.called_with_environment(name.as_deref().or(method.as_deref()), receiver.as_ref(), &args);
        if let Some(name) = &name {
            if let Some(object) = self.makes(name, method.as_deref(), &args) {
                return object;
            }
            if let Some(made) = self.makes_record(name, &args).or_else(|| self.applied(name, &args, start)) {
                return made;
            }
            if self.functions.contains_key(name) {
                return self.own(name, args);
            }
            if let Some(value) = self.input(name, &args) {
                return value;
            }
            if opens_memory(&args) {
                return Value::of(Origin::Memory);
            }
            if let Some(call) = self.known(name) {
                return self.apply(call, &args, start);
            }
            // A class or a function of a provider's library, which is given as a request.
            if let Some((_, last)) = name.rsplit_once('.')
                && receiver.is_none()
                && let Some((With::Arguments, call @ Call::Destroy(_))) = self.table.method(last)
            {
                return self.apply(call, &args, start);
            }
            if let Some(value) = self.environment_call(name, &args) {
                return value;
            }
        }
        self.call_given(&args, start);
        let (Some(method), Some(receiver)) = (method, receiver) else {
            if matches!(callee.shape, Shape::Unknown) {
                self.call_unknown(&args, start);
            }
            return Value::unknown_from(args.list.iter().chain(args.named.iter().map(|(_, value)| value)));
        };
        if name.is_none()
            && let Some(object) = self.makes("", Some(&method), &args)
        {
            return object;
        }
        if self.functions.contains_key(&method) {
            // An object from elsewhere may have a method of the same name.
            let is_object = match &receiver.shape {
                Shape::Name(name) => self.is_object(name),
                _ => false,
            };
            if !is_object
                && self.table.method(&method).is_some_and(|(with, call)| {
                    with == With::Arguments && matches!(call, Call::Query | Call::Wipe)
                })
                && !self.is_in_memory(&receiver, &args)
            {
                let other = args.clone();
                self.own(&method, args);
                return self.query_of(&method, &other, start);
            }
            return self.own(&method, args);
        }
        if CALLBACKS.contains(&method.as_str()) && !(method == "map" && args.list.is_empty()) {
            return self.callback(&receiver, &method, &args, start);
        }
        if matches!(
            method.as_str(),
            "call" | "apply" | "bind" | "()" | "to_proc" | "invoke" | "invokeArgs" | "__invoke" | "__call__"
        ) && matches!(receiver.shape, Shape::Name(_))
        {
            // `f.call(this, …)` of JavaScript passes one more.
            if self.language == Language::JavaScript && !args.list.is_empty() {
                args.list.remove(0);
            }
            if matches!(method.as_str(), "apply" | "invokeArgs") {
                args.list = args.list.iter().flat_map(list_of).collect();
            }
            return self.call(&receiver, None, None, args, start);
        }
        let method = if self.language == Language::Php { method.to_ascii_lowercase() } else { method };
        let Some((with, call)) = self.table.method(&method) else {
            let all = args.list.iter().chain(args.named.iter().map(|(_, value)| value));
            return Value::unknown_from(all.chain([&self.shown(receiver)]));
        };
        match with {
            With::Receiver if is_no_path(call, &receiver, &args) => {
                return Value::unknown_from(args.list.iter().chain([&receiver]));
            }
            With::Receiver => {
                let receiver = match (&receiver.shape, call) {
                    (_, Call::Getattr | Call::ByName) => receiver,
                    (Shape::Name(_), _) => self.shown(Value { shape: receiver.shape, from: receiver.from }),
                    _ => receiver,
                };
                args.list.insert(0, receiver);
            }
            With::Arguments
                if matches!(call, Call::Query | Call::Wipe) && self.is_in_memory(&receiver, &args) =>
            {
                return receiver;
            }
            // A server of this machine is there to be tried.
            With::Arguments
                if matches!(call, Call::Destroy(_)) && receiver.origins().contains(&Origin::Here) =>
            {
                return receiver;
            }
            With::Arguments if self.is_other(call, &receiver, &args) => {
                return Value::unknown_from(args.list.iter().chain([&receiver]));
            }
            // Each of the processes is told to end.
            With::Arguments if call == Call::Kill => args.list.push(receiver),
            With::Arguments => {}
        }
        self.apply(call, &args, start)
    }

    fn query_of(&mut self, method: &str, args: &Args, start: usize) -> Value {
        match self.table.method(method) {
            Some((_, call)) => self.apply(call, args, start),
            None => Value::default(),
        }
    }

    /// The effect of a name, also without its module where all of a module was imported.
    pub(super) fn known(&self, name: &str) -> Option<Call> {
        let lower;
        let name = if self.language == Language::Php {
            lower = name.rsplit('.').next().unwrap_or(name).to_ascii_lowercase();
            match self.table.function(name) {
                Some(call) => return Some(call),
                None => lower.as_str(),
            }
        } else {
            name
        };
        let bare = ["builtins.", "globalThis.", "global.", "window.", "Kernel.", "CORE."]
            .iter()
            .find_map(|prefix| name.strip_prefix(prefix));
        let open =
            || self.open_modules.iter().find_map(|module| self.table.function(&format!("{module}.{name}")));
        // `Path` imported by its module, `fs-extra` with what it takes from `fs`.
        let extra =
            || name.strip_prefix("fs-extra.").and_then(|name| self.table.function(&format!("fs.{name}")));
        self.table
            .function(name)
            .or_else(|| bare.and_then(|name| self.table.function(name)))
            .or_else(open)
            .or_else(extra)
    }

    /// A method of the environment: one variable, or all.
    fn environment_call(&self, name: &str, args: &Args) -> Option<Value> {
        let method = self
            .table
            .environment
            .iter()
            .find_map(|known| name.strip_prefix(known).and_then(|rest| rest.strip_prefix('.')))?;
        Some(match method {
            "get" | "fetch" | "pop" | "setdefault" | "key?" | "has_key?" | "include?" => {
                let value = self.variable_at(&args.at(0));
                match args.list.get(1) {
                    Some(default) if value == Value::default() => default.clone(),
                    _ => value,
                }
            }
            "update" | "delete" | "putenv" | "keys" | "each_key" | "size" | "has" | "set" => Value::default(),
            _ => Value::of(Origin::Environment),
        })
    }

    /// A function of the text: its parameters get the arguments.
    pub(super) fn own(&mut self, name: &str, args: Args) -> Value {
        let parameters = self.functions.get(name).cloned().unwrap_or_default();
        let mut given = args.list;
        for (key, value) in args.named {
            if let Some(place) = parameters.iter().position(|parameter| *parameter == key) {
                given.resize_with(given.len().max(place.saturating_add(1)), Value::default);
                if let Some(slot) = given.get_mut(place) {
                    *slot = value;
                }
            }
        }
        // What is given beyond that is not followed.
        self.cut |= given.len() > PARAMETERS && parameters.len() > PARAMETERS;
        let known = self.arguments.entry(name.to_owned()).or_default();
        let mut cost = 0_usize;
        for (place, value) in given.into_iter().take(PARAMETERS).enumerate() {
            cost = cost.saturating_add(value.size());
            match known.get_mut(place) {
                Some(slot) if *slot == Value::default() => *slot = value,
                Some(slot) => *slot = std::mem::take(slot).or(value),
                None => known.push(value),
            }
            cost = cost.saturating_add(known.get(place).map_or(0, Value::size));
        }
        self.spend(cost);
        let result = self.result_of(name).cloned().unwrap_or_default();
        self.spend(result.size());
        result
    }

    /// `list.forEach(f)`, `promise.then(f)`: a function by its name is called with the elements.
    /// Returns true for a function of the text, or one that deletes, runs or ends what it is given.
    fn acts_on_each(&self, callee: &Value) -> bool {
        let Shape::Name(name) = &callee.shape else { return false };
        let acts = |call: Call| {
            matches!(
                call,
                Call::Delete(_)
                    | Call::Shell
                    | Call::Run
                    | Call::Spawn
                    | Call::Kill
                    | Call::Erase
                    | Call::Destroy(_)
            )
        };
        self.functions.contains_key(name) || self.known(name).is_some_and(acts)
    }

    /// Functions that take the name of a function or a field, and use it at once or later.
    fn applied(&mut self, name: &str, args: &Args, start: usize) -> Option<Value> {
        match (self.language, name) {
            (Language::Python, "setattr") if matches!(&args.at(0).shape, Shape::Name(name) if self.is_object(name)) =>
            {
                if let Some(field) = args.at(1).constant() {
                    self.keep(&field, args.at(2));
                }
                Some(Value::default())
            }
            // What is bound already may be all that it is called with.
            (Language::Python, "functools.partial") => {
                let callee = args.at(0);
                if args.list.len() > 1 {
                    let given =
                        Args { list: args.list.iter().skip(1).cloned().collect(), named: args.named.clone() };
                    self.call(&callee, None, None, given, start);
                }
                Some(callee)
            }
            (Language::Python, "map" | "filter") if self.acts_on_each(&args.at(0)) => {
                let given = Args { list: vec![self.shown(args.at(1)).element()], named: Vec::new() };
                let result = self.call(&args.at(0), None, None, given, start);
                Some(Value::list(vec![if name == "map" { result } else { args.at(1).element() }]))
            }
            (Language::JavaScript, "Map") => {
                let pairs = list_of(&args.at(0)).into_iter().filter_map(|pair| match pair.shape {
                    Shape::List(pair) => match pair.as_slice() {
                        [key, value] => Some((key.constant()?, value.clone())),
                        _ => None,
                    },
                    _ => None,
                });
                Some(Shape::Map(pairs.collect()).into())
            }
            _ => None,
        }
    }

    fn callback(&mut self, receiver: &Value, method: &str, args: &Args, start: usize) -> Value {
        let mut result = Value::unknown_from([receiver]);
        for value in &args.list {
            if matches!(value.shape, Shape::Name(_)) {
                let given = Args { list: vec![receiver.element()], named: Vec::new() };
                result = self.call(value, None, None, given, start);
            } else {
                result = value.clone();
            }
        }
        match &receiver.shape {
            _ if matches!(method, "filter" | "some" | "every" | "each" | "forEach") => receiver.clone(),
            Shape::List(_) => Value::list(vec![result]),
            _ => result.with(receiver.from.clone()),
        }
    }

    /// Returns true if changes of a database end with the program: it is in memory, and no other one was attached to
    /// it.
    fn is_in_memory(&mut self, receiver: &Value, args: &Args) -> bool {
        if receiver.shape != Shape::Unknown || receiver.from != [Origin::Memory] {
            return false;
        }
        let text = args.list.first().map(Value::constant);
        // A text that is not known may attach one.
        self.attached |=
            text.is_some_and(|text| text.is_none_or(|text| text.to_ascii_lowercase().contains("attach")));
        !self.attached
    }

    /// Returns true if a method only has a name of the network: `app.post('/route', …)`.
    fn is_other(&self, call: Call, receiver: &Value, args: &Args) -> bool {
        let url = args.list.iter().any(|value| {
            value
                .as_word()
                .parts
                .iter()
                .any(|part| matches!(part, checkrein_shell::Part::Text(text) if text.contains("://")))
        });
        match call {
            Call::Fetch | Call::FetchTo | Call::Post | Call::Request => !url,
            Call::Connect if matches!(receiver.shape, Shape::Socket(_)) => false,
            // A socket of Python is given a pair; a signal of a window, or a database, a text.
            Call::Connect if self.language == Language::Python => {
                matches!(args.list.first().map(|value| &value.shape), None | Some(Shape::Text(_)))
            }
            Call::Connect => args.list.is_empty() && args.named.is_empty(),
            _ => false,
        }
    }
}

/// Returns true if a library is asked for a database in memory, in any of the languages.
fn opens_memory(args: &Args) -> bool {
    let named = |key: &str| args.named.iter().find(|(name, _)| name == key).map(|(_, value)| value);
    let name = args.list.first().or_else(|| named("database")).or_else(|| named("adapter"));
    let name = name.and_then(Value::constant).unwrap_or_default();
    // `sqlite::memory:`, `dbi:SQLite:dbname=:memory:`, `sqlite:///:memory:`
    let rest = name.strip_suffix(":memory:");
    rest.is_some_and(|rest| {
        rest.is_empty() || rest.to_ascii_lowercase().contains("sqlite") && rest.ends_with([':', '=', '/'])
    })
}

/// Returns true if a method of paths is called on something else: `archive.open(name)`, `node.replace(other)`.
fn is_no_path(call: Call, receiver: &Value, args: &Args) -> bool {
    if matches!(receiver.shape, Shape::Text(_) | Shape::OneOf(_)) {
        return false;
    }
    match call {
        Call::Open => {
            let mode = args.list.first().map(|mode| mode.constant().unwrap_or_default());
            mode.is_some_and(|mode| mode.is_empty() || !mode.chars().all(|char| "rwxabt+U".contains(char)))
        }
        Call::Replace => args.list.len() == 1,
        _ => false,
    }
}

/// The values of a list, or the one value.
pub(super) fn list_of(value: &Value) -> Vec<Value> {
    match &value.shape {
        Shape::List(list) => list.clone(),
        _ => vec![value.clone()],
    }
}
