//! Classes and the fields of their objects.
//!
//! An object has no value of its own. A field is followed by its name: a value that any object of the text stores under it may
//! be read under it. So `Cleaner(root).run()` is followed without knowing which object is which.

use super::{Args, Bound, Follower, Value, call::list_of};
use crate::{
    Language,
    lex::Tok,
    value::{Origin, Shape},
};

/// The maximum number of tokens between `class` and the body.
const HEAD: usize = 64;
/// The maximum number of classes that one class is derived from, one by one.
const PARENTS: usize = 8;
/// The maximum number of tokens of a type.
const TYPE: usize = 48;

/// The names by which the text of a method calls its own object.
const SELF: [&str; 5] = ["self", "this", "$this", "$self", "cls"];

/// The class whose body is walked.
#[derive(Clone, Debug)]
pub(super) struct Class {
    name: String,
    body: Body,
}

/// The place of a body: what is directly in it declares the fields and the methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Body {
    /// Inside this many braces.
    Braces(usize),
    /// In this column; it is learned from the first statement.
    Column(Option<usize>),
    /// Its fields are declared elsewhere.
    Elsewhere,
}

/// The maximum number of fields of records.
const RECORD: usize = 64;

/// Returns true if objects are made by a method of this name.
fn makes_objects(language: Language, name: &str) -> bool {
    match language {
        Language::Python => matches!(name, "__init__" | "__post_init__"),
        Language::JavaScript => name == "constructor",
        Language::Ruby => name == "initialize",
        Language::Php => name == "__construct",
        _ => false,
    }
}

impl Follower {
    /// `class Name(Parent):`, `class Name extends Parent {`, `class Name < Parent`.
    pub(super) fn class(&mut self) {
        self.advance();
        let Some(Tok::Name(name)) = self.peek().cloned() else { return };
        self.advance();
        let from = self.frame.at;
        let opens = |tok: &Tok| match self.language {
            Language::Python => matches!(tok, Tok::Op(":") | Tok::End),
            Language::Ruby => *tok == Tok::End,
            _ => *tok == Tok::Op("{"),
        };
        let mut end = from;
        while end < from.saturating_add(HEAD) && self.tok(end).is_some_and(|tok| !opens(tok)) {
            end = end.saturating_add(1);
        }
        let mut parent = None;
        for at in from..end {
            let names = match self.tok(at) {
                Some(Tok::Op("(" | ".") | Tok::Op("<")) => true,
                Some(Tok::Name(word)) => word == "extends",
                _ => false,
            };
            if let (true, Some(Tok::Name(word))) = (names, self.tok(at.saturating_add(1))) {
                parent = Some(word.clone());
            }
        }
        let body = match self.language {
            Language::Python => Body::Column(None),
            Language::JavaScript | Language::Php => Body::Braces(self.braces.saturating_add(1)),
            _ => Body::Elsewhere,
        };
        self.classes.insert(name.clone(), parent);
        self.class = Some(Class { name, body });
        // What is in the brackets of a head may act as well.
        if self.language != Language::Python {
            self.frame.at = end;
        }
    }

    /// `type Name struct {` of Go.
    pub(super) fn go_type(&mut self) {
        if let (Some(Tok::Name(name)), Some(Tok::Name(word))) = (self.after(1).cloned(), self.after(2))
            && word == "struct"
            && matches!(self.after(3), Some(Tok::Op("{")))
        {
            self.classes.insert(name, None);
            self.frame.at = self.frame.at.saturating_add(3);
            self.frame.at = self.close().saturating_add(1);
        } else {
            self.advance();
        }
    }

    /// Returns true if the statement that starts here is directly in the body of a class.
    pub(super) fn is_in_class(&mut self, start: usize) -> bool {
        let column = self.column(start);
        let braces = self.braces;
        let Some(class) = &mut self.class else { return false };
        match &mut class.body {
            Body::Braces(level) => *level == braces,
            Body::Column(body) => match (*body, column) {
                (None, Some(column)) if column > 0 => {
                    *body = Some(column);
                    true
                }
                (Some(body), Some(column)) => body == column,
                _ => false,
            },
            Body::Elsewhere => false,
        }
    }

    /// A statement that is no longer in the body of the last class.
    pub(super) fn leaves_class(&mut self, start: usize) {
        let left = match self.class.as_ref().map(|class| class.body) {
            Some(Body::Braces(level)) => {
                self.braces < level && !matches!(self.tok(start), Some(Tok::Op("{")))
            }
            Some(Body::Column(Some(_))) => self.column(start) == Some(0),
            _ => false,
        };
        if left {
            self.class = None;
        }
    }

    /// The column of a token that is the first of its line.
    fn column(&self, at: usize) -> Option<usize> {
        let start = self.token(at)?.span.start;
        let before = self.frame.text.get(..start)?;
        let line = before.rfind('\n').map_or(0, |end| end.saturating_add(1));
        let gap = before.get(line..)?;
        gap.chars().all(char::is_whitespace).then_some(gap.len())
    }

    /// The name under which a function is known: a constructor is known as its class.
    pub(super) fn name_of_function(&self, name: String) -> String {
        match &self.class {
            Some(class) if makes_objects(self.language, &name) && name != "__post_init__" => {
                class.name.clone()
            }
            _ => name,
        }
    }

    /// A method of JavaScript: `run(argument): Type {`, directly in the body of a class.
    pub(super) fn is_method(&self) -> bool {
        if self.language != Language::JavaScript
            || self.class.is_none()
            || !matches!(self.after(1), Some(Tok::Op("(" | "<")))
        {
            return false;
        }
        let open = self.frame.at.saturating_add(1);
        let close = self.token(open).map_or(open, |token| token.close);
        match self.tok(close.saturating_add(1)) {
            Some(Tok::Op("{")) => true,
            Some(Tok::Op(":")) => {
                let end = self.end_of_type(close.saturating_add(2));
                matches!(self.tok(end), Some(Tok::Op("{")))
            }
            _ => false,
        }
    }

    /// The first token after the type that starts here.
    pub(super) fn end_of_type(&self, from: usize) -> usize {
        let mut at = from;
        let mut angles = 0_usize;
        while at < from.saturating_add(TYPE) {
            match self.tok(at) {
                Some(Tok::Op("<")) => angles = angles.saturating_add(1),
                Some(Tok::Op(">")) => angles = angles.saturating_sub(1),
                Some(Tok::Op(">>")) => angles = angles.saturating_sub(2),
                Some(Tok::Op("[")) => at = self.token(at).map_or(at, |token| token.close),
                // An object as a type is at its beginning, or an argument of another.
                Some(Tok::Op("{" | "(")) if at == from || angles > 0 => {
                    at = self.token(at).map_or(at, |token| token.close);
                }
                Some(Tok::Name(_) | Tok::Text(_) | Tok::Number(_) | Tok::Op("." | "|" | "&")) => {}
                Some(Tok::Op(",")) if angles > 0 => {}
                _ => return at,
            }
            at = at.saturating_add(1);
        }
        at
    }

    /// A field that the body of a class declares: `root: Path = "/srv"`, `private root = "/srv";`.
    pub(super) fn declares_field(&mut self, start: usize) -> bool {
        let name = match self.tok(start) {
            Some(Tok::Name(name)) => name.trim_start_matches('$').to_owned(),
            _ => return false,
        };
        let mut at = start.saturating_add(1);
        if matches!(self.tok(at), Some(Tok::Op("?"))) {
            at = at.saturating_add(1);
        }
        let typed = matches!(self.tok(at), Some(Tok::Op(":")));
        if typed {
            at = self.end_of_type(at.saturating_add(1));
        }
        let set = matches!(self.tok(at), Some(Tok::Op("=")));
        let declared = typed && self.language == Language::Python;
        if !set && !declared {
            return false;
        }
        let value = if set {
            self.frame.at = at.saturating_add(1);
            self.naming = Some(name.clone());
            let value = self.expression();
            self.naming = None;
            value
        } else {
            self.frame.at = at;
            Value::default()
        };
        // The fields of a data class are the arguments of its constructor, in order.
        if typed
            && self.language == Language::Python
            && let Some(class) = self.class.as_ref().map(|class| class.name.clone())
        {
            let fields = self.declared.entry(class.clone()).or_default();
            if !fields.contains(&name) {
                fields.push(name.clone());
            }
            let place = fields.iter().position(|field| *field == name).unwrap_or_default();
            let given = self.arguments_of(&class).and_then(|given| given.get(place).cloned());
            if let Some(given) = given.filter(|given| *given != Value::default()) {
                self.keep(&name, given);
            }
        }
        if self.language == Language::Php {
            self.bind(&format!("${name}"), value.clone());
        } else {
            self.bind(&name, value.clone());
        }
        self.keep(&name, value);
        true
    }

    /// Keeps a value under the name of a field.
    pub(super) fn keep(&mut self, field: &str, value: Value) {
        if value == Value::default() || field.len() > super::MAX_NAME {
            return;
        }
        self.spend(value.size());
        let field = format!(".{field}");
        let value = match self.bound.remove(&field) {
            Some(old) => old.value.or(value),
            None => value,
        };
        self.bound.insert(field, Bound { value, level: 0 });
    }

    /// The value of a field of some object of the text.
    pub(super) fn field_of(&mut self, name: &str) -> Option<Value> {
        self.lookup(&format!(".{name}"))
    }

    /// Returns true if a name is that of an object of the text, or of a class.
    pub(super) fn is_object(&self, name: &str) -> bool {
        SELF.contains(&name) || self.classes.contains_key(name)
    }

    /// Keeps a value that is assigned to a field of an object.
    pub(super) fn keeps(&mut self, target: &str, value: &Value) {
        let field = match target.split_once('.') {
            Some((owner, field)) if SELF.contains(&owner) && !field.contains('.') => field,
            Some((owner, field))
                if !field.contains('.')
                    && matches!(self.bound.get(owner).map(|bound| &bound.value.shape), Some(Shape::Name(class)) if self.classes.contains_key(class)) =>
            {
                field
            }
            None if self.language == Language::Ruby => match target.strip_prefix('@') {
                Some(field) => field,
                None => return,
            },
            _ => return,
        };
        let field = field.trim_start_matches(['@', '#']).to_owned();
        self.keep(&field, value.clone());
    }

    /// A call that makes an object of a class of the text.
    pub(super) fn makes(&mut self, name: &str, method: Option<&str>, args: &Args) -> Option<Value> {
        let own = |name: &str| name.strip_suffix(".new").unwrap_or(name).to_owned();
        let class = own(name);
        if self.classes.contains_key(&class) && (class != name || self.language != Language::Ruby) {
            self.made(&class, args);
            return Some(Value::name(class));
        }
        let parent = name == "super" || method.is_some_and(|method| makes_objects(self.language, method));
        if parent && let Some(class) = self.class.as_ref().map(|class| class.name.clone()) {
            let parent = self.classes.get(&class).cloned().flatten();
            if let Some(parent) = parent {
                self.made(&parent, args);
            }
            return Some(Value::default());
        }
        None
    }

    /// A call that makes a class from the names of its fields, or an object from given fields.
    pub(super) fn makes_record(&mut self, name: &str, args: &Args) -> Option<Value> {
        let last = name.rsplit('.').next().unwrap_or_default();
        let fields: Vec<String> = match (self.language, last) {
            (Language::Python, "namedtuple" | "make_dataclass") => match args.at(1).constant() {
                Some(text) => {
                    text.split([' ', ',']).filter(|name| !name.is_empty()).map(str::to_owned).collect()
                }
                None => list_of(&args.at(1)).iter().filter_map(Value::constant).collect(),
            },
            (Language::Python, "SimpleNamespace" | "Namespace") => Vec::new(),
            (Language::Ruby, _) if matches!(name, "Struct.new" | "Data.define") => {
                let names = args.list.iter().filter_map(Value::constant);
                names.map(|name| name.trim_start_matches(':').to_owned()).collect()
            }
            _ => return None,
        };
        let class = format!("({last})");
        self.classes.insert(class.clone(), None);
        let known = self.records.entry(class.clone()).or_default();
        // Two classes with one name have the fields of both: objects of the two are not distinguished.
        if *known != fields && known.len() + fields.len() < RECORD {
            known.extend(fields);
        }
        if last.ends_with("amespace") {
            self.made(&class, args);
        }
        Some(Value::name(class))
    }

    fn made(&mut self, class: &str, args: &Args) {
        let mut class = class.to_owned();
        if let Some(fields) = self.records.get(&class).cloned() {
            for (field, value) in fields.iter().zip(&args.list) {
                self.keep(field, value.clone());
            }
        }
        for _ in 0..PARENTS {
            if self.functions.contains_key(&class) {
                self.own(&class, args.clone());
                return;
            }
            if let Some(fields) = self.declared.get(&class).cloned() {
                self.functions.insert(class.clone(), fields);
                self.own(&class, args.clone());
                self.functions.remove(&class);
                return;
            }
            match self.classes.get(&class) {
                Some(Some(parent)) => class.clone_from(parent),
                _ => break,
            }
        }
        for (field, value) in args.named.clone() {
            self.keep(&field, value);
        }
    }

    /// `bless { root => … }, $class`; the fields of a structure.
    pub(super) fn keep_all(&mut self, value: &Value) {
        match &value.shape {
            Shape::Map(map) => map.iter().for_each(|(field, value)| self.keep(field, value.clone())),
            Shape::List(list) => list.chunks(2).for_each(|pair| {
                if let [field, value] = pair
                    && let Some(field) = field.constant()
                {
                    self.keep(&field, value.clone());
                }
            }),
            _ => {}
        }
    }

    /// `cleaner{root: home}` of Go: an object of a type of the text. The bracket is here.
    pub(super) fn structure(&mut self, class: &str) -> Value {
        let fields = self.braces();
        self.keep_all(&fields);
        Value::name(class)
    }

    /// An option of a program: `add_argument("--base", default="/srv")`. It is read as a field of what the parser returns.
    pub(super) fn option_of_program(&mut self, args: &Args) {
        let long =
            |text: &str| text.split([' ', '=', ',']).find(|word| word.starts_with("--")).map(str::to_owned);
        let texts: Vec<String> = args.list.iter().filter_map(Value::constant).collect();
        let named = texts.iter().find_map(|text| long(text));
        let Some(flag) =
            args.option("dest").and_then(|name| name.constant()).or(named).or_else(|| texts.first().cloned())
        else {
            return;
        };
        let field = flag.trim_start_matches('-').replace('-', "_");
        let default = args.option("default").or_else(|| {
            // `.option("--base <dir>", "where", "/srv")`
            args.list.get(2).filter(|_| self.language == Language::JavaScript).cloned()
        });
        let given = self.given_option(&flag);
        if let Some(value) = given.or(default) {
            self.keep(&field, value);
        }
    }

    /// The value that an option has among the arguments of the program.
    fn given_option(&self, flag: &str) -> Option<Value> {
        let arguments = ["sys.argv", "process.argv"].iter().find_map(|name| self.given.get(name))?;
        let Shape::List(list) = &arguments.shape else { return None };
        let equals = format!("{flag}=");
        list.iter().enumerate().find_map(|(place, value)| {
            let word = value.as_word();
            if word.constant().as_deref() == Some(flag) {
                list.get(place.saturating_add(1)).cloned()
            } else if word.lead().starts_with(&equals) {
                Some(Value::word(word.skip(equals.len())))
            } else {
                None
            }
        })
    }
}

impl Value {
    /// The pairs of a name and a value that a map holds.
    pub(super) fn pairs(&self) -> Self {
        match &self.shape {
            Shape::Map(map) => {
                let pair = |(name, value): &(String, Self)| Self::list(vec![Self::text(name), value.clone()]);
                Self::list(map.iter().map(pair).collect()).with(self.from.clone())
            }
            Shape::OneOf(list) => Self::any(list.iter().map(Self::pairs)),
            _ => self.clone(),
        }
    }

    /// The values that a map holds.
    pub(super) fn held(&self) -> Self {
        match &self.shape {
            Shape::Map(map) => {
                Self::list(map.iter().map(|(_, value)| value.clone()).collect()).with(self.from.clone())
            }
            Shape::OneOf(list) => Self::any(list.iter().map(Self::held)),
            _ => self.clone(),
        }
    }

    /// The names that a map holds.
    pub(super) fn keys(&self) -> Self {
        match &self.shape {
            Shape::Map(map) => Self::list(map.iter().map(|(name, _)| Self::text(name)).collect()),
            Shape::OneOf(list) if list.iter().any(|value| matches!(value.shape, Shape::Map(_))) => {
                Self::any(list.iter().map(Self::keys))
            }
            _ => Self {
                shape: Shape::Unknown,
                from: self.from.iter().filter(|from| **from != Origin::Environment).cloned().collect(),
            },
        }
    }
}
