import type pg from 'pg'
import type { Config } from '../../config/settings.ts'
import type { Connection } from '../../database/connection.ts'
import type { Rows } from './rows.ts'

export interface Problem {
  problem: string
  /** What the operator can do about it. */
  action: string
  /**
   * A warning is about something of one customer, such as an identity provider of a team: the service itself works, and the exit status stays
   * 0. Without a severity, the problem is a fault of the service.
   */
  severity?: 'warning'
  /** What has the problem, if that can be many. */
  rows?: Rows
}

/** What a check can read. */
export interface Subject {
  config: Config
  session: pg.ClientBase
  /** For functions that open connections of their own. */
  connection: Connection
}

/** Something that must hold for the service to work well, which `doctor` checks while the service runs. */
export interface Check {
  /** Its name in the output. */
  name: string
  /** For the help of the command. */
  description: string
  /** Whether it is skipped while the migrations are wrong: then its problems, and what it suggests, would be those of another schema. */
  needsMigrations?: boolean
  /** A table that grows is read in ranges (id-ranges.ts), so that neither a statement nor the memory grows with it. */
  run(subject: Subject): Promise<Problem[]>
  /** Repairs the problems that `run` finds, in the same transaction. Absent if a repair needs a decision by the operator. */
  repair?(session: pg.ClientBase): Promise<void>
}
