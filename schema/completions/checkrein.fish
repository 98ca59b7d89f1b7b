# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_checkrein_global_optspecs
    string join \n h/help V/version
end

function __fish_checkrein_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_checkrein_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_checkrein_using_subcommand
    set -l cmd (__fish_checkrein_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c checkrein -n "__fish_checkrein_needs_command" -s h -l help -d 'Print help'
complete -c checkrein -n "__fish_checkrein_needs_command" -s V -l version -d 'Print version'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "demo" -d 'Play a recorded agent session through the guard and example hooks'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "init" -d 'Install checkrein into the agents on this machine'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "uninstall" -d 'Remove what `init` added to the agents\' files'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "doctor" -d 'Check the agents\' setup on this machine, and suggest fixes'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "hook" -d 'Answer one event from stdin in the host\'s dialect'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "check" -d 'Show what the hooks decide about a command line or a tool call'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "explain" -d 'Show step by step how a command line or a tool call is judged'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "hooks" -d 'List configured hooks, their source, order and status'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "rules" -d 'Show the built-in rules, or one of them with examples'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "effects" -d 'Explain the words that rules are written in: effects, modifiers, zones, tags'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "trust" -d 'Review a project\'s hooks and trust them'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "allow" -d 'Allow a call that was denied or asked about'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "monitor" -d 'Record what would be blocked instead of blocking it, for some days'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "repair" -d 'Temporarily let agents work with a broken configuration'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "managed" -d 'Install the administrator\'s configuration'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "import" -d 'Convert another tool\'s hooks to checkrein configuration'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "scan" -d 'Find secrets in files, in what is staged, or in the history'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "replay" -d 'Show what would have happened to the calls that agents made in the past'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "suggest" -d 'Suggest configuration that would spare you prompts, from what agents did in the past'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "cat" -d 'Print files without the secrets in them'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "log" -d 'Show what agents asked for and what was answered'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "why" -d 'Show why one event was decided as it was'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "stats" -d 'Count decisions by day, agent, rule and tool'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "report" -d 'Write a page with the timeline, the rules and the list of events'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "test" -d 'Run policy tests'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "schema" -d 'Print the JSON Schema of the configuration file'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "completions" -d 'Print a shell completion script'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "man" -d 'Write the manual pages'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "help" -d 'Print the help of the program or of a command'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "version" -d 'Print the version'
complete -c checkrein -n "__fish_checkrein_using_subcommand demo" -l json -d 'Print one JSON object per call'
complete -c checkrein -n "__fish_checkrein_using_subcommand demo" -s h -l help -d 'Print help'
complete -c checkrein -n "__fish_checkrein_using_subcommand init" -l agent -d 'Only this agent (`claude`, `codex`, `gemini`, `qwen`, `copilot`, `cline`, `pi` or `opencode`), even if it is not found here; can be repeated' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand init" -l program -d 'With `--managed`: the path of checkrein on the managed machines (default: its path here)' -r -F
complete -c checkrein -n "__fish_checkrein_using_subcommand init" -l user -d 'Use your user-level files (default)'
complete -c checkrein -n "__fish_checkrein_using_subcommand init" -l project -d 'Use the files of the current project'
complete -c checkrein -n "__fish_checkrein_using_subcommand init" -l yes -d 'Do not ask before adding entries; changes to existing entries still need confirmation'
complete -c checkrein -n "__fish_checkrein_using_subcommand init" -l dry-run -d 'Only show what would change, with the diff'
complete -c checkrein -n "__fish_checkrein_using_subcommand init" -l print -d 'Only print the entries, to install them by other means'
complete -c checkrein -n "__fish_checkrein_using_subcommand init" -l require -d 'With `--project`: block tool calls where checkrein is missing, instead of warning'
complete -c checkrein -n "__fish_checkrein_using_subcommand init" -l managed -d 'With `--print`: print the administrator\'s files of each agent, for device management (MDM)'
complete -c checkrein -n "__fish_checkrein_using_subcommand init" -l json -d 'Print one JSON object'
complete -c checkrein -n "__fish_checkrein_using_subcommand init" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c checkrein -n "__fish_checkrein_using_subcommand uninstall" -l agent -d 'Only this agent (`claude`, `codex`, `gemini`, `qwen`, `copilot`, `cline`, `pi` or `opencode`), even if it is not found here; can be repeated' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand uninstall" -l user -d 'Use your user-level files (default)'
complete -c checkrein -n "__fish_checkrein_using_subcommand uninstall" -l project -d 'Use the files of the current project'
complete -c checkrein -n "__fish_checkrein_using_subcommand uninstall" -l yes -d 'Do not ask; requires that root listed `uninstall` in `/etc/checkrein/automation`'
complete -c checkrein -n "__fish_checkrein_using_subcommand uninstall" -l dry-run -d 'Only show what would change'
complete -c checkrein -n "__fish_checkrein_using_subcommand uninstall" -l json -d 'Print one JSON object'
complete -c checkrein -n "__fish_checkrein_using_subcommand uninstall" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c checkrein -n "__fish_checkrein_using_subcommand doctor" -l agent -d 'Only this agent (`claude`, `codex`, `gemini`, `qwen`, `copilot`, `cline`, `pi` or `opencode`), even if it is not found here; can be repeated' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand doctor" -l live -d 'Start the agents offline and test how they handle a denial, a rewrite and a failing hook'
complete -c checkrein -n "__fish_checkrein_using_subcommand doctor" -l quick -d 'With `--live`: only test whether your own setup is protected, starting each agent once'
complete -c checkrein -n "__fish_checkrein_using_subcommand doctor" -l json -d 'Print one JSON object'
complete -c checkrein -n "__fish_checkrein_using_subcommand doctor" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c checkrein -n "__fish_checkrein_using_subcommand hook" -l host -d 'The dialect: `claude`, `codex`, `gemini`, `qwen`, `copilot`, `cline`, `pi`, `opencode`, or `checkrein` for the native one' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand hook" -l event -d 'The event, for hosts whose payload does not name it; must match the payload if it does' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand hook" -l config -d 'A configuration file to use in addition to the usual ones' -r -F
complete -c checkrein -n "__fish_checkrein_using_subcommand hook" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c checkrein -n "__fish_checkrein_using_subcommand check" -l cwd -d 'The working directory of the call' -r -F
complete -c checkrein -n "__fish_checkrein_using_subcommand check" -l tool -d 'The name of the tool' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand check" -l input -d 'The tool\'s input as a JSON object, instead of a command line' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand check" -l config -d 'A configuration file to use in addition to the usual ones' -r -F
complete -c checkrein -n "__fish_checkrein_using_subcommand check" -l json -d 'Print one JSON object'
complete -c checkrein -n "__fish_checkrein_using_subcommand check" -l batch -d 'Read JSON lines from stdin, each {"id", "command"} or a complete payload, and answer each with a JSON line'
complete -c checkrein -n "__fish_checkrein_using_subcommand check" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c checkrein -n "__fish_checkrein_using_subcommand explain" -l cwd -d 'The working directory of the call' -r -F
complete -c checkrein -n "__fish_checkrein_using_subcommand explain" -l tool -d 'The name of the tool' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand explain" -l input -d 'The tool\'s input as a JSON object, instead of a command line' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand explain" -l config -d 'A configuration file to use in addition to the usual ones' -r -F
complete -c checkrein -n "__fish_checkrein_using_subcommand explain" -l json -d 'Print one JSON object'
complete -c checkrein -n "__fish_checkrein_using_subcommand explain" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c checkrein -n "__fish_checkrein_using_subcommand hooks" -l event -d 'Only list hooks for this event' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand hooks" -l tool -d 'Only list hooks that match this tool' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand hooks" -l cwd -d 'The directory to resolve the project from (default: the current directory)' -r -F
complete -c checkrein -n "__fish_checkrein_using_subcommand hooks" -l config -d 'A configuration file to use in addition to the usual ones' -r -F
complete -c checkrein -n "__fish_checkrein_using_subcommand hooks" -l json -d 'Print one JSON object'
complete -c checkrein -n "__fish_checkrein_using_subcommand hooks" -l check -d 'Exit with code 1 if there are errors or warnings'
complete -c checkrein -n "__fish_checkrein_using_subcommand hooks" -s h -l help -d 'Print help'
complete -c checkrein -n "__fish_checkrein_using_subcommand rules" -l json -d 'Print one JSON object'
complete -c checkrein -n "__fish_checkrein_using_subcommand rules" -l reference -d 'Print the reference of all rules and words as Markdown'
complete -c checkrein -n "__fish_checkrein_using_subcommand rules" -s h -l help -d 'Print help'
complete -c checkrein -n "__fish_checkrein_using_subcommand effects" -l json -d 'Print one JSON object'
complete -c checkrein -n "__fish_checkrein_using_subcommand effects" -s h -l help -d 'Print help'
complete -c checkrein -n "__fish_checkrein_using_subcommand trust" -l cwd -d 'The project\'s directory' -r -F
complete -c checkrein -n "__fish_checkrein_using_subcommand trust" -l revoke -d 'Revoke trust'
complete -c checkrein -n "__fish_checkrein_using_subcommand trust" -l uncovered -d 'Also trust hooks whose arguments cannot be pinned before they run'
complete -c checkrein -n "__fish_checkrein_using_subcommand trust" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c checkrein -n "__fish_checkrein_using_subcommand allow" -l for -d 'Allow it in this directory for a time, for example `7d`, with an exception in your configuration' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand allow" -l revoke -d 'Revoke the permissions that were given with a code' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand allow" -l minutes -d 'Validity of a permission for one call, in minutes' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand allow" -l session -d 'Allow what the rules object to in the call for the rest of its session'
complete -c checkrein -n "__fish_checkrein_using_subcommand allow" -l here -d 'Allow it in this directory for 30 days, or for the time of `--for`'
complete -c checkrein -n "__fish_checkrein_using_subcommand allow" -l always -d 'Allow it in this directory for good'
complete -c checkrein -n "__fish_checkrein_using_subcommand allow" -l list -d 'List active permissions, and recent denials and questions that can be allowed (default)'
complete -c checkrein -n "__fish_checkrein_using_subcommand allow" -l json -d 'Print the list as one JSON object'
complete -c checkrein -n "__fish_checkrein_using_subcommand allow" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c checkrein -n "__fish_checkrein_using_subcommand monitor" -l for -d 'Switch it on for this time, for example `7d` or `2w`, at most 30 days' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand monitor" -l rule -d 'Only for these rules, for example `kubernetes.*`' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand monitor" -l off -d 'Switch it off'
complete -c checkrein -n "__fish_checkrein_using_subcommand monitor" -l status -d 'Show whether it is on'
complete -c checkrein -n "__fish_checkrein_using_subcommand monitor" -l json -d 'Print the status as JSON'
complete -c checkrein -n "__fish_checkrein_using_subcommand monitor" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c checkrein -n "__fish_checkrein_using_subcommand repair" -l minutes -d 'Duration in minutes' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand repair" -l end -d 'End it now'
complete -c checkrein -n "__fish_checkrein_using_subcommand repair" -s h -l help -d 'Print help'
complete -c checkrein -n "__fish_checkrein_using_subcommand managed; and not __fish_seen_subcommand_from apply" -s h -l help -d 'Print help'
complete -c checkrein -n "__fish_checkrein_using_subcommand managed; and not __fish_seen_subcommand_from apply" -f -a "apply" -d 'Validate a file and install it as the administrator\'s configuration'
complete -c checkrein -n "__fish_checkrein_using_subcommand managed; and __fish_seen_subcommand_from apply" -l dry-run -d 'Only validate the file, and show whether it differs from the active one'
complete -c checkrein -n "__fish_checkrein_using_subcommand managed; and __fish_seen_subcommand_from apply" -l json -d 'Print one JSON object'
complete -c checkrein -n "__fish_checkrein_using_subcommand managed; and __fish_seen_subcommand_from apply" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c checkrein -n "__fish_checkrein_using_subcommand import" -l from -d 'The tool that the file belongs to, if its content does not show it: `claude`, `codex`, `gemini`, `qwen`, `codex-fork` or `list`' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand import" -l output -d 'Write the configuration to this new file instead of stdout' -r -F
complete -c checkrein -n "__fish_checkrein_using_subcommand import" -l json -d 'Print a report of what was imported, changed and refused as one JSON object, instead of the configuration'
complete -c checkrein -n "__fish_checkrein_using_subcommand import" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c checkrein -n "__fish_checkrein_using_subcommand scan" -l baseline -d 'A file with accepted fingerprints (default: `.checkrein-baseline`, if there is one)' -r -F
complete -c checkrein -n "__fish_checkrein_using_subcommand scan" -l staged -d 'Scan what is staged for the next commit'
complete -c checkrein -n "__fish_checkrein_using_subcommand scan" -l history -d 'Scan every version of every file that the repository has'
complete -c checkrein -n "__fish_checkrein_using_subcommand scan" -l sure -d 'Only report values with a checksum or a vendor\'s prefix'
complete -c checkrein -n "__fish_checkrein_using_subcommand scan" -l no-ignore -d 'Also read files that git ignores'
complete -c checkrein -n "__fish_checkrein_using_subcommand scan" -l json -d 'Print one JSON object per finding'
complete -c checkrein -n "__fish_checkrein_using_subcommand scan" -l sarif -d 'Print a report in SARIF'
complete -c checkrein -n "__fish_checkrein_using_subcommand scan" -l print-baseline -d 'Print the findings as a baseline, and exit with code 0'
complete -c checkrein -n "__fish_checkrein_using_subcommand scan" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c checkrein -n "__fish_checkrein_using_subcommand replay" -l agent -d 'Only the sessions of this agent' -r -f -a "checkrein\t''
claude\t''
codex\t''
gemini\t''
qwen\t''
copilot\t''
cline\t''
pi\t''
opencode\t''"
complete -c checkrein -n "__fish_checkrein_using_subcommand replay" -l since -d 'The time to look back: `12h`, `30d`, `8w` or `all`' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand replay" -l path -d 'A file or directory with sessions, instead of the agents\' own directories' -r -F
complete -c checkrein -n "__fish_checkrein_using_subcommand replay" -l policy -d 'Judge by this configuration file, and show what it changes' -r -F
complete -c checkrein -n "__fish_checkrein_using_subcommand replay" -l against -d 'Compare with this configuration file instead of the current configuration' -r -F
complete -c checkrein -n "__fish_checkrein_using_subcommand replay" -l card -d 'Write a picture with the figures and no commands to a new SVG file' -r -F
complete -c checkrein -n "__fish_checkrein_using_subcommand replay" -l html -d 'Write one self-contained page with the figures and an example of each kind of call to a new HTML file' -r -F
complete -c checkrein -n "__fish_checkrein_using_subcommand replay" -l json -d 'Print one JSON object per call, and one with the figures at the end'
complete -c checkrein -n "__fish_checkrein_using_subcommand replay" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c checkrein -n "__fish_checkrein_using_subcommand suggest" -l agent -d 'Only the sessions of this agent' -r -f -a "checkrein\t''
claude\t''
codex\t''
gemini\t''
qwen\t''
copilot\t''
cline\t''
pi\t''
opencode\t''"
complete -c checkrein -n "__fish_checkrein_using_subcommand suggest" -l since -d 'The time to look back: `12h`, `30d`, `8w` or `all`' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand suggest" -l path -d 'A file or directory with sessions, instead of the agents\' own directories' -r -F
complete -c checkrein -n "__fish_checkrein_using_subcommand suggest" -l limit -d 'Suggest at most this many entries' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand suggest" -l write -d 'Add the entries to your configuration, after showing the difference (only for users at a terminal)'
complete -c checkrein -n "__fish_checkrein_using_subcommand suggest" -l json -d 'Print one JSON object per entry'
complete -c checkrein -n "__fish_checkrein_using_subcommand suggest" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c checkrein -n "__fish_checkrein_using_subcommand cat" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c checkrein -n "__fish_checkrein_using_subcommand log" -l since -d 'Only events since then: `30m`, `12h`, `7d`, `2w` or `2026-11-18`' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand log" -l session -d 'Only this session (the beginning of its id is enough)' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand log" -l agent -d 'Only this agent (`claude`, `codex`, ...), or the subagent with this id' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand log" -l decision -d 'Only this decision' -r -f -a "abstain\t''
allow\t''
ask\t''
deny\t''"
complete -c checkrein -n "__fish_checkrein_using_subcommand log" -l rule -d 'Only events that this rule matched; `git.*` for all rules of a pack' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand log" -l limit -d 'Show at most this many records, the newest; 0 for all' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand log" -s f -l follow -d 'Keep running, and show new records as they come'
complete -c checkrein -n "__fish_checkrein_using_subcommand log" -l verify -d 'Check that no record was changed, removed, inserted or reordered'
complete -c checkrein -n "__fish_checkrein_using_subcommand log" -l json -d 'Print one JSON object per line'
complete -c checkrein -n "__fish_checkrein_using_subcommand log" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c checkrein -n "__fish_checkrein_using_subcommand why" -l json -d 'Print one JSON object'
complete -c checkrein -n "__fish_checkrein_using_subcommand why" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c checkrein -n "__fish_checkrein_using_subcommand stats" -l since -d 'Only events since then: `30m`, `12h`, `7d`, `2w` or `2026-11-18`' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand stats" -l session -d 'Only this session (the beginning of its id is enough)' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand stats" -l agent -d 'Only this agent (`claude`, `codex`, ...), or the subagent with this id' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand stats" -l decision -d 'Only this decision' -r -f -a "abstain\t''
allow\t''
ask\t''
deny\t''"
complete -c checkrein -n "__fish_checkrein_using_subcommand stats" -l rule -d 'Only events that this rule matched; `git.*` for all rules of a pack' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand stats" -l json -d 'Print one JSON object'
complete -c checkrein -n "__fish_checkrein_using_subcommand stats" -s h -l help -d 'Print help'
complete -c checkrein -n "__fish_checkrein_using_subcommand report" -l since -d 'Only events since then: `30m`, `12h`, `7d`, `2w` or `2026-11-18`' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand report" -l session -d 'Only this session (the beginning of its id is enough)' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand report" -l agent -d 'Only this agent (`claude`, `codex`, ...), or the subagent with this id' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand report" -l decision -d 'Only this decision' -r -f -a "abstain\t''
allow\t''
ask\t''
deny\t''"
complete -c checkrein -n "__fish_checkrein_using_subcommand report" -l rule -d 'Only events that this rule matched; `git.*` for all rules of a pack' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand report" -l html -d 'Write the page to this file' -r -F
complete -c checkrein -n "__fish_checkrein_using_subcommand report" -l limit -d 'List at most this many events, the newest' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand report" -s h -l help -d 'Print help'
complete -c checkrein -n "__fish_checkrein_using_subcommand test" -l config -d 'A configuration file to use in addition to the usual ones' -r -F
complete -c checkrein -n "__fish_checkrein_using_subcommand test" -l json -d 'Print one JSON object'
complete -c checkrein -n "__fish_checkrein_using_subcommand test" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c checkrein -n "__fish_checkrein_using_subcommand schema" -l default -d 'Print the commented default configuration instead'
complete -c checkrein -n "__fish_checkrein_using_subcommand schema" -l reference -d 'Print the reference of all keys as Markdown instead'
complete -c checkrein -n "__fish_checkrein_using_subcommand schema" -l tests -d 'Print the schema of policy test files instead'
complete -c checkrein -n "__fish_checkrein_using_subcommand schema" -s h -l help -d 'Print help'
complete -c checkrein -n "__fish_checkrein_using_subcommand completions" -s h -l help -d 'Print help'
complete -c checkrein -n "__fish_checkrein_using_subcommand man" -s h -l help -d 'Print help'
complete -c checkrein -n "__fish_checkrein_using_subcommand help" -s h -l help -d 'Print help'
complete -c checkrein -n "__fish_checkrein_using_subcommand version" -s h -l help -d 'Print help'
