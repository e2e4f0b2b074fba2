import { builder } from '../../builder/builder.ts'
import type { Types } from '../../builder/builder.ts'
import { ClientTeamType } from './client.ts'
import { getProperty, mapByType, separateOperatorMembers } from './map-members.ts'
import type { OptionalMember } from './optional-members.ts'
import { reasonField } from '../../core/staff/staff-acts.ts'

/** Describes `clientId` in the inputs of changes. */
export const clientIdDescription = 'The client’s public identifier, or the global id.'

type InputFields = PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>

const describe = (member: OptionalMember) => ({ describedBy: `OAuthClient.${getProperty(member)}` }) as const

const optionalFields = (t: InputFields) =>
  mapByType({
    uri: (member) => t.string(describe(member)),
    name: (member) => t.string(describe(member)),
    uris: (member) => t.stringList(describe(member)),
    number: (member) => t.int(describe(member)),
    flag: (member) => t.boolean(describe(member)),
    algorithm: (member) => t.string(describe(member)),
    keySet: () =>
      t.string({
        description: 'The public keys with which the client authenticates, as the text of a JSON Web Key Set with 1 to 4 keys.',
      }),
  })

/** Declares the members that operators and teams set on registration and can change later. */
export const sharedMembers = (t: InputFields) => {
  const [teamMembers] = separateOperatorMembers(optionalFields(t))
  return {
    description: t.string(),
    redirectUris: t.stringList(),
    requiredScopes: t.stringList(),
    optionalScopes: t.stringList(),
    ...teamMembers,
  }
}

const members = (t: InputFields) => {
  const [, operatorMembers] = separateOperatorMembers(optionalFields(t))
  return { ...sharedMembers(t), team: t.field({ type: ClientTeamType }), ...operatorMembers }
}

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
  fields: (t) => ({ clientId: t.id({ required: true, description: clientIdDescription }), reason: t.string(reasonField) }),
})
