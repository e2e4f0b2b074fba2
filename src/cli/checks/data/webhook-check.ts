import type { ClientBase } from 'pg'
import { brokenUrlRule } from '../../../../schema/core/outgoing/url-rules.ts'
import { decryptSecret } from '../../../../schema/webhooks/secret.ts'
import { listOutgoingHosts } from '../../../config/development.ts'
import { readSecretKey, secretDeriver } from '../../../config/secret-key.ts'
import type { Config } from '../../../config/settings.ts'
import type { Check, CheckProblem } from '../check.ts'
import { collectRows, formatCount } from '../rows.ts'
import { readIdRanges } from './id-ranges.ts'
import type { IdRange } from './id-ranges.ts'

const maxLagMinutes = 5

/** Number of webhooks that one statement reads. */
const webhooksAtOnce = 1000

interface StoredWebhook {
  id: string
  /** Slug of the team; null for a webhook for the events of all teams. */
  team: string | null
  url: string
  secret: Uint8Array<ArrayBuffer>
  isDisabled: boolean
  isFailing: boolean
}

/** Teams get emails about failing endpoints. The check reports those of the operator, and many at once. */
export const webhooksCheck: Check = {
  name: 'webhooks',
  description: `events are attempted within ${maxLagMinutes} minutes, secrets and URLs of webhooks can be used, and neither many fail nor any of the operator`,
  needsMigrations: true,
  async run({ config, session }) {
    const canDecrypt = secretReader(config)
    const allowedHosts = new Set(listOutgoingHosts(config))
    const [unreadable, refused] = [collectRows(), collectRows()]
    const problems: CheckProblem[] = []
    let [enabledCount, failingCount, lagSeconds] = [0, 0, 0]
    for await (const range of readIdRanges(session, 'webhooks', webhooksAtOnce)) {
      lagSeconds = Math.max(lagSeconds, await readLagSeconds(session, range))
      for (const webhook of await readWebhooks(session, range)) {
        if (webhook.team === null) problems.push(...failing(webhook))
        if (webhook.isDisabled) continue
        enabledCount++
        if (webhook.isFailing) failingCount++
        if (!canDecrypt(webhook)) unreadable.add([getName(webhook)])
        // `outgoing` checks the URLs of the operator.
        const rule = webhook.team === null ? null : brokenUrlRule(webhook.url, allowedHosts)
        if (rule !== null) refused.add([`${getName(webhook)}: its URL must ${rule}`])
      }
    }
    return [
      ...lagging(lagSeconds),
      ...problems,
      ...failingTogether(failingCount, enabledCount),
      ...rowsProblem(unreadable.rows, {
        problem: `the ${unreadable.rows.count === 1 ? 'secret' : 'secrets'} of ${formatCount(unreadable.rows.count, 'webhook', 'webhooks')} cannot be decrypted`,
        action: 'set the SECRET_KEY of the service, or its SECRET_KEY_PREVIOUS; if it is lost, run webhook rotate-secret ID',
      }),
      ...rowsProblem(refused.rows, {
        severity: 'warning',
        problem: `${formatCount(refused.rows.count, 'webhook is', 'webhooks are')} refused because of the URL`,
        action: 'add the host to OUTGOING_ALLOWED_HOSTS if it is yours',
      }),
    ]
  },
}

const rowsProblem = (rows: CheckProblem['rows'] & object, problem: CheckProblem): CheckProblem[] =>
  rows.count === 0 ? [] : [{ ...problem, rows }]

/** Reads the webhooks of a range, without those that were disabled by request. */
async function readWebhooks(session: ClientBase, range: IdRange): Promise<StoredWebhook[]> {
  const { rows } = await session.query<StoredWebhook>(
    `SELECT w.id, t.slug AS team, w.url, w.secret, w.disabled_at IS NOT NULL AS "isDisabled", w.failing_since IS NOT NULL AS "isFailing"
     FROM webhooks w LEFT JOIN teams t ON t.id = w.team_id
     WHERE w.id > $1 AND w.id <= $2 AND w.disabled_reason IS DISTINCT FROM 'request' ORDER BY t.slug, w.created_at, w.id`,
    [...range],
  )
  return rows
}

async function readLagSeconds(session: ClientBase, range: IdRange): Promise<number> {
  // This module is imported on demand, because it needs the schema.
  const { readLag } = await import('../../../../schema/webhooks/lag.ts')
  const { rows } = await session.query<{ seconds: number }>(readLag(...range))
  return rows[0]?.seconds ?? 0
}

function lagging(seconds: number): CheckProblem[] {
  const minutes = Math.floor(seconds / 60)
  if (minutes < maxLagMinutes) return []
  const problem = `an event has waited ${minutes} minutes for its first delivery`
  return [{ problem, action: 'start the service, which delivers it, or look for "delivering events failed" in its log' }]
}

const getName = ({ id, team, url }: StoredWebhook) =>
  `the webhook ${id} of ${team === null ? 'all teams’ events' : `team ${team}`} (${url})`

function failing(webhook: StoredWebhook): CheckProblem[] {
  const { id, isDisabled, isFailing } = webhook
  if (isDisabled)
    return [{ problem: `${getName(webhook)} was disabled`, action: `see webhook show ${id}, and then webhook update ${id} --enable` }]
  return isFailing ? [{ problem: `${getName(webhook)} fails`, action: `see the errors of webhook show ${id}` }] : []
}

function failingTogether(count: number, enabledCount: number): CheckProblem[] {
  if (count <= 3 || count * 4 <= enabledCount) return []
  return [{ problem: `${count} of ${enabledCount} webhooks fail`, action: 'check that this machine may connect to public addresses' }]
}

/** Returns a function that tests if a secret can be decrypted. Without a SECRET_KEY, which another check reports, all can. */
function secretReader(config: Config): (webhook: StoredWebhook) => boolean {
  const secretKey = config.secretKey ?? readSecretKey(config.dataDir)
  if (secretKey === undefined) return () => true
  const ports = { deriveSecret: secretDeriver(secretKey, config.secretKeyPrevious) }
  return ({ id, secret }) => decryptSecret(ports, secret, id) !== null
}
