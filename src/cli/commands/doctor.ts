import type { ClientBase } from 'pg'
import { advisoryLocks } from '../../../prisma/advisory-locks.ts'
import { hasCode, getErrorMessage } from '../../config/error-message.ts'
import { readConfig } from '../../config/settings.ts'
import { withSession } from '../../database/connection.ts'
import { openDatabase } from '../../database/open.ts'
import type { Check, CheckProblem, Subject } from '../checks/check.ts'
import { checks } from '../checks/index.ts'
import { migrationsCheck } from '../checks/schema.ts'
import { maxRows, moreText } from '../checks/rows.ts'
import type { ProblemRows } from '../checks/rows.ts'
import { command } from '../command.ts'
import { commandLog } from '../context.ts'
import { table } from '../terminal/table.ts'
import { currentTerminal } from '../terminal/terminal.ts'

/** The timeout exceeds the time of any statement of a check, unless it waits for a lock, because checks read growing tables in ranges. */
const statementSeconds = 60

type Finding = Pick<CheckProblem, 'problem' | 'action'> & { rows?: ProblemRows | undefined }

interface CheckResult {
  check: string
  state: 'ok' | 'warning' | 'wrong' | 'repaired' | 'skipped'
  /** Faults of the service. */
  problems: Finding[]
  /** Problems that concern one customer. */
  warnings: Finding[]
}

export const doctor = command({
  name: 'doctor',
  summary: 'Check the service and its data',
  description: `Checks:

${checks.map(({ name, description }) => `  ${name.padEnd(12)}${description}`).join('\n')}

Prints what to do about each problem. Can run while the service runs; use the same settings. The exit status is 1 if a problem of the service remains. Faults of something of one customer, such as an identity provider of a team, are warnings, with which the exit status is 0.`,
  options: { repair: { description: 'repair problems that need no decision' } },
  run: async ({ options: { repair } }) => {
    const config = readConfig(currentTerminal().settings)
    const opened = await openDatabase(config, 'command', commandLog, { migrate: false })
    try {
      const { connection } = opened
      const results = await withSession(connection, async (session) => {
        await session.query(`SET statement_timeout = '${statementSeconds}s'`)
        const all: CheckResult[] = []
        for (const each of checks) {
          const isSkipped = each.needsMigrations && all.some(({ check, state }) => check === migrationsCheck.name && state === 'wrong')
          if (isSkipped) all.push({ check: each.name, state: 'skipped', problems: [], warnings: [] })
          else all.push(await runCheck({ config, session, connection }, each, repair))
        }
        return all
      })
      const rows = results.flatMap(formatResult)
      const isWrong = results.some(({ state }) => state === 'wrong')
      return { value: { data: results }, text: table(['check', 'state', 'problem', 'what to do'], rows), status: isWrong ? 1 : 0 }
    } finally {
      await opened.close()
    }
  },
})

/** Formats the lines of a check in the table: each problem, then each warning, each followed by the first rows that have it. */
function formatResult({ check, state, problems, warnings }: CheckResult): (string | null)[][] {
  if (problems.length + warnings.length === 0) return [[check, state, null, null]]
  const format = (shown: string) => (finding: Finding) => [
    [check, shown, finding.problem, finding.action],
    ...(finding.rows ? [...finding.rows.first, ...moreText(finding.rows)] : []).map((line) => [check, shown, line, null]),
  ]
  return [...problems.flatMap(format(state)), ...warnings.flatMap(format('warning'))]
}

/** Separates faults of the service from warnings, and limits both. */
function toResult(check: string, allProblems: readonly CheckProblem[], isRepaired = false): CheckResult {
  const problems = allProblems.filter(({ severity }) => severity === undefined)
  const warnings = allProblems.filter(({ severity }) => severity === 'warning')
  const state = isRepaired ? 'repaired' : problems.length > 0 ? 'wrong' : warnings.length > 0 ? 'warning' : 'ok'
  return { check, state, problems: limit(problems), warnings: limit(warnings) }
}

function limit(problems: readonly CheckProblem[]): Finding[] {
  const first = problems.slice(0, maxRows).map(({ problem, action, rows }) => ({ problem, action, rows }))
  const count = problems.length - first.length
  return count === 0 ? first : [...first, { problem: `and ${count} more`, action: 'correct the first ones, and run doctor again' }]
}

/** A check that fails, for example because a table is missing, does not end the others. */
async function runCheck(subject: Subject, check: Check, mayRepair: boolean): Promise<CheckResult> {
  try {
    const { repair } = check
    if (mayRepair && repair) return await runRepair(subject, check, repair)
    return toResult(check.name, await check.run(subject))
  } catch (error) {
    const isTimeout = hasCode(error, '57014')
    const reason = isTimeout ? `a statement took more than ${statementSeconds} s` : getErrorMessage(error)
    const action = isTimeout ? 'look for a lock or load in pg_stat_activity, and run doctor again' : 'correct the problems above first'
    return toResult(check.name, [{ problem: `the check failed: ${reason}`, action }])
  }
}

async function runRepair(subject: Subject, check: Check, repair: (session: ClientBase) => Promise<void>): Promise<CheckResult> {
  const { session } = subject
  await session.query('BEGIN')
  try {
    // Two commands that repair at the same time would both apply the same correction.
    await session.query('SELECT pg_advisory_xact_lock($1)', [advisoryLocks.doctor])
    const problems = await check.run(subject)
    if (problems.length > 0) await repair(session)
    const isRepaired = problems.length > 0 && (await check.run(subject)).length === 0
    await session.query('COMMIT')
    return toResult(check.name, problems, isRepaired)
  } catch (error) {
    await session.query('ROLLBACK')
    throw error
  }
}
