import { z } from 'zod'
import { statement } from '../../prisma/statement/statement.ts'
import type { Executor } from '../../prisma/statement/statement.ts'
import type { Outgoing } from '../core/outgoing/outgoing.ts'
import { getHost } from '../core/outgoing/url-rules.ts'
import { text } from '../core/validation.ts'

/** Maximum number of hosts that a team can allow. */
export const maxAgentHosts = 20

/** Returns the host of a host name or of the URL of a client: in lower case, and international names in ASCII. */
function parseHost(value: string): string {
  const url = URL.parse(value.includes('://') ? value : `https://${value}`)
  return url && /^https?:$/.test(url.protocol) && url.username === '' ? getHost(url) : ''
}

/** A host as the URL of a client contains it. */
export const agentHost = text
  .trim()
  .min(1, { abort: true })
  .max(255, { abort: true })
  .transform(parseHost)
  // An IP address has no letter, or colons.
  .refine((host) => /^[a-z\d.-]*[a-z][a-z\d.-]*$/.test(host), 'The :attribute field must be a host name such as app.example.com.')

export const agentHostRules = z.object({ host: agentHost })

/** Returns the rule that a host breaks, to follow "must"; null if documents of clients can be fetched from it. */
export const findBrokenHostRule = (outgoing: Outgoing, host: string): string | null => outgoing.brokenRule(`https://${host}/`)

const hostsOfTeam = statement<{ hosts: string[] }, [teamId: string]>(
  'agent_hosts_of_team',
  'SELECT to_json(agent_hosts) AS hosts FROM teams WHERE id = $1',
)

/** Returns the hosts that a team allows, by name. */
export async function readAgentHosts(executor: Executor, teamId: string): Promise<string[]> {
  const [team] = await hostsOfTeam(executor, teamId)
  return (team?.hosts ?? []).toSorted()
}
