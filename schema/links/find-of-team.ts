import type { GraphQLResolveInfo } from 'graphql'
import { findNode } from '../builder/node.ts'
import type { Context } from '../core/context.ts'
import { findLinkedTeam } from '../core/team-access/team-access.ts'

/** The types whose global id contains the team. */
const typesOfTeam = new Set([
  'TeamMember',
  'TeamConnectedApp',
  'TeamInvitation',
  'TeamInvoice',
  'TeamToken',
  'Webhook',
  'WorkloadIdentity',
  'TeamDomain',
  'IdentityProvider',
])

/** A reference of an object of a team to another one, by its type and the identifier that REST uses. */
interface Reference {
  type: string
  teamId: string
  id: string
}

/**
 * Returns the object that another object of a team refers to. Null if it was deleted or the caller may not see it, as in `node`. Objects of
 * one type that are selected at the same time are loaded together.
 */
export async function findOfTeam<Row extends object>(
  context: Context,
  { type, teamId, id }: Reference,
  info: GraphQLResolveInfo,
): Promise<Row | null> {
  const teamAccess = await findLinkedTeam(context, teamId)
  if (!teamAccess) return null
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `findNode` returns objects of the type
  return (await findNode(context, { type, key: typesOfTeam.has(type) ? [teamAccess.team.slug, id] : [id] }, info)) as Row | null
}
