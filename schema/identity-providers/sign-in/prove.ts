import { z } from 'zod'
import { statement } from '../../../prisma/statement/statement.ts'
import { inTransaction } from '../../../prisma/statement/transaction.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import { builder } from '../../builder/builder.ts'
import { payloadType } from '../../builder/payload-type.ts'
import type { Context } from '../../core/context.ts'
import { forbidden, invalid, notFound } from '../../core/errors.ts'
import { accountSiteOnly, confirmationOnly } from '../../core/requires.ts'
import { requirePerson } from '../../core/team-access/team-access.ts'
import { parse, text } from '../../core/validation.ts'
import { ProviderError } from '../protocol.ts'
import { identify } from './linking/identify.ts'
import { extendSession, signInTo } from './outcome.ts'
import { findPendingLink } from './pending-link.ts'
import type { PendingLink } from './pending-link.ts'

const PendingLinkInput = builder.inputType('PendingLinkInput', {
  fields: (t) => ({ request: t.string({ required: true, description: '`proofRequest` of `finishProviderSignIn`.' }) }),
})
const rules = z.object({ request: text })

const LinkProviderSignInPayload = payloadType<{ returnTo: string; isSignedIn: boolean; isRestored: boolean }>('LinkProviderSignInPayload', {
  description: 'The result of a sign-in whose account was proved or created. For the account site.',
  fields: (t) => ({
    returnTo: t.exposeString('returnTo', { description: 'The page to which the user returns.' }),
    isSignedIn: t.exposeBoolean('isSignedIn', { description: 'Whether the browser is signed in now.' }),
    isRestored: t.exposeBoolean('isRestored', { description: 'Whether the sign-in undid the deletion of the account.' }),
  }),
})

const takeStoredAssertion = statement<object, [id: string, now: Date]>(
  'take_sign_in_answer',
  `UPDATE sign_in_requests SET answer = NULL WHERE id = $1 AND answer IS NOT NULL AND purpose = 'sign_in' AND expires_at > $2 RETURNING id`,
)

builder.mutationFields((t) => ({
  linkProviderSignIn: t.field({
    description:
      'Links an identity to the account with its email address, to which the user has signed in since the provider answered. For the account site.',
    type: LinkProviderSignInPayload,
    isAudited: false,
    requires: confirmationOnly,
    args: { input: t.arg({ type: PendingLinkInput, required: true }) },
    async resolve(_, { input }, context) {
      const pending = await requirePending(context, input)
      const { user, authenticatedAt, signIns } = requirePerson(context)
      if (!pending.answeredAt || !authenticatedAt || authenticatedAt < pending.answeredAt) throw forbidden('recent_sign_in_required')
      // A sign-in through the provider of another team proves nothing.
      if (!signIns?.hasOwnProof) throw forbidden('own_proof_required')
      await take(context, pending, { provedUserId: user.id }, (transaction) => extendSession(transaction, context, pending.provider))
      return { returnTo: pending.returnTo, isSignedIn: true, isRestored: false }
    },
  }),
  createProviderAccount: t.field({
    description:
      'Creates an account without an email address for an identity, although there is an account with its email address. For the account site.',
    type: LinkProviderSignInPayload,
    isAudited: false,
    requires: accountSiteOnly,
    args: { input: t.arg({ type: PendingLinkInput, required: true }) },
    async resolve(_, { input }, context) {
      const pending = await requirePending(context, input)
      const userId = await take(context, pending, 'new_account')
      return { returnTo: pending.returnTo, ...(await signInTo(context, pending.provider, userId)) }
    },
  }),
}))

async function requirePending(context: Context, input: unknown): Promise<PendingLink> {
  const pending = await findPendingLink(context, parse(rules, input).request)
  if (!pending) throw notFound()
  return pending
}

/** Uses the stored response, once. Returns the account. */
async function take(
  context: Context,
  { id, provider, assertion }: PendingLink,
  choice: 'new_account' | { provedUserId: string },
  also?: (transaction: Transaction) => Promise<void>,
): Promise<string> {
  try {
    const { userId, endedSessions } = await inTransaction(context.database, async (transaction) => {
      if ((await takeStoredAssertion(transaction, id, context.now())).length === 0) throw notFound()
      const identification = await identify(transaction, context, { provider, assertion, choice })
      await also?.(transaction)
      return identification
    })
    if (endedSessions.length > 0) context.sessionsEnded(endedSessions)
    if (userId === null) throw new Error('the person made a choice, so there is an account')
    return userId
  } catch (error) {
    if (error instanceof ProviderError) throw invalid({ request: [error.message] })
    throw error
  }
}
