_checkrein() {
    local i cur prev opts cmd
    COMPREPLY=()
    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
        cur="$2"
    else
        cur="${COMP_WORDS[COMP_CWORD]}"
    fi
    prev="$3"
    cmd=""
    opts=""

    for i in "${COMP_WORDS[@]:0:COMP_CWORD}"
    do
        case "${cmd},${i}" in
            ",$1")
                cmd="checkrein"
                ;;
            checkrein,allow)
                cmd="checkrein__subcmd__allow"
                ;;
            checkrein,cat)
                cmd="checkrein__subcmd__cat"
                ;;
            checkrein,check)
                cmd="checkrein__subcmd__check"
                ;;
            checkrein,completions)
                cmd="checkrein__subcmd__completions"
                ;;
            checkrein,coverage)
                cmd="checkrein__subcmd__coverage"
                ;;
            checkrein,demo)
                cmd="checkrein__subcmd__demo"
                ;;
            checkrein,doctor)
                cmd="checkrein__subcmd__doctor"
                ;;
            checkrein,effects)
                cmd="checkrein__subcmd__effects"
                ;;
            checkrein,explain)
                cmd="checkrein__subcmd__explain"
                ;;
            checkrein,help)
                cmd="checkrein__subcmd__help"
                ;;
            checkrein,hook)
                cmd="checkrein__subcmd__hook"
                ;;
            checkrein,hooks)
                cmd="checkrein__subcmd__hooks"
                ;;
            checkrein,import)
                cmd="checkrein__subcmd__import"
                ;;
            checkrein,init)
                cmd="checkrein__subcmd__init"
                ;;
            checkrein,learn)
                cmd="checkrein__subcmd__learn"
                ;;
            checkrein,log)
                cmd="checkrein__subcmd__log"
                ;;
            checkrein,man)
                cmd="checkrein__subcmd__man"
                ;;
            checkrein,managed)
                cmd="checkrein__subcmd__managed"
                ;;
            checkrein,mcp-pins)
                cmd="checkrein__subcmd__mcp__subcmd__pins"
                ;;
            checkrein,mcp-proxy)
                cmd="checkrein__subcmd__mcp__subcmd__proxy"
                ;;
            checkrein,monitor)
                cmd="checkrein__subcmd__monitor"
                ;;
            checkrein,repair)
                cmd="checkrein__subcmd__repair"
                ;;
            checkrein,replay)
                cmd="checkrein__subcmd__replay"
                ;;
            checkrein,report)
                cmd="checkrein__subcmd__report"
                ;;
            checkrein,rules)
                cmd="checkrein__subcmd__rules"
                ;;
            checkrein,run)
                cmd="checkrein__subcmd__run"
                ;;
            checkrein,scan)
                cmd="checkrein__subcmd__scan"
                ;;
            checkrein,schema)
                cmd="checkrein__subcmd__schema"
                ;;
            checkrein,stats)
                cmd="checkrein__subcmd__stats"
                ;;
            checkrein,suggest)
                cmd="checkrein__subcmd__suggest"
                ;;
            checkrein,test)
                cmd="checkrein__subcmd__test"
                ;;
            checkrein,trust)
                cmd="checkrein__subcmd__trust"
                ;;
            checkrein,undo)
                cmd="checkrein__subcmd__undo"
                ;;
            checkrein,uninstall)
                cmd="checkrein__subcmd__uninstall"
                ;;
            checkrein,version)
                cmd="checkrein__subcmd__version"
                ;;
            checkrein,why)
                cmd="checkrein__subcmd__why"
                ;;
            checkrein__subcmd__learn,export)
                cmd="checkrein__subcmd__learn__subcmd__export"
                ;;
            checkrein__subcmd__learn,forget)
                cmd="checkrein__subcmd__learn__subcmd__forget"
                ;;
            checkrein__subcmd__learn,list)
                cmd="checkrein__subcmd__learn__subcmd__list"
                ;;
            checkrein__subcmd__learn,show)
                cmd="checkrein__subcmd__learn__subcmd__show"
                ;;
            checkrein__subcmd__managed,apply)
                cmd="checkrein__subcmd__managed__subcmd__apply"
                ;;
            *)
                ;;
        esac
    done

    case "${cmd}" in
        checkrein)
            opts="-h -V --help --version demo coverage check explain hooks effects trust allow monitor repair managed mcp-proxy mcp-pins undo learn scan replay suggest cat run why test schema completions man help version init uninstall doctor log stats report hook import rules"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 1 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        checkrein__subcmd__allow)
            opts="-h --session --for --here --always --revoke --list --json --minutes --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --for)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --revoke)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --minutes)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        checkrein__subcmd__cat)
            opts="-h --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        checkrein__subcmd__check)
            opts="-h --json --batch --cwd --tool --input --config --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --cwd)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --tool)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --input)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --config)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        checkrein__subcmd__completions)
            opts="-h --help bash elvish fish powershell zsh"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        checkrein__subcmd__coverage)
            opts="-h --json --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        checkrein__subcmd__demo)
            opts="-h --json --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        checkrein__subcmd__doctor)
            opts="-h --live --quick --json --agent --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --agent)
                    COMPREPLY=($(compgen -W "claude codex gemini qwen copilot cline pi opencode kilo kimi grok openclaw hermes cursor vscode" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        checkrein__subcmd__effects)
            opts="-h --json --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        checkrein__subcmd__explain)
            opts="-h --json --cwd --tool --input --config --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --cwd)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --tool)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --input)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --config)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        checkrein__subcmd__help)
            opts="-h --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        checkrein__subcmd__hook)
            opts="-h --event --config --host --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --event)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --config)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --host)
                    COMPREPLY=($(compgen -W "checkrein claude codex gemini qwen copilot cline pi opencode kilo kimi grok openclaw hermes cursor vscode" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        checkrein__subcmd__hooks)
            opts="-h --json --check --event --tool --cwd --config --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --event)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --tool)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --cwd)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --config)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        checkrein__subcmd__import)
            opts="-h --output --json --from --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --output)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --from)
                    COMPREPLY=($(compgen -W "claude codex gemini qwen copilot grok cursor vscode codex-fork list" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        checkrein__subcmd__init)
            opts="-h --user --project --yes --dry-run --print --preset --require --managed --program --json --agent --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --preset)
                    COMPREPLY=($(compgen -W "read-only git node rust python" -- "${cur}"))
                    return 0
                    ;;
                --program)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --agent)
                    COMPREPLY=($(compgen -W "claude codex gemini qwen copilot cline pi opencode kilo kimi grok openclaw hermes cursor vscode" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        checkrein__subcmd__learn)
            opts="-h --help list show forget export"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        checkrein__subcmd__learn__subcmd__export)
            opts="-h --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        checkrein__subcmd__learn__subcmd__forget)
            opts="-h --all --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        checkrein__subcmd__learn__subcmd__list)
            opts="-h --all --json --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        checkrein__subcmd__learn__subcmd__show)
            opts="-h --json --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        checkrein__subcmd__log)
            opts="-f -h --since --session --decision --limit --follow --verify --json --agent --rule --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --since)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --session)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --decision)
                    COMPREPLY=($(compgen -W "abstain allow ask deny" -- "${cur}"))
                    return 0
                    ;;
                --limit)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --agent)
                    COMPREPLY=($(compgen -W "claude codex gemini qwen copilot cline pi opencode kilo kimi grok openclaw hermes cursor vscode" -- "${cur}"))
                    return 0
                    ;;
                --rule)
                    COMPREPLY=($(compgen -W "cloud.destroy cloud.publish cloud.change containers.destroy containers.publish containers.change databases.destroy databases.change execution.run-download execution.run-fetched execution.later-from-temporary execution.run-hidden execution.run-word-of-network execution.run-decoded execution.run-computed execution.typed-later execution.too-much execution.unreadable execution.run-address execution.install-address execution.disguised execution.search-path execution.configured-code execution.interpreter-options execution.exhaust execution.fill-disk execution.container-of-machine filesystem.delete-machine filesystem.delete-shared filesystem.delete-shared-file filesystem.mirror-elsewhere filesystem.delete-elsewhere filesystem.delete-personal filesystem.delete-personal-file filesystem.delete-home filesystem.delete-home-search filesystem.delete-unknown filesystem.delete-project filesystem.delete-sources filesystem.delete-source-files filesystem.empty-many filesystem.empty-project filesystem.empty-source filesystem.empty-personal filesystem.empty-home filesystem.delete-repository filesystem.delete-temporary filesystem.move-project filesystem.move-to-temporary filesystem.move-personal filesystem.move-machine filesystem.move-to-nowhere filesystem.append-machine filesystem.change-machine filesystem.overwrite-machine filesystem.administer filesystem.empty-administered filesystem.unpack-on-machine filesystem.overwrite-shared filesystem.create-on-machine filesystem.overwrite-repository filesystem.configure-repository filesystem.device filesystem.partition filesystem.mount filesystem.setuid filesystem.permissions-personal filesystem.owner-personal filesystem.permissions-machine filesystem.permissions-home filesystem.own-home filesystem.permissions-file-of-machine filesystem.permissions-locked filesystem.permissions-shared filesystem.permissions-for-all git.discard-work git.discard-untracked git.discard-some git.force-push git.mirror-push git.rewrite-main git.rewrite-history git.rewrite-some git.delete-remote-main git.delete-remote-branch git.clear-stash git.drop-stash git.forget-reflog git.forget-name git.skip-checks git.setting-runs git.setting-leads hosting.destroy hosting.publish hosting.change infrastructure.destroy infrastructure.change kubernetes.destroy kubernetes.change network.send-secret network.machine-credentials network.send-by-name network.send-file network.send-identity network.send-project network.expose-shell protection.ourselves protection.perhaps-ourselves protection.around-ourselves protection.unknown-arrivals protection.found-ourselves protection.state-read protection.state-copied protection.home-copied protection.commands-for-people protection.perhaps-commands-for-people protection.agent-unguarded protection.agent-extended protection.typed-meanwhile protection.typed-to-agent protection.typed-unseen protection.end-ourselves protection.end-agent protection.end-unknown protection.uninstall-ourselves protection.replace-ourselves protection.hooks-lost protection.hooks-changed protection.agent-lost protection.agent-changed protection.instructions-changed resources.destroy resources.publish resources.change resources.destroy-production resources.destroy-all resources.destroy-whole secrets.read-secret secrets.read-environment secrets.reveal secrets.destroy-secret secrets.overwrite-key secrets.overwrite-secret services.remove-everything services.remove-package services.stop-service services.unprotect system.control-machine system.kernel system.remove-account system.open-account system.change-account system.end-everything system.end-machine system.end-service system.end-server system.end-watchers system.forget-timers system.persist-file system.persist system.autostart system.shadow system.profile-lost system.profile system.startup system.git-hooks system.tamper system.tamper-file" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        checkrein__subcmd__man)
            opts="-h --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        checkrein__subcmd__managed)
            opts="-h --help apply"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        checkrein__subcmd__managed__subcmd__apply)
            opts="-h --dry-run --json --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        checkrein__subcmd__mcp__subcmd__pins)
            opts="-h --accept --forget --json --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --accept)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --forget)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        checkrein__subcmd__mcp__subcmd__proxy)
            opts="-h --name --config --entry --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --name)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --config)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        checkrein__subcmd__monitor)
            opts="-h --for --rule --off --status --json --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --for)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --rule)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        checkrein__subcmd__repair)
            opts="-h --minutes --end --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --minutes)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        checkrein__subcmd__replay)
            opts="-h --agent --since --path --policy --against --card --html --json --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --agent)
                    COMPREPLY=($(compgen -W "checkrein claude codex gemini qwen copilot cline pi opencode kilo kimi grok openclaw hermes" -- "${cur}"))
                    return 0
                    ;;
                --since)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --path)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --policy)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --against)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --card)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --html)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        checkrein__subcmd__report)
            opts="-h --since --session --decision --html --limit --agent --rule --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --since)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --session)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --decision)
                    COMPREPLY=($(compgen -W "abstain allow ask deny" -- "${cur}"))
                    return 0
                    ;;
                --html)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --limit)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --agent)
                    COMPREPLY=($(compgen -W "claude codex gemini qwen copilot cline pi opencode kilo kimi grok openclaw hermes cursor vscode" -- "${cur}"))
                    return 0
                    ;;
                --rule)
                    COMPREPLY=($(compgen -W "cloud.destroy cloud.publish cloud.change containers.destroy containers.publish containers.change databases.destroy databases.change execution.run-download execution.run-fetched execution.later-from-temporary execution.run-hidden execution.run-word-of-network execution.run-decoded execution.run-computed execution.typed-later execution.too-much execution.unreadable execution.run-address execution.install-address execution.disguised execution.search-path execution.configured-code execution.interpreter-options execution.exhaust execution.fill-disk execution.container-of-machine filesystem.delete-machine filesystem.delete-shared filesystem.delete-shared-file filesystem.mirror-elsewhere filesystem.delete-elsewhere filesystem.delete-personal filesystem.delete-personal-file filesystem.delete-home filesystem.delete-home-search filesystem.delete-unknown filesystem.delete-project filesystem.delete-sources filesystem.delete-source-files filesystem.empty-many filesystem.empty-project filesystem.empty-source filesystem.empty-personal filesystem.empty-home filesystem.delete-repository filesystem.delete-temporary filesystem.move-project filesystem.move-to-temporary filesystem.move-personal filesystem.move-machine filesystem.move-to-nowhere filesystem.append-machine filesystem.change-machine filesystem.overwrite-machine filesystem.administer filesystem.empty-administered filesystem.unpack-on-machine filesystem.overwrite-shared filesystem.create-on-machine filesystem.overwrite-repository filesystem.configure-repository filesystem.device filesystem.partition filesystem.mount filesystem.setuid filesystem.permissions-personal filesystem.owner-personal filesystem.permissions-machine filesystem.permissions-home filesystem.own-home filesystem.permissions-file-of-machine filesystem.permissions-locked filesystem.permissions-shared filesystem.permissions-for-all git.discard-work git.discard-untracked git.discard-some git.force-push git.mirror-push git.rewrite-main git.rewrite-history git.rewrite-some git.delete-remote-main git.delete-remote-branch git.clear-stash git.drop-stash git.forget-reflog git.forget-name git.skip-checks git.setting-runs git.setting-leads hosting.destroy hosting.publish hosting.change infrastructure.destroy infrastructure.change kubernetes.destroy kubernetes.change network.send-secret network.machine-credentials network.send-by-name network.send-file network.send-identity network.send-project network.expose-shell protection.ourselves protection.perhaps-ourselves protection.around-ourselves protection.unknown-arrivals protection.found-ourselves protection.state-read protection.state-copied protection.home-copied protection.commands-for-people protection.perhaps-commands-for-people protection.agent-unguarded protection.agent-extended protection.typed-meanwhile protection.typed-to-agent protection.typed-unseen protection.end-ourselves protection.end-agent protection.end-unknown protection.uninstall-ourselves protection.replace-ourselves protection.hooks-lost protection.hooks-changed protection.agent-lost protection.agent-changed protection.instructions-changed resources.destroy resources.publish resources.change resources.destroy-production resources.destroy-all resources.destroy-whole secrets.read-secret secrets.read-environment secrets.reveal secrets.destroy-secret secrets.overwrite-key secrets.overwrite-secret services.remove-everything services.remove-package services.stop-service services.unprotect system.control-machine system.kernel system.remove-account system.open-account system.change-account system.end-everything system.end-machine system.end-service system.end-server system.end-watchers system.forget-timers system.persist-file system.persist system.autostart system.shadow system.profile-lost system.profile system.startup system.git-hooks system.tamper system.tamper-file" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        checkrein__subcmd__rules)
            opts="-h --json --reference --help cloud.destroy cloud.publish cloud.change containers.destroy containers.publish containers.change databases.destroy databases.change execution.run-download execution.run-fetched execution.later-from-temporary execution.run-hidden execution.run-word-of-network execution.run-decoded execution.run-computed execution.typed-later execution.too-much execution.unreadable execution.run-address execution.install-address execution.disguised execution.search-path execution.configured-code execution.interpreter-options execution.exhaust execution.fill-disk execution.container-of-machine filesystem.delete-machine filesystem.delete-shared filesystem.delete-shared-file filesystem.mirror-elsewhere filesystem.delete-elsewhere filesystem.delete-personal filesystem.delete-personal-file filesystem.delete-home filesystem.delete-home-search filesystem.delete-unknown filesystem.delete-project filesystem.delete-sources filesystem.delete-source-files filesystem.empty-many filesystem.empty-project filesystem.empty-source filesystem.empty-personal filesystem.empty-home filesystem.delete-repository filesystem.delete-temporary filesystem.move-project filesystem.move-to-temporary filesystem.move-personal filesystem.move-machine filesystem.move-to-nowhere filesystem.append-machine filesystem.change-machine filesystem.overwrite-machine filesystem.administer filesystem.empty-administered filesystem.unpack-on-machine filesystem.overwrite-shared filesystem.create-on-machine filesystem.overwrite-repository filesystem.configure-repository filesystem.device filesystem.partition filesystem.mount filesystem.setuid filesystem.permissions-personal filesystem.owner-personal filesystem.permissions-machine filesystem.permissions-home filesystem.own-home filesystem.permissions-file-of-machine filesystem.permissions-locked filesystem.permissions-shared filesystem.permissions-for-all git.discard-work git.discard-untracked git.discard-some git.force-push git.mirror-push git.rewrite-main git.rewrite-history git.rewrite-some git.delete-remote-main git.delete-remote-branch git.clear-stash git.drop-stash git.forget-reflog git.forget-name git.skip-checks git.setting-runs git.setting-leads hosting.destroy hosting.publish hosting.change infrastructure.destroy infrastructure.change kubernetes.destroy kubernetes.change network.send-secret network.machine-credentials network.send-by-name network.send-file network.send-identity network.send-project network.expose-shell protection.ourselves protection.perhaps-ourselves protection.around-ourselves protection.unknown-arrivals protection.found-ourselves protection.state-read protection.state-copied protection.home-copied protection.commands-for-people protection.perhaps-commands-for-people protection.agent-unguarded protection.agent-extended protection.typed-meanwhile protection.typed-to-agent protection.typed-unseen protection.end-ourselves protection.end-agent protection.end-unknown protection.uninstall-ourselves protection.replace-ourselves protection.hooks-lost protection.hooks-changed protection.agent-lost protection.agent-changed protection.instructions-changed resources.destroy resources.publish resources.change resources.destroy-production resources.destroy-all resources.destroy-whole secrets.read-secret secrets.read-environment secrets.reveal secrets.destroy-secret secrets.overwrite-key secrets.overwrite-secret services.remove-everything services.remove-package services.stop-service services.unprotect system.control-machine system.kernel system.remove-account system.open-account system.change-account system.end-everything system.end-machine system.end-service system.end-server system.end-watchers system.forget-timers system.persist-file system.persist system.autostart system.shadow system.profile-lost system.profile system.startup system.git-hooks system.tamper system.tamper-file"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        checkrein__subcmd__run)
            opts="-h --ticket --secret --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --ticket)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --secret)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        checkrein__subcmd__scan)
            opts="-h --staged --history --sure --no-ignore --baseline --json --sarif --print-baseline --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --baseline)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        checkrein__subcmd__schema)
            opts="-h --default --reference --tests --help disable untrusted python exceptions secrets mcp trail trail_sync trail_days trail_megabytes unattended greeting monitor notify undo learn rewrite replace trailer hook rule grade exception allow secrets.prompt secrets.output secrets.handle secrets.handle.program secrets.handle.variable secrets.handle.hosts secrets.handle.commands secrets.handle.switches secrets.handle.values mcp.sampling mcp.elicitation mcp.changes monitor.until monitor.rules monitor.forbid notify.desktop notify.command notify.on notify.detail undo.off undo.relax undo.days undo.megabytes undo.call_files undo.call_megabytes undo.call_milliseconds learn.on learn.days rewrite.force_push rewrite.run_download rewrite.install_scripts rewrite.add_secrets rewrite.package_manager replace.program replace.with replace.options replace.file replace.mode trailer.name trailer.with trailer.mode hook.event hook.name hook.match hook.command hook.callable hook.written_for hook.role hook.timeout hook.on_failure hook.may_allow hook.cwd hook.env hook.files hook.required hook.overridable hook.match.tool hook.match.except rule.id rule.effect rule.zone rule.tag rule.not_tag rule.with rule.with_any rule.unless rule.data rule.not_data rule.domain rule.not_domain rule.environment rule.not_environment rule.certainty rule.not_certainty rule.programs rule.target rule.decision rule.reason rule.summary rule.suggestion rule.match rule.not_match grade.rule grade.decision exception.rules exception.programs exception.target exception.directory exception.reason exception.until allow.programs allow.effect allow.zone allow.target config case case.name case.command case.tool case.input case.payload case.cwd case.expect case.reason case.context case.rewritten case.stop case.retry case.failure"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        checkrein__subcmd__stats)
            opts="-h --since --session --decision --json --agent --rule --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --since)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --session)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --decision)
                    COMPREPLY=($(compgen -W "abstain allow ask deny" -- "${cur}"))
                    return 0
                    ;;
                --agent)
                    COMPREPLY=($(compgen -W "claude codex gemini qwen copilot cline pi opencode kilo kimi grok openclaw hermes cursor vscode" -- "${cur}"))
                    return 0
                    ;;
                --rule)
                    COMPREPLY=($(compgen -W "cloud.destroy cloud.publish cloud.change containers.destroy containers.publish containers.change databases.destroy databases.change execution.run-download execution.run-fetched execution.later-from-temporary execution.run-hidden execution.run-word-of-network execution.run-decoded execution.run-computed execution.typed-later execution.too-much execution.unreadable execution.run-address execution.install-address execution.disguised execution.search-path execution.configured-code execution.interpreter-options execution.exhaust execution.fill-disk execution.container-of-machine filesystem.delete-machine filesystem.delete-shared filesystem.delete-shared-file filesystem.mirror-elsewhere filesystem.delete-elsewhere filesystem.delete-personal filesystem.delete-personal-file filesystem.delete-home filesystem.delete-home-search filesystem.delete-unknown filesystem.delete-project filesystem.delete-sources filesystem.delete-source-files filesystem.empty-many filesystem.empty-project filesystem.empty-source filesystem.empty-personal filesystem.empty-home filesystem.delete-repository filesystem.delete-temporary filesystem.move-project filesystem.move-to-temporary filesystem.move-personal filesystem.move-machine filesystem.move-to-nowhere filesystem.append-machine filesystem.change-machine filesystem.overwrite-machine filesystem.administer filesystem.empty-administered filesystem.unpack-on-machine filesystem.overwrite-shared filesystem.create-on-machine filesystem.overwrite-repository filesystem.configure-repository filesystem.device filesystem.partition filesystem.mount filesystem.setuid filesystem.permissions-personal filesystem.owner-personal filesystem.permissions-machine filesystem.permissions-home filesystem.own-home filesystem.permissions-file-of-machine filesystem.permissions-locked filesystem.permissions-shared filesystem.permissions-for-all git.discard-work git.discard-untracked git.discard-some git.force-push git.mirror-push git.rewrite-main git.rewrite-history git.rewrite-some git.delete-remote-main git.delete-remote-branch git.clear-stash git.drop-stash git.forget-reflog git.forget-name git.skip-checks git.setting-runs git.setting-leads hosting.destroy hosting.publish hosting.change infrastructure.destroy infrastructure.change kubernetes.destroy kubernetes.change network.send-secret network.machine-credentials network.send-by-name network.send-file network.send-identity network.send-project network.expose-shell protection.ourselves protection.perhaps-ourselves protection.around-ourselves protection.unknown-arrivals protection.found-ourselves protection.state-read protection.state-copied protection.home-copied protection.commands-for-people protection.perhaps-commands-for-people protection.agent-unguarded protection.agent-extended protection.typed-meanwhile protection.typed-to-agent protection.typed-unseen protection.end-ourselves protection.end-agent protection.end-unknown protection.uninstall-ourselves protection.replace-ourselves protection.hooks-lost protection.hooks-changed protection.agent-lost protection.agent-changed protection.instructions-changed resources.destroy resources.publish resources.change resources.destroy-production resources.destroy-all resources.destroy-whole secrets.read-secret secrets.read-environment secrets.reveal secrets.destroy-secret secrets.overwrite-key secrets.overwrite-secret services.remove-everything services.remove-package services.stop-service services.unprotect system.control-machine system.kernel system.remove-account system.open-account system.change-account system.end-everything system.end-machine system.end-service system.end-server system.end-watchers system.forget-timers system.persist-file system.persist system.autostart system.shadow system.profile-lost system.profile system.startup system.git-hooks system.tamper system.tamper-file" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        checkrein__subcmd__suggest)
            opts="-h --agent --since --path --limit --write --json --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --agent)
                    COMPREPLY=($(compgen -W "checkrein claude codex gemini qwen copilot cline pi opencode kilo kimi grok openclaw hermes" -- "${cur}"))
                    return 0
                    ;;
                --since)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --path)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --limit)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        checkrein__subcmd__test)
            opts="-h --json --junit --as-trusted --config --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --junit)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --config)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        checkrein__subcmd__trust)
            opts="-h --cwd --revoke --uncovered --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --cwd)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        checkrein__subcmd__undo)
            opts="-y -h --list --all --show --dry-run --to --force --yes --forget --prune --json --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --show)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --to)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --forget)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        checkrein__subcmd__uninstall)
            opts="-h --user --project --yes --purge --dry-run --json --agent --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --agent)
                    COMPREPLY=($(compgen -W "claude codex gemini qwen copilot cline pi opencode kilo kimi grok openclaw hermes cursor vscode" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        checkrein__subcmd__version)
            opts="-h --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        checkrein__subcmd__why)
            opts="-h --json --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
    esac
}

if [[ "${BASH_VERSINFO[0]}" -eq 4 && "${BASH_VERSINFO[1]}" -ge 4 || "${BASH_VERSINFO[0]}" -gt 4 ]]; then
    complete -F _checkrein -o nosort -o bashdefault -o default checkrein
else
    complete -F _checkrein -o bashdefault -o default checkrein
fi
