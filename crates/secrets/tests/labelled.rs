//! Precision and recall on the labelled set, next to entropy alone.

use checkrein_secrets::{
    rarity,
    sample::{Case, figures, labelled},
    scan,
};

const SET: &str = include_str!("../../../corpus/secrets/labelled.txt");

fn f1((precision, recall): (f64, f64)) -> f64 {
    2.0 * precision * recall / (precision + recall).max(f64::MIN_POSITIVE)
}

#[test]
fn rarity_tells_secrets_from_names_better_than_entropy() {
    let cases = labelled(SET);
    assert!(cases.iter().filter(|case| case.is_secret).count() > 100 && cases.len() > 180, "{}", cases.len());
    let scanner = figures(&cases, |Case { name, value, .. }| {
        !scan(format!("{name}=\"{value}\"").as_bytes()).is_empty()
    });
    let rarity = figures(&cases, |case| rarity::is_rare(case.value.as_bytes()));
    // The best threshold that entropy could have on this very set.
    let entropy = (20_u8..60)
        .map(|tenths| f32::from(tenths) / 10.0)
        .map(|least| figures(&cases, |case| rarity::entropy(case.value.as_bytes()) >= least))
        .max_by(|a, b| f1(*a).total_cmp(&f1(*b)))
        .unwrap();
    println!(
        "precision and recall: scanner {scanner:.3?}, rarity {rarity:.3?}, entropy at its best {entropy:.3?}"
    );
    for case in &cases {
        let cost = rarity::cost(case.value.as_bytes());
        if case.is_secret != rarity::is_rare(case.value.as_bytes()) {
            println!("{} {cost:.2} {}", if case.is_secret { "missed" } else { "alarm" }, case.value);
        }
    }
    assert!(scanner.0 >= 0.97 && scanner.1 >= 0.95, "the scanner: {scanner:?}");
    assert!(f1(rarity) > f1(entropy), "rarity {rarity:?}, entropy {entropy:?}");
}
