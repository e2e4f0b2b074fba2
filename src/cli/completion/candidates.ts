import type { Command, Option, Positional, StoredKind } from '../command.ts'

/** A word that can stand at the position of the cursor. */
export interface Candidate {
  word: string
  /** Meaning of the word, for shells that show it; may be empty. */
  about: string
}

/** Reads the keys of stored objects that begin with `prefix`. */
export type ReadKeys = (kind: StoredKind, prefix: string) => Promise<Candidate[]>

/** Returns the possible last words. The list is empty for free text and for files, which the shell completes. */
export async function candidatesFor(commands: readonly Command[], words: readonly string[], readKeys: ReadKeys): Promise<Candidate[]> {
  const current = words.at(-1) ?? ''
  const candidates = await candidatesAt(commands, words.slice(0, -1), current, readKeys)
  return candidates.filter(({ word }) => word.startsWith(current))
}

const globalOptions: Candidate[] = [
  { word: '--json', about: 'print one JSON object' },
  { word: '--help', about: 'show help' },
]
const version: Candidate = { word: '--version', about: 'show the version' }

async function candidatesAt(commands: readonly Command[], all: readonly string[], current: string, readKeys: ReadKeys) {
  const asksForHelp = all[0] === 'help'
  const before = all.slice(asksForHelp ? 1 : 0).filter((word) => !globalOptions.some((each) => each.word === word))
  const command = commands.find(({ name }) => name.split(' ').every((word, index) => before[index] === word))
  if (!command) {
    const start = before.length === 0
    if (start && current.startsWith('-')) return [...globalOptions, version]
    return current.startsWith('-') ? globalOptions : nextWords(commands, before)
  }
  return asksForHelp ? [] : argumentCandidates(command, before.slice(command.name.split(' ').length), current, readKeys)
}

/** Returns the commands and groups after the words of a group, or at the start. */
function nextWords(commands: readonly Command[], before: readonly string[]): Candidate[] {
  const candidates = new Map<string, string>(before.length === 0 ? [['help', 'Show the help of a command']] : [])
  for (const { name, summary } of commands) {
    const words = name.split(' ')
    const next = words[before.length]
    if (next === undefined || before.some((word, index) => word !== words[index])) continue
    candidates.set(next, words.length > before.length + 1 ? `Commands: ${next}` : summary)
  }
  return Array.from(candidates, ([word, about]) => ({ word, about }))
}

async function argumentCandidates(command: Command, args: readonly string[], current: string, readKeys: ReadKeys): Promise<Candidate[]> {
  const options = new Map(Object.entries(command.options).map(([name, option]) => [`--${name}`, option]))
  const takesValue = (word: string | undefined) => options.get(word ?? '')?.value !== undefined
  const awaiting = takesValue(args.at(-1)) ? options.get(args.at(-1) ?? '') : undefined
  if (awaiting) return loadValues(awaiting, current, readKeys)
  const [, name = '', value = ''] = /^(--[^=]+)=(.*)$/s.exec(current) ?? []
  const assigned = options.get(name)
  if (assigned) return (await loadValues(assigned, value, readKeys)).map(({ word, about }) => ({ word: `${name}=${word}`, about }))
  const count = args.filter((word, index) => !word.startsWith('--') && !takesValue(args[index - 1])).length
  const positional = Object.values(command.positionals)[count]
  if (positional && !current.startsWith('-')) return loadValues(positional, current, readKeys)
  const isUsed = (option: string) => args.some((word) => word === option || word.startsWith(`${option}=`))
  const unused = [...options].filter(([option, { multiple }]) => multiple || !isUsed(option))
  return [...unused.map(([word, { description }]) => ({ word, about: description })), ...globalOptions]
}

async function loadValues({ values, suggestions, stored }: Option | Positional, prefix: string, readKeys: ReadKeys): Promise<Candidate[]> {
  if (stored !== undefined) return readKeys(stored, prefix)
  return (values ?? suggestions ?? []).map((word) => ({ word, about: '' }))
}
