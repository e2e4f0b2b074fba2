import { z } from 'zod'
import { ClientTeam } from '../prisma/generated/client/enums.ts'
import type { OAuthClient } from '../prisma/generated/client/client.ts'
import { callbackUri, isPrivateUse, pictureUri, redirectUris } from './redirect-uri.ts'
import { scopes } from './scopes.ts'
import type { Scope } from './scopes.ts'
import { SigningAlgorithm, usualSigningAlgorithm } from './signing-algorithm.ts'
import { displayName, text } from './validation.ts'

// What a client may be registered as (§5.4, decisions §8): one declaration for GraphQL, the command line and import.

/** The device flow's (RFC 8628). */
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

/** The grants a client can be registered for, by their full names. */
export const grantTypes = ['authorization_code', 'refresh_token', deviceGrant] as const

/** The public identifier: characters that need no encoding in a form or in HTTP Basic (RFC 6749 §2.3.1). */
export const clientIdentifier = text
  .min(1)
  .max(128)
  .regex(/^[A-Za-z0-9._~-]+$/, 'The :attribute field must be letters, digits and the characters . _ ~ -')

export const isClientIdentifier = (id: string) => clientIdentifier.safeParse(id).success

const once = <Item>(items: Item[]) => [...new Set(items)]
const scopeList = z.array(z.enum(Object.keys(scopes) as Scope[])).transform(once)

/** Each member by itself. */
export const clientMembers = {
  name: displayName,
  description: text.max(1000).nullable(),
  redirectUris,
  confidential: z.boolean(),
  grantTypes: z.array(z.enum(grantTypes)).transform(once),
  requiredScopes: scopeList,
  optionalScopes: scopeList,
  team: z.enum(ClientTeam),
  refreshReplaySeconds: z.int().min(0).max(120),
  logoUri: pictureUri.nullable(),
  postLogoutRedirectUris: redirectUris,
  backchannelLogoutUri: callbackUri.nullable(),
  idTokenSignedResponseAlg: z.enum(SigningAlgorithm),
}
const shape = z.object(clientMembers)

/** A client as it may be registered, without its identifier and what the service itself notes. */
export type Registration = z.output<typeof shape>

/** The members that go with each other, or do not. */
type Linked = Pick<Registration, 'redirectUris' | 'grantTypes' | 'requiredScopes' | 'optionalScopes' | 'postLogoutRedirectUris'>
type Judged = Linked & Pick<Registration, 'confidential'>

interface Fault {
  member: keyof Linked
  message: string
}

/** What is wrong between members that are right by themselves. */
function faults(client: Judged): Fault[] {
  const { confidential, grantTypes, requiredScopes, optionalScopes } = client
  const found: Fault[] = []
  const refuse = (member: keyof Linked, words: string) => found.push({ member, message: `The :attribute field ${words}.` })
  if (grantTypes.includes('authorization_code') && client.redirectUris.length === 0) refuse('redirectUris', 'is required')
  if (grantTypes.every((grant) => grant === 'refresh_token'))
    refuse('grantTypes', 'must have a grant that gives a first token, not refresh_token alone')
  if (requiredScopes.length + optionalScopes.length === 0) refuse('requiredScopes', 'is required where no scope is optional')
  for (const scope of optionalScopes) {
    if (requiredScopes.includes(scope)) refuse('optionalScopes', `must not have ${scope}, which is required already`)
    else if (!scopes[scope].declinable) refuse('optionalScopes', `must not have ${scope}, which nobody can decline`)
  }
  for (const member of ['requiredScopes', 'optionalScopes'] as const)
    if (client[member].includes('offline_access') && !grantTypes.includes('refresh_token'))
      refuse(member, 'must not have offline_access without the grant refresh_token')
  for (const member of ['redirectUris', 'postLogoutRedirectUris'] as const)
    if (confidential && client[member].some(isPrivateUse)) refuse(member, 'must not have a private-use scheme, which is for public clients')
  return found
}

interface Refinement {
  addIssue(issue: { code: 'custom'; path: PropertyKey[]; message: string; input: unknown }): void
}

/** Refuses what is wrong between members; `pathOf` is where one stands in what was sent. */
export function checkClient(client: Judged, { addIssue }: Refinement, pathOf: (member: keyof Linked) => PropertyKey[]): void {
  for (const { member, message } of faults(client)) addIssue({ code: 'custom', path: pathOf(member), message, input: client[member] })
}

const check = (client: Judged, refinement: Refinement) => checkClient(client, refinement, (member) => [member])

const usual: Partial<Registration> = {
  description: null,
  redirectUris: [],
  requiredScopes: [],
  optionalScopes: [],
  team: 'none',
  refreshReplaySeconds: 0,
  logoUri: null,
  postLogoutRedirectUris: [],
  backchannelLogoutUri: null,
  idTokenSignedResponseAlg: usualSigningAlgorithm,
}

export const createRules = z.object({ clientId: clientIdentifier.nullish(), ...clientMembers }).superRefine(check)
export const updateRules = shape.superRefine(check)

/** What was said over what there is, or over what is usual; null says the usual. */
export function merge(said: object, present: object = usual): object {
  const members = Object.entries(said).map(([member, value]) => [member, value ?? usual[member as keyof Registration] ?? null])
  return { ...present, ...Object.fromEntries(members) }
}

/** A row in the members of the rules; without its secrets, since audit entries tell it. */
export const registrationOf = (client: OAuthClient) => ({
  name: client.name,
  description: client.description,
  redirectUris: client.redirectUris,
  confidential: client.confidential,
  grantTypes: client.grantTypes,
  requiredScopes: client.requiredScopes,
  optionalScopes: client.optionalScopes,
  team: client.team,
  refreshReplaySeconds: client.refreshReplaySeconds,
  logoUri: client.logoUri,
  postLogoutRedirectUris: client.postLogoutRedirectUris,
  backchannelLogoutUri: client.backchannelLogoutUri,
  idTokenSignedResponseAlg: client.idTokenAlgorithm,
})

/** The members of the rules as columns of a row. */
export const columnsOf = ({ idTokenSignedResponseAlg: idTokenAlgorithm, ...rest }: Registration) => ({ ...rest, idTokenAlgorithm })
