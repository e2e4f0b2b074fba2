import { randomUUID } from 'node:crypto'
import { statement } from '../../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../../prisma/statement/transaction.ts'
import { insertRow } from '../../../../prisma/statement/write-row.ts'
import { nameNewAccount } from '../../../accounts/person-name.ts'
import { writeAuditEntry } from '../../../core/audit/audit.ts'
import type { Context } from '../../../core/context.ts'
import { isTaken } from '../../../core/errors.ts'
import { placeholderAddress } from '../../../core/mails/placeholder-address.ts'
import { RefusedPersonError } from '../../protocol.ts'
import type { ProviderAssertion } from '../../protocol.ts'
import type { SignInProvider } from '../sign-in-provider.ts'

/** Returns a user as the actor of the changes of a sign-in. */
export const toActor = <Part extends Partial<Context>>(context: Part, user: { id: string; name: string }) => ({
  ...context,
  principal: { kind: 'user', authenticationMethod: 'session', user, credentialId: null } as const,
})

/** Creates the account of a person whose identity is new. It has no address unless the address is trusted. */
export async function createAccount(
  transaction: Transaction,
  context: Context,
  { provider, assertion, email }: { provider: SignInProvider; assertion: ProviderAssertion; email: string | null },
): Promise<{ id: string; name: string }> {
  await requireMayCreate(transaction, context, provider, email)
  const id = randomUUID()
  const name = nameNewAccount({ full: [assertion.name] }, assertion.email)
  const at = context.now()
  const createdByTeamId = provider.team?.teamId ?? null
  const account = { id, name, email: email ?? placeholderAddress(id), emailVerified: email !== null, createdByTeamId }
  try {
    await insertRow(transaction, 'users', { ...account, createdAt: at, updatedAt: at })
  } catch (error) {
    // Another sign-in or sign-up created the account after this one had searched for it.
    if (isTaken(error))
      throw new RefusedPersonError('An account with the email address from the identity provider was created a moment ago. Sign in again.')
    throw error
  }
  writeAuditEntry(transaction, toActor(context, { id, name }), 'createAccountAtProvider', {
    subject: id,
    subjectName: name,
    after: { email, name, provider: provider.name },
  })
  return { id, name }
}

const pendingInvitation = statement<object, [email: string | null, now: Date]>(
  'invitation_of_provider_sign_up',
  `SELECT 1 FROM invitations WHERE email = $1 AND status = 'pending' AND expires_at > $2 LIMIT 1`,
)

/** Throws unless an account may be created. Public providers need an invitation if sign-up does; that of a team counts as one. */
async function requireMayCreate(transaction: Transaction, context: Context, provider: SignInProvider, email: string | null): Promise<void> {
  if (context.signUp === 'open' || provider.team) return
  const [invitation] = await pendingInvitation(transaction, email, context.now())
  if (!invitation)
    throw new RefusedPersonError(
      'To create an account, you need an invitation for an email address that the identity provider has verified.',
    )
}
