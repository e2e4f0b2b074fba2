import { z } from 'zod'
import type { Transaction } from '../prisma/client.ts'
import type { Passkey } from '../prisma/generated/client/client.ts'
import { change } from './audit.ts'
import { builder } from './builder.ts'
import type { Context } from './context.ts'
import { invalid, notFound } from './errors.ts'
import { registered, registrationOptions } from './passkey-ceremony.ts'
import { sessionPerson } from './reach.ts'
import { recentSession, sessionOnly } from './requires.ts'
import { lockSecondFactor } from './second-factor-methods.ts'
import { displayName, isIdentifier, parse, text, unlessTaken } from './validation.ts'
import { ViewerType } from './viewer.ts'

const PasskeyType = builder.prismaObject('Passkey', {
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    isBackedUp: t.exposeBoolean('isBackedUp'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true }),
  }),
})

builder.objectFields(ViewerType, (t) => ({
  passkeys: t.field({
    description: 'The person’s passkeys, newest first; for account-site sessions.',
    type: [PasskeyType],
    requires: sessionOnly,
    resolve: (_, __, context) => ownPasskeys(context.database.prisma, context),
  }),
  passkeyRegistration: t.string({
    description: 'What the browser makes a new passkey by: options of WebAuthn, as JSON, for ten minutes; for account-site sessions.',
    requires: recentSession,
    resolve: async (_, __, context) =>
      registrationOptions(context, sessionPerson(context).user, await ownPasskeys(context.database.prisma, context)),
  }),
}))

const ownPasskeys = (prisma: Transaction, context: Context): Promise<Passkey[]> =>
  prisma.passkey.findMany({ where: { userId: sessionPerson(context).user.id }, orderBy: [{ createdAt: 'desc' }, { id: 'asc' }] })

/** A passkey of whoever asks, locked until the end of the change. Any other is `not_found`. */
async function ownPasskey(transaction: Transaction, context: Context, id: string): Promise<Passkey> {
  const { user } = sessionPerson(context)
  if (isIdentifier(id)) await transaction.$queryRaw`SELECT 1 FROM passkeys WHERE id = ${id}::uuid FOR UPDATE`
  const passkey = isIdentifier(id) ? await transaction.passkey.findFirst({ where: { id, userId: user.id } }) : null
  if (!passkey) throw notFound()
  return passkey
}

const payload = (name: string, description: string) =>
  builder
    .objectRef<{ passkey: Passkey }>(name)
    .implement({ fields: (t) => ({ passkey: t.expose('passkey', { type: PasskeyType, description }) }) })
const RegisterPasskeyPayload = payload('RegisterPasskeyPayload', 'The new passkey.')
const RenamePasskeyPayload = payload('RenamePasskeyPayload', 'The passkey.')
const DeletePasskeyPayload = payload('DeletePasskeyPayload', 'The passkey as it was.')

const named = z.object({ name: displayName })
const registerRules = named.extend({ response: text.max(65_536) })

builder.mutationFields((t) => ({
  registerPasskey: t.field({
    description: 'Keeps a passkey that the browser made by `viewer.passkeyRegistration`: it signs in without the password.',
    type: RegisterPasskeyPayload,
    requires: recentSession,
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('RegisterPasskeyInput', {
          fields: (t) => ({
            name: t.string({ required: true, description: 'What to call it.' }),
            response: t.string({ required: true, description: 'What the browser answered, as JSON.' }),
          }),
        }),
      }),
    },
    resolve: (_, { input }, context, info) => {
      const { user } = sessionPerson(context)
      const { name, response } = parse(registerRules, input)
      return change(context, info, async (transaction) => {
        const made = await registered(transaction, context, user.id, response)
        if (!made) throw invalid({ response: ['The passkey was not accepted. Try again.'] })
        const isKnown = await transaction.passkey.count({ where: { credentialId: made.credentialId } })
        if (isKnown > 0) throw invalid({ response: ['The passkey has been added already.'] })
        const data = { ...made, name, userId: user.id, createdAt: context.now() }
        const passkey = await unlessTaken('response', transaction.passkey.create({ data }))
        return { result: { passkey }, subject: passkey.id, after: { name } }
      })
    },
  }),
  renamePasskey: t.field({
    description: 'Calls a passkey by another name.',
    type: RenamePasskeyPayload,
    requires: recentSession,
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('RenamePasskeyInput', {
          fields: (t) => ({ id: t.id({ required: true }), name: t.string({ required: true, description: 'What to call it.' }) }),
        }),
      }),
    },
    resolve: (_, { input }, context, info) => {
      const { name } = parse(named, input)
      return change(context, info, async (transaction) => {
        const before = await ownPasskey(transaction, context, input.id)
        const passkey = await transaction.passkey.update({ where: { id: before.id }, data: { name } })
        return { result: { passkey }, subject: passkey.id, before: { name: before.name }, after: { name } }
      })
    },
  }),
  deletePasskey: t.field({
    description: 'Forgets a passkey; it signs in no more. Refused for the last one where the second factor is on by passkeys alone.',
    type: DeletePasskeyPayload,
    requires: recentSession,
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('DeletePasskeyInput', { fields: (t) => ({ id: t.id({ required: true }) }) }),
      }),
    },
    resolve: (_, { input }, context, info) =>
      change(context, info, async (transaction) => {
        const { id: userId } = sessionPerson(context).user
        const methods = await lockSecondFactor(transaction, userId)
        const passkey = await ownPasskey(transaction, context, input.id)
        const isNeeded = methods.includes('passkey') && !methods.includes('totp')
        if (isNeeded && (await transaction.passkey.count({ where: { userId } })) === 1)
          throw invalid({ id: ['This is your last passkey, and your second factor is on by it. Turn the second factor off first.'] })
        await transaction.passkey.delete({ where: { id: passkey.id } })
        return { result: { passkey }, subject: passkey.id, before: { name: passkey.name } }
      }),
  }),
}))
