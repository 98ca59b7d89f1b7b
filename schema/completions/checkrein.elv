
use builtin;
use str;

set edit:completion:arg-completer[checkrein] = {|@words|
    fn spaces {|n|
        builtin:repeat $n ' ' | str:join ''
    }
    fn cand {|text desc|
        edit:complex-candidate $text &display=$text' '(spaces (- 14 (wcswidth $text)))$desc
    }
    var command = 'checkrein'
    for word $words[1..-1] {
        if (str:has-prefix $word '-') {
            break
        }
        set command = $command';'$word
    }
    var completions = [
        &'checkrein'= {
            cand -h 'Print help'
            cand --help 'Print help'
            cand -V 'Print version'
            cand --version 'Print version'
            cand demo 'Play a recorded agent session through what Checkrein does by default'
            cand coverage 'Show what each agent does with an answer, event by event, and how that is known'
            cand check 'Show what the hooks decide about a command line or a tool call'
            cand explain 'Show step by step how a command line or a tool call is judged'
            cand hooks 'List configured hooks, their source, order and status'
            cand effects 'Explain the words that rules are written in: effects, modifiers, zones, tags'
            cand trust 'Review a project''s hooks and trust them'
            cand allow 'Allow a call that was denied or asked about'
            cand monitor 'Record what would be blocked instead of blocking it, for some days'
            cand repair 'Temporarily let agents work with a broken configuration'
            cand managed 'Install the administrator''s configuration'
            cand mcp-proxy 'Guard an MCP server, for hosts that have no hooks'
            cand mcp-pins 'Show the tools of MCP servers that wait to be accepted, and accept them'
            cand undo 'Restore files that a call deleted or overwrote'
            cand learn 'Show which commands failed here and what worked instead, and forget it'
            cand scan 'Find secrets in files, in what is staged, or in the history'
            cand replay 'Show what would have happened to the calls that agents made in the past'
            cand suggest 'Suggest configuration that would spare you prompts, from what agents did in the past'
            cand cat 'Print files without the secrets in them'
            cand run 'Run a program with a secret that the model knows only by its tag'
            cand why 'Show why one event was decided as it was'
            cand test 'Run policy tests'
            cand schema 'Print the JSON Schema of the configuration file'
            cand completions 'Print a shell completion script'
            cand man 'Write the manual pages'
            cand help 'Print the help of the program or of a command'
            cand version 'Print the version'
            cand init 'Install checkrein into the agents on this machine'
            cand uninstall 'Remove what `init` added to the agents'' files'
            cand doctor 'Check the agents'' setup on this machine, and suggest fixes'
            cand log 'Show what agents asked for and what was answered'
            cand stats 'Count decisions by day, agent, rule and tool'
            cand report 'Write a page with the timeline, the rules and the list of events'
            cand hook 'Answer one event from stdin in the host''s dialect'
            cand import 'Convert another tool''s hooks to checkrein configuration'
            cand rules 'Show the built-in rules, or one of them with examples'
        }
        &'checkrein;demo'= {
            cand --json 'Print one JSON object per call'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'checkrein;coverage'= {
            cand --json 'Print one JSON object'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'checkrein;check'= {
            cand --cwd 'The working directory of the call'
            cand --tool 'The name of the tool'
            cand --input 'The tool''s input as a JSON object, instead of a command line'
            cand --config 'A configuration file to use in addition to the usual ones'
            cand --json 'Print one JSON object'
            cand --batch 'Read JSON lines from stdin, each {"id", "command"} or a complete payload, and answer each with a JSON line'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'checkrein;explain'= {
            cand --cwd 'The working directory of the call'
            cand --tool 'The name of the tool'
            cand --input 'The tool''s input as a JSON object, instead of a command line'
            cand --config 'A configuration file to use in addition to the usual ones'
            cand --json 'Print one JSON object'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'checkrein;hooks'= {
            cand --event 'Only list hooks for this event'
            cand --tool 'Only list hooks that match this tool'
            cand --cwd 'The directory to resolve the project from (default: the current directory)'
            cand --config 'A configuration file to use in addition to the usual ones'
            cand --json 'Print one JSON object'
            cand --check 'Exit with code 1 if there are errors or warnings'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'checkrein;effects'= {
            cand --json 'Print one JSON object'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'checkrein;trust'= {
            cand --cwd 'The project''s directory'
            cand --revoke 'Revoke trust'
            cand --uncovered 'Also trust hooks whose arguments cannot be pinned before they run'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'checkrein;allow'= {
            cand --for 'Allow it in this directory for a time, for example `7d`, with an exception in your configuration'
            cand --revoke 'Revoke the permissions that were given with a code'
            cand --minutes 'Validity of a permission for one call, in minutes'
            cand --session 'Allow what the rules object to in the call for the rest of its session'
            cand --here 'Allow it in this directory for 30 days, or for the time of `--for`'
            cand --always 'Allow it in this directory for good'
            cand --list 'List active permissions, and recent denials and questions that can be allowed (default)'
            cand --json 'Print the list as one JSON object'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'checkrein;monitor'= {
            cand --for 'Switch it on for this time, for example `7d` or `2w`, at most 30 days'
            cand --rule 'Only for these rules, for example `kubernetes.*`'
            cand --off 'Switch it off'
            cand --status 'Show whether it is on (default)'
            cand --json 'Print the status as one JSON object'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'checkrein;repair'= {
            cand --minutes 'Duration in minutes'
            cand --end 'End it now'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'checkrein;managed'= {
            cand -h 'Print help'
            cand --help 'Print help'
            cand apply 'Validate a file and install it as the administrator''s configuration'
        }
        &'checkrein;managed;apply'= {
            cand --dry-run 'Only validate the file, and show whether it differs from the active one'
            cand --json 'Print one JSON object'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'checkrein;mcp-proxy'= {
            cand --name 'The name of the server: its tools are `mcp__NAME__TOOL` in rules and hooks, and are pinned under it (default: from the command)'
            cand --config 'A configuration file to use in addition to the usual ones'
            cand --entry 'Only print the entry for a client''s `mcpServers`'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'checkrein;mcp-pins'= {
            cand --accept 'Accept what changed in this server''s tools'
            cand --forget 'Forget this server: its tools are pinned anew when it is used again'
            cand --json 'Print one JSON object'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'checkrein;undo'= {
            cand --show 'Show what was kept, and how it differs from what is there now'
            cand --to 'Write copies into this new directory instead'
            cand --forget 'Remove what was kept under this id'
            cand --list 'List what was kept for this project'
            cand --all 'With `--list`: for all projects'
            cand --dry-run 'Show what would be restored, and change nothing'
            cand --force 'Also replace what was changed since, after keeping its present version'
            cand -y 'Restore without asking'
            cand --yes 'Restore without asking'
            cand --prune 'Remove what is too old'
            cand --json 'Print JSON: one object, or with `--list` one for each line'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'checkrein;learn'= {
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand list 'List what is remembered about this project'
            cand show 'Show one failure, and what worked'
            cand forget 'Forget one failure, or all of them in this project'
            cand export 'Print what is remembered about this project, for others to use'
        }
        &'checkrein;learn;list'= {
            cand --all 'For all projects'
            cand --json 'Print JSON, one object for each line'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'checkrein;learn;show'= {
            cand --json 'Print one JSON object'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'checkrein;learn;forget'= {
            cand --all 'Forget everything about this project'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'checkrein;learn;export'= {
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'checkrein;scan'= {
            cand --baseline 'A file with accepted fingerprints (default: `.checkrein-baseline`, if there is one)'
            cand --staged 'Scan what is staged for the next commit'
            cand --history 'Scan every version of every file that the repository has'
            cand --sure 'Only report values with a checksum or a vendor''s prefix'
            cand --no-ignore 'Also read files that git ignores'
            cand --json 'Print one JSON object per finding'
            cand --sarif 'Print a report in SARIF'
            cand --print-baseline 'Print the findings as a baseline, and exit with code 0'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'checkrein;replay'= {
            cand --agent 'Only the sessions of this agent'
            cand --since 'The time to look back: `12h`, `30d`, `8w` or `all`'
            cand --path 'A file or directory with sessions, instead of the agents'' own directories'
            cand --policy 'Judge by this configuration file, and show what it changes'
            cand --against 'Compare with this configuration file instead of the current configuration'
            cand --card 'Write a picture with the figures and no commands to a new SVG file'
            cand --html 'Write one self-contained page with the figures and an example of each kind of call to a new HTML file'
            cand --json 'Print one JSON object per call, and one with the figures at the end'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'checkrein;suggest'= {
            cand --agent 'Only the sessions of this agent'
            cand --since 'The time to look back: `12h`, `30d`, `8w` or `all`'
            cand --path 'A file or directory with sessions, instead of the agents'' own directories'
            cand --limit 'Suggest at most this many entries'
            cand --write 'Add the entries to your configuration, after showing the difference (only for users at a terminal)'
            cand --json 'Print one JSON object per entry'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'checkrein;cat'= {
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'checkrein;run'= {
            cand --ticket 'The ticket for this command'
            cand --secret 'A tag, and how its value is passed: a variable, `stdin` or `descriptor`'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'checkrein;why'= {
            cand --json 'Print one JSON object'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'checkrein;test'= {
            cand --junit 'Also write the results to this file, in the format of JUnit, for CI'
            cand --config 'A configuration file to use in addition to the usual ones'
            cand --json 'Print one JSON object'
            cand --as-trusted 'Run the project''s hooks as if you had trusted them; for CI, which tests its own code'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'checkrein;schema'= {
            cand --default 'Print the commented default configuration instead'
            cand --reference 'Print the reference of all keys as Markdown instead'
            cand --tests 'Print the schema of policy test files instead'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'checkrein;completions'= {
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'checkrein;man'= {
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'checkrein;help'= {
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'checkrein;version'= {
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'checkrein;init'= {
            cand --preset 'Add reviewed `[[allow]]` sets to your configuration, so that commands which only read need no prompt'
            cand --program 'With `--managed`: the path of checkrein on the managed machines (default: its path here)'
            cand --agent 'Only this agent (`claude`, `codex`, `gemini`, `qwen`, `copilot`, `cline`, `pi`, `opencode`, `kilo`, `kimi`, `grok`, `openclaw`, `hermes`, `cursor` or `vscode`), even if it is not found here; can be repeated'
            cand --user 'Use your user-level files (default)'
            cand --project 'Use the files of the current project'
            cand --yes 'Do not ask before adding entries; changes to existing entries still need confirmation'
            cand --dry-run 'Only show what would change, with the diff'
            cand --print 'Only print the entries, to install them by other means'
            cand --require 'With `--project`: block tool calls where checkrein is missing, instead of warning'
            cand --managed 'With `--print`: print the administrator''s files of each agent, for device management (MDM)'
            cand --json 'Print one JSON object'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'checkrein;uninstall'= {
            cand --agent 'Only this agent (`claude`, `codex`, `gemini`, `qwen`, `copilot`, `cline`, `pi`, `opencode`, `kilo`, `kimi`, `grok`, `openclaw`, `hermes`, `cursor` or `vscode`), even if it is not found here; can be repeated'
            cand --user 'Use your user-level files (default)'
            cand --project 'Use the files of the current project'
            cand --yes 'Do not ask; requires that root listed `uninstall` in `/etc/checkrein/automation`'
            cand --purge 'Also remove what checkrein keeps: records, permissions, trust, and the copies that `undo` restores'
            cand --dry-run 'Only show what would change'
            cand --json 'Print one JSON object'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'checkrein;doctor'= {
            cand --agent 'Only this agent (`claude`, `codex`, `gemini`, `qwen`, `copilot`, `cline`, `pi`, `opencode`, `kilo`, `kimi`, `grok`, `openclaw`, `hermes`, `cursor` or `vscode`), even if it is not found here; can be repeated'
            cand --live 'Start the agents offline and test how they handle a denial, a rewrite and a failing hook'
            cand --quick 'With `--live`: only test whether your own setup is protected, starting each agent once'
            cand --json 'Print one JSON object'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'checkrein;log'= {
            cand --since 'Only events since then: `30m`, `12h`, `7d`, `2w` or `2026-11-18`'
            cand --session 'Only this session (the beginning of its id is enough)'
            cand --decision 'Only this decision'
            cand --limit 'Show at most this many records, the newest; 0 for all'
            cand --agent 'Only this agent (`claude`, `codex`, ...), or the subagent with this id'
            cand --rule 'Only events that this rule matched; `git.*` for all rules of a pack'
            cand -f 'Keep running, and show new records as they come'
            cand --follow 'Keep running, and show new records as they come'
            cand --verify 'Check that no record was changed, removed, inserted or reordered'
            cand --json 'Print one JSON object per line'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'checkrein;stats'= {
            cand --since 'Only events since then: `30m`, `12h`, `7d`, `2w` or `2026-11-18`'
            cand --session 'Only this session (the beginning of its id is enough)'
            cand --decision 'Only this decision'
            cand --agent 'Only this agent (`claude`, `codex`, ...), or the subagent with this id'
            cand --rule 'Only events that this rule matched; `git.*` for all rules of a pack'
            cand --json 'Print one JSON object'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'checkrein;report'= {
            cand --since 'Only events since then: `30m`, `12h`, `7d`, `2w` or `2026-11-18`'
            cand --session 'Only this session (the beginning of its id is enough)'
            cand --decision 'Only this decision'
            cand --html 'Write the page to this file'
            cand --limit 'List at most this many events, the newest'
            cand --agent 'Only this agent (`claude`, `codex`, ...), or the subagent with this id'
            cand --rule 'Only events that this rule matched; `git.*` for all rules of a pack'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'checkrein;hook'= {
            cand --event 'The event, for hosts whose payload does not name it; must match the payload if it does'
            cand --config 'A configuration file to use in addition to the usual ones'
            cand --host 'The dialect: `claude`, `codex`, `gemini`, `qwen`, `copilot`, `cline`, `pi`, `opencode`, `kilo`, `kimi`, `grok`, `openclaw`, `hermes`, `cursor`, `vscode`, or `checkrein` (native)'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'checkrein;import'= {
            cand --output 'Write the configuration to this new file instead of stdout'
            cand --from 'The tool that the file belongs to, if its content does not show it: `claude`, `codex`, `gemini`, `qwen`, `copilot`, `grok`, `cursor`, `vscode`, `codex-fork` or `list`'
            cand --json 'Print a report of what was imported, changed and refused as one JSON object, instead of the configuration'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'checkrein;rules'= {
            cand --json 'Print one JSON object'
            cand --reference 'Print the reference of all rules and words as Markdown'
            cand -h 'Print help'
            cand --help 'Print help'
        }
    ]
    $completions[$command]
}
