//! The origin of an effect's data, and the certainty of the effect.

super::words! {
    /// The origin and the contents of an effect's data.
    Taint,
    /// A set of taints.
    Taints(u32) {
        /// The data was downloaded.
        Downloaded = "downloaded",
        /// The data was decoded or assembled, so that its text is not in the call.
        Decoded = "decoded",
        /// The data is the output of another program.
        Computed = "computed",
        /// The data contains secrets.
        Secret = "secret",
        /// The data was printed by a program that shows secrets.
        Revealed = "revealed",
        /// The data is the credential that the request itself needs.
        Credential = "credential",
        /// The data contains the environment variables.
        Environment = "environment",
        /// The data names the user or the machine.
        Identity = "identity",
        /// The data is a file of this machine.
        File = "file" (ordinary),
        /// The data comes from standard input.
        Stdin = "stdin" (ordinary),
        /// The arguments come from the output of another program.
        Piped = "piped",
        /// The data contains changes that are not committed.
        Uncommitted = "uncommitted",
        /// The data is the list of running processes.
        Processes = "processes",
        /// The data never ends.
        Endless = "endless",
        /// The data is Checkrein's own program.
        OwnProgram = "own-program",
    }
}

super::words! {
    /// A fact about an effect that is not certain.
    Certainty,
    /// A set of certainties.
    Certainties(u8) {
        /// The target is not known before the call runs.
        Unknown = "unknown",
        /// The target is this one if a variable is empty.
        EmptyVariable = "empty-variable",
        /// The call is too large to be followed to its end.
        TooMuch = "too-much",
        /// The text cannot be parsed.
        Unreadable = "unreadable",
        /// The name of the program may mean any program.
        AnyProgram = "any-program",
        /// The target may belong to Checkrein: a search for our files found it, or one of our files names it.
        PerhapsOurs = "perhaps-ours",
        /// The content is known and judged by itself.
        Known = "known",
        /// It happens if a program that is not known runs what it is given: a denial becomes a question.
        Supposed = "supposed",
    }
}
