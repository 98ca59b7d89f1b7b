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
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "init" -d 'Have the agents on this machine ask checkrein'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "uninstall" -d 'Take out of the agents\' files what `init` put in'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "doctor" -d 'Look whether the agents on this machine are set up, and say how to mend what is not'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "hook" -d 'Answer one event on stdin in the host\'s dialect'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "check" -d 'Say what the hooks decide about a command line or a tool call'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "explain" -d 'Show step by step how a command line or a tool call is judged'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "hooks" -d 'Show what is configured here, from where, in which order, and whether it is asked'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "trust" -d 'Look at the hooks that came with a project, and let them run'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "allow" -d 'Let an agent do once what the guard denied'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "repair" -d 'Let an agent work for a while although a configuration is broken'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "managed" -d 'Put the administrator\'s configuration in its place'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "import" -d 'Turn the hooks of another program into our configuration'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "test" -d 'Run the cases that stand beside a policy'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "schema" -d 'Print the JSON Schema of the configuration file'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "completions" -d 'Print the completions of a shell'
complete -c checkrein -n "__fish_checkrein_needs_command" -f -a "man" -d 'Write the manual pages'
complete -c checkrein -n "__fish_checkrein_using_subcommand demo" -l json -d 'Print one JSON object per call'
complete -c checkrein -n "__fish_checkrein_using_subcommand demo" -s h -l help -d 'Print help'
complete -c checkrein -n "__fish_checkrein_using_subcommand init" -l agent -d 'Only this agent, `claude` or `codex`, whether it is found or not; may be given more than once' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand init" -l user -d 'The user\'s own files, for every session; this is what happens without a flag'
complete -c checkrein -n "__fish_checkrein_using_subcommand init" -l project -d 'The files of the project here, for whoever works in it'
complete -c checkrein -n "__fish_checkrein_using_subcommand init" -l yes -d 'Do not ask; a change of entries that are there already is asked about all the same'
complete -c checkrein -n "__fish_checkrein_using_subcommand init" -l dry-run -d 'Only show what would change'
complete -c checkrein -n "__fish_checkrein_using_subcommand init" -l print -d 'Only print the entries, for who puts them into the files by other means'
complete -c checkrein -n "__fish_checkrein_using_subcommand init" -l json -d 'Print one JSON object'
complete -c checkrein -n "__fish_checkrein_using_subcommand init" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c checkrein -n "__fish_checkrein_using_subcommand uninstall" -l agent -d 'Only this agent, `claude` or `codex`, whether it is found or not; may be given more than once' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand uninstall" -l user -d 'The user\'s own files, for every session; this is what happens without a flag'
complete -c checkrein -n "__fish_checkrein_using_subcommand uninstall" -l project -d 'The files of the project here, for whoever works in it'
complete -c checkrein -n "__fish_checkrein_using_subcommand uninstall" -l yes -d 'Do not ask, where root has named `uninstall` in `/etc/checkrein/automation`'
complete -c checkrein -n "__fish_checkrein_using_subcommand uninstall" -l dry-run -d 'Only show what would change'
complete -c checkrein -n "__fish_checkrein_using_subcommand uninstall" -l json -d 'Print one JSON object'
complete -c checkrein -n "__fish_checkrein_using_subcommand uninstall" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c checkrein -n "__fish_checkrein_using_subcommand doctor" -l agent -d 'Only this agent, `claude` or `codex`, whether it is found or not; may be given more than once' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand doctor" -l live -d 'Start the agents themselves, offline, and prove what they do with a denial, a rewrite, a hook that fails'
complete -c checkrein -n "__fish_checkrein_using_subcommand doctor" -l quick -d 'With `--live`: only whether your own setup is protected, with one start of each agent'
complete -c checkrein -n "__fish_checkrein_using_subcommand doctor" -l json -d 'Print one JSON object'
complete -c checkrein -n "__fish_checkrein_using_subcommand doctor" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c checkrein -n "__fish_checkrein_using_subcommand hook" -l host -d 'The dialect: `claude`, `codex`, or `checkrein` for our own' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand hook" -l event -d 'The event, for hosts whose payload does not name it; it must not differ from the payload\'s' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand hook" -l config -d 'A configuration file' -r -F
complete -c checkrein -n "__fish_checkrein_using_subcommand hook" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c checkrein -n "__fish_checkrein_using_subcommand check" -l cwd -d 'The working directory of the call' -r -F
complete -c checkrein -n "__fish_checkrein_using_subcommand check" -l tool -d 'The tool that is called' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand check" -l input -d 'The tool\'s input, a JSON object, instead of a command line' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand check" -l config -d 'A configuration file' -r -F
complete -c checkrein -n "__fish_checkrein_using_subcommand check" -l json -d 'Print one JSON object'
complete -c checkrein -n "__fish_checkrein_using_subcommand check" -l batch -d 'Read JSON lines from stdin, {"id", "command"} or a whole payload, and answer each with a JSON line'
complete -c checkrein -n "__fish_checkrein_using_subcommand check" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c checkrein -n "__fish_checkrein_using_subcommand explain" -l cwd -d 'The working directory of the call' -r -F
complete -c checkrein -n "__fish_checkrein_using_subcommand explain" -l tool -d 'The tool that is called' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand explain" -l input -d 'The tool\'s input, a JSON object, instead of a command line' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand explain" -l config -d 'A configuration file' -r -F
complete -c checkrein -n "__fish_checkrein_using_subcommand explain" -l json -d 'Print one JSON object'
complete -c checkrein -n "__fish_checkrein_using_subcommand explain" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c checkrein -n "__fish_checkrein_using_subcommand hooks" -l event -d 'Only hooks of this event' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand hooks" -l tool -d 'Only hooks that are asked about this tool' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand hooks" -l cwd -d 'As in this directory' -r -F
complete -c checkrein -n "__fish_checkrein_using_subcommand hooks" -l config -d 'A configuration file' -r -F
complete -c checkrein -n "__fish_checkrein_using_subcommand hooks" -l json -d 'Print one JSON object'
complete -c checkrein -n "__fish_checkrein_using_subcommand hooks" -l check -d 'Only look for mistakes: exit code 1 if there are any'
complete -c checkrein -n "__fish_checkrein_using_subcommand hooks" -s h -l help -d 'Print help'
complete -c checkrein -n "__fish_checkrein_using_subcommand trust" -l cwd -d 'The project\'s directory' -r -F
complete -c checkrein -n "__fish_checkrein_using_subcommand trust" -l revoke -d 'Take trust away instead'
complete -c checkrein -n "__fish_checkrein_using_subcommand trust" -l uncovered -d 'Also hooks with words that trust cannot cover, since nobody can say before they run what they name'
complete -c checkrein -n "__fish_checkrein_using_subcommand trust" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c checkrein -n "__fish_checkrein_using_subcommand allow" -l revoke -d 'Take that back, if nobody has used it yet' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand allow" -l minutes -d 'For how long it can be used' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand allow" -l list -d 'Show what is allowed, and what was denied lately and can be'
complete -c checkrein -n "__fish_checkrein_using_subcommand allow" -l json -d 'Print the list as one JSON object'
complete -c checkrein -n "__fish_checkrein_using_subcommand allow" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c checkrein -n "__fish_checkrein_using_subcommand repair" -l minutes -d 'For how long' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand repair" -l end -d 'End it now'
complete -c checkrein -n "__fish_checkrein_using_subcommand repair" -s h -l help -d 'Print help'
complete -c checkrein -n "__fish_checkrein_using_subcommand managed; and not __fish_seen_subcommand_from apply" -s h -l help -d 'Print help'
complete -c checkrein -n "__fish_checkrein_using_subcommand managed; and not __fish_seen_subcommand_from apply" -f -a "apply" -d 'Check a file, and put it in the place of the active one, as a whole'
complete -c checkrein -n "__fish_checkrein_using_subcommand managed; and __fish_seen_subcommand_from apply" -l dry-run -d 'Only check it, and say whether something would change'
complete -c checkrein -n "__fish_checkrein_using_subcommand managed; and __fish_seen_subcommand_from apply" -l json -d 'Print one JSON object'
complete -c checkrein -n "__fish_checkrein_using_subcommand managed; and __fish_seen_subcommand_from apply" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c checkrein -n "__fish_checkrein_using_subcommand import" -l from -d 'Whose file it is, instead of what its content says: `claude`, `codex`, `codex-fork` or `list`' -r
complete -c checkrein -n "__fish_checkrein_using_subcommand import" -l output -d 'Write the configuration to this new file instead of stdout' -r -F
complete -c checkrein -n "__fish_checkrein_using_subcommand import" -l json -d 'Print what was imported, changed and refused as one JSON object, instead of the configuration'
complete -c checkrein -n "__fish_checkrein_using_subcommand import" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c checkrein -n "__fish_checkrein_using_subcommand test" -l config -d 'A configuration file' -r -F
complete -c checkrein -n "__fish_checkrein_using_subcommand test" -l json -d 'Print one JSON object'
complete -c checkrein -n "__fish_checkrein_using_subcommand test" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c checkrein -n "__fish_checkrein_using_subcommand schema" -l default -d 'Print the commented default configuration instead'
complete -c checkrein -n "__fish_checkrein_using_subcommand schema" -l tests -d 'Print the schema of files of policy tests instead'
complete -c checkrein -n "__fish_checkrein_using_subcommand schema" -s h -l help -d 'Print help'
complete -c checkrein -n "__fish_checkrein_using_subcommand completions" -s h -l help -d 'Print help'
complete -c checkrein -n "__fish_checkrein_using_subcommand man" -s h -l help -d 'Print help'
