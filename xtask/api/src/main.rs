//! Prints the public API of a library from rustdoc's JSON, one item per line, in a fixed order.
//!
//! Implementations that the compiler derives are omitted: they follow from the attributes of a type.

use std::{env, process::ExitCode};

fn main() -> ExitCode {
    let Some(file) = env::args_os().nth(1) else {
        eprintln!("use `checkrein-api JSON`");
        return ExitCode::FAILURE;
    };
    let listing = public_api::Builder::from_rustdoc_json(file)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build();
    match listing {
        Ok(api) => {
            print!("{api}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
