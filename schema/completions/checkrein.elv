
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
            cand demo 'Play a recorded agent session through the guard and example hooks'
            cand init 'Have the agents on this machine ask checkrein'
            cand uninstall 'Take out of the agents'' files what `init` put in'
            cand doctor 'Look whether the agents on this machine are set up, and say how to mend what is not'
            cand hook 'Answer one event on stdin in the host''s dialect'
            cand check 'Say what the hooks decide about a command line or a tool call'
            cand explain 'Show step by step how a command line or a tool call is judged'
            cand hooks 'Show what is configured here, from where, in which order, and whether it is asked'
            cand trust 'Look at the hooks that came with a project, and let them run'
            cand allow 'Let an agent do once what the guard denied'
            cand repair 'Let an agent work for a while although a configuration is broken'
            cand managed 'Put the administrator''s configuration in its place'
            cand import 'Turn the hooks of another program into our configuration'
            cand test 'Run the cases that stand beside a policy'
            cand schema 'Print the JSON Schema of the configuration file'
            cand completions 'Print the completions of a shell'
            cand man 'Write the manual pages'
        }
        &'checkrein;demo'= {
            cand --json 'Print one JSON object per call'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'checkrein;init'= {
            cand --agent 'Only this agent, `claude` or `codex`, whether it is found or not; may be given more than once'
            cand --user 'The user''s own files, for every session; this is what happens without a flag'
            cand --project 'The files of the project here, for whoever works in it'
            cand --yes 'Do not ask; a change of entries that are there already is asked about all the same'
            cand --dry-run 'Only show what would change'
            cand --print 'Only print the entries, for who puts them into the files by other means'
            cand --json 'Print one JSON object'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'checkrein;uninstall'= {
            cand --agent 'Only this agent, `claude` or `codex`, whether it is found or not; may be given more than once'
            cand --user 'The user''s own files, for every session; this is what happens without a flag'
            cand --project 'The files of the project here, for whoever works in it'
            cand --yes 'Do not ask, where root has named `uninstall` in `/etc/checkrein/automation`'
            cand --dry-run 'Only show what would change'
            cand --json 'Print one JSON object'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'checkrein;doctor'= {
            cand --agent 'Only this agent, `claude` or `codex`, whether it is found or not; may be given more than once'
            cand --live 'Start the agents themselves, offline, and prove what they do with a denial, a rewrite, a hook that fails'
            cand --quick 'With `--live`: only whether your own setup is protected, with one start of each agent'
            cand --json 'Print one JSON object'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'checkrein;hook'= {
            cand --host 'The dialect: `claude`, `codex`, or `checkrein` for our own'
            cand --event 'The event, for hosts whose payload does not name it; it must not differ from the payload''s'
            cand --config 'A configuration file'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'checkrein;check'= {
            cand --cwd 'The working directory of the call'
            cand --tool 'The tool that is called'
            cand --input 'The tool''s input, a JSON object, instead of a command line'
            cand --config 'A configuration file'
            cand --json 'Print one JSON object'
            cand --batch 'Read JSON lines from stdin, {"id", "command"} or a whole payload, and answer each with a JSON line'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'checkrein;explain'= {
            cand --cwd 'The working directory of the call'
            cand --tool 'The tool that is called'
            cand --input 'The tool''s input, a JSON object, instead of a command line'
            cand --config 'A configuration file'
            cand --json 'Print one JSON object'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'checkrein;hooks'= {
            cand --event 'Only hooks of this event'
            cand --tool 'Only hooks that are asked about this tool'
            cand --cwd 'As in this directory'
            cand --config 'A configuration file'
            cand --json 'Print one JSON object'
            cand --check 'Only look for mistakes: exit code 1 if there are any'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'checkrein;trust'= {
            cand --cwd 'The project''s directory'
            cand --revoke 'Take trust away instead'
            cand --uncovered 'Also hooks with words that trust cannot cover, since nobody can say before they run what they name'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'checkrein;allow'= {
            cand --revoke 'Take that back, if nobody has used it yet'
            cand --minutes 'For how long it can be used'
            cand --list 'Show what is allowed, and what was denied lately and can be'
            cand --json 'Print the list as one JSON object'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'checkrein;repair'= {
            cand --minutes 'For how long'
            cand --end 'End it now'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'checkrein;managed'= {
            cand -h 'Print help'
            cand --help 'Print help'
            cand apply 'Check a file, and put it in the place of the active one, as a whole'
        }
        &'checkrein;managed;apply'= {
            cand --dry-run 'Only check it, and say whether something would change'
            cand --json 'Print one JSON object'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'checkrein;import'= {
            cand --from 'Whose file it is, instead of what its content says: `claude`, `codex`, `codex-fork` or `list`'
            cand --output 'Write the configuration to this new file instead of stdout'
            cand --json 'Print what was imported, changed and refused as one JSON object, instead of the configuration'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'checkrein;test'= {
            cand --config 'A configuration file'
            cand --json 'Print one JSON object'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'checkrein;schema'= {
            cand --default 'Print the commented default configuration instead'
            cand --tests 'Print the schema of files of policy tests instead'
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
    ]
    $completions[$command]
}
