import type { ClientBase } from 'pg'
import { advisoryLocks } from '../../../prisma/advisory-locks.ts'
import { readConfig } from '../../config/settings.ts'
import { withSession } from '../../database/connection.ts'
import { openDatabase } from '../../database/open.ts'
import type { Check } from '../checks/check.ts'
import { checks } from '../checks/index.ts'
import { command } from '../command.ts'
import { commandLog } from '../context.ts'
import { table } from '../output.ts'
import { currentTerminal } from '../terminal.ts'

interface CheckResult {
  check: string
  state: 'ok' | 'wrong' | 'repaired'
  problems: string[]
}

export const doctor = command({
  name: 'doctor',
  summary: 'Check the stored data, and repair what is wrong',
  description: `Checks:

${checks.map(({ name, description }) => `  ${name.padEnd(8)}${description}`).join('\n')}

Can be used while the service runs. The exit status is 1 if something is wrong and was not repaired.`,
  options: { repair: { description: 'repair what is wrong' } },
  run: async ({ options: { repair } }) => {
    const opened = await openDatabase(readConfig(currentTerminal().settings), 'command', commandLog)
    try {
      const results = await withSession(opened.poolConfig, async (session) => {
        const all: CheckResult[] = []
        for (const check of checks) all.push(await runCheck(session, check, repair))
        return all
      })
      const rows = results.flatMap(({ check, state, problems }) =>
        problems.length === 0 ? [[check, state, null]] : problems.map((problem) => [check, state, problem]),
      )
      const isWrong = results.some(({ state }) => state === 'wrong')
      return { value: { data: results }, text: table(['check', 'state', 'problem'], rows), status: isWrong ? 1 : 0 }
    } finally {
      await opened.close()
    }
  },
})

async function runCheck(session: ClientBase, check: Check, mayRepair: boolean): Promise<CheckResult> {
  await session.query('BEGIN')
  // Two that repair at the same time would both correct the same difference.
  await session.query('SELECT pg_advisory_xact_lock($1)', [advisoryLocks.doctor])
  const problems = await check.run(session)
  const repairs = mayRepair && problems.length > 0 && check.repair !== undefined
  if (repairs) await check.repair?.(session)
  const isRepaired = repairs && (await check.run(session)).length === 0
  await session.query('COMMIT')
  return { check: check.name, state: problems.length === 0 ? 'ok' : isRepaired ? 'repaired' : 'wrong', problems }
}
