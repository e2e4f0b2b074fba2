import { isDeepStrictEqual } from 'node:util'
import type { OAuthClient } from '../../../prisma/generated/client/client.ts'
import { toRegistration, registrationRules } from '../clients/client-rules.ts'
import { isPrivateUse } from '../../core/outgoing/url-rules.ts'

// An operator has reviewed each listed client. What users trust on the consent page, what the client may request, and where it sends users
// wait for another review. The approved values stay in force meanwhile (docs/decisions/clients.md#changes).

type Registered = ReturnType<typeof toRegistration>
export type ProposedChanges = Partial<Registered>

const includesAll = (all: readonly string[], some: readonly string[]) => some.every((each) => all.includes(each))

/** Returns the scheme and host of a redirect URI. Ports of a user's own device do not matter (RFC 8252 §7.3). */
function getHost(uri: string): string {
  const { protocol, hostname, origin } = new URL(uri)
  if (isPrivateUse(uri)) return protocol
  return protocol === 'https:' ? origin : `${protocol}//${hostname}`
}

const addsHost = (live: Registered, uris: readonly string[]) =>
  !includesAll([...live.redirectUris, ...live.postLogoutRedirectUris].map(getHost), uris.map(getHost))

/** Returns true if scopes are added. An optional scope that becomes required is added, too, because users can no longer decline it. */
const addsScopes = (live: Registered, requested: Registered) =>
  !includesAll(live.requiredScopes, requested.requiredScopes) ||
  !includesAll([...live.requiredScopes, ...live.optionalScopes], requested.optionalScopes)

const differs = (member: 'name' | 'logoUri' | 'publisher') => (live: Registered, requested: Registered) =>
  live[member] !== requested[member]

/** The members that a review covers, each with a function that returns true if a change has to wait for it. */
const reviewed: Partial<Record<keyof Registered, (live: Registered, requested: Registered) => boolean>> = {
  name: differs('name'),
  logoUri: differs('logoUri'),
  publisher: differs('publisher'),
  requiredScopes: addsScopes,
  optionalScopes: addsScopes,
  redirectUris: (live, requested) => addsHost(live, requested.redirectUris),
  postLogoutRedirectUris: (live, requested) => addsHost(live, requested.postLogoutRedirectUris),
}

const pick = (registration: Registered, members: readonly string[]): ProposedChanges =>
  Object.fromEntries(Object.entries(registration).filter(([member]) => members.includes(member)))
const formatNames = (members: object) => Object.keys(members)

/** The result of an update of a listed client. */
interface Divided {
  live: Registered
  proposed: ProposedChanges | null
}

/**
 * Divides a change of a listed client into a part that applies at once and a part that waits for a review, or null. A member waits as a
 * whole. All members wait if the rest is not a valid registration.
 */
export function divideChange(client: OAuthClient, requested: Registered): Divided {
  const live = toRegistration(client)
  const waits = Object.entries(reviewed).flatMap(([member, hasToWait]) => (hasToWait(live, requested) ? [member] : []))
  const proposed = selectChanged(live, pick(requested, waits))
  if (formatNames(proposed).length === 0) return { live: requested, proposed: null }
  const applied = { ...requested, ...pick(live, waits) }
  return registrationRules(client.ownerTeamId).safeParse(applied).success
    ? { live: applied, proposed }
    : { live, proposed: selectChanged(live, requested) }
}

const selectChanged = (live: Registered, requested: ProposedChanges): ProposedChanges =>
  Object.fromEntries(Object.entries(requested).filter(([member, value]) => !isDeepStrictEqual(value, Reflect.get(live, member))))

/** Returns the registration that a team requests: the current one with the proposed changes. */
export const mergeProposedChanges = (client: OAuthClient): Registered => Object.assign(toRegistration(client), client.proposedChanges)

/** A member with a proposed change. Both values are lists of texts: a single value is one text, and no value is an empty list. */
export interface ProposedChange {
  member: string
  live: string[]
  proposed: string[]
}

const texts = (value: unknown): string[] =>
  value === null ? [] : [value].flat().map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))

export function listProposedChanges(client: OAuthClient): ProposedChange[] {
  const live = toRegistration(client)
  return Object.entries(client.proposedChanges ?? {}).map(([member, value]) => ({
    member,
    live: texts(Reflect.get(live, member)),
    proposed: texts(value),
  }))
}
