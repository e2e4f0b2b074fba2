import { builder } from '../../builder/builder.ts'
import { clientIdDescription, sharedMembers } from '../clients/client-inputs.ts'
import { ClientTeamType } from '../clients/client.ts'

// `team` is the team that owns the client, as in other mutations. `teamMode` decides whether the grants of a client have a team.
const teamMode = { type: ClientTeamType, describedBy: 'OAuthClient.team' } as const

export const CreateTeamClientInput = builder.inputType('CreateTeamClientInput', {
  description: 'Defaults: empty lists, team mode `NONE`, algorithm `ES256`.',
  describedBy: 'OAuthClient',
  fields: (t) => ({
    team: t.string({ required: true, description: 'Slug of the team.' }),
    name: t.string({ required: true }),
    confidential: t.boolean({ required: true, description: 'Whether the client can keep a secret. It cannot be changed later.' }),
    grantTypes: t.stringList({ required: true }),
    teamMode: t.field(teamMode),
    ...sharedMembers(t),
  }),
})

export const UpdateTeamClientInput = builder.inputType('UpdateTeamClientInput', {
  description:
    'Absent members keep their value, or the proposed value if it is waiting for review. Null removes an optional value, and changes no other one.',
  describedBy: 'OAuthClient',
  fields: (t) => ({
    clientId: t.id({ required: true, description: clientIdDescription }),
    name: t.string(),
    grantTypes: t.stringList(),
    teamMode: t.field(teamMode),
    ...sharedMembers(t),
  }),
})

export const RotateTeamClientSecretInput = builder.inputType('RotateTeamClientSecretInput', {
  fields: (t) => ({
    clientId: t.id({ required: true, description: clientIdDescription }),
    overlapSeconds: t.int({ description: 'For how many seconds the current secret stays valid, 0 to 2592000. Default: 0.' }),
  }),
})

export const TeamClientInput = builder.inputType('TeamClientInput', {
  fields: (t) => ({ clientId: t.id({ required: true, description: clientIdDescription }) }),
})
