
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
            [CompletionResult]::new('demo', 'demo', [CompletionResultType]::ParameterValue, 'Play a recorded agent session through what Checkrein does by default')
            [CompletionResult]::new('coverage', 'coverage', [CompletionResultType]::ParameterValue, 'Show what each agent does with an answer, event by event, and how that is known')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Show what the hooks decide about a command line or a tool call')
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Show step by step how a command line or a tool call is judged')
            [CompletionResult]::new('hooks', 'hooks', [CompletionResultType]::ParameterValue, 'List configured hooks, their source, order and status')
            [CompletionResult]::new('effects', 'effects', [CompletionResultType]::ParameterValue, 'Explain the words that rules are written in: effects, modifiers, zones, tags')
            [CompletionResult]::new('trust', 'trust', [CompletionResultType]::ParameterValue, 'Review a project''s hooks and trust them')
            [CompletionResult]::new('allow', 'allow', [CompletionResultType]::ParameterValue, 'Allow a call that was denied or asked about')
            [CompletionResult]::new('monitor', 'monitor', [CompletionResultType]::ParameterValue, 'Record what would be blocked instead of blocking it, for some days')
            [CompletionResult]::new('repair', 'repair', [CompletionResultType]::ParameterValue, 'Temporarily let agents work with a broken configuration')
            [CompletionResult]::new('managed', 'managed', [CompletionResultType]::ParameterValue, 'Install the administrator''s configuration')
            [CompletionResult]::new('mcp-proxy', 'mcp-proxy', [CompletionResultType]::ParameterValue, 'Guard an MCP server, for hosts that have no hooks')
            [CompletionResult]::new('mcp-pins', 'mcp-pins', [CompletionResultType]::ParameterValue, 'Show the tools of MCP servers that wait to be accepted, and accept them')
            [CompletionResult]::new('undo', 'undo', [CompletionResultType]::ParameterValue, 'Restore files that a call deleted or overwrote')
            [CompletionResult]::new('learn', 'learn', [CompletionResultType]::ParameterValue, 'Show which commands failed here and what worked instead, and forget it')
            [CompletionResult]::new('scan', 'scan', [CompletionResultType]::ParameterValue, 'Find secrets in files, in what is staged, or in the history')
            [CompletionResult]::new('replay', 'replay', [CompletionResultType]::ParameterValue, 'Show what would have happened to the calls that agents made in the past')
            [CompletionResult]::new('suggest', 'suggest', [CompletionResultType]::ParameterValue, 'Suggest configuration that would spare you prompts, from what agents did in the past')
            [CompletionResult]::new('cat', 'cat', [CompletionResultType]::ParameterValue, 'Print files without the secrets in them')
            [CompletionResult]::new('run', 'run', [CompletionResultType]::ParameterValue, 'Run a program with a secret that the model knows only by its tag')
            [CompletionResult]::new('why', 'why', [CompletionResultType]::ParameterValue, 'Show why one event was decided as it was')
            [CompletionResult]::new('test', 'test', [CompletionResultType]::ParameterValue, 'Run policy tests')
            [CompletionResult]::new('schema', 'schema', [CompletionResultType]::ParameterValue, 'Print the JSON Schema of the configuration file')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print a shell completion script')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Write the manual pages')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print the help of the program or of a command')
            [CompletionResult]::new('version', 'version', [CompletionResultType]::ParameterValue, 'Print the version')
            [CompletionResult]::new('init', 'init', [CompletionResultType]::ParameterValue, 'Install checkrein into the agents on this machine')
            [CompletionResult]::new('uninstall', 'uninstall', [CompletionResultType]::ParameterValue, 'Remove what `init` added to the agents'' files')
            [CompletionResult]::new('doctor', 'doctor', [CompletionResultType]::ParameterValue, 'Check the agents'' setup on this machine, and suggest fixes')
            [CompletionResult]::new('log', 'log', [CompletionResultType]::ParameterValue, 'Show what agents asked for and what was answered')
            [CompletionResult]::new('stats', 'stats', [CompletionResultType]::ParameterValue, 'Count decisions by day, agent, rule and tool')
            [CompletionResult]::new('report', 'report', [CompletionResultType]::ParameterValue, 'Write a page with the timeline, the rules and the list of events')
            [CompletionResult]::new('hook', 'hook', [CompletionResultType]::ParameterValue, 'Answer one event from stdin in the host''s dialect')
            [CompletionResult]::new('import', 'import', [CompletionResultType]::ParameterValue, 'Convert another tool''s hooks to checkrein configuration')
            [CompletionResult]::new('rules', 'rules', [CompletionResultType]::ParameterValue, 'Show the built-in rules, or one of them with examples')
            break
        }
        'checkrein;demo' {
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object per call')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'checkrein;coverage' {
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'checkrein;check' {
            [CompletionResult]::new('--cwd', '--cwd', [CompletionResultType]::ParameterName, 'The working directory of the call')
            [CompletionResult]::new('--tool', '--tool', [CompletionResultType]::ParameterName, 'The name of the tool')
            [CompletionResult]::new('--input', '--input', [CompletionResultType]::ParameterName, 'The tool''s input as a JSON object, instead of a command line')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'A configuration file to use in addition to the usual ones')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('--batch', '--batch', [CompletionResultType]::ParameterName, 'Read JSON lines from stdin, each {"id", "command"} or a complete payload, and answer each with a JSON line')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'checkrein;explain' {
            [CompletionResult]::new('--cwd', '--cwd', [CompletionResultType]::ParameterName, 'The working directory of the call')
            [CompletionResult]::new('--tool', '--tool', [CompletionResultType]::ParameterName, 'The name of the tool')
            [CompletionResult]::new('--input', '--input', [CompletionResultType]::ParameterName, 'The tool''s input as a JSON object, instead of a command line')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'A configuration file to use in addition to the usual ones')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'checkrein;hooks' {
            [CompletionResult]::new('--event', '--event', [CompletionResultType]::ParameterName, 'Only list hooks for this event')
            [CompletionResult]::new('--tool', '--tool', [CompletionResultType]::ParameterName, 'Only list hooks that match this tool')
            [CompletionResult]::new('--cwd', '--cwd', [CompletionResultType]::ParameterName, 'The directory to resolve the project from (default: the current directory)')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'A configuration file to use in addition to the usual ones')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('--check', '--check', [CompletionResultType]::ParameterName, 'Exit with code 1 if there are errors or warnings')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'checkrein;effects' {
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'checkrein;trust' {
            [CompletionResult]::new('--cwd', '--cwd', [CompletionResultType]::ParameterName, 'The project''s directory')
            [CompletionResult]::new('--revoke', '--revoke', [CompletionResultType]::ParameterName, 'Revoke trust')
            [CompletionResult]::new('--uncovered', '--uncovered', [CompletionResultType]::ParameterName, 'Also trust hooks whose arguments cannot be pinned before they run')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'checkrein;allow' {
            [CompletionResult]::new('--for', '--for', [CompletionResultType]::ParameterName, 'Allow it in this directory for a time, for example `7d`, with an exception in your configuration')
            [CompletionResult]::new('--revoke', '--revoke', [CompletionResultType]::ParameterName, 'Revoke the permissions that were given with a code')
            [CompletionResult]::new('--minutes', '--minutes', [CompletionResultType]::ParameterName, 'Validity of a permission for one call, in minutes')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Allow what the rules object to in the call for the rest of its session')
            [CompletionResult]::new('--here', '--here', [CompletionResultType]::ParameterName, 'Allow it in this directory for 30 days, or for the time of `--for`')
            [CompletionResult]::new('--always', '--always', [CompletionResultType]::ParameterName, 'Allow it in this directory for good')
            [CompletionResult]::new('--list', '--list', [CompletionResultType]::ParameterName, 'List active permissions, and recent denials and questions that can be allowed (default)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the list as one JSON object')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'checkrein;monitor' {
            [CompletionResult]::new('--for', '--for', [CompletionResultType]::ParameterName, 'Switch it on for this time, for example `7d` or `2w`, at most 30 days')
            [CompletionResult]::new('--rule', '--rule', [CompletionResultType]::ParameterName, 'Only for these rules, for example `kubernetes.*`')
            [CompletionResult]::new('--off', '--off', [CompletionResultType]::ParameterName, 'Switch it off')
            [CompletionResult]::new('--status', '--status', [CompletionResultType]::ParameterName, 'Show whether it is on (default)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the status as one JSON object')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'checkrein;repair' {
            [CompletionResult]::new('--minutes', '--minutes', [CompletionResultType]::ParameterName, 'Duration in minutes')
            [CompletionResult]::new('--end', '--end', [CompletionResultType]::ParameterName, 'End it now')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'checkrein;managed' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('apply', 'apply', [CompletionResultType]::ParameterValue, 'Validate a file and install it as the administrator''s configuration')
            break
        }
        'checkrein;managed;apply' {
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Only validate the file, and show whether it differs from the active one')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'checkrein;mcp-proxy' {
            [CompletionResult]::new('--name', '--name', [CompletionResultType]::ParameterName, 'The name of the server: its tools are `mcp__NAME__TOOL` in rules and hooks, and are pinned under it (default: from the command)')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'A configuration file to use in addition to the usual ones')
            [CompletionResult]::new('--entry', '--entry', [CompletionResultType]::ParameterName, 'Only print the entry for a client''s `mcpServers`')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'checkrein;mcp-pins' {
            [CompletionResult]::new('--accept', '--accept', [CompletionResultType]::ParameterName, 'Accept what changed in this server''s tools')
            [CompletionResult]::new('--forget', '--forget', [CompletionResultType]::ParameterName, 'Forget this server: its tools are pinned anew when it is used again')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'checkrein;undo' {
            [CompletionResult]::new('--show', '--show', [CompletionResultType]::ParameterName, 'Show what was kept, and how it differs from what is there now')
            [CompletionResult]::new('--to', '--to', [CompletionResultType]::ParameterName, 'Write copies into this new directory instead')
            [CompletionResult]::new('--forget', '--forget', [CompletionResultType]::ParameterName, 'Remove what was kept under this id')
            [CompletionResult]::new('--list', '--list', [CompletionResultType]::ParameterName, 'List what was kept for this project')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'With `--list`: for all projects')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show what would be restored, and change nothing')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Also replace what was changed since, after keeping its present version')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Restore without asking')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Restore without asking')
            [CompletionResult]::new('--prune', '--prune', [CompletionResultType]::ParameterName, 'Remove what is too old')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON: one object, or with `--list` one for each line')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'checkrein;learn' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List what is remembered about this project')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Show one failure, and what worked')
            [CompletionResult]::new('forget', 'forget', [CompletionResultType]::ParameterValue, 'Forget one failure, or all of them in this project')
            [CompletionResult]::new('export', 'export', [CompletionResultType]::ParameterValue, 'Print what is remembered about this project, for others to use')
            break
        }
        'checkrein;learn;list' {
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'For all projects')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON, one object for each line')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'checkrein;learn;show' {
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'checkrein;learn;forget' {
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Forget everything about this project')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'checkrein;learn;export' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'checkrein;scan' {
            [CompletionResult]::new('--baseline', '--baseline', [CompletionResultType]::ParameterName, 'A file with accepted fingerprints (default: `.checkrein-baseline`, if there is one)')
            [CompletionResult]::new('--staged', '--staged', [CompletionResultType]::ParameterName, 'Scan what is staged for the next commit')
            [CompletionResult]::new('--history', '--history', [CompletionResultType]::ParameterName, 'Scan every version of every file that the repository has')
            [CompletionResult]::new('--sure', '--sure', [CompletionResultType]::ParameterName, 'Only report values with a checksum or a vendor''s prefix')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'Also read files that git ignores')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object per finding')
            [CompletionResult]::new('--sarif', '--sarif', [CompletionResultType]::ParameterName, 'Print a report in SARIF')
            [CompletionResult]::new('--print-baseline', '--print-baseline', [CompletionResultType]::ParameterName, 'Print the findings as a baseline, and exit with code 0')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'checkrein;replay' {
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Only the sessions of this agent')
            [CompletionResult]::new('--since', '--since', [CompletionResultType]::ParameterName, 'The time to look back: `12h`, `30d`, `8w` or `all`')
            [CompletionResult]::new('--path', '--path', [CompletionResultType]::ParameterName, 'A file or directory with sessions, instead of the agents'' own directories')
            [CompletionResult]::new('--policy', '--policy', [CompletionResultType]::ParameterName, 'Judge by this configuration file, and show what it changes')
            [CompletionResult]::new('--against', '--against', [CompletionResultType]::ParameterName, 'Compare with this configuration file instead of the current configuration')
            [CompletionResult]::new('--card', '--card', [CompletionResultType]::ParameterName, 'Write a picture with the figures and no commands to a new SVG file')
            [CompletionResult]::new('--html', '--html', [CompletionResultType]::ParameterName, 'Write one self-contained page with the figures and an example of each kind of call to a new HTML file')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object per call, and one with the figures at the end')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'checkrein;suggest' {
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Only the sessions of this agent')
            [CompletionResult]::new('--since', '--since', [CompletionResultType]::ParameterName, 'The time to look back: `12h`, `30d`, `8w` or `all`')
            [CompletionResult]::new('--path', '--path', [CompletionResultType]::ParameterName, 'A file or directory with sessions, instead of the agents'' own directories')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Suggest at most this many entries')
            [CompletionResult]::new('--write', '--write', [CompletionResultType]::ParameterName, 'Add the entries to your configuration, after showing the difference (only for users at a terminal)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object per entry')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'checkrein;cat' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'checkrein;run' {
            [CompletionResult]::new('--ticket', '--ticket', [CompletionResultType]::ParameterName, 'The ticket for this command')
            [CompletionResult]::new('--secret', '--secret', [CompletionResultType]::ParameterName, 'A tag, and how its value is passed: a variable, `stdin` or `descriptor`')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'checkrein;why' {
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'checkrein;test' {
            [CompletionResult]::new('--junit', '--junit', [CompletionResultType]::ParameterName, 'Also write the results to this file, in the format of JUnit, for CI')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'A configuration file to use in addition to the usual ones')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('--as-trusted', '--as-trusted', [CompletionResultType]::ParameterName, 'Run the project''s hooks as if you had trusted them; for CI, which tests its own code')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'checkrein;schema' {
            [CompletionResult]::new('--default', '--default', [CompletionResultType]::ParameterName, 'Print the commented default configuration instead')
            [CompletionResult]::new('--reference', '--reference', [CompletionResultType]::ParameterName, 'Print the reference of all keys as Markdown instead')
            [CompletionResult]::new('--tests', '--tests', [CompletionResultType]::ParameterName, 'Print the schema of policy test files instead')
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
        'checkrein;help' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'checkrein;version' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'checkrein;init' {
            [CompletionResult]::new('--preset', '--preset', [CompletionResultType]::ParameterName, 'Add reviewed `[[allow]]` sets to your configuration, so that commands which only read need no prompt')
            [CompletionResult]::new('--program', '--program', [CompletionResultType]::ParameterName, 'With `--managed`: the path of checkrein on the managed machines (default: its path here)')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Only this agent (`claude`, `codex`, `gemini`, `qwen`, `copilot`, `cline`, `pi`, `opencode`, `kilo`, `kimi`, `grok`, `openclaw`, `hermes`, `cursor` or `vscode`), even if it is not found here; can be repeated')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'Use your user-level files (default)')
            [CompletionResult]::new('--project', '--project', [CompletionResultType]::ParameterName, 'Use the files of the current project')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask before adding entries; changes to existing entries still need confirmation')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Only show what would change, with the diff')
            [CompletionResult]::new('--print', '--print', [CompletionResultType]::ParameterName, 'Only print the entries, to install them by other means')
            [CompletionResult]::new('--require', '--require', [CompletionResultType]::ParameterName, 'With `--project`: block tool calls where checkrein is missing, instead of warning')
            [CompletionResult]::new('--managed', '--managed', [CompletionResultType]::ParameterName, 'With `--print`: print the administrator''s files of each agent, for device management (MDM)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'checkrein;uninstall' {
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Only this agent (`claude`, `codex`, `gemini`, `qwen`, `copilot`, `cline`, `pi`, `opencode`, `kilo`, `kimi`, `grok`, `openclaw`, `hermes`, `cursor` or `vscode`), even if it is not found here; can be repeated')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'Use your user-level files (default)')
            [CompletionResult]::new('--project', '--project', [CompletionResultType]::ParameterName, 'Use the files of the current project')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask; requires that root listed `uninstall` in `/etc/checkrein/automation`')
            [CompletionResult]::new('--purge', '--purge', [CompletionResultType]::ParameterName, 'Also remove what checkrein keeps: records, permissions, trust, and the copies that `undo` restores')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Only show what would change')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'checkrein;doctor' {
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Only this agent (`claude`, `codex`, `gemini`, `qwen`, `copilot`, `cline`, `pi`, `opencode`, `kilo`, `kimi`, `grok`, `openclaw`, `hermes`, `cursor` or `vscode`), even if it is not found here; can be repeated')
            [CompletionResult]::new('--live', '--live', [CompletionResultType]::ParameterName, 'Start the agents offline and test how they handle a denial, a rewrite and a failing hook')
            [CompletionResult]::new('--quick', '--quick', [CompletionResultType]::ParameterName, 'With `--live`: only test whether your own setup is protected, starting each agent once')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'checkrein;log' {
            [CompletionResult]::new('--since', '--since', [CompletionResultType]::ParameterName, 'Only events since then: `30m`, `12h`, `7d`, `2w` or `2026-11-18`')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Only this session (the beginning of its id is enough)')
            [CompletionResult]::new('--decision', '--decision', [CompletionResultType]::ParameterName, 'Only this decision')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Show at most this many records, the newest; 0 for all')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Only this agent (`claude`, `codex`, ...), or the subagent with this id')
            [CompletionResult]::new('--rule', '--rule', [CompletionResultType]::ParameterName, 'Only events that this rule matched; `git.*` for all rules of a pack')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Keep running, and show new records as they come')
            [CompletionResult]::new('--follow', '--follow', [CompletionResultType]::ParameterName, 'Keep running, and show new records as they come')
            [CompletionResult]::new('--verify', '--verify', [CompletionResultType]::ParameterName, 'Check that no record was changed, removed, inserted or reordered')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object per line')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'checkrein;stats' {
            [CompletionResult]::new('--since', '--since', [CompletionResultType]::ParameterName, 'Only events since then: `30m`, `12h`, `7d`, `2w` or `2026-11-18`')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Only this session (the beginning of its id is enough)')
            [CompletionResult]::new('--decision', '--decision', [CompletionResultType]::ParameterName, 'Only this decision')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Only this agent (`claude`, `codex`, ...), or the subagent with this id')
            [CompletionResult]::new('--rule', '--rule', [CompletionResultType]::ParameterName, 'Only events that this rule matched; `git.*` for all rules of a pack')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'checkrein;report' {
            [CompletionResult]::new('--since', '--since', [CompletionResultType]::ParameterName, 'Only events since then: `30m`, `12h`, `7d`, `2w` or `2026-11-18`')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Only this session (the beginning of its id is enough)')
            [CompletionResult]::new('--decision', '--decision', [CompletionResultType]::ParameterName, 'Only this decision')
            [CompletionResult]::new('--html', '--html', [CompletionResultType]::ParameterName, 'Write the page to this file')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'List at most this many events, the newest')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Only this agent (`claude`, `codex`, ...), or the subagent with this id')
            [CompletionResult]::new('--rule', '--rule', [CompletionResultType]::ParameterName, 'Only events that this rule matched; `git.*` for all rules of a pack')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'checkrein;hook' {
            [CompletionResult]::new('--event', '--event', [CompletionResultType]::ParameterName, 'The event, for hosts whose payload does not name it; must match the payload if it does')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'A configuration file to use in addition to the usual ones')
            [CompletionResult]::new('--host', '--host', [CompletionResultType]::ParameterName, 'The dialect: `claude`, `codex`, `gemini`, `qwen`, `copilot`, `cline`, `pi`, `opencode`, `kilo`, `kimi`, `grok`, `openclaw`, `hermes`, `cursor`, `vscode`, or `checkrein` (native)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'checkrein;import' {
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write the configuration to this new file instead of stdout')
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'The tool that the file belongs to, if its content does not show it: `claude`, `codex`, `gemini`, `qwen`, `copilot`, `grok`, `cursor`, `vscode`, `codex-fork` or `list`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print a report of what was imported, changed and refused as one JSON object, instead of the configuration')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'checkrein;rules' {
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('--reference', '--reference', [CompletionResultType]::ParameterName, 'Print the reference of all rules and words as Markdown')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
