import { z } from 'zod'
import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import { updateRows } from '../../../prisma/statement/write-row.ts'
import type { OAuthClient } from '../../../prisma/generated/client/client.ts'
import { builder } from '../../builder/builder.ts'
import { change, difference } from '../../core/audit/audit.ts'
import type { Context } from '../../core/context.ts'
import { sendNoticeToOwners } from '../../core/notices/send-notice.ts'
import { supportOnly } from '../../core/requires.ts'
import { parse, refused, text } from '../../core/validation.ts'
import { clientIdDescription } from '../clients/client-inputs.ts'
import { ClientPayload } from '../clients/client-payloads.ts'
import { toClientColumns, toRegistration, registrationRules } from '../clients/client-rules.ts'
import { lockClient } from '../clients/client.ts'
import type { ClientWithSecrets } from '../clients/client.ts'
import { auditedClient } from '../clients/write-client.ts'
import { getClientVersion } from './client-state.ts'
import { requireOwnName } from './name-rules.ts'
import { mergeProposedChanges } from './proposed-changes.ts'
import { reasonField } from '../../core/staff/staff-acts.ts'

const version =
  'The `version` of the client that you reviewed. If the client has changed since, the review is refused. Default: the current version.'

const ApproveClientInput = builder.inputType('ApproveClientInput', {
  fields: (t) => ({
    clientId: t.id({ required: true, description: clientIdDescription }),
    version: t.string({ description: version }),
    reason: t.string(reasonField),
  }),
})

const RejectClientInput = builder.inputType('RejectClientInput', {
  fields: (t) => ({
    clientId: t.id({ required: true, description: clientIdDescription }),
    reason: t.string({
      required: true,
      description: 'The reason, which the owners of the team read. At most 1000 characters; 500 for staff.',
    }),
    version: t.string({ description: version }),
  }),
})

const reasonRules = z.object({ reason: text.trim().min(1).max(1000) })

/** Locks a client of a team for a review. Throws unless its version is the reviewed one. */
async function lockForReview(
  transaction: Transaction,
  { clientId, version: seen }: { clientId: string; version?: string | null | undefined },
): Promise<ClientWithSecrets> {
  const client = await lockClient(transaction, clientId)
  if (client.ownerTeamId === null) throw refused({ clientId: ['The client belongs to the operator and needs no review.'] })
  if (seen != null && seen !== getClientVersion(client))
    throw refused({ version: ['The client has changed since this version. Review it again.'] })
  return client
}

const nothingWaits = () => refused({ clientId: ['The client has nothing to review.'] })

const teamToNotify = statement<{ name: string; slug: string }, [id: string | null]>(
  'team_to_notify',
  'SELECT name, slug FROM teams WHERE id = $1 AND deleted_at IS NULL',
)

/** Notifies the owners of the team of the result of the review of their client. */
async function notify(
  transaction: Transaction,
  context: Context,
  client: OAuthClient,
  outcome: { reason: string | null; isChange: boolean },
) {
  const [team] = await teamToNotify(transaction, client.ownerTeamId)
  if (!team || client.ownerTeamId === null) return
  const data = { team: team.name, slug: team.slug, name: client.name, clientId: client.clientId, ...outcome }
  await sendNoticeToOwners(transaction, context, client.ownerTeamId, 'app-reviewed', data)
}

builder.mutationFields((t) => ({
  approveClient: t.field({
    description:
      'Approves a submitted client of a team, which is then listed, or the proposed changes of a listed one, which take effect. The owners of the team receive an email. For operators and staff.',
    type: ClientPayload,
    requires: supportOnly,
    args: { input: t.arg({ type: ApproveClientInput, required: true }) },
    resolve: (_, { input }, context, info) =>
      change(context, info, async (transaction) => {
        const current = await lockForReview(transaction, input)
        const { clientId, state, ownerTeamId } = current
        const isChange = state === 'listed'
        if (state !== 'submitted' && current.proposedChanges === null) throw nothingWaits()
        const registration = parse(registrationRules(ownerTeamId), mergeProposedChanges(current))
        // The name is checked again, because another client with a similar name may have been listed since the team chose it.
        await requireOwnName(transaction, context, { ...registration, ownerTeamId })
        const changed = difference({ ...toRegistration(current), state }, { ...registration, state: 'listed' })
        const review = { state: 'listed', proposedChanges: null, rejectionReason: null } as const
        const data = { ...toClientColumns(registration), ...review, updatedAt: context.now() }
        transaction.defer(updateRows(transaction, 'oauth_clients', { clientId }, data))
        const client = { ...current, ...data }
        await notify(transaction, context, client, { reason: null, isChange })
        // The answer to proposed changes is a change, even if they are equal to the current values.
        return { result: { client }, ...auditedClient(client), ...changed, isUnchanged: false }
      }),
  }),
  rejectClient: t.field({
    description:
      'Rejects a submitted client of a team, or the proposed changes of a listed one, whose current values stay in force. A listed client without proposed changes is no longer listed: only members of its team can use it. The owners of the team receive an email with the reason. For operators and staff.',
    type: ClientPayload,
    requires: supportOnly,
    args: { input: t.arg({ type: RejectClientInput, required: true }) },
    resolve: (_, { input }, context, info) => {
      const { reason } = parse(reasonRules, input)
      return change(context, info, async (transaction) => {
        const current = await lockForReview(transaction, input)
        const { clientId, state } = current
        if (state !== 'submitted' && state !== 'listed') throw nothingWaits()
        const isChange = current.proposedChanges !== null
        const review = { state: isChange ? state : 'rejected', proposedChanges: null, rejectionReason: reason } as const
        const data = { ...review, updatedAt: context.now() }
        transaction.defer(updateRows(transaction, 'oauth_clients', { clientId }, data))
        await notify(transaction, context, current, { reason, isChange })
        const before = { state, proposedChanges: current.proposedChanges, rejectionReason: current.rejectionReason }
        return { result: { client: { ...current, ...data } }, ...auditedClient(current), ...difference(before, review) }
      })
    },
  }),
}))
