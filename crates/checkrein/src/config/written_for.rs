//! Runs hooks that were written for a host under any other (`written_for`).

use crate::config::hook::HookDefinition;
use checkrein_core::{Failure, Payload, Scope, ToolKind, Verdict};
use checkrein_exec::{
    Translation,
    answer::{self, Exit},
};
use checkrein_hosts::foreign::{Foreign, Request};
use std::{
    ffi::OsString,
    time::{SystemTime, UNIX_EPOCH},
};

/// The maximum number of calls that one call becomes. A patch of more files would start the hook too often.
const MOST: usize = 32;

/// The protocol of the host that a hook was written for, and the calls of that host that it is about.
#[derive(Debug)]
pub(crate) struct WrittenFor {
    foreign: Foreign,
    /// In the names of that host's tools.
    scope: Scope,
}

impl WrittenFor {
    /// Returns the protocol of a hook; `None` if it is ours.
    pub(crate) fn of(hook: &HookDefinition) -> Option<Self> {
        let foreign = Foreign::parse(hook.written_for.as_deref()?, hook.event).ok()?;
        Some(Self { foreign, scope: hook.scope.clone() })
    }

    /// Returns the calls that the hook is asked about.
    fn requests(&self, payload: &Payload) -> Result<Vec<Request>, Failure> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
        let mut requests = self.foreign.requests(payload, u64::try_from(now).unwrap_or_default());
        requests.retain(|request| {
            // A pattern of kinds means the call as it arrived, whatever the host of the hook calls such a tool.
            let as_arrived = payload.event.call().filter(|call| call.kind != ToolKind::Other);
            let call = request.call().map(|call| {
                let kind = as_arrived.map_or(call.kind, |arrived| arrived.kind);
                checkrein_core::ToolCall { kind, ..call.clone() }
            });
            self.scope.covers(call.as_ref())
        });
        if requests.len() > MOST {
            return Err(Failure::NotStarted(format!(
                "the call is {} calls for this hook, more than {MOST}",
                requests.len()
            )));
        }
        Ok(requests)
    }
}

impl Translation for WrittenFor {
    fn inputs(&self, payload: &Payload) -> Result<Vec<Vec<u8>>, Failure> {
        let line = |request: &Request| {
            let mut bytes = serde_json::to_vec(request.fields()).map_err(|error| {
                Failure::NotStarted(format!("the payload cannot be written as JSON: {error}"))
            })?;
            bytes.push(b'\n');
            Ok(bytes)
        };
        self.requests(payload)?.iter().map(line).collect()
    }

    fn variables(&self, payload: &Payload) -> Vec<(String, OsString)> {
        let variables = self.foreign.variables(payload);
        variables.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect()
    }

    fn verdict(
        &self,
        payload: &Payload,
        number: usize,
        exit: Exit,
        stdout: &[u8],
        stderr: &[u8],
    ) -> Result<Verdict, Failure> {
        let event = payload.name();
        let exit = match exit {
            Exit::Code(code) => Exit::Code(self.foreign.exit_code(event, code)),
            signal @ Exit::Signal(_) => signal,
        };
        let object = std::str::from_utf8(stdout).ok().and_then(|text| self.foreign.answer(event, text));
        let verdict = match (exit, object) {
            // A hook that denies by its exit code may still give the reason in its answer.
            (Exit::Code(2), Some(fields)) => match answer::read_object(event, fields) {
                Ok(verdict) if verdict.decision == checkrein_core::Decision::Deny => verdict,
                _ => answer::read(event, exit, b"", stderr)?,
            },
            (_, Some(fields)) => {
                let text = serde_json::Value::Object(fields).to_string();
                answer::read(event, exit, text.as_bytes(), stderr)?
            }
            (_, None) => answer::read(event, exit, stdout, stderr)?,
        };
        let requests = self.requests(payload)?;
        let Some(request) = requests.get(number) else { return Ok(verdict) };
        let decision = verdict.decision;
        match request.restore(payload, verdict) {
            Ok(verdict) => Ok(verdict),
            // A partial change would result in a call that the hook did not want.
            Err(lost) if decision < checkrein_core::Decision::Deny => Ok(Verdict::deny(lost.to_string())),
            Err(lost) => Err(Failure::BadReply(lost.to_string())),
        }
    }
}
