import { parseArgs } from 'node:util'
import { hasCode, messageOf } from '../failure.ts'
import { UsageError } from './command.ts'
import type { Command, UntypedInput } from './command.ts'

/** What a command line asks for. */
export type Call =
  | { kind: 'help'; command: Command | undefined; group: string | undefined }
  | { kind: 'run'; command: Command; input: UntypedInput }

/**
 * Finds the command and reads what it was given, strictly: an unknown command or option, an option given twice or
 * without its value, a missing or surplus argument throws `UsageError`. Node's parser does the reading. citty's
 * accepts unknown options, keeps only the last of repeated ones and exits with 1 for all that is wrong.
 */
export function parseCall(commands: readonly Command[], line: readonly string[]): Call {
  const words = line.filter((word) => !isGlobal(word))
  const command = commands.findLast(({ name }) => name.split(' ').every((word, index) => words[index] === word))
  const wantsHelp = line.includes('--help') || line.includes('-h')
  if (!command) {
    const group = commands.some(({ name }) => name.startsWith(`${words[0]} `)) ? words[0] : undefined
    if (wantsHelp && (group || words.length === 0)) return { kind: 'help', command: undefined, group }
    throw unknownCommand(commands, words, group)
  }
  if (wantsHelp) return { kind: 'help', command, group: undefined }
  return { kind: 'run', command, input: parseInput(command, rest(line, command.name.split(' ').length)) }
}

const isGlobal = (word: string) => word === '--json' || word === '--help' || word === '-h'

/** The line without the command's own words; global options may stand before them. */
function rest(line: readonly string[], count: number): string[] {
  let words = count
  return line.filter((word) => isGlobal(word) || words-- <= 0)
}

function unknownCommand(commands: readonly Command[], [first, second]: readonly string[], group: string | undefined): UsageError {
  if (first === undefined) return new UsageError('no command given')
  if (!group) return new UsageError(first.startsWith('-') ? `unknown option ${first}` : `unknown command ${first}`)
  const names = commands.flatMap(({ name }) => (name.startsWith(`${group} `) ? [name.slice(group.length + 1)] : []))
  return new UsageError(
    `${second === undefined ? `${group} needs` : `unknown command ${group} ${second}:`} one of ${names.join(', ')}`,
    group,
  )
}

function parseInput(command: Command, args: string[]): UntypedInput {
  const { values, positionals, tokens } = readArgs(command, args)
  const wrong = (message: string) => new UsageError(message, command.name)
  for (const [name, option] of Object.entries(command.options)) {
    const given = tokens.filter((token) => token.kind === 'option' && token.name === name).length
    if (given > 1 && !option.multiple) throw wrong(`--${name} may be given once`)
    if (given === 0 && option.required) throw wrong(`--${name} ${option.value ?? ''} is required`)
  }
  const names = Object.entries(command.positionals)
  const surplus = positionals[names.length]
  if (surplus !== undefined) throw wrong(`unexpected argument ${surplus}`)
  const arguments_ = names.map(([name, { optional }], index) => {
    const value = positionals[index]
    if (value === undefined && !optional) throw wrong(`${name.toUpperCase()} is required`)
    return [name, value] as const
  })
  const options = Object.entries(command.options).map(([name, { value, multiple }]) => {
    return [name, values.get(name) ?? (value === undefined ? false : multiple ? [] : undefined)] as const
  })
  return { options: Object.fromEntries(options), positionals: Object.fromEntries(arguments_), json: values.has('json') }
}

function readArgs(command: Command, args: string[]) {
  const options = Object.entries(command.options).map(([name, { value }]) => {
    return [
      name,
      {
        type: value === undefined ? 'boolean' : 'string',
        ...(value !== undefined && { multiple: command.options[name]?.multiple ?? false }),
      },
    ] as const
  })
  try {
    const declared = { ...Object.fromEntries(options), json: { type: 'boolean' } as const }
    const { values, positionals, tokens } = parseArgs({ args, options: declared, allowPositionals: true, strict: true, tokens: true })
    return { values: new Map<string, unknown>(Object.entries(values)), positionals, tokens }
  } catch (error) {
    const isTheirs = hasCode(error, 'ERR_PARSE_ARGS_UNKNOWN_OPTION', 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE')
    if (!isTheirs) throw error
    // Node adds hints about `--` after its first sentence.
    const [sentence = ''] = messageOf(error).split(/\. |\n/)
    throw new UsageError(sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, ''), command.name)
  }
}
