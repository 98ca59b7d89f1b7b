//! Presets: reviewed sets of allow rules, as data, which a user adds to the own configuration.
//!
//! A preset is a text that is inserted as it is, so that what is reviewed is what counts. Nothing in it changes or sends anything,
//! or runs a program that is not named. Each has a file with cases next to it, which its test runs.

/// A preset.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// Its tables, as a configuration has them.
    pub text: &'static str,
}

/// All presets.
pub const ALL: &[Preset] = &[
    Preset { name: "read-only", text: include_str!("../presets/read-only.toml") },
    Preset { name: "git", text: include_str!("../presets/git.toml") },
    Preset { name: "node", text: include_str!("../presets/node.toml") },
    Preset { name: "rust", text: include_str!("../presets/rust.toml") },
    Preset { name: "python", text: include_str!("../presets/python.toml") },
];

impl Preset {
    /// Finds a preset by its name.
    pub fn find(name: &str) -> Option<Self> {
        ALL.iter().find(|preset| preset.name == name).copied()
    }

    /// Returns what the preset is about: its comment.
    pub fn about(self) -> String {
        let comment = self.text.lines().map_while(|line| line.strip_prefix('#'));
        comment.map(str::trim).collect::<Vec<_>>().join(" ")
    }

    /// Returns a configuration with the preset: in the place of an earlier version of it, or at the end.
    pub fn add_to(self, text: &str) -> String {
        let (start, end) = (self.start(), self.end());
        let block = format!("{start}\n{}\n{end}\n", self.text.trim_end());
        if let Some((before, rest)) = text.split_once(&format!("{start}\n"))
            && let Some((_, after)) = rest.split_once(&format!("{end}\n"))
        {
            return format!("{before}{block}{after}");
        }
        match text.trim_end() {
            "" => block,
            text => format!("{text}\n\n{block}"),
        }
    }

    fn start(self) -> String {
        format!("# checkrein preset {}", self.name)
    }

    fn end(self) -> String {
        format!("# end of checkrein preset {}", self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preset_replaces_its_earlier_version_and_nothing_else() {
        let [first, second, ..] = ALL else { panic!("there are presets") };
        let own = "# mine\nunattended = \"ask\"\n";
        let both = second.add_to(&first.add_to(own));
        assert!(both.starts_with("# mine\nunattended = \"ask\"\n\n# checkrein preset read-only\n"), "{both}");
        assert_eq!(first.add_to(&both), both);
        let changed = both.replacen("\"pwd\", ", "", 1);
        assert_ne!(changed, both);
        assert_eq!(first.add_to(&changed), both);
        assert_eq!(first.add_to(""), first.add_to(" \n"));
    }

    #[test]
    fn each_has_a_name_and_says_what_it_is_about() {
        for preset in ALL {
            assert!(Preset::find(preset.name).is_some());
            assert!(preset.about().ends_with('.'), "{}", preset.about());
        }
        assert!(Preset::find("everything").is_none());
    }
}
