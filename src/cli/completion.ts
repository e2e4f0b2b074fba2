import path from 'node:path'
import { projectFolder } from '../../schema/core/project-folder.ts'
import type { Command } from './command.ts'

// Completion of command names and options, as scripts for shells. The scripts define `team-account`, because shells complete
// the arguments of a command and not those of `npm run`.

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/** The script that a shell evaluates. */
export const completionScript = (shell: Shell, commands: readonly Command[]): string =>
  shell === 'fish' ? fishScript(commands) : shell === 'zsh' ? zshScript(commands) : bashScript(commands)

/** A position after the words of a command or group: what can follow there. */
interface Position {
  words: string
  /** Words with their descriptions. */
  next: [word: string, description: string][]
  options: [option: string, description: string, takesValue: boolean][]
}

const globalOptions: Position['options'] = [
  ['--json', 'print one JSON object', false],
  ['--help', 'show help', false],
]

/** The start of the line, each group, and each command. */
function positionsOf(commands: readonly Command[]): Position[] {
  const firstWords = new Map<string, string>([['help', 'Show the help of a command']])
  const groups = new Map<string, Position['next']>()
  for (const { name, summary } of commands) {
    const [first = '', second] = name.split(' ')
    if (second === undefined) firstWords.set(first, summary)
    else {
      firstWords.set(first, firstWords.get(first) ?? `Commands: ${first}`)
      groups.set(first, [...(groups.get(first) ?? []), [second, summary]])
    }
  }
  const start: Position = { words: '', next: [...firstWords], options: [...globalOptions, ['--version', 'show the version', false]] }
  const ofGroups = [...groups].map(([words, next]): Position => ({ words, next, options: globalOptions }))
  const ofCommands = commands.map(({ name, options, positionals }): Position => {
    const own = Object.entries(options).map(([option, { description, value }]): Position['options'][number] => {
      return [`--${option}`, description, value !== undefined]
    })
    return {
      words: name,
      next: (Object.values(positionals)[0]?.values ?? []).map((word) => [word, '']),
      options: [...own, ...globalOptions],
    }
  })
  return [start, ...ofGroups, ...ofCommands]
}

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
const definition = `team-account() { npm --prefix ${quoted(path.resolve(projectFolder))} run -s cli -- "$@"; }`

/** Longer positions come first, so that `team create` is found before `team`. */
function bashScript(commands: readonly Command[]): string {
  const cases = positionsOf(commands)
    .toSorted((a, b) => b.words.length - a.words.length)
    .map(({ words, next, options }) => {
      const candidates = [...next, ...options].map(([word]) => word).join(' ')
      return `    ${quoted(words === '' ? ' ' : ` ${words} `)}*) candidates=${quoted(candidates)} ;;`
    })
  return `${definition}
_team_account() {
  local current="\${COMP_WORDS[COMP_CWORD]}" line=' ' word candidates=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do [[ $word == help ]] || line+="$word "; done
  case "$line" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$candidates" -- "$current"))
}
complete -o bashdefault -o default -F _team_account team-account
`
}

/** zsh runs completion functions of bash. */
const zshScript = (commands: readonly Command[]) =>
  `autoload -Uz compinit bashcompinit && { whence compdef > /dev/null || compinit; } && bashcompinit\n${bashScript(commands)}`

function fishScript(commands: readonly Command[]): string {
  const lines = positionsOf(commands).flatMap(({ words, next, options }) => {
    const condition = `-n ${quoted(`__team_account_at ${words === '' ? "''" : words}`)}`
    const ofWords = next.map(([word, about]) => `complete -c team-account -f ${condition} -a ${word} -d ${quotedForFish(about)}`)
    const ofOptions = options.map(([option, about, takesValue]) => {
      return `complete -c team-account ${condition} -l ${option.slice(2)}${takesValue ? ' -x' : ''} -d ${quotedForFish(about)}`
    })
    return ofWords.concat(ofOptions)
  })
  return `function team-account
  npm --prefix ${quotedForFish(path.resolve(projectFolder))} run -s cli -- $argv
end
function __team_account_at
  set -l words (string match -v -- '-*' (commandline -opc)[2..-1])
  set -l expected (string split -n ' ' -- "$argv")
  if test (count $expected) -lt 2
    test "$words" = "$expected"
  else
    test "$words[1..2]" = "$expected"
  end
end
${lines.join('\n')}
`
}

const quotedForFish = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`
