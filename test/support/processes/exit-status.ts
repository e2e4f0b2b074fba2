import type { ChildProcess } from 'node:child_process'

/** Resolves with the exit status of a process after its output was read, or with null if a signal ended the process. */
export function exitStatusOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
}
