import { DomainError } from '../../schema/core/errors.ts'
import { readVersion } from '../config/version.ts'
import { commands } from './commands/index.ts'
import { UsageError } from './command.ts'
import type { Command, CommandResult, UntypedInput } from './command.ts'
import { candidatesFor } from './completion/candidates.ts'
import { completionWord } from './completion/scripts.ts'
import { readStoredKeys } from './completion/stored-keys.ts'
import { commandHelp, formatOverview } from './help.ts'
import { printFailure, printResult } from './terminal/output.ts'
import { confirmDeletion } from './terminal/input.ts'
import { parseCall } from './parse-arguments.ts'
import { toCommandFailure } from './refusals.ts'

/** Runs a command line, without the program's name, in the current terminal. Returns the exit status: 0, 1, or 2 for wrong usage. */
export async function runLine(line: readonly string[]): Promise<number> {
  const json = line.includes('--json')
  try {
    if (line[0] === completionWord) return await complete(line.slice(1))
    const call = parseCall(commands, line)
    if (call.kind === 'version') {
      const version = await readVersion()
      await printResult({ value: { version }, text: `team-account-service ${version}` }, json)
      return 0
    }
    if (call.kind === 'help') {
      await printResult({ value: null, text: call.command ? commandHelp(call.command) : formatOverview(commands, call.group) }, false)
      return 0
    }
    const result = await run(call.command, call.input)
    if (result) await printResult(result, json)
    return result?.status ?? 0
  } catch (error) {
    return printFailure(error, json)
  }
}

/** Prints the possible last words: one word per line, and its meaning after a tab. */
async function complete(words: readonly string[]): Promise<number> {
  const candidates = await candidatesFor(commands, words, readStoredKeys)
  const text = candidates.map(({ word, about }) => (about === '' ? word : `${word}\t${about}`)).join('\n')
  await printResult({ value: null, text }, false)
  return 0
}

/** Runs a command, after the user's confirmation if it needs one. Its errors refer to its own arguments and help. */
async function run(command: Command, input: UntypedInput): Promise<CommandResult | undefined> {
  try {
    const { confirmation } = command
    if (confirmation && input.options['yes'] !== true) await confirmDeletion(confirmation(input.positionals))
    return await command.run(input)
  } catch (error) {
    if (error instanceof UsageError) error.command ??= command.name
    if (error instanceof DomainError && error.code !== 'unavailable') throw toCommandFailure(error, command, input)
    throw error
  }
}
