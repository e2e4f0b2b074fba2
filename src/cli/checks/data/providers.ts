import { createConfiguredRequests } from '../../../outgoing/configured-requests.ts'
import type { Check, Problem } from '../check.ts'

/** Issuers that are asked at most, so that the check ends when none answers. */
const maxIssuers = 100

export const providers: Check = {
  name: 'providers',
  description: 'the OpenID providers of teams can be reached, and their metadata can be read',
  needsMigrations: true,
  async run({ config, session }) {
    const { rows } = await session.query<{ issuer: string; id: string; team: string }>(
      `SELECT p.issuer, min(p.id::text) AS id, min(t.slug) AS team FROM identity_providers p JOIN teams t ON t.id = p.team_id AND t.deleted_at IS NULL
       WHERE p.kind = 'oidc' AND p.disabled_at IS NULL GROUP BY p.issuer ORDER BY max(p.updated_at) DESC, p.issuer LIMIT ${maxIssuers}`,
    )
    if (rows.length === 0) return []
    // Imported on demand: it needs the schema.
    const { readIssuer } = await import('../../../../schema/identity-providers/issuer.ts')
    const { DomainError } = await import('../../../../schema/core/errors.ts')
    const outgoing = createConfiguredRequests(config)
    const problems = rows.map(async ({ issuer, id, team }): Promise<Problem[]> => {
      try {
        await readIssuer({ outgoing, now: () => new Date() }, issuer)
        return []
      } catch (error) {
        if (!(error instanceof DomainError)) throw error
        const problem = `nobody can sign in through the identity provider ${id} of the team ${team}. ${error.details.errors?.['issuer']?.[0] ?? error.message}`
        return [{ problem, action: 'tell the owners of the team; add its host to OUTGOING_ALLOWED_HOSTS if it is yours' }]
      }
    })
    try {
      return (await Promise.all(problems)).flat()
    } finally {
      await outgoing.close()
    }
  },
}
