import { promisify } from 'node:util'
import type { ClientBase } from 'pg'
import { brokenUrlRule, getHost } from '../../../schema/core/outgoing/url-rules.ts'
import { getErrorMessage } from '../../config/error-message.ts'
import { listOutgoingHosts } from '../../config/development.ts'
import { createLookup } from '../../outgoing/lookup.ts'
import type { Check, CheckProblem } from './check.ts'
import { collectRows, formatCount } from './rows.ts'

/** Maximum number of teams' client URLs that are looked up, so that the check does not grow with the number of teams. */
const maxTeamUrls = 100

export const outgoingCheck: Check = {
  name: 'outgoing',
  description: 'the service may call every URL of back-channel logout, of clients’ keys, and of webhooks of all teams’ events',
  needsMigrations: true,
  async run({ config, session }) {
    const allowedHosts = new Set(listOutgoingHosts(config))
    const lookup = promisify(createLookup({ allowedHosts, dnsServers: config.dnsServers }))
    const findFault = async (url: string): Promise<string[]> => {
      const rule = brokenUrlRule(url, allowedHosts)
      const reason =
        rule === null ? await lookup(getHost(new URL(url)), { all: true }).then(() => null, getErrorMessage) : `it must ${rule}`
      return reason === null ? [] : [`${url} cannot be called: ${reason}`]
    }
    const findFaults = async (urls: readonly string[]) => {
      const { rows, add } = collectRows()
      for (const lines of await Promise.all(urls.map(findFault))) add(lines)
      return rows
    }
    const ofOperator = await findFaults(await readOperatorUrls(session))
    const ofTeams = await findFaults(await readTeamUrls(session))
    const findProblem = (rows: typeof ofTeams, owner: string): CheckProblem => ({
      problem: `${formatCount(rows.count, 'URL', 'URLs')} of ${owner} cannot be called`,
      action: 'add the host to OUTGOING_ALLOWED_HOSTS if it is yours',
      rows,
    })
    return [
      ...(ofOperator.count === 0 ? [] : [findProblem(ofOperator, 'the operator')]),
      ...(ofTeams.count === 0 ? [] : [{ ...findProblem(ofTeams, 'clients of teams'), severity: 'warning' as const }]),
    ]
  },
}

async function readOperatorUrls(session: ClientBase): Promise<string[]> {
  const { rows } = await session.query<{ url: string }>(
    `SELECT backchannel_logout_uri AS url FROM oauth_clients WHERE owner_team_id IS NULL AND backchannel_logout_uri IS NOT NULL
     UNION SELECT jwks_uri FROM oauth_clients WHERE owner_team_id IS NULL AND jwks_uri IS NOT NULL
     UNION SELECT url FROM webhooks WHERE team_id IS NULL AND disabled_at IS NULL ORDER BY 1`,
  )
  return rows.map(({ url }) => url)
}

/** Reads the URLs of the teams' clients that were changed last. */
async function readTeamUrls(session: ClientBase): Promise<string[]> {
  const { rows } = await session.query<{ url: string }>(
    `SELECT url FROM oauth_clients c CROSS JOIN LATERAL unnest(ARRAY[c.backchannel_logout_uri, c.jwks_uri]) AS url
     WHERE c.owner_team_id IS NOT NULL AND url IS NOT NULL GROUP BY url ORDER BY max(c.updated_at) DESC, url LIMIT ${maxTeamUrls}`,
  )
  return rows.map(({ url }) => url)
}
