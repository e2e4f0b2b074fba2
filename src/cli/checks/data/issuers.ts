import { createConfiguredRequests } from '../../../outgoing/outgoing-requests.ts'
import type { Check, CheckProblem } from '../check.ts'
import { formatCount, collectRows } from '../rows.ts'

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
      return await findUnusable(
        rows,
        findFault,
        (count) => `${formatCount(count, 'workload identity', 'workload identities')} cannot be used`,
      )
    } finally {
      await outgoing.close()
    }
  },
}

/** Maximum number of issuers that are requested, so that the check ends when none responds. */
export const maxIssuers = 100

/** An issuer that teams use, with the number of objects that depend on it. */
export interface UsedIssuer {
  issuer: string
  count: number
}

/**
 * Reads the document of each issuer with `findFault`, which returns a line about its fault, or null. An unusable issuer is a fault of one
 * customer. If all of several are unusable, this machine is probably not allowed to connect to them.
 */
export async function findUnusable<Issuer extends UsedIssuer>(
  issuers: readonly Issuer[],
  findFault: (issuer: Issuer) => Promise<string | null>,
  summarize: (count: number) => string,
): Promise<CheckProblem[]> {
  const faults = await Promise.all(issuers.map(findFault))
  const { rows, add } = collectRows()
  for (const [index, line] of faults.entries()) if (line !== null) add([line], issuers[index]?.count)
  if (rows.count === 0) return []
  const problem = summarize(rows.count)
  if (issuers.length > 3 && faults.every((line) => line !== null))
    return [
      {
        problem: `${problem}: none of ${issuers.length} issuers can be used`,
        action: 'check that this machine may connect to public addresses',
        rows,
      },
    ]
  return [
    {
      severity: 'warning',
      problem,
      action: 'tell the owners of the teams; add the hosts to OUTGOING_ALLOWED_HOSTS if they are yours',
      rows,
    },
  ]
}
