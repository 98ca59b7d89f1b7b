//! The facts about options that only the evaluator uses.

crate::vocabulary::words! {
    /// A fact that an option, or a handler, tells the rest of the evaluator about a command. No effect and no rule
    /// has it, but an allow rule covers only effects of commands whose flags are ordinary.
    ParseFlag,
    /// A set of parse flags.
    ParseFlags(u32) {
        /// The command only prints its help or its version.
        Help = "help" (ordinary),
        /// An option names the directory that the operands go to.
        TargetGiven = "target-given" (ordinary),
        /// An option gives the pattern, so it is not an operand.
        PatternGiven = "pattern-given" (ordinary),
        /// An option names the file that the output goes to.
        OutputGiven = "output-given" (ordinary),
        /// The command puts files into an archive.
        Packs = "packs" (ordinary),
        /// The command decodes its input.
        Decodes = "decodes",
        /// The command reads nothing that is typed.
        Batch = "batch",
        /// The command makes symbolic links.
        Symbolic = "symbolic" (ordinary),
        /// The command makes a second name of the same file.
        Hard = "hard",
        /// The operand itself is meant, and nothing in it.
        Exact = "exact",
        /// Files arrive anywhere in the home directory.
        Homewide = "homewide",
        /// The command that it runs sees only the files that it is shown.
        Caged = "caged",
        /// The command that it runs may see other files or variables, and it is not known which.
        Veiled = "veiled",
        /// Files arrive in the target, and none of them is ours.
        Merged = "merged",
        /// The files that the command reads stay where they are.
        Keeps = "keeps" (ordinary),
        /// No right of the owner is taken away.
        Gives = "gives",
        /// An option selects a part.
        Part = "part" (ordinary),
        /// The words are numbers in a row.
        Counted = "counted" (ordinary),
    }
}
