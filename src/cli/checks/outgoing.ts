import { promisify } from 'node:util'
import { brokenUrlRule, hostOf } from '../../../schema/core/outgoing/outgoing-url.ts'
import { messageOf } from '../../config/error-message.ts'
import { outgoingHostsOf } from '../../config/development.ts'
import { createLookup } from '../../outgoing/lookup.ts'
import type { Check } from './check.ts'

export const outgoing: Check = {
  name: 'outgoing',
  description: 'the service may call every URL of back-channel logout, of clients’ keys, and of webhooks of all teams’ events',
  needsMigrations: true,
  async run({ config, session }) {
    const allowedHosts = new Set(outgoingHostsOf(config))
    const lookup = promisify(createLookup({ allowedHosts, dnsServers: config.dnsServers }))
    const { rows } = await session.query<{ url: string }>(
      `SELECT backchannel_logout_uri AS url FROM oauth_clients WHERE backchannel_logout_uri IS NOT NULL
       UNION SELECT jwks_uri FROM oauth_clients WHERE jwks_uri IS NOT NULL
       UNION SELECT url FROM webhooks WHERE team_id IS NULL AND disabled_at IS NULL ORDER BY 1`,
    )
    const problems = rows.map(async ({ url }) => {
      const host = hostOf(new URL(url))
      const rule = brokenUrlRule(url, allowedHosts)
      const reason = rule === null ? await lookup(host, { all: true }).then(() => null, messageOf) : `it must ${rule}`
      if (reason === null) return []
      return [{ problem: `${url} cannot be called: ${reason}`, action: `add ${host} to OUTGOING_ALLOWED_HOSTS if it is yours` }]
    })
    return (await Promise.all(problems)).flat()
  },
}
