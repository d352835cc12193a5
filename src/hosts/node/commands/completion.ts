import { action, defineCommand } from '../command-line/command.ts'
import { choice } from '../command-line/values.ts'
import { print } from '../output/output.ts'

// Each script calls `tabscope completion --complete -- WORDS` (`command-line/complete.ts`) for the candidates for the last word, so it stays
// valid after an update.

const bash = `# bash completion for tabscope. Load it with: source <(tabscope completion bash)
_tabscope() {
  local word line value prefix files='' glue='' current="\${COMP_WORDS[COMP_CWORD]}"
  local -a words=()
  # bash splits words at = and :
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ ( $word == '=' || $word == ':' ) && \${#words[@]} -gt 0 ]]; then
      words[\${#words[@]}-1]+=$word
      glue=1
    elif [[ $glue ]]; then
      words[\${#words[@]}-1]+=$word
      glue=''
    else
      words+=("$word")
    fi
  done
  word="\${words[\${#words[@]}-1]}"
  [[ $current == '=' || $current == ':' ]] && current=''
  prefix="\${word%"$current"}"
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == ':files' ]]; then
      files=1
    else
      value="\${line%%$'\\t'*}"
      COMPREPLY+=("\${value#"$prefix"}")
    fi
  done < <("$1" completion --complete -- "\${words[@]}" 2>/dev/null)
  # Files are completed only where the command takes one.
  [[ $files ]] || compopt +o default 2>/dev/null
}
complete -o default -F _tabscope tabscope`

const zsh = `#compdef tabscope
# zsh completion for tabscope. Load it with: source <(tabscope completion zsh)
_tabscope() {
  local line files=''
  local -a candidates
  while IFS= read -r line; do
    if [[ $line == ':files' ]]; then
      files=1
    else
      candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
    fi
  done < <("\${words[1]}" completion --complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#candidates} )); then _describe -t values tabscope candidates; fi
  if [[ -n $files ]]; then _files; fi
}
if [[ "\${funcstack[1]}" == _tabscope ]]; then _tabscope "$@"; else compdef _tabscope tabscope; fi`

const fish = `# fish completion for tabscope. Load it with: tabscope completion fish | source
function __tabscope_candidates
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    $words[1] completion --complete -- $words[2..-1] "$current" 2>/dev/null
end
function __tabscope_takes_files
    contains -- ':files' (__tabscope_candidates)
end
complete -c tabscope -f -a "(__tabscope_candidates | string match -v ':files')"
complete -c tabscope -n __tabscope_takes_files -F`

const powershell = `# PowerShell completion for tabscope. Load it with:
# tabscope completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName tabscope -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.StartOffset -lt $cursorPosition } |
    ForEach-Object { $_.Extent.Text })
  # An empty argument would not reach a program on Windows.
  $mode = if ($wordToComplete -eq '') { '--complete-next' } else { '--complete' }
  & tabscope completion $mode -- @words 2>$null | Where-Object { $_ -ne ':files' } | ForEach-Object {
    $value, $description = $_ -split "\`t", 2
    $tooltip = if ($description) { $description } else { $value }
    [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $tooltip)
  }
}`

const scripts = { bash, zsh, fish, powershell } as const
const shells = ['bash', 'zsh', 'fish', 'powershell'] as const

export const command = defineCommand('completion', 'Print a shell completion script', [
  ['bash: add source <(tabscope completion bash) to ~/.bashrc', 'completion bash'],
  ['zsh: add source <(tabscope completion zsh) to ~/.zshrc, after compinit', 'completion zsh'],
  ['fish', 'completion fish > ~/.config/fish/completions/tabscope.fish'],
  ['PowerShell, in $PROFILE', 'completion powershell | Out-String | Invoke-Expression'],
])
  .argument('<shell>', shells.join(', '), choice('shell', shells))
  .action(
    action((shell) => {
      const script = scripts[shell]
      print('completion', { shell, script }, () => script)
    }),
  )
