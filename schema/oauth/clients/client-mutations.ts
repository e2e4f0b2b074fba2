import { randomBytes, randomUUID } from 'node:crypto'
import { statement } from '../../../prisma/statement/statement.ts'
import { insertRow, updateRows } from '../../../prisma/statement/write-row.ts'
import { change, difference } from '../../core/audit.ts'
import { builder } from '../../builder/builder.ts'
import { payloadType } from '../../builder/payload-type.ts'
import type { Context } from '../../core/context.ts'
import { invalid } from '../../core/errors.ts'
import { ClientInput, CreateClientInput, RotateClientSecretInput, UpdateClientInput } from './client-inputs.ts'
import { columnsOf, createRules, merge, registrationOf, registrationRules } from './client-rules.ts'
import { addSecret, createSecretValue, overlapRules, rotateSecret } from './client-secret.ts'
import { ClientType, lockClient } from './client.ts'
import { operatorOnly } from '../../core/requires.ts'
import { revokeGrants } from '../../core/team-access/revoke-grants.ts'
import { parse, unlessTaken } from '../../core/validation.ts'

type Client = typeof ClientType.$inferType

const client = { type: ClientType, description: 'The client.' } as const
const ClientPayload = payloadType<{ client: Client }>('ClientPayload', {
  description: 'The OAuth client after the change, or before its deletion.',
  fields: (t) => ({ client: t.expose('client', client) }),
})
const CreateClientPayload = payloadType<{ client: Client; clientSecret: string | null }>('CreateClientPayload', {
  description: 'The OAuth client that was registered.',
  fields: (t) => ({
    client: t.expose('client', client),
    clientSecret: t.exposeString('clientSecret', {
      nullable: true,
      description: 'The secret. It is shown only here. Null for a public client.',
    }),
  }),
})
const RotateClientSecretPayload = payloadType<{ client: Client; clientSecret: string }>('RotateClientSecretPayload', {
  description: 'The OAuth client with its new secret.',
  fields: (t) => ({
    client: t.expose('client', client),
    clientSecret: t.exposeString('clientSecret', { description: 'The secret. It is shown only here.' }),
  }),
})

/** Hexadecimal, so that an identifier is never taken for a command-line option. */
const createClientId = () => randomBytes(12).toString('hex')

/** What is not part of a registration, of a client that an operator registers. */
const newClient = {
  ownerTeamId: null,
  state: 'listed',
  rejectionReason: null,
  proposedChanges: null,
  jwks: null,
  jwksUri: null,
  requirePushedAuthorizationRequests: false,
  requireKeyAuthentication: false,
  lastUsedAt: null,
  disabledAt: null,
} as const

const deleteClient = statement<object, [clientId: string]>('delete_client', 'DELETE FROM oauth_clients WHERE client_id = $1')

builder.mutationFields((t) => ({
  createClient: t.field({
    description: 'Registers an OAuth client. A confidential client gets a secret. For operators.',
    type: CreateClientPayload,
    requires: operatorOnly,
    args: { input: t.arg({ type: CreateClientInput, required: true }) },
    resolve: (_, { input }, context, info) => {
      const { clientId: requestedId, ...registration } = parse(createRules, merge(input))
      const clientSecret = registration.confidential ? createSecretValue() : null
      return change(context, info, async (transaction) => {
        const at = context.now()
        const id = randomUUID()
        const clientId = requestedId ?? createClientId()
        const row = { id, clientId, ...columnsOf(registration), ...newClient, createdAt: at, updatedAt: at }
        transaction.defer(unlessTaken('clientId', insertRow(transaction, 'oauth_clients', row)))
        const secrets = clientSecret === null ? [] : [addSecret(transaction, id, clientSecret, at)]
        return { result: { client: { ...row, secrets }, clientSecret }, subject: clientId, after: registration }
      })
    },
  }),
  updateClient: t.field({
    description:
      'Changes the registration of an OAuth client. Grants lose scopes that it no longer has with the next request. For operators.',
    type: ClientPayload,
    requires: operatorOnly,
    args: { input: t.arg({ type: UpdateClientInput, required: true }) },
    resolve: (_, { input: { clientId: given, ...changes } }, context, info) =>
      change(context, info, async (transaction) => {
        const present = await lockClient(transaction, given)
        const { clientId } = present
        const registration = parse(registrationRules(present.ownerTeamId), merge(changes, registrationOf(present)))
        const changed = difference(registrationOf(present), registration)
        const data = { ...columnsOf(registration), updatedAt: context.now() }
        if (!changed.isUnchanged) transaction.defer(updateRows(transaction, 'oauth_clients', { clientId }, data))
        return { result: { client: changed.isUnchanged ? present : { ...present, ...data } }, subject: clientId, ...changed }
      }),
  }),
  rotateClientSecret: t.field({
    description:
      'Gives a confidential OAuth client a new secret. Of the previous secrets, the newest stays valid for the overlap. For operators.',
    type: RotateClientSecretPayload,
    requires: operatorOnly,
    args: { input: t.arg({ type: RotateClientSecretInput, required: true }) },
    resolve: (_, { input: { clientId: given, overlapSeconds: overlap } }, context, info) => {
      const { overlapSeconds } = parse(overlapRules, { overlapSeconds: overlap ?? 0 })
      return change(context, info, async (transaction) => {
        const locked = await lockClient(transaction, given)
        if (!locked.confidential) throw invalid({ clientId: ['The selected client id is that of a public client, which has no secret.'] })
        const clientSecret = createSecretValue()
        const secrets = rotateSecret(transaction, locked, clientSecret, { now: context.now(), overlapSeconds })
        return { result: { client: { ...locked, secrets }, clientSecret }, subject: locked.clientId, after: { overlapSeconds } }
      })
    },
  }),
  disableClient: t.field({
    description: 'Disables an OAuth client. Its tokens are refused from the next request on. For operators.',
    type: ClientPayload,
    requires: operatorOnly,
    args: { input: t.arg({ type: ClientInput, required: true }) },
    resolve: (_, { input }, context, info) => setDisabled(context, info, input, (present) => present ?? context.now()),
  }),
  enableClient: t.field({
    description: 'Enables a disabled OAuth client. For operators.',
    type: ClientPayload,
    requires: operatorOnly,
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
        // The grants are deleted with the client. Each team gets an audit entry, and so an event, for its own.
        await revokeGrants(transaction, context, { oauthClientId: client.id })
        transaction.defer(deleteClient(transaction, client.clientId))
        return { result: { client }, subject: client.clientId, before: registrationOf(client) }
      }),
  }),
}))

function setDisabled(
  context: Context,
  info: { fieldName: string },
  input: { clientId: string },
  next: (present: Date | null) => Date | null,
) {
  return change(context, info, async (transaction) => {
    const present = await lockClient(transaction, input.clientId)
    const { clientId } = present
    const disabledAt = next(present.disabledAt)
    const data = { disabledAt, updatedAt: context.now() }
    const changed = difference({ disabled: present.disabledAt !== null }, { disabled: disabledAt !== null })
    if (!changed.isUnchanged) transaction.defer(updateRows(transaction, 'oauth_clients', { clientId }, data))
    return { result: { client: changed.isUnchanged ? present : { ...present, ...data } }, subject: clientId, ...changed }
  })
}
