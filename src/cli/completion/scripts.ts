import path from 'node:path'
import { projectFolder } from '../../../schema/core/project-folder.ts'

// Scripts for shells. They ask the program for candidates (candidates.ts), so they contain no commands. A shell completes the arguments of
// a command and not those of `npm run`, so the scripts define team-account if it is not installed.

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/** The first argument of a call that completes the others. */
export const completionWord = '__complete'

/** Returns the script that a shell evaluates. */
export const completionScript = (shell: Shell): string => scripts[shell].trim()

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
const quotedForFish = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`
const program = path.join(path.resolve(projectFolder), 'bin', 'team-account')

const scripts: Record<Shell, string> = {
  // bash completes the part of a word after the last of these characters, which scopes, addresses and --option=value contain.
  bash: `
command -v team-account > /dev/null || team-account() { ${quoted(program)} "$@"; }
_team_account() {
  local line=\${COMP_LINE:0:COMP_POINT} breaks=\${COMP_WORDBREAKS//[^:=@]/} words found prefix=''
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  local word=\${words[\${#words[@]}-1]}
  [[ $breaks ]] && prefix=\${word%"\${word##*[$breaks]}"}
  COMPREPLY=()
  while IFS=$'\\t' read -r found _; do COMPREPLY+=("\${found#"$prefix"}"); done < <(
    team-account ${completionWord} "\${words[@]:1}" 2> /dev/null
  )
}
complete -o bashdefault -o default -F _team_account team-account`,

  zsh: `
(( $+commands[team-account] )) || team-account() { ${quoted(program)} "$@" }
_team_account() {
  local -a found
  found=("\${(@f)$(team-account ${completionWord} "\${(@Q)words[2,CURRENT]}" 2> /dev/null)}")
  found=("\${(@)found:#}")
  (( $#found )) || { _files; return }
  found=("\${(@)found//:/\\\\:}")
  found=("\${(@)found/$'\\t'/:}")
  _describe 'value' found
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _team_account team-account`,

  fish: `
type -q team-account; or function team-account
  ${quotedForFish(program)} $argv
end
function __team_account_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l found (team-account ${completionWord} $words[2..-1] "$current" 2> /dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path $current
  end
end
complete -c team-account -f -a '(__team_account_complete)'`,
}
