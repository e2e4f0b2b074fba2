import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { change } from './audit.ts'
import { builder } from './builder.ts'
import type { Context } from './context.ts'
import { invalid } from './errors.ts'
import { ClientInput, CreateClientInput, RotateClientSecretInput, UpdateClientInput } from './oauth-client-inputs.ts'
import { columnsOf, createRules, merge, registrationOf, updateRules } from './oauth-client-rules.ts'
import { createSecretValue, overlapRules, rotateSecret } from './oauth-client-secret.ts'
import { ClientType, clientParts, findClient, lockClient } from './oauth-client.ts'
import { operatorOnly } from './requires.ts'
import { sha256 } from './secret.ts'
import { parse, unlessTaken } from './validation.ts'

type Client = typeof ClientType.$inferType

const client = { type: ClientType, description: 'The client.' } as const
const secretWords = 'The secret, shown this once and never again'
const ClientPayload = builder.objectRef<{ client: Client }>('ClientPayload').implement({
  description: 'An OAuth client as it is after the change, or was before the deletion.',
  fields: (t) => ({ client: t.expose('client', client) }),
})
const CreateClientPayload = builder.objectRef<{ client: Client; clientSecret: string | null }>('CreateClientPayload').implement({
  description: 'An OAuth client that was registered.',
  fields: (t) => ({
    client: t.expose('client', client),
    clientSecret: t.exposeString('clientSecret', { nullable: true, description: `${secretWords}; null for a public client.` }),
  }),
})
const RotateClientSecretPayload = builder.objectRef<{ client: Client; clientSecret: string }>('RotateClientSecretPayload').implement({
  description: 'An OAuth client with a new secret.',
  fields: (t) => ({ client: t.expose('client', client), clientSecret: t.exposeString('clientSecret', { description: `${secretWords}.` }) }),
})

/** Hexadecimal, so that none begins as an option of a command does. */
const createClientId = () => randomBytes(12).toString('hex')

builder.mutationFields((t) => ({
  createClient: t.field({
    description: 'Registers an OAuth client; a confidential one gets a secret. For operators.',
    type: CreateClientPayload,
    requires: operatorOnly,
    args: { input: t.arg({ type: CreateClientInput, required: true }) },
    resolve: (_, { input }, context, info) => {
      const { clientId: given, ...registration } = parse(createRules, merge(input))
      const clientSecret = registration.confidential ? createSecretValue() : null
      return change(context, info, async (transaction) => {
        const at = context.now()
        const secrets = clientSecret === null ? undefined : { create: { hash: sha256(clientSecret), createdAt: at } }
        const data = { clientId: given ?? createClientId(), ...columnsOf(registration), createdAt: at, updatedAt: at, secrets }
        const client = await unlessTaken('clientId', transaction.oAuthClient.create({ data, include: clientParts }))
        return { result: { client, clientSecret }, subject: client.clientId, after: registration }
      })
    },
  }),
  updateClient: t.field({
    description: 'Changes how an OAuth client is registered: grants reach no further than that from the next request on. For operators.',
    type: ClientPayload,
    requires: operatorOnly,
    args: { input: t.arg({ type: UpdateClientInput, required: true }) },
    resolve: (_, { input: { clientId, ...said } }, context, info) =>
      change(context, info, async (transaction) => {
        const present = await lockClient(transaction, clientId)
        const registration = parse(updateRules, merge(said, registrationOf(present)))
        const [before, after] = difference(registrationOf(present), registration)
        const data = { ...columnsOf(registration), updatedAt: context.now() }
        const isChange = Object.keys(after).length > 0
        const client = isChange ? await transaction.oAuthClient.update({ where: { clientId }, data, include: clientParts }) : present
        return { result: { client }, subject: clientId, before, after }
      }),
  }),
  rotateClientSecret: t.field({
    description: 'Gives a confidential OAuth client a new secret; of those before, the last keeps working for the overlap. For operators.',
    type: RotateClientSecretPayload,
    requires: operatorOnly,
    args: { input: t.arg({ type: RotateClientSecretInput, required: true }) },
    resolve: (_, { input: { clientId, overlapSeconds: overlap } }, context, info) => {
      const { overlapSeconds } = parse(overlapRules, { overlapSeconds: overlap ?? 0 })
      return change(context, info, async (transaction) => {
        const locked = await lockClient(transaction, clientId)
        if (!locked.confidential) throw invalid({ clientId: ['The selected client id is that of a public client, which has no secret.'] })
        const clientSecret = await rotateSecret(transaction, locked, { now: context.now(), overlapSeconds })
        const client = await findClient(transaction, clientId)
        return { result: { client, clientSecret }, subject: clientId, after: { overlapSeconds } }
      })
    },
  }),
  disableClient: t.field({
    description: 'Disables an OAuth client: what it holds opens nothing from the next request on. For operators.',
    type: ClientPayload,
    requires: operatorOnly,
    args: { input: t.arg({ type: ClientInput, required: true }) },
    resolve: (_, { input }, context, info) => setDisabled(context, info, input, (present) => present ?? context.now()),
  }),
  enableClient: t.field({
    description: 'Enables a disabled OAuth client again. For operators.',
    type: ClientPayload,
    requires: operatorOnly,
    args: { input: t.arg({ type: ClientInput, required: true }) },
    resolve: (_, { input }, context, info) => setDisabled(context, info, input, () => null),
  }),
  deleteClient: t.field({
    description: 'Deletes an OAuth client with all that people granted it. For operators.',
    type: ClientPayload,
    requires: operatorOnly,
    args: { input: t.arg({ type: ClientInput, required: true }) },
    resolve: (_, { input: { clientId } }, context, info) =>
      change(context, info, async (transaction) => {
        const client = await lockClient(transaction, clientId)
        await transaction.oAuthClient.delete({ where: { clientId } })
        return { result: { client }, subject: clientId, before: registrationOf(client) }
      }),
  }),
}))

function setDisabled(
  context: Context,
  info: { fieldName: string },
  { clientId }: { clientId: string },
  next: (present: Date | null) => Date | null,
) {
  return change(context, info, async (transaction) => {
    const { disabledAt: before } = await lockClient(transaction, clientId)
    const disabledAt = next(before)
    const client = await transaction.oAuthClient.update({
      where: { clientId },
      data: { disabledAt, updatedAt: context.now() },
      include: clientParts,
    })
    return { result: { client }, subject: clientId, before: { disabled: before !== null }, after: { disabled: disabledAt !== null } }
  })
}

/** The members that differ, as they were and as they are. */
function difference<Members extends object>(before: Members, after: Members): [Partial<Members>, Partial<Members>] {
  const names = (Object.keys(after) as (keyof Members)[]).filter((name) => !isDeepStrictEqual(before[name], after[name]))
  const pick = (members: Members) => Object.fromEntries(names.map((name) => [name, members[name]])) as Partial<Members>
  return [pick(before), pick(after)]
}
