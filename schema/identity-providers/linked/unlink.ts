import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import { builder } from '../../builder/builder.ts'
import { payloadType } from '../../builder/payload-type.ts'
import { change } from '../../core/audit/audit.ts'
import type { Context } from '../../core/context.ts'
import { lockCaller } from '../../core/database/locks.ts'
import { invalid, notFound } from '../../core/errors.ts'
import { parseIdentifier } from '../../core/global-id.ts'
import { sendNotice } from '../../core/notices/send-notice.ts'
import { recentSession } from '../../core/requires.ts'
import { endSignInsAtProvider } from '../../core/team-access/session-reach.ts'
import { requirePerson } from '../../core/team-access/team-access.ts'
import { isIdentifier } from '../../core/validation.ts'
import { ExternalIdentityType, identityColumns, identityRows, getProviderName } from './linked-identity.ts'
import type { LinkedIdentityRow } from './linked-identity.ts'

const UnlinkIdentityPayload = payloadType<{ identity: LinkedIdentityRow }>('UnlinkIdentityPayload', {
  description: 'The identity that is no longer linked.',
  fields: (t) => ({
    identity: t.expose('identity', { type: ExternalIdentityType, description: 'The external identity before it was unlinked.' }),
  }),
})
const UnlinkIdentityInput = builder.inputType('UnlinkIdentityInput', {
  fields: (t) => ({ id: t.id({ required: true, description: 'The identifier of the external identity.' }) }),
})

builder.mutationField('unlinkIdentity', (t) =>
  t.field({
    description:
      'Unlinks an account at an identity provider, which no longer signs in. Refused if nothing else does, and while a team of the user requires the provider.',
    type: UnlinkIdentityPayload,
    requires: recentSession,
    args: { input: t.arg({ type: UnlinkIdentityInput, required: true }) },
    resolve: (_, { input }, context, info) =>
      change(context, info, async (transaction) => {
        const { user } = requirePerson(context)
        // The account is locked, so that the second of two simultaneous requests sees the remaining identities.
        await lockCaller(transaction, user.id)
        const identity = await findOwn(transaction, context, input.id)
        await requireOtherWays(transaction, user.id, identity)
        if (identity.providerId !== null) endSignInsAtProvider(transaction, { of: { providerId: identity.providerId }, userId: user.id })
        transaction.defer(deleteIdentity(transaction, identity.id))
        const provider = getProviderName(identity)
        await sendNotice(transaction, context, user, 'identity-unlinked', { provider })
        const before = { provider, email: identity.email }
        return { result: { identity }, subject: user.id, subjectName: user.name, before }
      }),
  }),
)

const ownIdentity = statement<LinkedIdentityRow, [id: string, userId: string]>(
  'own_external_identity',
  `SELECT ${identityColumns} FROM ${identityRows} WHERE r.id = $1 AND r.user_id = $2`,
)
const deleteIdentity = statement<object, [id: string]>('unlink_external_identity', 'DELETE FROM external_identities WHERE id = $1')

async function findOwn(transaction: Transaction, context: Context, globalId: string): Promise<LinkedIdentityRow> {
  const id = parseIdentifier(globalId, ['ExternalIdentity'])
  const [identity] = isIdentifier(id) ? await ownIdentity(transaction, id, requirePerson(context).user.id) : []
  if (!identity) throw notFound()
  return identity
}

const waysToSignIn = statement<{ hasOther: boolean; requiredBy: string | null }, [userId: string, id: string, providerId: string | null]>(
  'ways_to_sign_in',
  `SELECT u.password_hash IS NOT NULL OR u.email_verified OR EXISTS (SELECT FROM passkeys k WHERE k.user_id = u.id)
     OR EXISTS (SELECT FROM ${identityRows} WHERE r.user_id = u.id AND r.id <> $2 AND t.deleted_at IS NULL AND p.disabled_at IS NULL) AS "hasOther",
   (SELECT t.name FROM teams t JOIN members m ON m.team_id = t.id
    WHERE m.user_id = u.id AND t.sign_in_provider_id = $3::uuid AND t.deleted_at IS NULL ORDER BY t.name LIMIT 1) AS "requiredBy"
   FROM users u WHERE u.id = $1`,
)

/** Throws unless the user keeps another way to sign in. A team that requires the provider could otherwise not detect its user. */
async function requireOtherWays(transaction: Transaction, userId: string, { id, providerId }: LinkedIdentityRow): Promise<void> {
  const [ways] = await waysToSignIn(transaction, userId, id, providerId)
  if (ways?.requiredBy != null)
    throw invalid({
      id: [`The team ${ways.requiredBy} requires sign-in through this provider. Leave the team first, or let an owner remove you.`],
    })
  if (ways?.hasOther !== true)
    throw invalid({ id: ['This is your only way to sign in. Add and verify an email address, or add a passkey, first.'] })
}
