import type { User } from '../../../../prisma/generated/client/client.ts'
import { statement } from '../../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../../prisma/statement/transaction.ts'
import { lockAccount } from '../../../core/database/locks.ts'
import { teamOfAddress } from '../../../domains/verified.ts'
import { isRenamed } from '../../../members/directory/stated-addresses.ts'
import type { SignInProvider } from '../sign-in-provider.ts'
import type { AccountWithAddress } from './decide.ts'
import { hasIdentity } from './identities.ts'

interface Facts {
  isMember: boolean
  hasOtherTeams: boolean
  userName: string | null
  emails: { value: string }[] | null
}

const factsOfAccount = statement<Facts, [userId: string, teamId: string | null]>(
  'facts_of_account_at_sign_in',
  `SELECT EXISTS (SELECT FROM members WHERE user_id = $1 AND team_id = $2::uuid) AS "isMember",
     EXISTS (SELECT FROM members WHERE user_id = $1 AND team_id IS DISTINCT FROM $2::uuid) AS "hasOtherTeams",
     s.user_name AS "userName", s.attributes->'emails' AS emails
   FROM (SELECT 1) one LEFT JOIN scim_users s ON s.account_id = $1 AND s.team_id = $2::uuid`,
)

/** The facts about an address that a provider states. */
interface AddressFacts {
  /** The team that verified the domain of the address, or null. */
  domainTeamId: string | null
  /** The account with the address, locked, and the facts that decide about it; null if there is none. */
  account: { user: User; facts: AccountWithAddress } | null
}

/** Finds the account with an address, and locks it. The team of the provider must be locked. */
export async function findAddress(transaction: Transaction, provider: SignInProvider, email: string): Promise<AddressFacts> {
  const [user, domain] = await Promise.all([lockAccount(transaction, { email }), teamOfAddress(transaction, email)])
  const domainTeamId = domain?.teamId ?? null
  if (!user) return { domainTeamId, account: null }
  const [[row], isLinked] = await Promise.all([
    factsOfAccount(transaction, user.id, provider.team?.teamId ?? null),
    hasIdentity(transaction, provider, user.id),
  ])
  if (!row) throw new Error('the statement selects one row')
  const { userName, emails, ...facts } = row
  const isNewName = userName !== null && isRenamed({ userName, emails: emails ?? [] }, email)
  return { domainTeamId, account: { user, facts: { ...user, ...facts, hasIdentity: isLinked, isRenamed: isNewName } } }
}
