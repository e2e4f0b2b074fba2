import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { callerPath, currentTerminal } from './terminal.ts'

/** Returns the contents of a file, or for `-` of standard input. */
export const readText = (file: string): Promise<string> =>
  file === '-' ? text(currentTerminal().stdin) : readFile(callerPath(file), 'utf8')
