import { createHash } from 'node:crypto'
import type { OAuthClient } from '../../../prisma/generated/client/client.ts'
import { builder } from '../../builder/builder.ts'
import { loadTeamSlugs } from '../../tokens/team-slugs.ts'
import { toRegistration } from '../clients/client-rules.ts'
import { ClientStateType, ClientType } from '../clients/client.ts'
import { listProposedChanges } from './proposed-changes.ts'
import type { ProposedChange } from './proposed-changes.ts'

const ProposedChangeType = builder.objectRef<ProposedChange>('OAuthClientProposedChange').implement({
  description: 'A change to a listed client that is waiting for review.',
  fields: (t) => ({
    member: t.exposeString('member', { description: 'The member of the registration, such as `redirectUris`.' }),
    live: t.exposeStringList('live', {
      description: 'The current value. A single value is a list of one text; no value is an empty list.',
    }),
    proposed: t.exposeStringList('proposed', { description: 'The proposed value, in the same form.' }),
  }),
})

/** Returns a digest of the state of a client that an operator reviews. It changes with every part that a review covers. */
export const getClientVersion = (client: OAuthClient): string =>
  createHash('sha256')
    .update(JSON.stringify([client.state, toRegistration(client), client.proposedChanges]))
    .digest('base64url')
    .slice(0, 16)

builder.objectFields(ClientType, (t) => ({
  state: t.expose('state', { type: ClientStateType, describedBy: 'OAuthClient.state' }),
  rejectionReason: t.exposeString('rejectionReason', { nullable: true, describedBy: 'OAuthClient.rejectionReason' }),
  proposedChanges: t.field({
    description: 'The changes that are waiting for review, by member. Empty if there are none.',
    type: [ProposedChangeType],
    resolve: listProposedChanges,
  }),
  version: t.string({
    description: 'Changes with the registration, the state and the proposed changes. A review names the version that was looked at.',
    resolve: getClientVersion,
  }),
  ownerTeamSlug: t.string({
    description: 'Slug of the team that registered the client. Null for a client of the operator, and if the team was deleted.',
    nullable: true,
    resolve: async ({ ownerTeamId }, _, context) =>
      ownerTeamId === null ? null : ((await loadTeamSlugs(context, [ownerTeamId]))[0] ?? null),
  }),
  lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true, describedBy: 'OAuthClient.lastUsedAt' }),
}))
