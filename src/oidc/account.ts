import type { Account, KoaContextWithOIDC } from 'oidc-provider'
import type { Database } from '../../prisma/client.ts'
import { findPerson } from './storage/live-grants.ts'
import { currentTurn } from './turn.ts'

/** The claims that each scope of OpenID Connect opens. */
export const claimsByScope = {
  openid: ['sub', 'amr'],
  profile: ['name', 'updated_at'],
  email: ['email', 'email_verified'],
}

/** The person a subject stands for; undefined for one who is unknown, deleted or disabled. */
export const createFindAccount =
  (database: Database) =>
  async (_: KoaContextWithOIDC, subject: string): Promise<Account | undefined> => {
    const { people } = currentTurn()
    const person = people.get(subject) ?? (await findPerson(database, subject))
    if (!person) return undefined
    people.set(subject, person)
    const { id, name, email, emailVerified, updatedAt } = person
    return {
      accountId: id,
      claims: () => Promise.resolve({ sub: id, name, updated_at: updatedAt, email, email_verified: emailVerified }),
    }
  }
