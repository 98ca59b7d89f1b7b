//! Generates values of every kind, with correct checksums, so that tests and benchmarks need no stored token.

use crate::{
    check::{
        Check,
        base::BASE58,
        sum::{BASE36, BASE62, bech32_tail, crc16, crc32, digits, double_sha256},
    },
    class::{CLASSES, members},
    tables::{self, Kind, LITERAL, Op, literal},
};

/// A small generator of numbers, the same for the same seed.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator for a seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1)
    }

    /// The next number.
    pub const fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.number() % u64::try_from(limit.max(1)).unwrap_or(1)).unwrap_or(0)
    }

    /// One of these bytes.
    pub fn pick(&mut self, of: &[u8]) -> u8 {
        let at = self.below(of.len());
        of.get(at).copied().unwrap_or(b'x')
    }

    /// Random bytes of a class of the rules, such as `b62`.
    pub fn text(&mut self, class: &str, length: usize) -> String {
        let members =
            CLASSES.iter().find(|(name, _)| *name == class).map(|(_, members)| self::members(members));
        let members = members.unwrap_or_default();
        (0..length).map(|_| char::from(self.pick(&members))).collect()
    }
}

/// Generates a value of a kind. `None` for kinds that code finds.
///
/// The text has what must be around the value, too: the URL of a webhook, the lines of a key.
pub fn of(kind: Kind, random: &mut Random) -> Option<String> {
    // By chance a value has a word that marks a placeholder, such as `lorem`. No scanner takes that for a secret.
    const DRAWS: usize = 8;
    let mut drawn = None;
    for _ in 0..DRAWS {
        let value = draw(kind, random)?;
        let is_found = !crate::scan(format!(" {value} ").as_bytes()).is_empty();
        drawn = Some(value);
        if is_found {
            break;
        }
    }
    drawn
}

fn draw(kind: Kind, random: &mut Random) -> Option<String> {
    let shapes: Vec<_> = tables::shapes(kind).collect();
    let shape = shapes.get(random.below(shapes.len()))?;
    let ops = shape.before().iter().rev().chain(shape.after()).copied();
    let value: Vec<u8> = ops.flat_map(|op| step(op, random)).collect();
    String::from_utf8(sealed(kind, value, random)?).ok()
}

fn step(op: Op, random: &mut Random) -> Vec<u8> {
    if op.class == LITERAL {
        return literal(op).to_vec();
    }
    let class = CLASSES.get(usize::from(op.class)).map_or("", |(name, _)| *name);
    let (min, max) = (usize::from(op.min), usize::from(op.max.min(op.min.saturating_add(24))));
    let length = min + random.below(max - min + 1);
    // Padding belongs to the end, and a separator to none.
    let class = match class {
        "b64p" | "b64a" | "b64enc" => "b64",
        "b64up" | "b64ud" | "azure" | "b62du" | "b62d" => "b62",
        "b64u" => "b62",
        "uri" => "lower",
        other => other,
    };
    random.text(class, length).into_bytes()
}

/// A value with what its check wants.
fn sealed(kind: Kind, mut value: Vec<u8>, random: &mut Random) -> Option<Vec<u8>> {
    let length = value.len();
    let cut = |value: &mut Vec<u8>, tail: usize| value.truncate(length.saturating_sub(tail));
    match kind.check() {
        (Check::Crc32Base62, _) => {
            cut(&mut value, 6);
            let body = value.iter().position(|byte| *byte == b'_').and_then(|at| value.get(at + 1..))?;
            let sum = digits(crc32(body), BASE62, 6);
            value.extend(sum);
        }
        (Check::Crc32HexLe, _) => {
            cut(&mut value, 9);
            let sum = crc32(&value).to_le_bytes();
            value.push(b'_');
            value.extend(sum.iter().flat_map(|byte| format!("{byte:02x}").into_bytes()));
        }
        (Check::GitlabRoutable, _) => {
            cut(&mut value, 9);
            let payload = value.iter().position(|byte| *byte == b'.')? - "glpat-".len();
            value.extend(digits(u32::try_from(payload).ok()?, BASE36, 2));
            let sum = digits(crc32(&value), BASE36, 7);
            value.extend(sum);
        }
        (Check::Bech32, _) => {
            cut(&mut value, 6);
            let at = value.iter().rposition(|byte| *byte == b'1')?;
            let (prefix, data) = (value.get(..at)?, value.get(at + 1..)?);
            let mut tail = bech32_tail(prefix, data)?;
            if prefix.iter().any(u8::is_ascii_uppercase) {
                tail.make_ascii_uppercase();
            }
            value.extend(tail);
        }
        (Check::Base58, _) => value = base58(&value, random)?,
        (Check::Nkey, _) => {
            // 34 bytes and their sum, in 58 characters with six bits to spare that are zero.
            let mut bytes = crate::check::base::base32(&value)?;
            bytes.truncate(34);
            let sum = crc16(&bytes);
            bytes.extend(sum.to_le_bytes());
            value = base32(&bytes);
        }
        (Check::Macaroon, _) => {
            // After the location: an identifier, whose field has the number 2.
            let known = if kind.name() == "pypi-token" { 11 } else { 16 };
            let prefix = value.iter().position(|byte| *byte == b'-')? + 1;
            let body = crate::check::base::base64(value.get(prefix..)?)?;
            let mut bytes = body.get(..known)?.to_vec();
            bytes.extend([2, 40]);
            bytes.extend((0..60).map(|_| random.pick(b"abcdef0123456789")));
            value.truncate(prefix);
            value.extend(base64(&bytes, true));
        }
        (Check::Jwt, _) => {
            let header = base64(br#"{"alg":"HS256","typ":"JWT"}"#, true);
            let payload = format!(r#"{{"sub":"{}","iat":1700000000}}"#, random.text("b62", 12));
            let signature = random.text("b62", 43);
            value = [header, base64(payload.as_bytes(), true), signature.into_bytes()].join(&b'.');
        }
        (Check::Basic, _) => {
            let plain = format!("deploy:{}", random.text("b62", 16));
            let at = value.iter().position(|byte| *byte == b'=').map_or(0, |at| at + 1);
            value.truncate(at);
            value.extend(base64(plain.as_bytes(), false));
        }
        (Check::Discord, _) => {
            let account = base64(random.text("digit", 18).as_bytes(), true);
            let rest = format!(".{}.{}", random.text("b62", 6), random.text("b62", 30));
            value = [account, rest.into_bytes()].concat();
        }
        (Check::Base64Json, keys) => {
            let fields: Vec<String> =
                keys.split(',').map(|key| format!(r#""{key}":"{}""#, random.text("b62", 20))).collect();
            let json = base64(format!("{{{}}}", fields.join(",")).as_bytes(), false);
            let tail = random.text("b62", 43);
            value = match kind.name() {
                "sentry-org" => [b"sntrys_", json.as_slice(), b"_", tail.as_bytes()].concat(),
                "grafana-cloud" => [b"glc_", json.as_slice()].concat(),
                _ => json,
            };
        }
        (Check::Luhn, _) => {
            let body = random.text("digit", 14);
            value = (0..10)
                .map(|digit| format!("4{body}{digit}").into_bytes())
                .find(|card| crate::check::sum::is_luhn(card))?;
        }
        (Check::Pem, _) => value = pem(&String::from_utf8(value).ok()?, random).into_bytes(),
        (Check::Putty, _) => {
            let lines = format!("{}\n{}", random.text("b64", 64), random.text("b64", 40));
            value = format!("PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-Lines: 2\n{lines}\nPrivate-MAC: {}\n", random.text("hex", 64)).into_bytes();
        }
        (Check::AwsPair, _) => {
            let secret = random.text("b64", 37);
            value.extend(format!("\naws_secret_access_key = {secret}aB1").into_bytes());
        }
        (Check::AzureSas, _) => {
            let url = b"https://account.blob.core.windows.net/c?sv=2022-11-02&se=2030-01-01";
            value = [url, value.as_slice()].concat();
        }
        (Check::Mixed | Check::Mixed3, _) => {
            // Twice a digit next to letters, wherever the class allows it.
            let at = value.len().saturating_sub(8);
            for (offset, byte) in value.iter_mut().enumerate().skip(at) {
                *byte = match (offset % 2, byte.is_ascii_alphanumeric()) {
                    (_, false) => *byte,
                    (0, true) => b'3' + u8::try_from(offset % 5).unwrap_or(0),
                    (_, true) if byte.is_ascii_digit() => random.pick(b"QXZKJ"),
                    (_, true) => *byte,
                };
            }
            if value.starts_with(b"v2.")
                || value.starts_with(b"oauth:")
                || value.starts_with(b"tk_")
                || value.starts_with(b"jina_")
            {
                value.make_ascii_lowercase();
            }
        }
        (Check::None | Check::NotFirebaseWeb, _) => {}
    }
    Some(value)
}

fn pem(first: &str, random: &mut Random) -> String {
    let lines: Vec<String> = (0..6).map(|_| random.text("b64", 64)).collect();
    format!("{first}\n{}\n{}\n", lines.join("\n"), first.replace("BEGIN", "END"))
}

/// Encodes base64, of the alphabet for URLs and without padding if `url`.
pub fn base64(bytes: &[u8], url: bool) -> Vec<u8> {
    let digits: &[u8; 64] = if url {
        b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    } else {
        b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    };
    let mut encoded = Vec::new();
    for chunk in bytes.chunks(3) {
        let number = chunk.iter().fold(0_u32, |number, byte| number << 8 | u32::from(*byte))
            << (8 * (3 - chunk.len()));
        for at in 0..4 {
            let digit = digits.get((number >> (18 - 6 * at) & 63) as usize).copied().unwrap_or(b'A');
            match (at <= chunk.len(), url) {
                (true, _) => encoded.push(digit),
                (false, true) => {}
                (false, false) => encoded.push(b'='),
            }
        }
    }
    encoded
}

fn base32(bytes: &[u8]) -> Vec<u8> {
    let bits: Vec<u8> = bytes.iter().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1)).collect();
    bits.chunks(5)
        .map(|chunk| chunk.iter().chain([0; 4].iter()).take(5).fold(0, |number, bit| number << 1 | bit))
        .filter_map(|digit: u8| b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".get(usize::from(digit)).copied())
        .collect()
}

/// A text of base 58 with its checksum, that begins and is as long as the value.
fn base58(value: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    let prefix = value.get(..if value.len() > 60 { 4 } else { 0 })?;
    // Whatever the last characters are, the four bytes at the end are replaced by the sum; the beginning does not change.
    for _ in 0..64 {
        let mut text = prefix.to_vec();
        text.extend((prefix.len()..value.len()).map(|_| random.pick(BASE58)));
        let mut bytes = crate::check::base::base58(&text)?;
        bytes.truncate(bytes.len().checked_sub(4)?);
        bytes.extend(double_sha256(&bytes).get(..4)?.to_vec());
        let sealed = to_base58(&bytes);
        if sealed.len() == value.len() && sealed.starts_with(prefix) {
            return Some(sealed);
        }
    }
    None
}

fn to_base58(bytes: &[u8]) -> Vec<u8> {
    let mut number: Vec<u32> = Vec::new();
    for byte in bytes {
        let mut carry = u32::from(*byte);
        for digit in &mut number {
            carry += *digit << 8;
            *digit = carry % 58;
            carry /= 58;
        }
        while carry > 0 {
            number.push(carry % 58);
            carry /= 58;
        }
    }
    let zeros = bytes.iter().take_while(|byte| **byte == 0).map(|_| b'1');
    zeros.chain(number.iter().rev().filter_map(|digit| BASE58.get(*digit as usize).copied())).collect()
}

/// A name and a value, and whether the value is a secret.
#[derive(Clone, Debug)]
pub struct Case {
    /// The name that the value is assigned to.
    pub name: String,
    /// The value.
    pub value: String,
    /// Returns whether it is a secret.
    pub is_secret: bool,
}

/// Reads the labelled set of `corpus/secrets/labelled.txt`, and generates its secret values.
pub fn labelled(text: &str) -> Vec<Case> {
    let mut random = Random::new(20);
    let mut cases = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words.as_slice() {
            ["plain", name, value] => {
                cases.push(Case { name: (*name).to_owned(), value: (*value).to_owned(), is_secret: false });
            }
            ["secret", name, class, length, count] => {
                let (length, count) = (length.parse().unwrap_or(0), count.parse().unwrap_or(0));
                for _ in 0..count {
                    let value = random.text(class, length);
                    cases.push(Case { name: (*name).to_owned(), value, is_secret: true });
                }
            }
            _ => {}
        }
    }
    cases
}

/// Returns the precision and the recall of a test of values on labelled cases.
pub fn figures(cases: &[Case], test: impl Fn(&Case) -> bool) -> (f64, f64) {
    let count = |wanted: &dyn Fn(&Case) -> bool| {
        f64::from(u32::try_from(cases.iter().filter(|case| wanted(case)).count()).unwrap_or(u32::MAX))
    };
    let right = count(&|case| case.is_secret && test(case));
    (right / count(&|case| test(case)).max(1.0), right / count(&|case| case.is_secret).max(1.0))
}
