import { createConfiguredRequests } from '../../../outgoing/configured-requests.ts'
import type { Check } from '../check.ts'
import { countOf } from '../rows.ts'
import { findUnusable, maxIssuers } from './unusable-issuers.ts'
import type { UsedIssuer } from './unusable-issuers.ts'

export const providersCheck: Check = {
  name: 'providers',
  description: 'the OpenID providers of teams can be reached, and their metadata can be read',
  needsMigrations: true,
  async run({ config, session }) {
    const { rows } = await session.query<UsedIssuer & { id: string; team: string }>(
      `SELECT p.issuer, min(p.id::text) AS id, min(t.slug) AS team, count(*)::int AS count
       FROM identity_providers p JOIN teams t ON t.id = p.team_id AND t.deleted_at IS NULL
       WHERE p.kind = 'oidc' AND p.disabled_at IS NULL GROUP BY p.issuer ORDER BY max(p.updated_at) DESC, p.issuer LIMIT ${maxIssuers}`,
    )
    if (rows.length === 0) return []
    // This module is imported on demand, because it needs the schema.
    const { readIssuer } = await import('../../../../schema/identity-providers/issuer.ts')
    const { DomainError } = await import('../../../../schema/core/errors.ts')
    const outgoing = createConfiguredRequests(config)
    const findFault = async ({ issuer, id, team, count }: (typeof rows)[number]): Promise<string | null> => {
      try {
        await readIssuer({ outgoing, now: () => new Date() }, issuer)
        return null
      } catch (error) {
        if (!(error instanceof DomainError)) throw error
        const who = count === 1 ? `the identity provider ${id} of the team ${team}` : `${count} identity providers of the issuer ${issuer}`
        return `nobody can sign in through ${who}. ${error.details.errors?.['issuer']?.[0] ?? error.message}`
      }
    }
    try {
      return await findUnusable(rows, findFault, (count) => `${countOf(count, 'identity provider', 'identity providers')} cannot be used`)
    } finally {
      await outgoing.close()
    }
  },
}
