import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createOwnedTeam } from '../support/data/team.ts'
import { startWrites } from '../support/faults/write-load.ts'
import { usePair } from '../support/processes/service-pair.ts'
import { repetitions } from '../support/service/full.ts'
import { waitFor } from '../support/service/wait.ts'
import { startReceiver } from '../support/webhooks/receiver.ts'
import { createWebhook } from '../support/webhooks/webhook.ts'

const pair = usePair({ OUTGOING_ALLOWED_HOSTS: '127.0.0.1', RATE_LIMIT_API: '0' })
const { database } = pair
const operatorParts = { database, clock: { now: () => new Date(), advance: () => {} }, mails: [] }

const kills = repetitions({ short: 2, full: 10 })
const changes = repetitions({ short: 600, full: 20_000 })

/** A team whose name can be changed, which is an event. */
async function createRenamedTeam() {
  const { team, token } = await createOwnedTeam(database)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const rename = (name: string) =>
    fetch(`${pair.url}/api/v1/teams/${team.slug}`, { method: 'PATCH', headers, body: JSON.stringify({ name }) }).catch(() => null)
  return { team, rename }
}

/** The entries of a team that have no attempt before the position of a webhook. */
async function passedUnattempted(id: string): Promise<number> {
  const { rows } = await database.pool.query(
    `SELECT count(*)::int AS count FROM webhooks w JOIN audit_entries e ON e.team_id = w.team_id AND e.at >= w.events_since
     WHERE w.id = $1 AND e.action = 'updateTeam'
       AND (e.transaction_id, e.at, e.id) <= (w.position_transaction_id, w.position_at, w.position_id)
       AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.entry_id = e.id)`,
    [id],
  )
  return rows[0].count
}

describe('deliveries while processes are killed', () => {
  test(
    `lose none of ${changes} changes, repeat each at most once for a kill, and no position passes what was not attempted`,
    { timeout: 900_000 },
    async () => {
      const { team, rename } = await createRenamedTeam()
      const receivers = await Promise.all([startReceiver(), startReceiver(), startReceiver()])
      const ids: string[] = []
      for (const { url } of receivers) ids.push((await createWebhook(operatorParts, team, url)).id)
      const writes = startWrites(rename, { clients: 16 })
      for (let kill = 1; kill <= kills; kill++) {
        await waitFor(() => writes.acknowledged.size >= (changes / (kills + 1)) * kill, 300)
        await pair.replace(kill % 2 === 0 ? 0 : 1)
        for (const id of ids) expect(await passedUnattempted(id)).toBe(0)
      }
      await waitFor(() => writes.acknowledged.size >= changes, 300)
      await writes.stop()
      const entries = await database.prisma.auditEntry.findMany({ where: { teamId: team.id, action: 'updateTeam' }, select: { id: true } })
      for (const { received } of receivers) {
        const counts = () => Map.groupBy(received, ({ event }) => event.id)
        await waitFor(() => counts().size === entries.length, 120)
        expect(new Set(counts().keys())).toEqual(new Set(entries.map(({ id }) => id)))
        expect(Math.max(...Array.from(counts().values(), ({ length }) => length))).toBeLessThanOrEqual(1 + kills)
        // What was on its way to the endpoint when its process was killed: at most eight requests.
        expect(received.length - counts().size).toBeLessThanOrEqual(8 * kills)
      }
      for (const id of ids) expect(await passedUnattempted(id)).toBe(0)
    },
  )

  /** How many of a backlog of changes arrive if the process that delivers them is killed in between. */
  async function arrivalsOfBacklog(): Promise<{ sent: number; arrived: number }> {
    const { team, rename } = await createRenamedTeam()
    const receiver = await startReceiver((response) => void delay(40).then(() => response.writeHead(204).end()))
    const { id } = await createWebhook(operatorParts, team, receiver.url)
    await database.pool.query(`UPDATE webhooks SET disabled_at = now() WHERE id = $1`, [id])
    const sent = 400
    for (let count = 0; count < sent; count += 20)
      await Promise.all(Array.from({ length: 20 }, (_, index) => rename(`Name ${count + index}`)))
    await database.pool.query(`UPDATE webhooks SET disabled_at = NULL, worked_until = now() - interval '1 second' WHERE id = $1`, [id])
    await waitFor(() => receiver.received.length >= 50)
    await Promise.all([pair.replace(0), pair.replace(1)])
    const arrived = () => new Set(receiver.received.map(({ event }) => event.id)).size
    // Until a lease has ended and nothing more arrives.
    for (let last = -1; last !== arrived() && arrived() < sent; await delay(5000)) last = arrived()
    return { sent, arrived: arrived() }
  }

  test('continue with a backlog that a killed process had begun', { timeout: 200_000 }, async () => {
    const { sent, arrived } = await arrivalsOfBacklog()
    expect(arrived).toBe(sent)
  })

  test('would lose events if the position moved before the attempts', { timeout: 200_000 }, async () => {
    // The control: as soon as a process claims a webhook, its position is at the present, and it never moves back.
    await database.pool.query(`CREATE FUNCTION advance_first() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        UPDATE webhooks SET position_transaction_id = (pg_snapshot_xmin(pg_current_snapshot())::text::bigint - 1)::text::xid8 WHERE id = NEW.id;
        RETURN NULL;
      END $$`)
    await database.pool.query(`CREATE FUNCTION never_back() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW.position_transaction_id < OLD.position_transaction_id THEN NEW.position_transaction_id := OLD.position_transaction_id; END IF;
        RETURN NEW;
      END $$`)
    await database.pool.query(`CREATE TRIGGER advance_first AFTER UPDATE ON webhooks FOR EACH ROW
      WHEN (NEW.worker IS NOT NULL AND OLD.worker IS DISTINCT FROM NEW.worker) EXECUTE FUNCTION advance_first()`)
    await database.pool.query(`CREATE TRIGGER never_back BEFORE UPDATE ON webhooks FOR EACH ROW EXECUTE FUNCTION never_back()`)
    const { sent, arrived } = await arrivalsOfBacklog()
    expect(arrived).toBeGreaterThanOrEqual(50)
    expect(arrived).toBeLessThan(sent)
  })
})
