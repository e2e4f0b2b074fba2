import path from 'node:path'
import { afterAll, expect, inject, onTestFinished, test } from 'vitest'
import { openClient } from '../../../prisma/connection/database.ts'
import { startMain } from '../../support/processes/service-process.ts'
import { workersOf } from '../../support/faults/processes.ts'
import { createOwnedTeam } from '../../support/data/team.ts'
import { useDatabase } from '../../support/service/database.ts'
import { secretKey } from '../../support/service/test-settings.ts'
import { waitFor } from '../../support/service/wait.ts'
import { insertEvents, insertWebhook } from '../../support/webhooks/many-events.ts'
import { startReceiver } from '../../support/webhooks/receiver.ts'

const { url: databaseUrl, poolConfig } = useDatabase()
const database = openClient(poolConfig)
afterAll(database.close)

test('the webhooks of a killed worker are free at once, before its claim ends', async () => {
  // Claims that end after a day: only the primary process can release them.
  await database.pool.query(`CREATE FUNCTION claim_for_a_day() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.worker IS NOT NULL THEN NEW.worked_until := now() + interval '1 day'; END IF;
      RETURN NEW;
    END $$`)
  await database.pool.query('CREATE TRIGGER claim BEFORE UPDATE ON webhooks FOR EACH ROW EXECUTE FUNCTION claim_for_a_day()')
  const service = startMain({
    DATA_DIR: path.join(inject('runFolder'), `killed-delivery-${process.pid}`),
    DATABASE_URL: databaseUrl,
    SECRET_KEY: secretKey,
    WEB_CONCURRENCY: '2',
    OUTGOING_ALLOWED_HOSTS: '127.0.0.1',
  })
  onTestFinished(() => service.signal('SIGKILL'))
  await service.origin
  const receiver = await startReceiver((response, { event }) => void (events.push(event.id) > 1 && response.writeHead(204).end()))
  const events: string[] = []
  const { team } = await createOwnedTeam(database)
  await insertWebhook(database.pool, secretKey, team.slug, receiver.url)
  await insertEvents(database.pool, team.slug, 1)
  await waitFor(() => events.length === 1)
  const [delivering = 0] = workersOf(service.pid)
  process.kill(delivering, 'SIGKILL')
  await waitFor(() => events.length === 2)
  expect(events[1]).toBe(events[0])
})
