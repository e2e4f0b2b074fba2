import type { Requirement } from '../../schema/core/requires.ts'
import { oauthScopes, scopes, tokenScopes } from '../../schema/core/scopes.ts'
import type { Scope } from '../../schema/core/scopes.ts'
import { tokenPrefix } from '../../schema/tokens/token-value.ts'
import type { Route } from '../route.ts'
import { registrationInstructions } from './documentation-client.ts'

/** Endpoint paths of the authorization server that OpenAPI documents. Clients discover all others. */
export const documentedPaths = { authorization: '/login/oauth/authorize', token: '/api/oauth/token' } as const

const described = (names: readonly Scope[]) => Object.fromEntries(names.map((scope) => [scope, `${scopes[scope].label}.`]))

type SchemeName = keyof ReturnType<typeof securitySchemes>
export type SecurityRequirement = Partial<Record<SchemeName, readonly Scope[]>>

/** Returns the three kinds of credential. `publicUrl` is the origin of the authorization server. */
export const securitySchemes = (publicUrl: string) => ({
  oauth2: {
    type: 'oauth2',
    description:
      'An access token of an app, which acts for a user: authorization code flow with PKCE (S256). ' +
      'With client credentials, an app of a team acts for this team without a user. ' +
      'A token that is bound to a key needs the scheme `DPoP` and a proof in the header field `DPoP` (RFC 9449 §7.1).' +
      `\n\n${registrationInstructions(publicUrl)}`,
    flows: {
      authorizationCode: {
        authorizationUrl: publicUrl + documentedPaths.authorization,
        tokenUrl: publicUrl + documentedPaths.token,
        refreshUrl: publicUrl + documentedPaths.token,
        scopes: described(oauthScopes),
      },
      clientCredentials: { tokenUrl: publicUrl + documentedPaths.token, scopes: described(tokenScopes) },
    },
  },
  personalToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: `${tokenPrefix.personal}…`,
    description: 'A personal access token, for scripts of one user. Its scopes and the user’s role must both allow a request.',
  },
  teamToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: `${tokenPrefix.team}…`,
    description: 'A team access token, for a service of one team. It can access that team only.',
  },
})

/** Returns every way to meet a route's requirements: each minimal set of scopes for each kind of credential. */
export function buildSecurity({ operation: { requirements } }: Route): SecurityRequirement[] {
  const forPeople = alternatives(requirements)
  const forTeams = alternatives(requirements.filter(({ teamTokenNeedsNoScope }) => !teamTokenNeedsNoScope))
  return [
    ...forPeople.map((oauth2) => ({ oauth2 })),
    ...forPeople.map((personalToken) => ({ personalToken })),
    ...forTeams.map((teamToken) => ({ teamToken })),
  ]
}

/** Returns the minimal sets that contain one scope of each requirement. */
function alternatives(requirements: readonly Requirement[]): Scope[][] {
  const choices = requirements
    .filter((requirement) => requirement.scopes.length > 0)
    .reduce<Set<Scope>[]>(
      (sets, requirement) => sets.flatMap((set) => requirement.scopes.map((scope) => new Set([...set, scope]))),
      [new Set()],
    )
  const minimal = choices.filter((set) => !choices.some((other) => other.size < set.size && [...other].every((scope) => set.has(scope))))
  return [...new Map(minimal.map((set) => [[...set].sort().join(' '), [...set]])).values()]
}
