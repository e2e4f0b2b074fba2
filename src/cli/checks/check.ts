import type pg from 'pg'
import type { Config } from '../../config/settings.ts'
import type { Connection } from '../../database/connection.ts'
import type { ProblemRows } from './rows.ts'

export interface CheckProblem {
  problem: string
  /** Action by which the operator can solve the problem. */
  action: string
  /**
   * A warning concerns one customer, such as an identity provider of a team: the service itself works, and the exit status stays 0. Without
   * a severity, the problem is a fault of the service.
   */
  severity?: 'warning'
  /** Objects that have the problem, if there can be many. */
  rows?: ProblemRows
}

/** Resources that a check can read. */
export interface Subject {
  config: Config
  session: pg.ClientBase
  /** Connection settings for functions that open their own connections. */
  connection: Connection
}

/** A condition for the correct operation of the service, which `doctor` checks while the service runs. */
export interface Check {
  /** Name of the check in the output. */
  name: string
  /** Description in the help of the command. */
  description: string
  /** True if the check is skipped while the migrations are wrong, because its problems and advice would be those of another schema. */
  needsMigrations?: boolean
  /** Runs the check. It reads growing tables in ranges (id-ranges.ts), so that neither a statement nor the memory grows with them. */
  run(subject: Subject): Promise<CheckProblem[]>
  /** Repairs the problems that `run` finds, in the same transaction. Absent if a repair needs a decision by the operator. */
  repair?(session: pg.ClientBase): Promise<void>
}
