//! Hooks that stand in files: the same configuration, layers and trust as those of the program.

use crate::{BuildError, Builder, Pipeline, Registration, Tools, hook::Manner};
use checkrein::{
    Config, Entry, Environment, Guard, Payload, Places, Problems, Role, Row, Setup, Stack, Standing,
    Untrusted, Verdict, guard::Day, hook_fn, once::Memory,
};
use std::{
    path::Path,
    time::{SystemTime, UNIX_EPOCH},
};

impl<T: Tools> Pipeline<T> {
    /// A pipeline with the hooks of the file at `path`, and the judge that is built in. The file is TOML or the ancestors'
    /// JSON list; one with a problem is an error, never a pipeline with fewer hooks.
    ///
    /// ```no_run
    /// use checkrein_harness::{Pipeline, Toolbox};
    /// let pipeline = Pipeline::from_config(Toolbox::new(), "hooks.toml".as_ref())?;
    /// # Ok::<(), checkrein_harness::BuildError>(())
    /// ```
    pub fn from_config(tools: T, path: &Path) -> Result<Self, BuildError> {
        Self::builder(tools).config(path)?.build()
    }
}

impl<T: Tools> Builder<T> {
    /// With the hooks and rules of the file at `path`, as they stand there, since whoever names a file here trusts it; and
    /// with the [guard](Self::guard).
    pub fn config(self, path: &Path) -> Result<Self, Problems> {
        self.stack(&Stack::new(vec![Config::load(path)?], None), None)
    }

    /// With the hooks and rules of every layer: the administrator's, the person's, those of the projects as far as somebody
    /// trusted them, and the file of the command line; and with the [guard](Self::guard). What is skipped is said as a
    /// remark, so [`remarks`](Self::remarks) should come before.
    pub fn layers(self, places: &Places) -> Result<Self, Problems> {
        self.stack(&Stack::load(places)?, places.state.as_deref())
    }

    /// The same for layers that were put together already. `state` is the folder in which the guard remembers what it
    /// denied, so that a person can give leave for one call (`checkrein allow`). Exceptions that end on a day are looked at
    /// now, once.
    pub fn stack(self, stack: &Stack, state: Option<&Path>) -> Result<Self, Problems> {
        Guard::stays(stack)?;
        let (dispatcher, skipped) = stack.dispatcher(None, &setup());
        let mut builder = self.guard_with(|guard| {
            let guard = guard.with_rules(stack.rules()).with_grants(stack.grants());
            match stack.exceptions() {
                exceptions if exceptions.is_empty() => guard,
                exceptions => guard.with_exceptions(exceptions, today()),
            }
        });
        if let Some(state) = state {
            builder = builder.memory(Memory::new(state, stack.leave()));
        }
        for entry in dispatcher.entries() {
            builder = builder.hook(entry.clone());
        }
        for row in &skipped {
            let why = why_skipped(row);
            builder.say(&format!("{why}; a person can look at it with `checkrein trust`"));
            if stack.untrusted() == Untrusted::Deny && row.role() != Role::Observe {
                let reason = format!("{why}, and this is denied until a person runs `checkrein trust`");
                let stand_in = hook_fn(row.label(), move |_: &Payload| Verdict::deny(reason.clone()));
                let entry = Entry::new(row.event(), stand_in).scope(row.scope().clone()).role(Role::Judge);
                builder = builder.hook(Registration { entry: Ok(entry), manner: Manner::Computes });
            }
        }
        Ok(builder)
    }
}

/// The day, in UTC.
fn today() -> Day {
    Day::of_seconds(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs())
}

fn setup() -> Setup {
    Setup::new(Environment::of_process())
}

/// Why a hook of a project is not asked.
fn why_skipped(row: &Row<'_>) -> String {
    let why = match &row.standing {
        Standing::Changed(what) => format!("it has changed since it was trusted ({what})"),
        Standing::Unreadable(why) => format!("it cannot be read ({why})"),
        Standing::Untrusted | Standing::InForce | Standing::Disabled { .. } => {
            "nobody has trusted it".to_owned()
        }
    };
    format!("hook `{}` of {} is skipped: {why}", row.label(), row.config.path().display())
}
