import type { Transaction } from '../../../prisma/statement/transaction.ts'
import { updateRows } from '../../../prisma/statement/write-row.ts'
import type { ClientState } from '../../../prisma/generated/client/enums.ts'
import { builder } from '../../builder/builder.ts'
import { change, difference, systemPrincipal } from '../../core/audit/audit.ts'
import type { Context } from '../../core/context.ts'
import { invalid } from '../../core/errors.ts'
import { sendNoticeToOwners } from '../../core/notices/send-notice.ts'
import { requirePrincipal, requireTeamAccess } from '../../core/team-access/team-access.ts'
import { parse } from '../../core/validation.ts'
import { ClientPayload, CreateClientPayload, RotateClientSecretPayload } from '../clients/client-payloads.ts'
import { applyChanges, toClientColumns, completeRegistration, toRegistration, registrationRules } from '../clients/client-rules.ts'
import { lockClient } from '../clients/client.ts'
import type { ClientWithSecrets } from '../clients/client.ts'
import { auditedClient, deleteLockedClient, giveNewSecret } from '../clients/write-client.ts'
import { CreateTeamClientInput, RotateTeamClientSecretInput, TeamClientInput, UpdateTeamClientInput } from './inputs.ts'
import { requireOwnName } from './name-rules.ts'
import { findTeamClient, maxTeamClients, requireOpenRegistration, writeTeamClients } from './own-client.ts'
import { divideChange, mergeProposedChanges } from './proposed-changes.ts'
import { notifyOwners, registerClientOfTeam } from './register-client.ts'
import type { OwnerTeam } from './register-client.ts'

/** Converts the input to the names of a registration, in which `team` decides whether grants have a team. */
const listMembers = <Input extends { teamMode?: unknown }>({ teamMode, ...members }: Input) =>
  teamMode === undefined ? members : { ...members, team: teamMode }

/** Returns the new name and publisher, as far as they change. */
const newNames = (before: Named, { name, publisher }: Named) => ({
  ...(name !== before.name && { name }),
  ...(publisher !== before.publisher && { publisher }),
})
type Named = Pick<ClientWithSecrets, 'name' | 'publisher'>

/** Notifies the owners of the team if a change gives the client keys, or access without a user. */
async function notifyOfCredentials(
  transaction: Transaction,
  context: Context,
  { id, name: team, slug }: OwnerTeam,
  current: ClientWithSecrets,
  live: Pick<ReturnType<typeof toRegistration>, 'name' | 'jwks' | 'jwksUri' | 'grantTypes'>,
): Promise<void> {
  const { clientId } = current
  const { jwks, jwksUri } = toRegistration(current)
  const hasKeys = live.jwks !== null || live.jwksUri !== null
  const hasNewKeys = hasKeys && !difference({ jwks, jwksUri }, { jwks: live.jwks, jwksUri: live.jwksUri }).isUnchanged
  const actsAlone = live.grantTypes.includes('client_credentials') && !current.grantTypes.includes('client_credentials')
  if (!hasNewKeys && !actsAlone) return
  const data = { team, slug, name: live.name, clientId, hasNewKeys, actsAlone }
  await sendNoticeToOwners(transaction, context, id, 'app-credentials-added', data)
}

builder.mutationFields((t) => ({
  createTeamClient: t.field({
    description: `Registers an OAuth client of a team, which can have ${maxTeamClients}. The client is a draft, which only members of the team can connect, until an operator approves it. If registration is open, or if an operator registers it, it is listed immediately. A confidential client gets a secret.`,
    type: CreateClientPayload,
    requires: writeTeamClients,
    args: { input: t.arg({ type: CreateTeamClientInput, required: true }) },
    resolve: async (_, { input: { team: slug, ...members } }, context, info) => {
      const { team } = await requireTeamAccess(context, slug)
      const principal = requirePrincipal(context)
      requireOpenRegistration(context, principal)
      const registration = parse(registrationRules(team.id), completeRegistration(listMembers(members)))
      const state = context.clientRegistration === 'open' || principal.kind === 'operator' ? 'listed' : 'draft'
      return change(context, info, async (transaction) => {
        const result = await registerClientOfTeam(transaction, context, team, { registration, source: null, state })
        return { result, ...auditedClient(result.client), after: { ...registration, state } }
      })
    },
  }),
  updateTeamClient: t.field({
    description:
      'Changes an OAuth client of a team. If the client is listed, changes to its name, logo and publisher, additional scopes, and redirect URIs on other hosts are kept in `proposedChanges` until they are approved, and the current values stay in force. Other changes take effect at once.',
    type: ClientPayload,
    requires: writeTeamClients,
    args: { input: t.arg({ type: UpdateTeamClientInput, required: true }) },
    resolve: async (_, { input: { clientId: globalId, ...members } }, context, info) => {
      const { client, team } = await findTeamClient(context, globalId, writeTeamClients)
      return change(context, info, async (transaction) => {
        const current = await lockClient(transaction, client.clientId)
        const { clientId, state, rejectionReason, ownerTeamId } = current
        const before = mergeProposedChanges(current)
        const requested = parse(registrationRules(ownerTeamId), applyChanges(listMembers(members), before))
        await requireOwnName(transaction, context, { ownerTeamId, ...newNames(before, requested) })
        const isReviewed = state === 'listed' && context.clientRegistration !== 'open'
        const { live, proposed: proposedChanges } = isReviewed ? divideChange(current, requested) : { live: requested, proposed: null }
        const changed = difference({ ...toRegistration(current), proposedChanges: current.proposedChanges }, { ...live, proposedChanges })
        // The reason for rejecting changes of a listed client is shown until there are new changes.
        const reason = proposedChanges === null ? rejectionReason : null
        const data = { ...toClientColumns(live), proposedChanges, rejectionReason: reason, updatedAt: context.now() }
        if (!changed.isUnchanged) transaction.defer(updateRows(transaction, 'oauth_clients', { clientId }, data))
        await notifyOfCredentials(transaction, context, team, current, live)
        return { result: { client: changed.isUnchanged ? current : { ...current, ...data } }, ...auditedClient(current), ...changed }
      })
    },
  }),
  submitTeamClient: t.field({
    description:
      'Submits a draft or a rejected client for review. Once an operator has approved it, everyone can connect it. If registration is open, a draft is listed immediately.',
    type: ClientPayload,
    requires: writeTeamClients,
    args: { input: t.arg({ type: TeamClientInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { client } = await findTeamClient(context, input.clientId, writeTeamClients)
      return change(context, info, async (transaction) => {
        const current = await lockClient(transaction, client.clientId)
        const { clientId } = current
        if (current.state === 'listed')
          throw invalid({ clientId: ['The client is already listed. Changes to it are submitted when you make them.'] })
        await requireOwnName(transaction, context, current)
        // A client that was rejected is reviewed again, even where other clients are listed without a review.
        const state: ClientState = context.clientRegistration === 'open' && current.state === 'draft' ? 'listed' : 'submitted'
        const data = { state, rejectionReason: null, updatedAt: context.now() }
        const changed = difference({ state: current.state }, { state })
        if (!changed.isUnchanged) transaction.defer(updateRows(transaction, 'oauth_clients', { clientId }, data))
        return { result: { client: changed.isUnchanged ? current : { ...current, ...data } }, ...auditedClient(current), ...changed }
      })
    },
  }),
  rotateTeamClientSecret: t.field({
    description:
      'Creates a new secret for a confidential OAuth client of a team. The current secret stays valid for the overlap; older ones expire immediately.',
    type: RotateClientSecretPayload,
    requires: writeTeamClients,
    args: { input: t.arg({ type: RotateTeamClientSecretInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { client, team } = await findTeamClient(context, input.clientId, writeTeamClients)
      return change(context, info, async (transaction) => {
        const locked = await lockClient(transaction, client.clientId)
        await notifyOwners(transaction, context, team, 'app-secret-created', locked)
        const { overlapSeconds, ...result } = giveNewSecret(transaction, context, locked, input.overlapSeconds)
        return { result, ...auditedClient(locked), after: { overlapSeconds } }
      })
    },
  }),
  deleteTeamClient: t.field({
    description: 'Deletes an OAuth client of a team and all its grants.',
    type: ClientPayload,
    requires: writeTeamClients,
    args: { input: t.arg({ type: TeamClientInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { client: teamClient } = await findTeamClient(context, input.clientId, writeTeamClients)
      return change(context, info, async (transaction) => {
        const client = await lockClient(transaction, teamClient.clientId)
        // Other teams and their members do not learn who works for the publisher of an app.
        await deleteLockedClient(transaction, { ...context, principal: systemPrincipal }, client)
        return { result: { client }, ...auditedClient(client), before: toRegistration(client) }
      })
    },
  }),
}))
