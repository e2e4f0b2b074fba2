import type { ClientBase } from 'pg'
import { advisoryLocks } from '../../../prisma/advisory-locks.ts'
import { messageOf } from '../../config/error-message.ts'
import { readConfig } from '../../config/settings.ts'
import { withSession } from '../../database/connection.ts'
import { openDatabase } from '../../database/open.ts'
import type { Check, Problem, Subject } from '../checks/check.ts'
import { checks } from '../checks/index.ts'
import { migrations } from '../checks/migrations.ts'
import { command } from '../command.ts'
import { commandLog } from '../context.ts'
import { table } from '../terminal/table.ts'
import { currentTerminal } from '../terminal/terminal.ts'

interface CheckResult {
  check: string
  state: 'ok' | 'wrong' | 'repaired' | 'skipped'
  problems: Problem[]
}

export const doctor = command({
  name: 'doctor',
  summary: 'Check the service and its data',
  description: `Checks:

${checks.map(({ name, description }) => `  ${name.padEnd(12)}${description}`).join('\n')}

Prints what to do about each problem. Can run while the service runs; use the same settings. The exit status is 1 if a problem remains.`,
  options: { repair: { description: 'repair problems that need no decision' } },
  run: async ({ options: { repair } }) => {
    const config = readConfig(currentTerminal().settings)
    const opened = await openDatabase(config, 'command', commandLog, { migrate: false })
    try {
      const { connection } = opened
      const results = await withSession(connection, async (session) => {
        const all: CheckResult[] = []
        for (const each of checks) {
          const isSkipped = each.needsMigrations && all.some(({ check, state }) => check === migrations.name && state === 'wrong')
          if (isSkipped) all.push({ check: each.name, state: 'skipped', problems: [] })
          else all.push(await runCheck({ config, session, connection }, each, repair))
        }
        return all
      })
      const rows = results.flatMap(({ check, state, problems }) =>
        problems.length === 0 ? [[check, state, null, null]] : problems.map(({ problem, action }) => [check, state, problem, action]),
      )
      const isWrong = results.some(({ state }) => state === 'wrong')
      return { value: { data: results }, text: table(['check', 'state', 'problem', 'what to do'], rows), status: isWrong ? 1 : 0 }
    } finally {
      await opened.close()
    }
  },
})

/** A check that fails, for example because a table is missing, does not end the others. */
async function runCheck(subject: Subject, check: Check, mayRepair: boolean): Promise<CheckResult> {
  try {
    const { repair } = check
    if (mayRepair && repair) return await runRepair(subject, check, repair)
    const problems = await check.run(subject)
    return { check: check.name, state: problems.length === 0 ? 'ok' : 'wrong', problems }
  } catch (error) {
    const problem = { problem: `the check failed: ${messageOf(error)}`, action: 'correct the problems above first' }
    return { check: check.name, state: 'wrong', problems: [problem] }
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
    return { check: check.name, state: problems.length === 0 ? 'ok' : isRepaired ? 'repaired' : 'wrong', problems }
  } catch (error) {
    await session.query('ROLLBACK')
    throw error
  }
}
