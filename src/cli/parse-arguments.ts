import { parseArgs } from 'node:util'
import { hasCode, getErrorMessage } from '../config/error-message.ts'
import { UsageError, yesOrNo } from './command.ts'
import type { Command, Option, Positional, UntypedInput } from './command.ts'
import { nearest } from '../config/nearest.ts'

/** A parsed command line. */
type Call =
  | { kind: 'help'; command: Command | undefined; group: string | undefined }
  | { kind: 'version' }
  | { kind: 'run'; command: Command; input: UntypedInput }

/**
 * Finds the command and parses its arguments. An unknown command or option, a repeated option, a missing value and a missing or extra
 * argument throw a `UsageError`. Uses Node's parser: citty accepts unknown options, keeps only the last of repeated options and exits with
 * status 1 for every error.
 */
export function parseCall(commands: readonly Command[], line: readonly string[]): Call {
  const words = line.filter((word) => !isGlobal(word))
  if (words[0] === 'help') return parseCall(commands, [...words.slice(1), '--help'])
  if (words.length === 1 && (words[0] === '--version' || words[0] === '-v')) return { kind: 'version' }
  const command = commands.findLast(({ name }) => name.split(' ').every((word, index) => words[index] === word))
  const wantsHelp = line.includes('--help') || line.includes('-h')
  if (!command) {
    const group = commands.some(({ name }) => name.startsWith(`${words[0]} `)) ? words[0] : undefined
    if (wantsHelp && (group || words.length === 0)) return { kind: 'help', command: undefined, group }
    throw unknownCommand(commands, words, group)
  }
  if (wantsHelp) return { kind: 'help', command, group: undefined }
  return { kind: 'run', command, input: parseInput(command, listArguments(line, command.name.split(' ').length)) }
}

const isGlobal = (word: string) => word === '--json' || word === '--help' || word === '-h'

/** Returns the arguments after the name of the command, which global options may precede. */
function listArguments(line: readonly string[], commandWords: number): string[] {
  let remaining = commandWords
  return line.filter((word) => isGlobal(word) || remaining-- <= 0)
}

function unknownCommand(commands: readonly Command[], [first, second]: readonly string[], group: string | undefined): UsageError {
  if (first === undefined) return new UsageError('no command given')
  if (!group && first.startsWith('-')) return new UsageError(`unknown option ${first}`, undefined, nearest(first, globalOptions))
  if (!group) return new UsageError(`unknown command ${first}`, undefined, nearest(first, listFirstWords(commands)))
  const names = commands.flatMap(({ name }) => (name.startsWith(`${group} `) ? [name.slice(group.length + 1)] : []))
  const expected = `one of ${names.join(', ')}`
  if (second === undefined) return new UsageError(`${group} requires ${expected}`, group)
  const meant = nearest(second, names)
  return new UsageError(`unknown command ${group} ${second}, expected ${expected}`, group, meant && `${group} ${meant}`)
}

const globalOptions = ['--help', '--json', '--version']
const listFirstWords = (commands: readonly Command[]) => new Set(['help', ...commands.map(({ name }) => name.split(' ', 1)[0] ?? '')])

function parseInput(command: Command, args: string[]): UntypedInput {
  const { values, positionals, tokens } = readArgs(command, args)
  const wrong = (message: string) => new UsageError(message, command.name)
  for (const [name, option] of Object.entries(command.options)) {
    const count = tokens.filter((token) => token.kind === 'option' && token.name === name).length
    if (count > 1 && !option.multiple) throw wrong(`--${name} may be used only once`)
    if (count === 0 && option.required) throw wrong(`--${name} ${option.value ?? ''} is required`)
    checkValues(`--${name}`, option, values.get(name), command.name)
  }
  const names = Object.entries(command.positionals)
  const extra = positionals[names.length]
  if (extra !== undefined) throw wrong(`unexpected argument ${extra}`)
  const arguments_ = names.map(([name, positional], index) => {
    const value = positionals[index]
    if (value === undefined && !positional.optional) throw wrong(`${name.toUpperCase()} is required`)
    checkValues(name.toUpperCase(), positional, value, command.name)
    return [name, value] as const
  })
  const options = Object.entries(command.options).map(([name, { value, multiple }]) => {
    return [name, values.get(name) ?? (value === undefined ? false : multiple ? [] : undefined)] as const
  })
  return { options: Object.fromEntries(options), positionals: Object.fromEntries(arguments_), json: values.has('json') }
}

/** Value of an option in the result of Node's parser. */
type ArgumentValue = string | boolean | (string | boolean)[] | undefined

function checkValues(label: string, { values }: Option | Positional, value: ArgumentValue, command: string): void {
  if (values === undefined || value === undefined) return
  const wrong = [value]
    .flat()
    .map(String)
    .find((each) => !values.includes(each))
  if (wrong === undefined) return
  const expected = values === yesOrNo ? 'yes or no' : `one of ${values.join(', ')}`
  throw new UsageError(`${label} must be ${expected}; it is ${wrong}`, command, nearest(wrong, values))
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
    return { values: new Map<string, ArgumentValue>(Object.entries(values)), positionals, tokens }
  } catch (error) {
    if (!hasCode(error, 'ERR_PARSE_ARGS_UNKNOWN_OPTION', 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE')) throw error
    // Only the first sentence is used, because Node adds hints about `--` after it.
    const [sentence = ''] = getErrorMessage(error).split(/\. |\n/)
    const unknown = /^Unknown option '(--[^']+)'/.exec(sentence)?.[1]
    const meant = unknown && nearest(unknown, [...Object.keys(command.options).map((name) => `--${name}`), '--json', '--help'])
    throw new UsageError(sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, ''), command.name, meant)
  }
}
