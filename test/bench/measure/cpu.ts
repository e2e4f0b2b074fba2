import { readFileSync } from 'node:fs'
import { hasCode } from '../../../src/config/error-message.ts'

// Linux reports CPU times in ticks of 10 ms (USER_HZ), on every architecture that Node supports.
const ticksPerSecond = 100

/** Returns the CPU time that a process and its threads have used, in seconds of user and system time; 0 if it has ended. */
export function cpuSeconds(pid: number): number {
  const stat = readProcessFile(pid, 'stat')
  // The fields follow the name, which may contain spaces. utime and stime are the fields 14 and 15 (proc_pid_stat(5)).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / ticksPerSecond
}

/** Returns the resident memory of a process in MB. */
export function residentMegabytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readProcessFile(pid, 'status'))?.[1] ?? 0) / 1000
}

function readProcessFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ESRCH')) return ''
    throw error
  }
}
