import type pg from 'pg'
import type { Transaction } from '../../../prisma/transaction.ts'
import type { Passkey } from '../../../prisma/generated/client/client.ts'
import { builder } from '../../builder/builder.ts'
import type { Context } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import { recentSession, sessionOnly } from '../../core/requires.ts'
import { requirePerson } from '../../core/team-access.ts'
import { isIdentifier } from '../../core/validation.ts'
import { ViewerType } from '../../viewer/viewer.ts'
import { registrationOptions } from './registration.ts'

export const PasskeyType = builder.prismaObject('Passkey', {
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    isBackedUp: t.exposeBoolean('isBackedUp'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true }),
  }),
})

const newestFirst = [{ createdAt: 'desc' as const }, { id: 'asc' as const }]

builder.objectFields(ViewerType, (t) => ({
  passkeys: t.prismaField({
    description: 'The passkeys of the signed-in user, newest first. For account-site sessions.',
    type: [PasskeyType],
    requires: sessionOnly,
    resolve: (query, _, __, context) =>
      context.database.prisma.passkey.findMany({ ...query, where: { userId: requirePerson(context).user.id }, orderBy: newestFirst }),
  }),
  passkeyRegistration: t.string({
    description:
      'A challenge for registering a passkey: WebAuthn creation options as JSON, valid for ten minutes. For account-site sessions.',
    requires: recentSession,
    async resolve(_, __, context) {
      const { user } = requirePerson(context)
      const passkeys = await context.database.prisma.passkey.findMany({ where: { userId: user.id }, orderBy: newestFirst })
      return registrationOptions(context, user, passkeys)
    },
  }),
}))

/** Locks a passkey of the signed-in user until the transaction ends. Throws `not_found` for any other identifier. */
export async function lockOwnPasskey(transaction: Transaction, context: Context, id: string): Promise<Passkey> {
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
    is_backed_up AS "isBackedUp", created_at AS "createdAt", last_used_at AS "lastUsedAt"
  FROM passkeys WHERE id = $1 AND user_id = $2 FOR UPDATE`
