import { createConfiguredRequests } from '../../../outgoing/configured-requests.ts'
import type { Check } from '../check.ts'
import { countOf } from '../rows.ts'
import { findUnusable, maxIssuers } from './unusable-issuers.ts'
import type { UsedIssuer } from './unusable-issuers.ts'

export const issuersCheck: Check = {
  name: 'issuers',
  description: 'the issuers of workload identities can be reached, and their keys can be read',
  needsMigrations: true,
  async run({ config, session }) {
    const { rows } = await session.query<UsedIssuer & { id: string }>(
      `SELECT w.issuer, min(w.id::text) AS id, count(*)::int AS count FROM workload_identities w JOIN teams t ON t.id = w.team_id AND t.deleted_at IS NULL
       GROUP BY w.issuer ORDER BY max(w.last_used_at) DESC NULLS LAST, w.issuer LIMIT ${maxIssuers}`,
    )
    if (rows.length === 0) return []
    // These modules are imported on demand, because they need jose and the schema.
    const { createIssuerKeys, IssuerError } = await import('../../../../schema/workload-identities/assertions/issuer-keys.ts')
    const outgoing = createConfiguredRequests(config)
    const keys = createIssuerKeys({ outgoing, now: () => new Date() })
    const findFault = async ({ issuer, id, count }: (typeof rows)[number]): Promise<string | null> => {
      try {
        await keys.find(issuer, undefined)
        return null
      } catch (error) {
        if (!(error instanceof IssuerError)) throw error
        const who = count === 1 ? `the workload identity ${id} gets` : `${count} workload identities get`
        return `${who} no tokens for ID tokens of ${issuer}. ${error.message}`
      }
    }
    try {
      return await findUnusable(rows, findFault, (count) => `${countOf(count, 'workload identity', 'workload identities')} cannot be used`)
    } finally {
      await outgoing.close()
    }
  },
}
