import { builder } from '../../builder/builder.ts'
import type { Types } from '../../builder/builder.ts'
import { ClientTeamType } from './client.ts'

/** Describes `clientId` in the inputs of changes. */
export const clientIdDescription = 'The client’s public identifier, or the global id.'

/** Members that operators and teams set on registration and can change later. */
export const sharedMembers = (t: PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>) => ({
  description: t.string(),
  redirectUris: t.stringList(),
  requiredScopes: t.stringList(),
  optionalScopes: t.stringList(),
  refreshReplaySeconds: t.int(),
  logoUri: t.string(),
  publisher: t.string(),
  clientUri: t.string(),
  policyUri: t.string(),
  tosUri: t.string(),
  postLogoutRedirectUris: t.stringList(),
  backchannelLogoutUri: t.string(),
  idTokenSignedResponseAlg: t.string({ describedBy: 'OAuthClient.idTokenAlgorithm' }),
  dpopBoundAccessTokens: t.boolean(),
  requirePushedAuthorizationRequests: t.boolean(),
  requireKeyAuthentication: t.boolean(),
  jwks: t.string({
    description: 'The public keys with which the client authenticates, as the text of a JSON Web Key Set with 1 to 4 keys.',
  }),
  jwksUri: t.string(),
})

const members = (t: PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>) => ({
  ...sharedMembers(t),
  team: t.field({ type: ClientTeamType }),
  verified: t.boolean(),
})

export const CreateClientInput = builder.inputType('CreateClientInput', {
  description: 'Defaults: empty lists, team `NONE`, algorithm `ES256`.',
  describedBy: 'OAuthClient',
  fields: (t) => ({
    clientId: t.id({ description: 'The public identifier. Generated if absent.' }),
    name: t.string({ required: true }),
    confidential: t.boolean({ required: true, description: 'Whether the client can keep a secret. It cannot be changed later.' }),
    grantTypes: t.stringList({ required: true }),
    ...members(t),
  }),
})

export const UpdateClientInput = builder.inputType('UpdateClientInput', {
  description: 'Members that are absent stay unchanged. Null removes an optional value, and changes no other one.',
  describedBy: 'OAuthClient',
  fields: (t) => ({
    clientId: t.id({ required: true, description: clientIdDescription }),
    name: t.string(),
    grantTypes: t.stringList(),
    ...members(t),
  }),
})

export const RotateClientSecretInput = builder.inputType('RotateClientSecretInput', {
  fields: (t) => ({
    clientId: t.id({ required: true, description: clientIdDescription }),
    overlapSeconds: t.int({ description: 'For how many seconds the current secret stays valid, 0 to 2592000. Default: 0.' }),
  }),
})

export const ClientInput = builder.inputType('ClientInput', {
  fields: (t) => ({ clientId: t.id({ required: true, description: clientIdDescription }) }),
})
