import { identityColumns, readRow, readRows } from '../../prisma/statement/read-row.ts'
import type { Transaction } from '../../prisma/statement/transaction.ts'
import type { Context } from '../core/context.ts'
import { notFound } from '../core/errors.ts'
import { parseIdentifier } from '../core/global-id.ts'
import { authorize, recentOwner, sessionOnly } from '../core/requires.ts'
import type { Requirement } from '../core/requires.ts'
import { findTeamAccess } from '../core/team-access/team-access.ts'
import { isIdentifier } from '../core/validation.ts'
import type { IdentityWithParts } from './identity.ts'

/** The requirement to delete an identity. Like a revocation, it needs no recent sign-in. */
export const endIdentity: Requirement = { ...sessionOnly, roles: ['owner'] }

/** The requirement to create or change an identity. Jobs that meet its conditions get tokens of the team. */
export const writeIdentity: Requirement = recentOwner

const selectIdentity = (condition: string) =>
  `SELECT ${identityColumns}, CASE WHEN u.id IS NOT NULL THEN json_build_object('id', u.id, 'name', u.name) END AS "createdBy"
   FROM workload_identities w LEFT JOIN users u ON u.id = w.created_by_id WHERE ${condition}`
const identityById = selectIdentity('w.id = $1')

/** Returns the identities of these teams, oldest first. */
export const identitiesOfTeams = (database: Context['database'], teamIds: readonly string[]) =>
  readRows<IdentityWithParts>(
    database.pool,
    'workload_identities_of_teams',
    `${selectIdentity('w.team_id = ANY ($1::uuid[])')} ORDER BY w.created_at, w.id`,
    [teamIds],
  )

/** Returns an identity of a team in which the caller meets the requirement, by its identifier or global id, or throws `not_found`. */
export async function findOwnIdentity(context: Context, globalId: string, requirement: Requirement): Promise<IdentityWithParts> {
  const id = parseIdentifier(globalId, ['WorkloadIdentity'])
  const identity = isIdentifier(id)
    ? await readRow<IdentityWithParts>(context.database.pool, 'workload_identity_by_id', identityById, id)
    : null
  const teamAccess = identity && (await findTeamAccess(context, 'id', identity.teamId))
  if (!identity || !teamAccess) throw notFound()
  authorize(context, requirement, teamAccess)
  return identity
}

/** Locks an identity until the transaction ends and reads it. Throws `not_found` if it was deleted since. */
export async function lockWorkloadIdentity(transaction: Transaction, id: string): Promise<IdentityWithParts> {
  const identity = await readRow<IdentityWithParts>(transaction, 'lock_workload_identity', `${identityById} FOR UPDATE OF w`, id)
  if (!identity) throw notFound('the identity was deleted')
  return identity
}
