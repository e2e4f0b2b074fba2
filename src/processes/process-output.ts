import { setTimeout as pause } from 'node:timers/promises'

const outputs = [process.stdout, process.stderr]
/** Time that a slow reader has to read the waiting text. */
const exitMilliseconds = 500

/**
 * Ignores errors of the output, because the reader has closed the pipe, the terminal is closed or the disk is full. Without a listener,
 * such an error ends the process.
 */
export function ignoreOutputErrors(): void {
  for (const output of outputs) output.on('error', () => {})
}

/** Ends the process with its exit status. Text in a pipe without a reader would otherwise keep it running for ever. */
export async function exit(): Promise<never> {
  const written = outputs.map((output) => new Promise<void>((resolve) => output.write('', () => resolve())))
  await Promise.race([Promise.all(written), pause(exitMilliseconds)])
  process.exit()
}
