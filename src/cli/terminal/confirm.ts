import { createInterface } from 'node:readline/promises'
import { UsageError } from '../command.ts'
import { CommandFailure, printable } from './output.ts'
import { currentTerminal } from './terminal.ts'

/** Asks the user to confirm a deletion. Throws unless the user agrees, and always without a terminal. */
export async function confirmDeletion(question: string): Promise<void> {
  const { stdin, stderr } = currentTerminal()
  if (!stdin.isTTY) throw new UsageError('nothing was changed: --yes is required without a terminal')
  const prompt = createInterface({ input: stdin, output: stderr })
  try {
    const answer = await prompt.question(`${printable(question)} [y/N] `)
    if (!/^y(?:es)?$/i.test(answer.trim())) throw new CommandFailure('not_confirmed', 'nothing was changed', [], {})
  } finally {
    prompt.close()
  }
}
