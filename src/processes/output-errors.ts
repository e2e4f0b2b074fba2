/**
 * Keeps the process running when its own text cannot be written, because the reader has closed the pipe, the terminal is closed or the
 * disk is full. Without a listener, such an error ends the process.
 */
export function ignoreOutputErrors(): void {
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {})
}
