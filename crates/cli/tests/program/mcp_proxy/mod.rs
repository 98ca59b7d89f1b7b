//! `checkrein mcp-proxy`: what passes between a client and a server, and what does not.

mod faults;
mod pins;
mod session;

use crate::Place;
use serde_json::{Value, json};
use session::Session;
use std::fs;

/// The tools of a server with a shell.
fn tools() -> Value {
    let tool = |name: &str, argument: &str| {
        json!({"name": name, "description": format!("Does {name}."),
               "inputSchema": {"type": "object", "properties": {argument: {"type": "string"}}}})
    };
    json!([tool("run_command", "command"), tool("echo", "text")])
}

fn session(place: &Place) -> Session {
    let mut session = Session::with_tools(place, &[], &tools(), false);
    assert_eq!(session.listed(), ["run_command", "echo"]);
    session
}

fn text(answer: &Value) -> String {
    let blocks = answer["result"]["content"].as_array().unwrap_or_else(|| panic!("{answer}"));
    blocks.iter().filter_map(|block| block["text"].as_str()).collect::<Vec<_>>().join("\n")
}

/// A value that the scanner knows by its prefix and checksum.
fn secret() -> String {
    let kind = checkrein_secrets::Kind::all().find(|kind| kind.name() == "github-pat-classic").unwrap();
    checkrein_secrets::sample::of(kind, &mut checkrein_secrets::sample::Random::new(7)).unwrap()
}

#[test]
fn a_harmless_call_passes_and_a_dangerous_one_is_a_tool_error() {
    let place = Place::new();
    let mut session = session(&place);
    session.call(7, "run_command", &json!({"command": "ls -la"}));
    let request = session.at_server();
    assert_eq!(request["params"], json!({"name": "run_command", "arguments": {"command": "ls -la"}}));
    session.answer(&request, &json!({"content": [{"type": "text", "text": "total 0"}]}));
    let answer = session.at_client();
    assert_eq!(
        answer,
        json!({"jsonrpc": "2.0", "id": 7, "result": {"content": [{"type": "text", "text": "total 0"}]}})
    );

    session.call("a", "run_command", &json!({"command": "rm -rf ~"}));
    let answer = session.at_client();
    assert_eq!((&answer["id"], &answer["result"]["isError"]), (&json!("a"), &json!(true)), "{answer}");
    let told = text(&answer);
    // The model and the user read the same text, so it has the code for the user as well.
    assert!(told.contains("[filesystem.delete-machine]") && told.contains("checkrein allow "), "{told}");
    session.nothing_reached_the_server();
    assert_eq!(session.end(), Some(0));
}

#[test]
fn hooks_rules_and_the_trail_are_those_of_the_configuration() {
    let place = Place::with(
        "[[hook]]\nname = \"loud\"\nevent = \"PreToolUse\"\nrole = \"edit\"\nmatch = { tool = \"mcp__fake__echo\" }\n\
         command = \"echo '{\\\"decision\\\":\\\"abstain\\\",\\\"tool_input\\\":{\\\"text\\\":\\\"LOUD\\\"},\\\"context\\\":\\\"was made loud\\\"}'\"\n\
         [[rule]]\nid = \"no-push\"\neffect = \"send\"\ntarget = \"main\"\ndecision = \"deny\"\nreason = \"main is reviewed\"\n",
    );
    let mut session = Session::with_tools(&place, &["--config", "hooks.toml"], &tools(), false);
    session.listed();
    session.call(1, "echo", &json!({"text": "quiet"}));
    let request = session.at_server();
    assert_eq!(request["params"]["arguments"], json!({"text": "LOUD"}));
    session.answer(&request, &json!({"content": []}));
    assert!(text(&session.at_client()).contains("was made loud"));
    session.call(2, "run_command", &json!({"command": "git push origin main"}));
    let answer = session.at_client();
    assert!(text(&answer).contains("main is reviewed"), "{answer}");
    session.nothing_reached_the_server();
    drop(session);
    let log = place.run(&["log", "--json"], "");
    assert!(log.contains("mcp__fake__run_command") && log.contains("\"host\":\"mcp\""), "{log}");
}

#[test]
fn a_broken_configuration_denies_calls() {
    let place = Place::with("nonsense = true\n");
    let mut session = Session::with_tools(&place, &["--config", "hooks.toml"], &tools(), false);
    session.listed();
    session.call(1, "echo", &json!({"text": "x"}));
    let answer = session.at_client();
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    session.nothing_reached_the_server();
}

#[test]
fn no_shape_of_a_result_shows_a_secret() {
    let place = Place::new();
    let mut session = session(&place);
    let secret = secret();
    let in_text = format!("the token is {secret} today");
    let block = json!({"type": "text", "text": in_text});
    for result in [
        json!({"content": [block]}),
        json!({"content": [block], "isError": true}),
        json!({"content": [{"type": "text", "text": "see"}], "structuredContent": {"deep": [{"token": secret}]}}),
        json!({"content": [{"type": "resource", "resource": {"uri": "x:y", "text": in_text}}]}),
        json!({"content": [{"type": "resource_link", "uri": format!("https://h.test/?t={secret}"), "name": "x"}]}),
        json!({"content": [], "_meta": {"note": in_text}}),
        json!({"content": [], "more": {"k": [1, [in_text]]}}),
    ] {
        session.call(1, "echo", &json!({"text": "x"}));
        let request = session.at_server();
        session.answer(&request, &result);
        let answer = session.at_client();
        assert!(!answer.to_string().contains(&secret), "{result}: {answer}");
        assert!(answer.to_string().contains("secret_"), "{result}: {answer}");
    }
    // An error of the protocol.
    session.call(1, "echo", &json!({"text": "x"}));
    let request = session.at_server();
    session.server(&json!({"jsonrpc": "2.0", "id": request["id"], "error": {"code": -1, "message": in_text, "data": {"t": in_text}}}));
    let answer = session.at_client();
    assert!(answer["error"]["code"] == -1 && !answer.to_string().contains(&secret), "{answer}");
    // Resources, prompts and whatever else has a result.
    for (method, params) in [
        ("resources/read", json!({"uri": "memo://1"})),
        ("prompts/get", json!({"name": "x"})),
        ("prompts/list", json!({})),
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        ("completion/complete", json!({})),
    ] {
        for outcome in ["result", "error"] {
            session.client(&json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}));
            let request = session.at_server();
            assert_eq!(request["method"], method);
            session.server(&json!({"jsonrpc": "2.0", "id": request["id"], outcome: {"code": 1, "message": in_text, "contents": [{"uri": "memo://1", "text": in_text}]}}));
            let answer = session.at_client();
            assert!(
                !answer.to_string().contains(&secret) && answer.to_string().contains("secret_"),
                "{method}: {answer}"
            );
        }
    }
    for method in ["notifications/message", "notifications/progress"] {
        session.server(&json!({"jsonrpc": "2.0", "method": method, "params": {"level": "info", "data": {"a": in_text}, "message": in_text}}));
        let told = session.at_client();
        assert!(told["method"] == method && !told.to_string().contains(&secret), "{told}");
    }
}

#[test]
fn a_resource_is_judged_like_the_file_that_it_is() {
    let place = Place::new();
    let mut session = session(&place);
    let home = place.directory.path().to_str().unwrap().to_owned();
    for uri in [format!("file://{home}/.ssh/id_ed25519"), format!("FILE://localhost{home}/%2essh/id_ed25519")]
    {
        session
            .client(&json!({"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": uri}}));
        let answer = session.at_client();
        assert!(
            answer["error"]["message"].as_str().is_some_and(|why| why.contains("[secrets.read-secret]")),
            "{answer}"
        );
        session.nothing_reached_the_server();
    }
}

#[test]
fn a_call_is_judged_by_what_earlier_calls_left() {
    let place = Place::new();
    fs::create_dir_all(place.path("project")).unwrap();
    let mut session = session(&place);
    // Both come in one breath; the second is harmless until the first has run.
    session.call(1, "run_command", &json!({"command": "ln -sfn ~ build"}));
    session.call(2, "run_command", &json!({"command": "rm -rf build/*"}));
    let first = session.at_server();
    assert_eq!(first["params"]["arguments"]["command"], "ln -sfn ~ build");
    std::os::unix::fs::symlink(place.directory.path(), place.path("build")).unwrap();
    session.answer(&first, &json!({"content": []}));
    assert_eq!(session.at_client()["id"], 1);
    let second = session.at_client();
    assert_eq!((&second["id"], &second["result"]["isError"]), (&json!(2), &json!(true)), "{second}");
    session.nothing_reached_the_server();
}

#[test]
fn a_question_goes_to_the_client_that_can_ask_and_is_a_denial_elsewhere() {
    let asks = json!({"command": "ls"});
    let place = Place::with(
        "[[hook]]\nname = \"careful\"\nevent = \"PreToolUse\"\nrole = \"judge\"\nmatch = { tool = \"mcp__fake__run_command\" }\n\
         command = \"echo '{\\\"decision\\\":\\\"ask\\\",\\\"reason\\\":\\\"is this meant?\\\"}'\"\n",
    );
    let mut session = Session::with_tools(&place, &["--config", "hooks.toml"], &tools(), true);
    session.listed();
    for (answer, runs) in [
        (json!({"action": "accept", "content": {"allow": true}}), true),
        (json!({"action": "accept", "content": {"allow": false}}), false),
        (json!({"action": "accept", "content": {}}), false),
        (json!({"action": "accept"}), false),
        (json!({"action": "decline"}), false),
        (json!({"action": "cancel"}), false),
        // Nothing but `accept` is a yes, whatever the form has in it.
        (json!({"action": "decline", "content": {"allow": true}}), false),
        (json!({"action": "cancel", "content": {"allow": true}}), false),
        (json!({"action": "Accept", "content": {"allow": true}}), false),
        (json!({"action": ["accept"], "content": {"allow": true}}), false),
        (json!({"action": null, "content": {"allow": true}}), false),
        (json!({"content": {"allow": true}}), false),
        // Nor is anything but `true` in the form.
        (json!({"action": "accept", "content": {"allow": "true"}}), false),
        (json!({"action": "accept", "content": {"allow": 1}}), false),
        (json!({"action": "accept", "content": true}), false),
        (json!({"action": "accept", "allow": true}), false),
        (json!({}), false),
        (Value::Null, false),
    ] {
        session.call(5, "run_command", &asks);
        let question = session.at_client();
        assert_eq!(question["method"], "elicitation/create", "{question}");
        assert!(question["params"]["message"].as_str().is_some_and(|text| text.contains("is this meant?")));
        session.client(&json!({"jsonrpc": "2.0", "id": question["id"], "result": answer}));
        if runs {
            let request = session.at_server();
            session.answer(&request, &json!({"content": []}));
            assert_eq!(session.at_client()["result"].get("isError"), None);
        } else {
            assert_eq!(session.at_client()["result"]["isError"], true, "{answer}");
            session.nothing_reached_the_server();
        }
        // The same answer once more means nothing.
        session.client(&json!({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "accept", "content": {"allow": true}}}));
        session.nothing_reached_the_server();
    }
    drop(session);
    let mut session = Session::with_tools(&place, &["--config", "hooks.toml"], &tools(), false);
    session.listed();
    session.call(5, "run_command", &asks);
    assert!(text(&session.at_client()).contains("is this meant?"));
    session.nothing_reached_the_server();
}

#[test]
fn sampling_and_elicitation_pass_only_if_configured() {
    let place = Place::with("[mcp]\nsampling = \"pass\"\nelicitation = \"pass\"\n");
    let both = json!({"sampling": {}, "elicitation": {}, "roots": {"listChanged": true}, "tasks": {}, "experimental": {}});
    let mut session = Session::start(&place, &[]);
    let (client, server) = session.initialize(&both);
    assert_eq!(client, json!({"roots": {"listChanged": true}}));
    assert_eq!(server["instructions"], "Be\\u{e0041} kind.");
    let shown = server["capabilities"].as_object().unwrap().keys().map(String::as_str).collect::<Vec<_>>();
    assert_eq!(shown, ["tools", "resources", "prompts", "logging"]);
    for method in ["sampling/createMessage", "elicitation/create", "tasks/list", "unheard/of"] {
        session.server(&json!({"jsonrpc": "2.0", "id": 4, "method": method, "params": {}}));
        let refused = session.at_server();
        assert!(refused["id"] == 4 && refused["error"]["code"] == -32601, "{method}: {refused}");
        session.nothing_reached_the_client();
    }
    session.server(&json!({"jsonrpc": "2.0", "id": "p", "method": "ping"}));
    assert_eq!(session.at_server(), json!({"jsonrpc": "2.0", "id": "p", "result": {}}));
    drop(session);

    let mut session = Session::start(&place, &["--config", "hooks.toml"]);
    let (client, _) = session.initialize(&both);
    assert_eq!(client, json!({"sampling": {}, "elicitation": {}, "roots": {"listChanged": true}}));
    for method in ["sampling/createMessage", "elicitation/create", "roots/list"] {
        session.server(
            &json!({"jsonrpc": "2.0", "id": "s-1", "method": method, "params": {"message": "a\u{202e}b"}}),
        );
        let asked = session.at_client();
        assert_eq!((&asked["method"], &asked["params"]["message"]), (&json!(method), &json!("a\\u{202e}b")));
        session.client(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"text": "yes"}}));
        assert_eq!(session.at_server(), json!({"jsonrpc": "2.0", "id": "s-1", "result": {"text": "yes"}}));
    }
}

#[test]
fn an_entry_for_a_client_is_printed() {
    let place = Place::new();
    let printed = place.output(&["mcp-proxy", "--entry", "--", "npx", "-y", "@x/server-files", "/srv"], b"");
    let entry: Value = serde_json::from_slice(&printed.stdout).unwrap();
    let entry = &entry["mcpServers"]["server-files"];
    assert_eq!(
        entry["args"],
        json!(["mcp-proxy", "--name", "server-files", "--", "npx", "-y", "@x/server-files", "/srv"])
    );
    assert_eq!(entry["command"], crate::PROGRAM);
}
