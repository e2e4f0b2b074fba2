import { queueSchema } from '../../jobs/queue.ts'
import type { Check, CheckProblem } from './check.ts'

const maxWaitMinutes = 15

export const queueCheck: Check = {
  name: 'queue',
  description: `no email has failed permanently or has waited for more than ${maxWaitMinutes} minutes`,
  async run({ session }) {
    const { rows: tables } = await session.query(`SELECT to_regclass('${queueSchema}.job') AS oid`)
    if (tables[0]?.oid === null) return []
    const { rows } = await session.query<{ failed: number; waiting: number }>(
      `SELECT count(*) FILTER (WHERE state = 'failed')::int AS failed,
         count(*) FILTER (WHERE state < 'active' AND created_on < now() - interval '${maxWaitMinutes} minutes')::int AS waiting
       FROM ${queueSchema}.job`,
    )
    const { failed = 0, waiting = 0 } = rows[0] ?? {}
    const problems: CheckProblem[] = []
    if (failed > 0) problems.push({ problem: `${countOf(failed)} failed`, action: 'see mail list --state failed, and then mail retry ID' })
    if (waiting > 0)
      problems.push({
        problem: `${countOf(waiting)} waited for more than ${maxWaitMinutes} minutes`,
        action:
          'see the errors of mail list --state pending; without errors, start the service or look for errors of the job queue in its log',
      })
    return problems
  },
}

const countOf = (emails: number) => (emails === 1 ? '1 email has' : `${emails} emails have`)
