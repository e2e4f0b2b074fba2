import type { ClientBase } from 'pg'

/** A rule that the stored data follows, which `doctor` checks. It runs in its own transaction while the service works. */
export interface Check {
  /** Its name in the output. */
  name: string
  /** For the help of the command. */
  description: string
  /** Returns one line for each violation. */
  run(session: ClientBase): Promise<string[]>
  /** Corrects what `run` finds. Absent if that is not possible without a decision. */
  repair?(session: ClientBase): Promise<void>
}
