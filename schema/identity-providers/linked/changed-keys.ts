import type { IdentityProvider, Team } from '../../../prisma/generated/client/client.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import type { Context } from '../../core/context.ts'
import { sendNotice } from '../../core/notices/send-notice.ts'
import { endSignInsAtProvider } from '../../core/team-access/session-reach.ts'

const linkedPeople = statement<{ id: string; emailVerified: boolean }, [providerId: string]>(
  'people_linked_with_provider',
  `SELECT DISTINCT u.id, u.email_verified AS "emailVerified" FROM external_identities i JOIN users u ON u.id = i.user_id
   WHERE i.provider_id = $1 AND u.disabled_at IS NULL ORDER BY u.id`,
)
const unlinkAll = statement<object, [providerId: string]>(
  'unlink_identities_of_provider',
  'DELETE FROM external_identities WHERE provider_id = $1',
)
const askAll = statement<object, [providerId: string]>(
  'ask_identities_of_provider_for_proof',
  'UPDATE external_identities SET needs_proof = true WHERE provider_id = $1 AND NOT needs_proof',
)

/**
 * Invalidates what the previous key of a provider proved, if a change adds another key, which somebody else could hold. Users with linked
 * accounts prove them again at the next sign-in, and get an email. The provider must be locked.
 */
export async function askAfterNewKey(
  transaction: Transaction,
  context: Context,
  { name: team, slug }: Pick<Team, 'name' | 'slug'>,
  { before, after }: Record<'before' | 'after', IdentityProvider>,
): Promise<void> {
  const { id, name } = after
  const hasOtherIssuer = after.issuer !== before.issuer
  const hasOtherClient = after.clientId !== before.clientId
  const hasNewCertificate = after.certificates.some((certificate) => !before.certificates.includes(certificate))
  if (!hasOtherIssuer && !hasOtherClient && !hasNewCertificate) return
  const people = await linkedPeople(transaction, id)
  // Another issuer could give the identifier of one user to another one.
  if (hasOtherIssuer) {
    endSignInsAtProvider(transaction, { of: { providerId: id } })
    transaction.defer(unlinkAll(transaction, id))
  } else transaction.defer(askAll(transaction, id))
  for (const person of people) await sendNotice(transaction, context, person, 'linked-provider-changed', { team, slug, name })
}
