import type { Team } from '../../../prisma/generated/client/client.ts'
import type { Condition } from '../../../schema/workload-identities/conditions.ts'
import { executeAs, operator } from '../service/in-process.ts'
import type { TestService } from '../service/service.ts'

export interface NewIdentity {
  name?: string
  issuer?: string
  conditions?: readonly Condition[]
  scopes?: readonly string[]
}

/** Conditions that are sufficient for any issuer. */
export const someConditions: readonly Condition[] = [
  { claim: 'sub', value: 'repo:acme/app:environment:production' },
  { claim: 'environment', value: 'production' },
]

/** Creates a workload identity of a team, as an operator, and returns its identifier. */
export async function createIdentity(
  service: Pick<TestService, 'database' | 'clock' | 'mails'>,
  team: Pick<Team, 'slug'>,
  {
    name = 'Deploys',
    issuer = 'https://ci.example.com',
    conditions = someConditions,
    scopes = ['acct:team:read', 'acct:team:members:read'],
  }: NewIdentity = {},
): Promise<string> {
  const document = 'mutation ($input: CreateWorkloadIdentityInput!) { createWorkloadIdentity(input: $input) { identity { identityId } } }'
  const { data, refusal } = await executeAs(service, operator, document, { input: { team: team.slug, name, issuer, conditions, scopes } })
  if (refusal) throw refusal
  return data.createWorkloadIdentity.identity.identityId
}

export const jwtBearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** Sends an assertion to the token endpoint. Undefined removes a parameter. */
export async function exchangeAssertion(
  service: Pick<TestService, 'url'>,
  fields: Record<string, string | undefined>,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: any }> {
  const given = Object.entries({ grant_type: jwtBearerGrant, ...fields }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  )
  const body = new URLSearchParams(given)
  const response = await fetch(new URL('/api/oauth/token', service.url), { method: 'POST', headers, body })
  return { status: response.status, body: await response.json() }
}
