import { hasCode } from '../../config/error-message.ts'

/** Returns true if a process with this id exists, whatever its owner. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}
