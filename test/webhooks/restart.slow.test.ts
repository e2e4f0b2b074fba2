import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { secretDeriver } from '../../src/config/secret-key.ts'
import { createWebhookDeliveries } from '../../src/webhooks/deliveries.ts'
import { addManyEntries } from '../support/data/large/many-entries.ts'
import { openWithPlans } from '../support/postgres/plans.ts'
import { secretKey } from '../support/service/test-settings.ts'
import { useService } from '../support/service/service.ts'
import { startReceiver } from '../support/webhooks/receiver.ts'
import { deliveriesOf, hookedTeam } from '../support/webhooks/webhook.ts'

const service = useService()
const first = deliveriesOf(service)
afterAll(() => first.close())

const idleWebhooks = 300
beforeAll(
  () => addManyEntries(service.databaseUrl, { teams: 10_000, webhooks: idleWebhooks, entries: 600_000, transactions: 3000 }),
  300_000,
)

describe('a process that starts where webhooks of idle teams have old positions, among 600,000 entries of other teams', () => {
  test.each(['force_custom_plan', 'force_generic_plan'] as const)(
    'delivers what happened meanwhile, and reads a few entries for each webhook with %s',
    async (mode) => {
      const receiver = await startReceiver()
      const { rename, id } = await hookedTeam(service, receiver.url)
      await rename()
      await service.database.prisma.webhook.update({ where: { id }, data: { positionAt: new Date(0) } })
      const { database, plans } = openWithPlans(service.databaseUrl, mode)
      const errors: unknown[] = []
      const deliveries = createWebhookDeliveries({
        ...service,
        worker: randomUUID(),
        database,
        now: service.clock.now,
        deriveSecret: secretDeriver(secretKey),
        report: (error) => errors.push(error),
      })
      await deliveries.run()
      await deliveries.close()
      await database.close()
      expect([receiver.received.length, errors]).toEqual([1, []])
      expect(plans.filter(({ text }) => text.includes('audit_entries')).length).toBeGreaterThan(2)
      expect(plans.filter(({ tablesScanned }) => tablesScanned.includes('audit_entries') || tablesScanned.includes('webhooks'))).toEqual([])
      expect(plans.filter(({ rowsRead }) => rowsRead > 10 * idleWebhooks)).toEqual([])
    },
  )
})
