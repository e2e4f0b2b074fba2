import { statement } from '../../prisma/statement/statement.ts'
import type { Transaction } from '../../prisma/statement/transaction.ts'
import { invalid } from '../core/errors.ts'
import { requiredSignInAt } from '../core/team-access/required-sign-in.ts'

const neverDone = statement<{ team: string; provider: string }, [userId: string]>(
  'required_sign_ins_never_done',
  `SELECT t.name AS team, p.name AS provider FROM users u JOIN members m ON m.user_id = u.id JOIN teams t ON t.id = m.team_id AND t.deleted_at IS NULL
   JOIN identity_providers p ON p.id = t.sign_in_provider_id WHERE u.id = $1 AND ${requiredSignInAt} = 0 ORDER BY t.slug LIMIT 1`,
)

/**
 * Throws if a team requires a user to sign in through its provider, now or later, and the user never has. With another address, the team
 * would no longer require it; after a sign-in, it does, whatever the address is (docs/decisions/required-sign-in.md#who-is-concerned).
 */
export async function requireSignInsDone(transaction: Transaction, userId: string): Promise<void> {
  const [missing] = await neverDone(transaction, userId)
  if (missing) {
    const { team, provider } = missing
    throw invalid({
      email: [`The team ${team} requires sign-in through ${provider}. Sign in there once before you change your email address.`],
    })
  }
}
