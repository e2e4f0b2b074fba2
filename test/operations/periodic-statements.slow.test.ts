import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { projectFolder } from '../../schema/core/project-folder.ts'
import { seedSite } from '../support/account-site/seed.ts'
import { makeRowsDue } from '../support/data/large/due-rows.ts'
import { fillLargeTables, isScalingSize } from '../support/data/large/large-tables.ts'
import { openWithPlans, printSlowest } from '../support/postgres/plans.ts'
import type { ExecutedPlan } from '../support/postgres/plans.ts'
import { addQueuedJob, executePeriodicWork } from '../support/service/periodic-work.ts'
import { useService } from '../support/service/service.ts'
import { startReceiver } from '../support/webhooks/receiver.ts'
import { createWebhook, hookedTeam } from '../support/webhooks/webhook.ts'

/** Rows that a statement may read: a job handles up to a thousand at once, and reads some more to find them. */
const maxRows = 5000

const service = useService()
const { pool } = service.database
let growing: string[]
let empty: string[]

beforeAll(async () => {
  for (const name of ['Ada', 'Grace', 'Joan']) await seedSite(service, name)
  await addQueuedJob(service.databaseUrl)
  ;({ growing, empty } = await fillLargeTables(service))
}, 3_600_000)

/** A webhook of a team and one of all teams that have events to deliver, and a row of each kind that a job looks for. */
async function addWork() {
  const { rename, team } = await hookedTeam(service, (await startReceiver()).url)
  await rename()
  const { id } = await createWebhook(service, null, 'https://example.com', ['member.joined'])
  await pool.query(
    `UPDATE webhooks SET position_at = '2000-01-01', events_since = '2000-01-01', position_transaction_id = (
       SELECT transaction_id FROM audit_entries ORDER BY transaction_id DESC OFFSET 10000 LIMIT 1) WHERE id = $1`,
    [id],
  )
  await makeRowsDue(service.databaseUrl)
  return team
}

const isScan = ({ tablesScanned }: ExecutedPlan) => growing.some((name) => tablesScanned.includes(name.replace('pgboss.', '')))

test('each table that grows has rows', () => {
  expect(empty).toEqual([])
})

describe('what the service executes again and again', () => {
  test.each(['force_custom_plan', 'force_generic_plan'] as const)(
    'reads no large table as a whole, and few rows, with %s',
    async (mode) => {
      const team = await addWork()
      const { database, url, plans } = openWithPlans(service.databaseUrl, mode)
      const errors: unknown[] = []
      await executePeriodicWork({ service, database, url, teamId: team.id, report: (error) => errors.push(error) })
      await database.close()
      if (isScalingSize) printSlowest(plans)
      expect([errors, service.logged]).toEqual([[], []])
      expect(new Set(plans.map(({ text }) => text)).size).toBeGreaterThan(80)
      expect(plans.filter((plan) => isScan(plan) || plan.rowsRead > maxRows)).toEqual([])
      // The erasure of an account, which runs in batches, reads few rows in all of them together.
      const erasing = plans.filter(({ text }) => text.includes('person."user_id"'))
      expect(erasing.length).toBeGreaterThan(3)
      expect(erasing.reduce((sum, { rowsRead }) => sum + rowsRead, 0)).toBeLessThan(maxRows)
    },
  )
})

/** The files whose timers execute statements, each of which `executePeriodicWork` executes. */
const executed = [
  'src/auth/delayed-writes/delayed-write.ts',
  'src/auth/request-counts.ts',
  'src/database/clock.ts',
  'src/database/team-changes.ts',
  'src/http/health.ts',
  'src/jobs/every-minute.ts',
  'src/metrics/stored-state.ts',
  'src/oidc/keyring.ts',
  'src/oidc/token/delivery-log.ts',
  'src/webhooks/deliveries.ts',
  'src/webhooks/delivery-recorder.ts',
]
/** The files whose timers execute none but those of a request or of a start. */
const others = [
  'prisma/connection/lease.ts',
  'prisma/connection/pg-client.ts',
  'prisma/connection/replica.ts',
  'prisma/statement/repeat-on-conflict.ts',
  'prisma/statement/transaction.ts',
  'schema/events/event-subscription.ts',
  'src/account-site/webhooks/deliveries/delivery.tsx',
  'src/cli/commands/webhooks/event-feed.ts',
  'src/database/build-indexes.ts',
  'src/database/embedded/embedded-postgres.ts',
  'src/database/embedded/postmaster.ts',
  'src/database/embedded/supervisor.ts',
  'src/database/apply-migrations.ts',
  'src/database/schema-engine.ts',
  'src/database/until-available.ts',
  'src/graphql/subscription.ts',
  'src/http/logging/log-destination.ts',
  'src/http/parse-errors.ts',
  'src/http/server.ts',
  'src/http/slow-body.ts',
  'src/http/starting.ts',
  'src/metrics/read-workers.ts',
  'src/processes/process-output.ts',
  'src/processes/stop-limit.ts',
  'src/processes/workers.ts',
  'src/service/serve.ts',
  'src/service/worker.ts',
]

test('each file with a timer is one whose statements are executed above, or executes none', () => {
  const files = globSync('{src,schema,prisma}/**/*.{ts,tsx}', { cwd: projectFolder }).filter((file) => !file.includes('/generated/'))
  const timer = /\bset(?:Timeout|Interval)(?:\(| as )/
  const found = files.filter((file) => timer.test(readFileSync(path.join(projectFolder, file), 'utf8')))
  expect(found.toSorted()).toEqual([...executed, ...others].toSorted())
})
