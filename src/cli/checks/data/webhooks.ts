import type { ClientBase } from 'pg'
import { brokenUrlRule } from '../../../../schema/core/outgoing/outgoing-url.ts'
import { decryptSecret } from '../../../../schema/webhooks/secret.ts'
import { outgoingHostsOf } from '../../../config/development.ts'
import { readSecretKey, secretDeriver } from '../../../config/secret-key.ts'
import type { Config } from '../../../config/settings.ts'
import type { Check, Problem } from '../check.ts'

const maxLagMinutes = 5

interface StoredWebhook {
  id: string
  /** Null for those of all teams' events. */
  team: string | null
  url: string
  secret: Uint8Array<ArrayBuffer>
  isDisabled: boolean
  isFailing: boolean
}

/** Teams get emails about endpoints that fail. Those of the operator, and many at once, are for the operator. */
export const webhooks: Check = {
  name: 'webhooks',
  description: `events are attempted within ${maxLagMinutes} minutes, secrets and URLs of webhooks can be used, and neither many fail nor any of the operator`,
  needsMigrations: true,
  async run({ config, session }) {
    // Those that were disabled by request need nothing.
    const { rows } = await session.query<StoredWebhook>(
      `SELECT w.id, t.slug AS team, w.url, w.secret, w.disabled_at IS NOT NULL AS "isDisabled", w.failing_since IS NOT NULL AS "isFailing"
       FROM webhooks w LEFT JOIN teams t ON t.id = w.team_id
       WHERE w.disabled_reason IS DISTINCT FROM 'request' ORDER BY t.slug, w.created_at, w.id`,
    )
    const enabled = rows.filter(({ isDisabled }) => !isDisabled)
    return [
      ...(await lagOf(session)),
      ...rows.filter(({ team }) => team === null).flatMap(failing),
      ...failingTogether(enabled),
      ...unreadableSecrets(config, enabled),
      // `outgoing` checks those of the operator.
      ...refusedUrls(
        config,
        enabled.filter(({ team }) => team !== null),
      ),
    ]
  },
}

async function lagOf(session: ClientBase): Promise<Problem[]> {
  // Imported on demand: it needs the schema.
  const { lag } = await import('../../../../schema/webhooks/lag.ts')
  const { rows } = await session.query<{ seconds: number }>(lag.text, [...lag.values])
  const minutes = Math.floor((rows[0]?.seconds ?? 0) / 60)
  if (minutes < maxLagMinutes) return []
  const problem = `an event has waited ${minutes} minutes for its first delivery`
  return [{ problem, action: 'start the service, which delivers it, or look for "delivering events failed" in its log' }]
}

const nameOf = ({ id, team, url }: StoredWebhook) => `the webhook ${id} of ${team === null ? 'all teams’ events' : `team ${team}`} (${url})`

function failing(webhook: StoredWebhook): Problem[] {
  const { id, isDisabled, isFailing } = webhook
  if (isDisabled)
    return [{ problem: `${nameOf(webhook)} was disabled`, action: `see webhook show ${id}, and then webhook update ${id} --enable` }]
  return isFailing ? [{ problem: `${nameOf(webhook)} fails`, action: `see the errors of webhook show ${id}` }] : []
}

function failingTogether(enabled: readonly StoredWebhook[]): Problem[] {
  const count = enabled.filter(({ isFailing }) => isFailing).length
  if (count <= 3 || count * 4 <= enabled.length) return []
  return [{ problem: `${count} of ${enabled.length} webhooks fail`, action: 'check that this machine may connect to public addresses' }]
}

function unreadableSecrets(config: Config, enabled: readonly StoredWebhook[]): Problem[] {
  const secretKey = config.secretKey ?? readSecretKey(config.dataDir)
  // The check of the signing keys reports its absence.
  if (secretKey === undefined) return []
  const ports = { deriveSecret: secretDeriver(secretKey, config.secretKeyPrevious) }
  const [first, ...others] = enabled.filter(({ id, secret }) => decryptSecret(ports, secret, id) === null)
  if (!first) return []
  const problem = `the secret of ${nameOf(first)}${others.length > 0 ? ` and ${others.length} more` : ''} cannot be decrypted`
  return [
    { problem, action: `set the SECRET_KEY of the service, or its SECRET_KEY_PREVIOUS; if it is lost, webhook rotate-secret ${first.id}` },
  ]
}

function refusedUrls(config: Config, enabled: readonly StoredWebhook[]): Problem[] {
  const allowedHosts = new Set(outgoingHostsOf(config))
  return enabled.flatMap((webhook) => {
    const rule = brokenUrlRule(webhook.url, allowedHosts)
    if (rule === null) return []
    return [
      { problem: `${nameOf(webhook)} is refused: its URL must ${rule}`, action: 'add the host to OUTGOING_ALLOWED_HOSTS if it is yours' },
    ]
  })
}
