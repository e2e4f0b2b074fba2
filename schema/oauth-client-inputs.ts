import { builder } from './builder.ts'
import type { Types } from './builder.ts'
import { about } from './description.ts'
import { ClientTeamType } from './oauth-client.ts'

const clientId = 'The client’s public identifier.'
const of = (field: string) => ({ description: about(`OAuthClient.${field}`) })

/** What may be said on registration and be changed later. */
const members = (t: PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>) => ({
  description: t.string(of('description')),
  redirectUris: t.stringList(of('redirectUris')),
  requiredScopes: t.stringList(of('requiredScopes')),
  optionalScopes: t.stringList(of('optionalScopes')),
  team: t.field({ type: ClientTeamType, ...of('team') }),
  refreshReplaySeconds: t.int(of('refreshReplaySeconds')),
  logoUri: t.string(of('logoUri')),
  postLogoutRedirectUris: t.stringList(of('postLogoutRedirectUris')),
  backchannelLogoutUri: t.string(of('backchannelLogoutUri')),
  idTokenSignedResponseAlg: t.string(of('idTokenAlgorithm')),
})

export const CreateClientInput = builder.inputType('CreateClientInput', {
  description: 'Absent lists are empty, the team `NONE`, the algorithm `ES256`.',
  fields: (t) => ({
    clientId: t.id({ description: 'The public identifier; absent: one is made up.' }),
    name: t.string({ required: true, ...of('name') }),
    confidential: t.boolean({ required: true, description: 'Whether it can keep a secret; it never changes.' }),
    grantTypes: t.stringList({ required: true, ...of('grantTypes') }),
    ...members(t),
  }),
})

export const UpdateClientInput = builder.inputType('UpdateClientInput', {
  description: 'Absent members stay as they are; null says what is usual.',
  fields: (t) => ({
    clientId: t.id({ required: true, description: clientId }),
    name: t.string(of('name')),
    grantTypes: t.stringList(of('grantTypes')),
    ...members(t),
  }),
})

export const RotateClientSecretInput = builder.inputType('RotateClientSecretInput', {
  fields: (t) => ({
    clientId: t.id({ required: true, description: clientId }),
    overlapSeconds: t.int({ description: 'For how long the present secret keeps working, 0 to 2592000; 0 unless told.' }),
  }),
})

export const ClientInput = builder.inputType('ClientInput', {
  fields: (t) => ({ clientId: t.id({ required: true, description: clientId }) }),
})
