import { updateRows } from '../../../prisma/statement/write-row.ts'
import type { OAuthClient } from '../../../prisma/generated/client/client.ts'
import { builder } from '../../builder/builder.ts'
import { change, difference } from '../../core/audit/audit.ts'
import { ClientPayload } from '../clients/client-payloads.ts'
import { lockClient } from '../clients/client.ts'
import { auditedClient } from '../clients/write-client.ts'
import { TeamClientInput } from './inputs.ts'
import { endClientAccess, findTeamClient } from './own-client.ts'
import { mergeProposedChanges } from './proposed-changes.ts'

const withoutAccess = (grantTypes: readonly string[]) => grantTypes.filter((grant) => grant !== 'client_credentials')

/** Removes the grant type from the changes that wait for a review, because their approval would give the access back. */
function withoutProposedAccess(client: OAuthClient): object | null {
  const { proposedChanges } = client
  if (typeof proposedChanges !== 'object' || proposedChanges === null) return null
  if (!Object.hasOwn(proposedChanges, 'grantTypes')) return proposedChanges
  return Object.assign({}, proposedChanges, { grantTypes: withoutAccess(mergeProposedChanges(client).grantTypes) })
}

builder.mutationField('revokeClientAccess', (t) =>
  t.field({
    description:
      'Revokes the access that a client of a team has for itself: it loses the grant type `client_credentials`, and its tokens by that grant are refused from the next request on. Grants of users stay.',
    type: ClientPayload,
    requires: endClientAccess,
    args: { input: t.arg({ type: TeamClientInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { client } = await findTeamClient(context, input.clientId, endClientAccess)
      return change(context, info, async (transaction) => {
        const current = await lockClient(transaction, client.clientId)
        // The client may have no grant type left. Its owner chooses another with the next change.
        const grantTypes = withoutAccess(current.grantTypes)
        const proposedChanges = withoutProposedAccess(current)
        const changed = difference(
          { grantTypes: current.grantTypes, proposedChanges: current.proposedChanges },
          { grantTypes, proposedChanges },
        )
        const data = { grantTypes, proposedChanges, updatedAt: context.now() }
        if (!changed.isUnchanged) transaction.defer(updateRows(transaction, 'oauth_clients', { clientId: current.clientId }, data))
        return { result: { client: changed.isUnchanged ? current : { ...current, ...data } }, ...auditedClient(current), ...changed }
      })
    },
  }),
)
