import { readFileSync } from 'node:fs'

/** The process ids of the workers of a service, in the order of their start. */
export const workersOf = (primaryPid: number): number[] =>
  childrenOf(primaryPid).filter((pid) => readText(`/proc/${pid}/environ`).includes('NODE_UNIQUE_ID='))

/** The process ids of the children of a process. */
export const childrenOf = (pid: number): number[] => readText(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)

/** Kills a process and its children. */
export function killTree(pid: number): void {
  for (const each of [pid, ...childrenOf(pid)]) process.kill(each, 'SIGKILL')
}

/** The command line with which a process was started. */
export const commandLineOf = (pid: number): string[] => readText(`/proc/${pid}/cmdline`).split('\0')

/** The text of a file of the proc file system; empty if the process has ended. */
function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
