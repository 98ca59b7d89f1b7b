
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'checkrein' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'checkrein'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'checkrein' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('demo', 'demo', [CompletionResultType]::ParameterValue, 'Play a recorded agent session through the guard and example hooks')
            [CompletionResult]::new('init', 'init', [CompletionResultType]::ParameterValue, 'Have the agents on this machine ask checkrein')
            [CompletionResult]::new('uninstall', 'uninstall', [CompletionResultType]::ParameterValue, 'Take out of the agents'' files what `init` put in')
            [CompletionResult]::new('doctor', 'doctor', [CompletionResultType]::ParameterValue, 'Look whether the agents on this machine are set up, and say how to mend what is not')
            [CompletionResult]::new('hook', 'hook', [CompletionResultType]::ParameterValue, 'Answer one event on stdin in the host''s dialect')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Say what the hooks decide about a command line or a tool call')
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Show step by step how a command line or a tool call is judged')
            [CompletionResult]::new('hooks', 'hooks', [CompletionResultType]::ParameterValue, 'Show what is configured here, from where, in which order, and whether it is asked')
            [CompletionResult]::new('trust', 'trust', [CompletionResultType]::ParameterValue, 'Look at the hooks that came with a project, and let them run')
            [CompletionResult]::new('allow', 'allow', [CompletionResultType]::ParameterValue, 'Let an agent do once what the guard denied')
            [CompletionResult]::new('repair', 'repair', [CompletionResultType]::ParameterValue, 'Let an agent work for a while although a configuration is broken')
            [CompletionResult]::new('managed', 'managed', [CompletionResultType]::ParameterValue, 'Put the administrator''s configuration in its place')
            [CompletionResult]::new('import', 'import', [CompletionResultType]::ParameterValue, 'Turn the hooks of another program into our configuration')
            [CompletionResult]::new('test', 'test', [CompletionResultType]::ParameterValue, 'Run the cases that stand beside a policy')
            [CompletionResult]::new('schema', 'schema', [CompletionResultType]::ParameterValue, 'Print the JSON Schema of the configuration file')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print the completions of a shell')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Write the manual pages')
            break
        }
        'checkrein;demo' {
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object per call')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'checkrein;init' {
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Only this agent, `claude` or `codex`, whether it is found or not; may be given more than once')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'The user''s own files, for every session; this is what happens without a flag')
            [CompletionResult]::new('--project', '--project', [CompletionResultType]::ParameterName, 'The files of the project here, for whoever works in it')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask; a change of entries that are there already is asked about all the same')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Only show what would change')
            [CompletionResult]::new('--print', '--print', [CompletionResultType]::ParameterName, 'Only print the entries, for who puts them into the files by other means')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'checkrein;uninstall' {
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Only this agent, `claude` or `codex`, whether it is found or not; may be given more than once')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'The user''s own files, for every session; this is what happens without a flag')
            [CompletionResult]::new('--project', '--project', [CompletionResultType]::ParameterName, 'The files of the project here, for whoever works in it')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask, where root has named `uninstall` in `/etc/checkrein/automation`')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Only show what would change')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'checkrein;doctor' {
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Only this agent, `claude` or `codex`, whether it is found or not; may be given more than once')
            [CompletionResult]::new('--live', '--live', [CompletionResultType]::ParameterName, 'Start the agents themselves, offline, and prove what they do with a denial, a rewrite, a hook that fails')
            [CompletionResult]::new('--quick', '--quick', [CompletionResultType]::ParameterName, 'With `--live`: only whether your own setup is protected, with one start of each agent')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'checkrein;hook' {
            [CompletionResult]::new('--host', '--host', [CompletionResultType]::ParameterName, 'The dialect: `claude`, `codex`, or `checkrein` for our own')
            [CompletionResult]::new('--event', '--event', [CompletionResultType]::ParameterName, 'The event, for hosts whose payload does not name it; it must not differ from the payload''s')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'A configuration file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'checkrein;check' {
            [CompletionResult]::new('--cwd', '--cwd', [CompletionResultType]::ParameterName, 'The working directory of the call')
            [CompletionResult]::new('--tool', '--tool', [CompletionResultType]::ParameterName, 'The tool that is called')
            [CompletionResult]::new('--input', '--input', [CompletionResultType]::ParameterName, 'The tool''s input, a JSON object, instead of a command line')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'A configuration file')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('--batch', '--batch', [CompletionResultType]::ParameterName, 'Read JSON lines from stdin, {"id", "command"} or a whole payload, and answer each with a JSON line')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'checkrein;explain' {
            [CompletionResult]::new('--cwd', '--cwd', [CompletionResultType]::ParameterName, 'The working directory of the call')
            [CompletionResult]::new('--tool', '--tool', [CompletionResultType]::ParameterName, 'The tool that is called')
            [CompletionResult]::new('--input', '--input', [CompletionResultType]::ParameterName, 'The tool''s input, a JSON object, instead of a command line')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'A configuration file')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'checkrein;hooks' {
            [CompletionResult]::new('--event', '--event', [CompletionResultType]::ParameterName, 'Only hooks of this event')
            [CompletionResult]::new('--tool', '--tool', [CompletionResultType]::ParameterName, 'Only hooks that are asked about this tool')
            [CompletionResult]::new('--cwd', '--cwd', [CompletionResultType]::ParameterName, 'As in this directory')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'A configuration file')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('--check', '--check', [CompletionResultType]::ParameterName, 'Only look for mistakes: exit code 1 if there are any')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'checkrein;trust' {
            [CompletionResult]::new('--cwd', '--cwd', [CompletionResultType]::ParameterName, 'The project''s directory')
            [CompletionResult]::new('--revoke', '--revoke', [CompletionResultType]::ParameterName, 'Take trust away instead')
            [CompletionResult]::new('--uncovered', '--uncovered', [CompletionResultType]::ParameterName, 'Also hooks with words that trust cannot cover, since nobody can say before they run what they name')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'checkrein;allow' {
            [CompletionResult]::new('--revoke', '--revoke', [CompletionResultType]::ParameterName, 'Take that back, if nobody has used it yet')
            [CompletionResult]::new('--minutes', '--minutes', [CompletionResultType]::ParameterName, 'For how long it can be used')
            [CompletionResult]::new('--list', '--list', [CompletionResultType]::ParameterName, 'Show what is allowed, and what was denied lately and can be')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the list as one JSON object')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'checkrein;repair' {
            [CompletionResult]::new('--minutes', '--minutes', [CompletionResultType]::ParameterName, 'For how long')
            [CompletionResult]::new('--end', '--end', [CompletionResultType]::ParameterName, 'End it now')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'checkrein;managed' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('apply', 'apply', [CompletionResultType]::ParameterValue, 'Check a file, and put it in the place of the active one, as a whole')
            break
        }
        'checkrein;managed;apply' {
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Only check it, and say whether something would change')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'checkrein;import' {
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'Whose file it is, instead of what its content says: `claude`, `codex`, `codex-fork` or `list`')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write the configuration to this new file instead of stdout')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print what was imported, changed and refused as one JSON object, instead of the configuration')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'checkrein;test' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'A configuration file')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'checkrein;schema' {
            [CompletionResult]::new('--default', '--default', [CompletionResultType]::ParameterName, 'Print the commented default configuration instead')
            [CompletionResult]::new('--tests', '--tests', [CompletionResultType]::ParameterName, 'Print the schema of files of policy tests instead')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'checkrein;completions' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'checkrein;man' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
