import type { IdentityProvider } from '../../../prisma/generated/client/client.ts'
import { providerColumns, readRows } from '../../../prisma/statement/read-row.ts'
import type { StatementPool } from '../../../prisma/connection/statement-pool.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import { domainOfAddress } from '../../domains/verified.ts'
import type { ProviderAssertion } from '../protocol.ts'
import type { SignInProvider } from '../sign-in/sign-in-provider.ts'
import type { StoredProvider } from '../stored-provider.ts'

/** An OpenID provider of a team that gives agents access. */
export type AgentProvider = Extract<SignInProvider, { social: null }>

/** The provider `p` of the team `t` can give agents access now. The function `vouched_scopes` has the same conditions for its grants. */
const isVouching = `p.kind = 'oidc' AND p.agents_enabled_at IS NOT NULL AND p.disabled_at IS NULL AND t.deleted_at IS NULL
  AND EXISTS (SELECT FROM team_domains d WHERE d.team_id = t.id AND d.verified_at IS NOT NULL)`
const ofIssuer = `FROM identity_providers p JOIN teams t ON t.id = p.team_id WHERE p.issuer = $1 AND ${isVouching}`

const vouchingIssuer = statement<{ isNamed: boolean }, [issuer: string, clientId: string]>(
  'vouching_issuer',
  `SELECT bool_or($2 = ANY (p.agent_client_ids)) AS "isNamed" ${ofIssuer} HAVING count(*) > 0`,
)

/** Returns true if a provider with this issuer can give a client access, false if it can give other clients access; null for other issuers. */
export async function isVouchingIssuer(pool: StatementPool, issuer: string, clientId: string): Promise<boolean | null> {
  const [row] = await vouchingIssuer(pool, issuer, clientId)
  return row?.isNamed ?? null
}

type Candidate = Omit<IdentityProvider, 'clientSecret'> & Pick<StoredProvider, 'teamSlug' | 'teamName'> & { isLinked: boolean }

// Any team can create a provider with any issuer. Only the provider counts to which the subject is linked, or whose team verified the domain.
const candidates = `SELECT ${providerColumns}, t.slug AS "teamSlug", t.name AS "teamName", i.id IS NOT NULL AS "isLinked"
  FROM identity_providers p JOIN teams t ON t.id = p.team_id LEFT JOIN external_identities i ON i.provider_id = p.id AND i.subject = $3
  WHERE p.issuer = $1 AND ${isVouching} AND $2 = ANY (p.agent_client_ids) AND ($4::text IS NULL OR t.slug = $4)
    AND (i.id IS NOT NULL OR EXISTS (SELECT FROM team_domains d WHERE d.team_id = t.id AND d.domain = $5 AND d.verified_at IS NOT NULL))
  ORDER BY i.id IS NULL LIMIT 2`

/**
 * Returns the provider that vouches for a person: the one to which the subject is linked, or else that of the team which verified the
 * domain of the address. `many` if the subject is linked to the providers of several teams; null if there is none.
 */
export async function findVouchingProvider(
  pool: StatementPool,
  { issuer, clientId, team }: { issuer: string; clientId: string; team: string | null },
  { subject, email }: ProviderAssertion,
): Promise<AgentProvider | 'many' | null> {
  const domain = email === null ? null : domainOfAddress(email)
  const [first, second] = await readRows<Candidate>(pool, 'vouching_providers_of_person', candidates, [
    issuer,
    clientId,
    subject,
    team,
    domain,
  ])
  if (!first) return null
  if (second && second.isLinked === first.isLinked) return 'many'
  const { isLinked: _, ...row } = first
  return { key: row.id, name: row.name, team: { ...row, clientSecret: null }, social: null }
}
