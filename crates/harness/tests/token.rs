//! `Cancel` and `CancellationToken` share one state, with the feature `tokio-util`.
#![cfg(feature = "tokio-util")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

use checkrein_harness::Cancel;
use std::time::Duration;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

const PATIENCE: Duration = Duration::from_secs(20);

#[tokio::test]
async fn a_token_cancels_and_is_cancelled() {
    let token = CancellationToken::new();
    let cancel = Cancel::from(token.clone());
    assert!(!cancel.is_cancelled());
    token.cancel();
    assert!(cancel.is_cancelled() && cancel.clone().is_cancelled());
    timeout(PATIENCE, cancel.cancelled()).await.unwrap();

    let token = CancellationToken::new();
    let child = token.child_token();
    Cancel::from(token.clone()).cancel();
    assert!(token.is_cancelled() && child.is_cancelled());
}

#[tokio::test]
async fn a_flag_becomes_a_token_also_after_it_was_set() {
    let cancel = Cancel::new();
    let token = CancellationToken::from(&cancel);
    cancel.cancel();
    assert!(token.is_cancelled());
    assert!(CancellationToken::from(cancel).is_cancelled());
    let set = Cancel::new();
    set.cancel();
    assert!(CancellationToken::from(&set).is_cancelled());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn those_who_wait_already_see_a_token_that_is_made_later() {
    for _ in 0..500 {
        let cancel = Cancel::new();
        let waiter = tokio::spawn({
            let cancel = cancel.clone();
            async move { cancel.cancelled().await }
        });
        tokio::task::yield_now().await;
        let token = CancellationToken::from(&cancel);
        token.cancel();
        timeout(PATIENCE, waiter).await.expect("a wake-up was lost").unwrap();
    }
}
