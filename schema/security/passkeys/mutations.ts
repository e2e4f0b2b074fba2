import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { z } from 'zod'
import type { Passkey } from '../../../prisma/generated/client/client.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import { insertRow, updateRows } from '../../../prisma/statement/write-row.ts'
import { endOtherSessions, endOtherSessionsField } from '../../accounts/end-sessions.ts'
import { builder } from '../../builder/builder.ts'
import { payloadType } from '../../builder/payload-type.ts'
import { change } from '../../core/audit/audit.ts'
import type { Context } from '../../core/context.ts'
import { lockCaller } from '../../core/database/locks.ts'
import { invalid, isTaken, notFound } from '../../core/errors.ts'
import { parseIdentifier } from '../../core/global-id.ts'
import { sendNotice } from '../../core/notices/send-notice.ts'
import { recentSession } from '../../core/requires.ts'
import { requirePerson, teamsOfRequiredSignIn } from '../../core/team-access/team-access.ts'
import { displayName, parse, text, isIdentifier } from '../../core/validation.ts'
import { lockOwnSecondFactor } from '../second-factor/methods.ts'
import { PasskeyType } from './passkey.ts'
import { verifyRegistration } from './registration.ts'

const passkeyPayload = (name: string, description: string) =>
  payloadType<{ passkey: Passkey }>(name, {
    description,
    fields: (t) => ({ passkey: t.expose('passkey', { type: PasskeyType, description: 'The passkey.' }) }),
  })
const RegisterPasskeyPayload = passkeyPayload('RegisterPasskeyPayload', 'The new passkey.')
const RenamePasskeyPayload = passkeyPayload('RenamePasskeyPayload', 'The passkey with its new name.')
const DeletePasskeyPayload = passkeyPayload('DeletePasskeyPayload', 'The passkey before its deletion.')

const RegisterPasskeyInput = builder.inputType('RegisterPasskeyInput', {
  fields: (t) => ({
    name: t.string({ required: true, describedBy: 'Passkey.name' }),
    response: t.string({ required: true, description: 'The WebAuthn response of the browser, as JSON.' }),
    endOtherSessions: t.boolean(endOtherSessionsField),
  }),
})
const RenamePasskeyInput = builder.inputType('RenamePasskeyInput', {
  fields: (t) => ({
    id: t.id({ required: true, description: 'The identifier of the passkey.' }),
    name: t.string({ required: true, describedBy: 'Passkey.name' }),
  }),
})
const DeletePasskeyInput = builder.inputType('DeletePasskeyInput', {
  fields: (t) => ({
    id: t.id({ required: true, description: 'The identifier of the passkey.' }),
    endOtherSessions: t.boolean(endOtherSessionsField),
  }),
})

const renameRules = z.object({ name: displayName })
const registerRules = renameRules.extend({ response: text.max(65_536) })

builder.mutationFields((t) => ({
  registerPasskey: t.field({
    description: 'Stores a passkey that the browser created for `viewer.passkeyRegistration`. It signs in without the password.',
    type: RegisterPasskeyPayload,
    requires: recentSession,
    args: { input: t.arg({ type: RegisterPasskeyInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const viewer = requirePerson(context)
      const { user } = viewer
      const { name, response } = parse(registerRules, input)
      const ownerAccessTeamIds = await teamsOfRequiredSignIn(context, viewer)
      return change(context, info, async (transaction) => {
        const [, { endedSessions, audited }, credential] = await Promise.all([
          lockCaller(transaction, user.id),
          endOtherSessions(transaction, context, input.endOtherSessions),
          verifyRegistration(transaction, context, user.id, response),
        ])
        if (!credential) throw invalid({ response: ['The passkey was not accepted. Try again.'] })
        const own = { name, userId: user.id, createdAt: context.now(), ownerAccessTeamIds, lastUsedAt: null }
        const passkey = { id: randomUUID(), ...credential, ...own }
        transaction.defer(insertOnce(insertRow(transaction, 'passkeys', passkey)))
        await sendNotice(transaction, context, user, 'passkey-added', { name })
        return { result: { passkey }, subject: passkey.id, after: { name, ...audited }, endedSessions }
      })
    },
  }),
  renamePasskey: t.field({
    description: 'Renames a passkey.',
    type: RenamePasskeyPayload,
    requires: recentSession,
    args: { input: t.arg({ type: RenamePasskeyInput, required: true }) },
    resolve: (_, { input }, context, info) => {
      const { name } = parse(renameRules, input)
      return change(context, info, async (transaction) => {
        const before = await lockOwnPasskey(transaction, context, input.id)
        transaction.defer(updateRows(transaction, 'passkeys', { id: before.id }, { name }))
        return { result: { passkey: { ...before, name } }, subject: before.id, before: { name: before.name }, after: { name } }
      })
    },
  }),
  deletePasskey: t.field({
    description: 'Deletes a passkey. Refused for the last one while two-factor authentication depends on passkeys alone.',
    type: DeletePasskeyPayload,
    requires: recentSession,
    args: { input: t.arg({ type: DeletePasskeyInput, required: true }) },
    resolve: (_, { input }, context, info) =>
      change(context, info, async (transaction) => {
        const { user } = requirePerson(context)
        const [{ methods, passkeys }, { endedSessions, audited }] = await Promise.all([
          lockOwnSecondFactor(transaction, user.id),
          endOtherSessions(transaction, context, input.endOtherSessions),
        ])
        const passkey = await lockOwnPasskey(transaction, context, input.id)
        const isRequired = methods.includes('passkey') && !methods.includes('totp')
        if (isRequired && passkeys === 1)
          throw invalid({
            id: ['This is your last passkey, and two-factor authentication needs it. Turn off two-factor authentication first.'],
          })
        transaction.defer(deletePasskey(transaction, passkey.id))
        await sendNotice(transaction, context, user, 'passkey-removed', { name: passkey.name })
        const after = endedSessions.length > 0 ? { after: audited } : {}
        return { result: { passkey }, subject: passkey.id, before: { name: passkey.name }, ...after, endedSessions }
      }),
  }),
}))

const deletePasskey = statement<object, [id: string]>('delete_passkey', 'DELETE FROM passkeys WHERE id = $1')

async function insertOnce(insert: Promise<void>): Promise<void> {
  try {
    await insert
  } catch (error) {
    if (isTaken(error)) throw invalid({ response: ['This passkey was already added.'] })
    throw error
  }
}

/** Locks a passkey of the signed-in user until the transaction ends. Throws `not_found` for any other identifier. */
async function lockOwnPasskey(transaction: Transaction, context: Context, globalId: string): Promise<Passkey> {
  const id = parseIdentifier(globalId, ['Passkey'])
  if (!isIdentifier(id)) throw notFound()
  const values = [id, requirePerson(context).user.id]
  // pg reads a 64-bit integer as text.
  const { rows }: pg.QueryResult<Omit<Passkey, 'counter'> & { counter: string }> = await transaction.query({
    name: 'lock_own_passkey',
    text: ownPasskey,
    values,
  })
  if (!rows[0]) throw notFound()
  return { ...rows[0], counter: BigInt(rows[0].counter) }
}

const ownPasskey = `SELECT id, user_id AS "userId", name, credential_id AS "credentialId", public_key AS "publicKey", counter, transports,
    is_backed_up AS "isBackedUp", created_at AS "createdAt", owner_access_team_ids AS "ownerAccessTeamIds", last_used_at AS "lastUsedAt"
  FROM passkeys WHERE id = $1 AND user_id = $2 FOR UPDATE`
