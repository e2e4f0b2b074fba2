import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { UsageError } from '../command.ts'
import { CommandFailure, printable } from './output.ts'
import { currentTerminal, callerPath } from './terminal.ts'

/** Asks the user to confirm a deletion. Throws unless the user agrees, and always without a terminal. */
export async function confirmDeletion(question: string): Promise<void> {
  const { stdin, stderr } = currentTerminal()
  if (!stdin.isTTY) throw new UsageError('nothing was changed: --yes is required without a terminal')
  const prompt = createInterface({ input: stdin, output: stderr })
  try {
    const reply = await prompt.question(`${printable(question)} [y/N] `)
    if (!/^y(?:es)?$/i.test(reply.trim())) throw new CommandFailure('not_confirmed', 'nothing was changed', [], {})
  } finally {
    prompt.close()
  }
}

const minLength = 12

/**
 * Reads a passphrase from the first line of a file or, without a file, from the terminal without echo. Arguments are not used, because
 * other users of the machine can see them. With `isNew`, asks twice and refuses a short passphrase.
 */
export async function readPassphrase(file: string | undefined, isNew: boolean): Promise<string> {
  const passphrase = file === undefined ? await askTwice(isNew) : ((await readFile(callerPath(file), 'utf8')).split(/\r?\n/, 1)[0] ?? '')
  if (isNew && passphrase.length < minLength) throw new UsageError(`the passphrase must have at least ${minLength} characters`)
  return passphrase
}

async function askTwice(isNew: boolean): Promise<string> {
  const passphrase = await ask('Passphrase: ')
  if (isNew && (await ask('Repeat the passphrase: ')) !== passphrase)
    throw new CommandFailure('not_confirmed', 'the passphrases do not match: nothing was written', [], {})
  return passphrase
}

async function ask(question: string): Promise<string> {
  const { stdin, stderr } = currentTerminal()
  if (!stdin.isTTY) throw new UsageError('--passphrase-file is required without a terminal')
  stderr.write(question)
  // With `terminal`, readline turns off the echo of the terminal and writes the characters to `output`, which discards them.
  const nowhere = new Writable({ write: (_, __, done) => done() })
  const prompt = createInterface({ input: stdin, output: nowhere, terminal: true })
  try {
    return await prompt.question('')
  } finally {
    prompt.close()
    stderr.write('\n')
  }
}

/** Returns the contents of a file, or for `-` of standard input. */
export const readText = (file: string): Promise<string> =>
  file === '-' ? text(currentTerminal().stdin) : readFile(callerPath(file), 'utf8')
