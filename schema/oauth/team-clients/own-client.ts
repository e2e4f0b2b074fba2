import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import type { Context } from '../../core/context.ts'
import type { Ports } from '../../core/ports.ts'
import type { Principal, TeamAccess } from '../../core/principals.ts'
import { notFound } from '../../core/errors.ts'
import { authorize, recentOwner, sessionOnly } from '../../core/requires.ts'
import type { Requirement } from '../../core/requires.ts'
import { findTeamAccess } from '../../core/team-access/team-access.ts'
import { refused } from '../../core/validation.ts'
import { findClient } from '../clients/client.ts'
import type { ClientWithSecrets } from '../clients/client.ts'

/** The requirement to register and change the clients of a team, which affects everyone who connects them. */
export const writeTeamClients: Requirement = recentOwner

/** The requirement to end a client's access to the team. It needs no recent sign-in, as for tokens. */
export const endClientAccess: Requirement = { ...sessionOnly, roles: ['owner'] }

/**
 * Returns a client of a team in which the caller meets the requirement, by its public identifier or global id, with the team. Throws
 * `not_found` for any other, whether it exists or not, and for the clients of the operator.
 */
export async function findTeamClient(
  context: Context,
  globalId: string,
  requirement: Requirement,
): Promise<{ client: ClientWithSecrets; team: TeamAccess['team'] }> {
  const client = await findClient(context.database, globalId)
  const teamAccess = await ownerAccess(context, client)
  if (!teamAccess) throw notFound()
  authorize(context, requirement, teamAccess)
  return { client, team: teamAccess.team }
}

/** Returns the caller's access to the team that owns a client; null if there is none. */
export const ownerAccess = (context: Context, { ownerTeamId }: Pick<ClientWithSecrets, 'ownerTeamId'>) =>
  ownerTeamId === null ? null : findTeamAccess(context, 'id', ownerTeamId)

/** Maximum number of clients of a team. */
export const maxTeamClients = 10

const countClients = statement<{ count: number }, [teamId: string]>(
  'count_clients_of_team',
  'SELECT count(*) AS count FROM oauth_clients WHERE owner_team_id = $1',
)

/** Throws unless the team, which the caller has locked, can have another client. */
export async function requireRoom(transaction: Transaction, teamId: string): Promise<void> {
  const [{ count } = { count: 0 }] = await countClients(transaction, teamId)
  if (count >= maxTeamClients) throw refused({ team: [`A team can have ${maxTeamClients} clients. Delete one to register another.`] })
}

/** Throws if teams cannot register clients here. Operators can register clients for them. */
export function requireOpenRegistration({ clientRegistration }: Ports, { kind }: Principal): void {
  if (clientRegistration === 'closed' && kind !== 'operator')
    throw refused({ team: ['Teams cannot register clients at this service. Ask its operator.'] })
}
