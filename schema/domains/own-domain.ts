import type { TeamDomain } from '../../prisma/generated/client/client.ts'
import { domainColumns, readRow } from '../../prisma/statement/read-row.ts'
import type { Transaction } from '../../prisma/statement/transaction.ts'
import type { Context } from '../core/context.ts'
import { notFound } from '../core/errors.ts'
import { parseIdentifier } from '../core/global-id.ts'
import { authorize } from '../core/requires.ts'
import { findTeamAccess } from '../core/team-access/team-access.ts'
import { isIdentifier } from '../core/validation.ts'
import { changeDomains } from './rules.ts'

const domainById = `SELECT ${domainColumns} FROM team_domains d WHERE d.id = $1`

/** Returns a domain that the caller may change, by its identifier or global id. Throws `not_found` for any other. */
export async function findOwnDomain(context: Context, globalId: string): Promise<TeamDomain> {
  const id = parseIdentifier(globalId, ['TeamDomain'])
  const domain = isIdentifier(id) ? await readRow<TeamDomain>(context.database.pool, 'domain_by_id', domainById, id) : null
  const teamAccess = domain && (await findTeamAccess(context, 'id', domain.teamId))
  if (!domain || !teamAccess) throw notFound()
  authorize(context, changeDomains, teamAccess)
  return domain
}

/** Locks a domain until the transaction ends and reads it; null if it was removed since. */
export const lockDomain = (transaction: Transaction, id: string): Promise<TeamDomain | null> =>
  readRow<TeamDomain>(transaction, 'lock_domain', `${domainById} FOR UPDATE`, id)

/** Returns the common part of audit entries about a domain. */
export const auditedDomain = ({ id, teamId, domain }: TeamDomain) => ({ teamId, subject: id, subjectName: domain })
