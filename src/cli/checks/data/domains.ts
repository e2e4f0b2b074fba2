import { createConfiguredRequests } from '../../../outgoing/configured-requests.ts'
import type { Check } from '../check.ts'
import { collectRows, countOf } from '../rows.ts'

/** Maximum number of domains that are looked up, so that the check ends when no name server responds. */
const maxDomains = 20

/** The name servers of one domain can fail. If most do not respond, the name servers of this machine are at fault. */
export const domainsCheck: Check = {
  name: 'domains',
  description: 'the records of most verified domains can be looked up',
  needsMigrations: true,
  async run({ config, session }) {
    const { rows } = await session.query<{ domain: string; value: string }>(
      `SELECT d.domain, d.value FROM team_domains d JOIN teams t ON t.id = d.team_id AND t.deleted_at IS NULL
       WHERE d.verified_at IS NOT NULL ORDER BY d.checked_at DESC NULLS LAST, d.domain LIMIT ${maxDomains}`,
    )
    if (rows.length === 0) return []
    // This module is imported on demand, because it needs the schema.
    const { checkRecord } = await import('../../../../schema/domains/check.ts')
    const outgoing = createConfiguredRequests(config)
    const checks = await Promise.all(rows.map((row) => checkRecord({ outgoing }, row))).finally(outgoing.close)
    const { rows: failed, add } = collectRows()
    for (const check of checks) if (check.state === 'unknown') add([check.problem])
    if (failed.count === 0) return []
    if (rows.length > 1 && failed.count * 2 > rows.length) {
      const problem = `${failed.count} of ${rows.length} verified domains cannot be looked up`
      return [{ problem, action: 'check the name servers of this machine or of DNS_SERVERS, and the firewall', rows: failed }]
    }
    const problem = `${countOf(failed.count, 'verified domain', 'verified domains')} cannot be looked up`
    return [{ severity: 'warning', problem, action: 'tell the owners of the teams to check the name servers of the domains', rows: failed }]
  },
}
