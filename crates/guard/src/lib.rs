//! What a shell text would run.

#![forbid(unsafe_code)]
