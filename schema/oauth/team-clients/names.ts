import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import type { Ports } from '../../core/ports.ts'
import type { FieldErrors } from '../../core/errors.ts'
import { refused } from '../../core/validation.ts'
import { brokenNameRule, normalizeName } from './name-rules.ts'

const namesOfOthers = statement<{ name: string }, [teamId: string | null]>(
  'names_of_listed_clients',
  `SELECT DISTINCT name FROM oauth_clients WHERE state = 'listed' AND owner_team_id IS DISTINCT FROM $1`,
)

/** The new names on the consent page. */
interface Named {
  ownerTeamId: string | null
  name?: string | undefined
  publisher?: string | null | undefined
}

/** Throws if a name could be mistaken for the service, or that of the client for a listed client of another team. */
export async function requireOwnName(
  transaction: Transaction,
  { brandName }: Pick<Ports, 'brandName'>,
  { ownerTeamId, name, publisher }: Named,
): Promise<void> {
  const errors: FieldErrors = {}
  for (const [member, value] of Object.entries({ name, publisher })) {
    const rule = value && brokenNameRule(value, brandName)
    if (rule) errors[member] = [`The :attribute field must not ${rule}.`]
  }
  if (name !== undefined && !errors['name']) {
    // Returns the appearance of a name. A name without letters, such as an emoji, is compared unchanged.
    const appearance = (text: string) => normalizeName(text) || text.normalize('NFKC')
    const taken = (await namesOfOthers(transaction, ownerTeamId)).find((other) => appearance(other.name) === appearance(name))
    if (taken) errors['name'] = [`The :attribute field must not be, or look like, that of another app: ${taken.name}.`]
  }
  if (Object.keys(errors).length > 0) throw refused(errors)
}
