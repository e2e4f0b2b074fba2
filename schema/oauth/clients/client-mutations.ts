import { updateRows } from '../../../prisma/statement/write-row.ts'
import { change, difference } from '../../core/audit/audit.ts'
import { builder } from '../../builder/builder.ts'
import type { Context } from '../../core/context.ts'
import { adminOnly, operatorOnly } from '../../core/requires.ts'
import { parse } from '../../core/validation.ts'
import { ClientInput, CreateClientInput, RotateClientSecretInput, UpdateClientInput } from './client-inputs.ts'
import { ClientPayload, CreateClientPayload, RotateClientSecretPayload } from './client-payloads.ts'
import { applyChanges, toClientColumns, completeRegistration, createRules, toRegistration, registrationRules } from './client-rules.ts'
import { lockClient } from './client.ts'
import { auditedClient, deleteLockedClient, giveNewSecret, insertClient, requireStoredHere } from './write-client.ts'

builder.mutationFields((t) => ({
  createClient: t.field({
    description: 'Registers an OAuth client. A confidential client gets a secret. For operators.',
    type: CreateClientPayload,
    requires: operatorOnly,
    args: { input: t.arg({ type: CreateClientInput, required: true }) },
    resolve: (_, { input }, context, info) => {
      const { clientId, ...registration } = parse(createRules, completeRegistration(input))
      return change(context, info, async (transaction) => {
        const result = insertClient(transaction, context, { registration, clientId, ownerTeamId: null, source: null, state: 'listed' })
        return { result, ...auditedClient(result.client), after: registration }
      })
    },
  }),
  updateClient: t.field({
    description:
      'Changes the registration of an OAuth client. Grants lose scopes that it no longer has with the next request. For operators.',
    type: ClientPayload,
    requires: operatorOnly,
    args: { input: t.arg({ type: UpdateClientInput, required: true }) },
    resolve: (_, { input: { clientId: globalId, ...changes } }, context, info) =>
      change(context, info, async (transaction) => {
        const current = await lockClient(transaction, globalId)
        const { clientId } = current
        requireStoredHere(current)
        const registration = parse(registrationRules(current.ownerTeamId), applyChanges(changes, toRegistration(current)))
        const changed = difference(toRegistration(current), registration)
        const data = { ...toClientColumns(registration), updatedAt: context.now() }
        if (!changed.isUnchanged) transaction.defer(updateRows(transaction, 'oauth_clients', { clientId }, data))
        return { result: { client: changed.isUnchanged ? current : { ...current, ...data } }, ...auditedClient(current), ...changed }
      }),
  }),
  rotateClientSecret: t.field({
    description:
      'Gives a confidential OAuth client a new secret. Of the previous secrets, the newest stays valid for the overlap. For operators.',
    type: RotateClientSecretPayload,
    requires: operatorOnly,
    args: { input: t.arg({ type: RotateClientSecretInput, required: true }) },
    resolve: (_, { input }, context, info) =>
      change(context, info, async (transaction) => {
        const locked = await lockClient(transaction, input.clientId)
        const { overlapSeconds, ...result } = giveNewSecret(transaction, context, locked, input.overlapSeconds)
        return { result, ...auditedClient(locked), after: { overlapSeconds } }
      }),
  }),
  disableClient: t.field({
    description: 'Disables an OAuth client. Its tokens are refused from the next request on. For operators and staff.',
    type: ClientPayload,
    requires: adminOnly,
    args: { input: t.arg({ type: ClientInput, required: true }) },
    resolve: (_, { input }, context, info) => setDisabled(context, info, input, (current) => current ?? context.now()),
  }),
  enableClient: t.field({
    description: 'Enables a disabled OAuth client. For operators and staff.',
    type: ClientPayload,
    requires: adminOnly,
    args: { input: t.arg({ type: ClientInput, required: true }) },
    resolve: (_, { input }, context, info) => setDisabled(context, info, input, () => null),
  }),
  deleteClient: t.field({
    description: 'Deletes an OAuth client and all its grants. For operators.',
    type: ClientPayload,
    requires: operatorOnly,
    args: { input: t.arg({ type: ClientInput, required: true }) },
    resolve: (_, { input }, context, info) =>
      change(context, info, async (transaction) => {
        const client = await lockClient(transaction, input.clientId)
        await deleteLockedClient(transaction, context, client)
        return { result: { client }, ...auditedClient(client), before: toRegistration(client) }
      }),
  }),
}))

function setDisabled(
  context: Context,
  info: { fieldName: string },
  input: { clientId: string },
  next: (current: Date | null) => Date | null,
) {
  return change(context, info, async (transaction) => {
    const current = await lockClient(transaction, input.clientId)
    const { clientId } = current
    const disabledAt = next(current.disabledAt)
    const data = { disabledAt, updatedAt: context.now() }
    const changed = difference({ disabled: current.disabledAt !== null }, { disabled: disabledAt !== null })
    if (!changed.isUnchanged) transaction.defer(updateRows(transaction, 'oauth_clients', { clientId }, data))
    return { result: { client: changed.isUnchanged ? current : { ...current, ...data } }, ...auditedClient(current), ...changed }
  })
}
