import type { CheckProblem } from '../check.ts'
import { collectRows } from '../rows.ts'

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
