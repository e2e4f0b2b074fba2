import { z } from 'zod'
import type { FieldErrors } from '../../core/errors.ts'
import { oauthScopes, scopes } from '../../core/scopes.ts'
import { parse, refused } from '../../core/validation.ts'
import { completeRegistration, deviceGrant } from './client-rules.ts'
import type { Registration } from './client-rules.ts'
import { optionalMembers } from './optional-members.ts'

// This file converts a registration from and to the metadata by which a client describes itself (RFC 7591 §2). Unknown metadata is ignored.

/** Optional members that the standards do not define. Only owners and operators set them. */
const ownMembers = new Set(['refreshReplaySeconds', 'publisher', 'verified', 'requireKeyAuthentication'])
const standardMembers = Object.entries(optionalMembers).flatMap(([member, { name }]) => (ownMembers.has(member) ? [] : [{ member, name }]))

/** Names of the other metadata, by the member of a registration. */
const otherNames: Readonly<Partial<Record<string, string>>> = {
  name: 'client_name',
  redirectUris: 'redirect_uris',
  grantTypes: 'grant_types',
  requiredScopes: 'scope',
  optionalScopes: 'scope',
  requireKeyAuthentication: 'token_endpoint_auth_method',
} satisfies Partial<Record<keyof Registration, string>>

/** Metadata whose form differs from that of a registration. Null counts as absent. */
const protocolMetadata = z.object({
  token_endpoint_auth_method: z.enum(['none', 'client_secret_basic', 'private_key_jwt']).nullish(),
  // With `client_credentials`, the client would access its team without a user, which only an owner can decide.
  grant_types: z.array(z.enum(['authorization_code', 'refresh_token', deviceGrant])).nullish(),
  response_types: z.array(z.literal('code')).nullish(),
  application_type: z.enum(['web', 'native']).nullish(),
  scope: z.string().nullish(),
})

/** Returns the members of a registration from the metadata of a client. Throws `validation_failed`. */
export function readClientMetadata(metadata: object): object {
  const parsed = parse(protocolMetadata, metadata)
  const { token_endpoint_auth_method: method, grant_types, response_types, scope } = parsed
  const grantTypes = grant_types ?? ['authorization_code']
  const hasCode = grantTypes.includes('authorization_code')
  if (response_types && response_types.length > 0 !== hasCode)
    throw refused({
      response_types: [`The :attribute field must ${hasCode ? 'be a list with only code' : 'be empty'} with these grant_types.`],
    })
  return completeRegistration({
    ...Object.fromEntries(standardMembers.map(({ member, name }) => [member, Reflect.get(metadata, name)])),
    name: Reflect.get(metadata, 'client_name'),
    redirectUris: Reflect.get(metadata, 'redirect_uris'),
    confidential: method !== 'none',
    requireKeyAuthentication: method === 'private_key_jwt',
    grantTypes,
    ...chooseScopes(scope ?? null, grantTypes.includes('refresh_token')),
    team: 'optional',
  })
}

/** Returns the scopes of a client. Without `scope`, it can request all. Users can decline every scope that can be declined. */
function chooseScopes(scope: string | null, canRefresh: boolean) {
  const requested = scope?.split(' ').filter(Boolean) ?? oauthScopes.filter((each) => canRefresh || each !== 'offline_access')
  const isDeclinable = (name: string) => oauthScopes.some((each) => each === name && scopes[each].declinable)
  return { requiredScopes: requested.filter((each) => !isDeclinable(each)), optionalScopes: requested.filter(isDeclinable) }
}

/** Returns the metadata of a registered client (RFC 7591 §3.2.1), without its identifier and secret. */
export function writeClientMetadata(client: Registration): object {
  const { confidential, requireKeyAuthentication, grantTypes } = client
  const metadata = {
    client_name: client.name,
    redirect_uris: client.redirectUris,
    grant_types: grantTypes,
    response_types: grantTypes.includes('authorization_code') ? ['code'] : [],
    token_endpoint_auth_method: requireKeyAuthentication ? 'private_key_jwt' : confidential ? 'client_secret_basic' : 'none',
    scope: [...client.requiredScopes, ...client.optionalScopes].join(' '),
    ...Object.fromEntries(standardMembers.map(({ member, name }): [string, unknown] => [name, Reflect.get(client, member)])),
  }
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== null))
}

/** Describes validation errors of a registration with the names of metadata (RFC 7591 §3.2.2). The description is ASCII, as required. */
export function describeMetadataErrors(templates: FieldErrors): { error: string; error_description: string } {
  const named = Object.entries(templates).map(([key, messages]): [string, string[]] => {
    const [member = '', ...path] = key.split('.')
    const name = otherNames[member] ?? standardMembers.find((each) => each.member === member)?.name ?? member
    return [name, messages.map((message) => message.replaceAll(':attribute', [name, ...path].join('.')))]
  })
  const isRedirectUri = named.some(([name]) => name === 'redirect_uris')
  const description = named.flatMap(([, messages]) => messages).join(' ')
  return {
    error: isRedirectUri ? 'invalid_redirect_uri' : 'invalid_client_metadata',
    error_description: description.slice(0, 1000).replaceAll(/[^\x20-\x7e]|["\\]/g, '?'),
  }
}
