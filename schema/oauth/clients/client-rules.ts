import { z } from 'zod'
import { ClientTeam } from '../../../prisma/generated/client/enums.ts'
import type { OAuthClient } from '../../../prisma/generated/client/client.ts'
import { parseStoredKeySet } from './key-set.ts'
import { mapMembers, optionalDefaults, optionalRules } from './map-members.ts'
import type { OptionalMember } from './optional-members.ts'
import { isLocalhost, isPrivateUse, redirectUris } from '../../core/outgoing/url-rules.ts'
import { oauthScopes, scopes } from '../../core/scopes.ts'
import { displayName, text } from '../../core/validation.ts'

// These are the rules for client registrations (docs/decisions/oauth.md#clients). GraphQL, the command line and import use them.

/** Grant type of the device flow (RFC 8628 §3.4). */
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

/** The grant types that a client can be registered for. */
export const grantTypes = ['authorization_code', 'refresh_token', deviceGrant, 'client_credentials'] as const

/** Rule of the public identifier: characters that need no encoding in a form and in HTTP Basic (RFC 6749 §2.3.1). */
export const clientIdentifier = text
  .min(1)
  .max(128)
  .regex(/^[A-Za-z0-9._~-]+$/, 'The :attribute field must be letters, digits and the characters . _ ~ -')

/** Maximum length of the URL of a client, and so of any public identifier. */
export const maxClientUrl = 255

/** Returns true for the form of a client by URL. Its scheme distinguishes it from the identifiers of other clients. */
export const isClientUrl = (id: string) => /^https?:\/\/[\x21-\x7e]+$/.test(id) && id.length <= maxClientUrl

export const isClientIdentifier = (id: string) => clientIdentifier.safeParse(id).success || isClientUrl(id)

const unique = <Item>(items: Item[]) => [...new Set(items)]
const scopeList = z.array(z.enum(oauthScopes)).transform(unique)

/** The rule for each member. */
export const clientMembers = {
  name: displayName,
  description: text.max(1000).nullable(),
  redirectUris,
  confidential: z.boolean(),
  grantTypes: z.array(z.enum(grantTypes)).transform(unique),
  requiredScopes: scopeList,
  optionalScopes: scopeList,
  team: z.enum(ClientTeam),
  ...optionalRules,
}
const shape = z.object(clientMembers)

/** A valid registration, without identifier, times and secrets. */
export type Registration = z.output<typeof shape>

/** Members with rules that depend on other members. */
type Dependent = Pick<
  Registration,
  | ('redirectUris' | 'grantTypes' | 'requiredScopes' | 'optionalScopes' | 'postLogoutRedirectUris')
  | ('requireKeyAuthentication' | 'jwks' | 'jwksUri')
>
type Registered = Dependent & Pick<Registration, 'confidential'> & Pick<OAuthClient, 'ownerTeamId'>

interface Conflict {
  member: keyof Dependent
  message: string
}

/** Returns conflicts between members, each of which is valid by itself. */
function conflictsIn(client: Registered): Conflict[] {
  const { confidential, grantTypes, requiredScopes, optionalScopes } = client
  const conflicts: Conflict[] = []
  const refuse = (member: keyof Dependent, rule: string) => conflicts.push({ member, message: `The :attribute field ${rule}.` })
  if (grantTypes.includes('authorization_code') && client.redirectUris.length === 0) refuse('redirectUris', 'is required')
  if (grantTypes.every((grant) => grant === 'refresh_token'))
    refuse('grantTypes', 'must have a grant that issues a first token, not refresh_token alone')
  if (grantTypes.includes('client_credentials') && !(confidential && client.ownerTeamId))
    refuse('grantTypes', 'must not have client_credentials, which is for confidential clients that belong to a team')
  if (requiredScopes.length + optionalScopes.length === 0) refuse('requiredScopes', 'is required where no scope is optional')
  for (const scope of optionalScopes) {
    if (requiredScopes.includes(scope)) refuse('optionalScopes', `must not have ${scope}, which is required already`)
    else if (!scopes[scope].declinable) refuse('optionalScopes', `must not have ${scope}, which cannot be declined`)
  }
  for (const member of ['requiredScopes', 'optionalScopes'] as const)
    if (client[member].includes('offline_access') && !grantTypes.includes('refresh_token'))
      refuse(member, 'must not have offline_access without the grant refresh_token')
  for (const member of ['redirectUris', 'postLogoutRedirectUris'] as const)
    if (confidential && client[member].some(isPrivateUse)) refuse(member, 'must not have a private-use scheme, which is for public clients')
    else if (confidential && client[member].some(isLocalhost)) refuse(member, 'must not have localhost, which is for public clients')
  if (client.jwks && client.jwksUri) refuse('jwksUri', 'must not be used together with jwks')
  for (const member of ['jwks', 'jwksUri'] as const)
    if (client[member] && !confidential) refuse(member, 'is for confidential clients, which authenticate')
  if (client.requireKeyAuthentication && !client.jwks && !client.jwksUri)
    refuse('requireKeyAuthentication', 'needs a key set, or the URL of one')
  return conflicts
}

interface Refinement {
  addIssue(issue: { code: 'custom'; path: PropertyKey[]; message: string; input: unknown }): void
}

/** Adds an issue for each conflict between members. `buildPath` returns the path of a member in the input. */
export function checkClient(client: Registered, { addIssue }: Refinement, buildPath: (member: keyof Dependent) => PropertyKey[]): void {
  for (const { member, message } of conflictsIn(client))
    addIssue({ code: 'custom', path: buildPath(member), message, input: client[member] })
}

/** Returns the check of the registration of a client of this team, or of the operator. */
const checkFor = (ownerTeamId: string | null) => (client: Registration, refinement: Refinement) =>
  checkClient({ ...client, ownerTeamId }, refinement, (member) => [member])

const defaults: Partial<Record<string, unknown>> = {
  description: null,
  redirectUris: [],
  requiredScopes: [],
  optionalScopes: [],
  team: 'none',
  ...optionalDefaults,
} satisfies Partial<Registration>

/** The rules for a client that an operator registers. */
export const createRules = z.object({ clientId: clientIdentifier.nullish(), ...clientMembers }).superRefine(checkFor(null))

/** Returns the rules for the registration of a client of this team, or of the operator. */
export const registrationRules = (ownerTeamId: string | null) => shape.superRefine(checkFor(ownerTeamId))

/** Returns the members of a new client, with defaults for those that are absent or null. */
export function completeRegistration(members: object): object {
  const entries = Object.entries(members).map(([member, value]) => [member, value ?? defaults[member] ?? null])
  return { ...defaults, ...Object.fromEntries(entries) }
}

/**
 * Applies changes to a registration. Null removes an optional value. For a member with another default, null changes nothing, because it
 * would turn off a requirement of the client.
 */
export function applyChanges(changes: object, current: object): object {
  const entries = Object.entries(changes).filter(([member, value]) => value !== undefined && (value !== null || defaults[member] == null))
  return { ...current, ...Object.fromEntries(entries) }
}

/** Returns the registration in a row, without secrets, because audit entries contain it. */
export const toRegistration = (client: OAuthClient) => {
  const members = { ...client, idTokenSignedResponseAlg: client.idTokenAlgorithm, jwks: parseStoredKeySet(client.jwks) }
  return {
    name: client.name,
    description: client.description,
    redirectUris: client.redirectUris,
    confidential: client.confidential,
    grantTypes: client.grantTypes,
    requiredScopes: client.requiredScopes,
    optionalScopes: client.optionalScopes,
    team: client.team,
    ...mapMembers<Pick<typeof members, OptionalMember>>((member) => members[member]),
  }
}

/** Returns the columns of a registration. */
export const toClientColumns = ({ idTokenSignedResponseAlg: idTokenAlgorithm, ...rest }: ReturnType<typeof toRegistration>) => ({
  ...rest,
  idTokenAlgorithm,
})

/** A registration, by column. */
export type RegistrationColumns = ReturnType<typeof toClientColumns>
