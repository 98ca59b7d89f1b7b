//! Go.

use crate::table::check;
use checkrein_code::Language;

#[test]
fn calls_that_matter() {
    check(
        Language::Go,
        &[
            (r#"exec.Command("rm", "-rf", "/x").Run()"#, &["run rm | -rf | /x"]),
            (r#"cmd := exec.Command("sh", "-c", "ls"); cmd.Run()"#, &["run sh | -c | ls"]),
            (r#"exec.CommandContext(ctx, "git", "status").Output()"#, &["run git | status"]),
            ("args := []string{\"-c\", \"ls\"}\nexec.Command(\"sh\", args...)", &["run sh | -c | ls"]),
            (r#"os.RemoveAll("/x")"#, &["delete -r /x"]),
            (r#"if err := os.Remove("/x"); err != nil { panic(err) }"#, &["delete /x"]),
            ("h, _ := os.UserHomeDir()\nos.RemoveAll(h)", &["delete -r «home»"]),
            ("h, err := os.UserHomeDir()\nos.RemoveAll(filepath.Join(h, \"x\"))", &["delete -r «home»/x"]),
            (r#"os.WriteFile("/x", []byte("a"), 0o644)"#, &["write /x"]),
            ("for _, p := range []string{\"/a\", \"/b\"} {\n\tos.Remove(p)\n}", &["delete /a", "delete /b"]),
            ("p := `/x`\nos.RemoveAll(p)", &["delete -r /x"]),
        ],
    );
}

#[test]
fn mentions_are_nothing() {
    check(
        Language::Go,
        &[
            ("// os.RemoveAll(\"/x\")\nfmt.Println(\"os.RemoveAll(x)\")", &[]),
            ("/* exec.Command(\"rm\") */ x := 1", &[]),
            ("const s = `exec.Command(\"rm\")`", &[]),
        ],
    );
}
