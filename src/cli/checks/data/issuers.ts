import { createConfiguredRequests } from '../../../outgoing/configured-requests.ts'
import type { Check, Problem } from '../check.ts'

/** Issuers that are asked at most, so that the check ends when none answers. */
const maxIssuers = 100

export const issuers: Check = {
  name: 'issuers',
  description: 'the issuers of workload identities can be reached, and their keys can be read',
  needsMigrations: true,
  async run({ config, session }) {
    const { rows } = await session.query<{ issuer: string; id: string; count: number }>(
      `SELECT w.issuer, min(w.id::text) AS id, count(*)::int AS count FROM workload_identities w JOIN teams t ON t.id = w.team_id AND t.deleted_at IS NULL
       GROUP BY w.issuer ORDER BY max(w.last_used_at) DESC NULLS LAST, w.issuer LIMIT ${maxIssuers}`,
    )
    if (rows.length === 0) return []
    // Imported on demand: it needs jose and the schema.
    const { createIssuerKeys, IssuerError } = await import('../../../../schema/workload-identities/assertions/issuer-keys.ts')
    const outgoing = createConfiguredRequests(config)
    const keys = createIssuerKeys({ outgoing, now: () => new Date() })
    const problems = rows.map(async ({ issuer, id, count }): Promise<Problem[]> => {
      try {
        await keys.find(issuer, undefined)
        return []
      } catch (error) {
        if (!(error instanceof IssuerError)) throw error
        const who = count === 1 ? `the workload identity ${id} gets` : `${count} workload identities get`
        const problem = `${who} no tokens for ID tokens of ${issuer}. ${error.message}`
        return [{ problem, action: 'check the issuer; add its host to OUTGOING_ALLOWED_HOSTS if it is yours' }]
      }
    })
    try {
      return (await Promise.all(problems)).flat()
    } finally {
      await outgoing.close()
    }
  },
}
