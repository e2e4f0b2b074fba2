import type { Requirement } from '../schema/requires.ts'
import { scopes } from '../schema/scopes.ts'
import type { Scope } from '../schema/scopes.ts'
import { tokenPrefix } from '../schema/secret.ts'
import type { Route } from './route.ts'

/** The addresses of the authorization server that the contract names (§5.5); all others are discovered. */
export const documentedPaths = { authorization: '/login/oauth/authorize', token: '/api/oauth/token' } as const

type SchemeName = keyof ReturnType<typeof securitySchemes>
export type SecurityRequirement = Partial<Record<SchemeName, readonly Scope[]>>

/** The three kinds of credential (§5); `publicUrl` is the origin of the authorization server. */
export const securitySchemes = (publicUrl: string) => ({
  oauth2: {
    type: 'oauth2',
    description:
      'An access token of an application that acts for a person: authorization code flow with PKCE (S256). ' +
      'One that is bound to a key comes with the scheme `DPoP` and a proof in the header field `DPoP` (RFC 9449 §7.1).',
    flows: {
      authorizationCode: {
        authorizationUrl: publicUrl + documentedPaths.authorization,
        tokenUrl: publicUrl + documentedPaths.token,
        refreshUrl: publicUrl + documentedPaths.token,
        scopes: Object.fromEntries(Object.entries(scopes).map(([scope, { words }]) => [scope, sentence(words)])),
      },
    },
  },
  personalToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: `${tokenPrefix.personal}…`,
    description: 'A personal access token, for scripts of one person. Its scopes and the person’s role both count.',
  },
  teamToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: `${tokenPrefix.team}…`,
    description: 'A team access token, for a service of one team. It reaches that team alone.',
  },
})

const sentence = (words: string) => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`

/** Every way to satisfy a route: for each kind of credential each set of scopes that is enough, and none less. */
export function securityOf({ operation: { requirements } }: Route): SecurityRequirement[] {
  const ofPeople = alternatives(requirements)
  const ofTeams = alternatives(requirements.filter(({ teamTokenNeedsNoScope }) => !teamTokenNeedsNoScope))
  return [
    ...ofPeople.map((oauth2) => ({ oauth2 })),
    ...ofPeople.map((personalToken) => ({ personalToken })),
    ...ofTeams.map((teamToken) => ({ teamToken })),
  ]
}

/** Each requirement asks for one of its scopes: every choice of one from each, less those that hold another choice. */
function alternatives(requirements: readonly Requirement[]): Scope[][] {
  const choices = requirements
    .filter((requirement) => requirement.scopes.length > 0)
    .reduce<Set<Scope>[]>(
      (sets, requirement) => sets.flatMap((set) => requirement.scopes.map((scope) => new Set([...set, scope]))),
      [new Set()],
    )
  const least = choices.filter((set) => !choices.some((other) => other.size < set.size && [...other].every((scope) => set.has(scope))))
  return [...new Map(least.map((set) => [[...set].sort().join(' '), [...set]])).values()]
}
