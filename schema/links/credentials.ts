import { statement } from '../../prisma/statement/statement.ts'
import { builder } from '../builder/builder.ts'
import type { Context } from '../core/context.ts'
import type { AccessibleTeam } from '../core/principals.ts'
import { seeTeamAccess } from '../core/requires.ts'
import { reaches, tokenReach } from '../core/team-access/reach.ts'
import { accessibleTeams, requirePrincipal } from '../core/team-access/team-access.ts'
import { loadBatched, loadById } from '../lists/batch.ts'
import { TeamAccessType } from '../oauth/access.ts'
import { ClientType } from '../oauth/clients/client.ts'
import { GrantType } from '../oauth/grants/grant.ts'
import { PersonType } from '../teams/person.ts'
import { TeamType } from '../teams/team.ts'
import { findTeamIdsOfCaller } from '../teams/teams-of-caller.ts'
import { MemberTokenType } from '../tokens/member-tokens/member-token.ts'
import { PersonalTokenType, TeamTokenType } from '../tokens/token.ts'
import { WorkloadIdentityType } from '../workload-identities/identity.ts'
import { findOfTeam } from './find-of-team.ts'

// These fields link tokens, grants and `TeamAccess` to the objects that they refer to.

/** Returns the teams with these keys, by slug, without those that the caller cannot access. */
async function loadTeams(context: Context, ids: readonly string[]): Promise<AccessibleTeam[]> {
  const principal = requirePrincipal(context)
  if (principal.kind !== 'operator') {
    const teams = (await accessibleTeams(context, principal)).map(({ team }) => team)
    return teams.filter(({ id }) => ids.includes(id))
  }
  const find = (some: string[]) => context.database.prisma.team.findMany({ where: { id: { in: some }, deletedAt: null } })
  const teams = await Promise.all(ids.map((id) => loadById<AccessibleTeam>(context, 'teams of tokens', id, find)))
  return teams.filter((team) => team !== null).toSorted((a, b) => (a.slug < b.slug ? -1 : 1))
}

builder.objectFields(PersonalTokenType, (t) => ({
  teamObjects: t.field({
    description: 'The teams that the token is limited to and the caller can access, by slug; null for all teams of the user.',
    type: [TeamType],
    nullable: true,
    resolve: ({ teamIds }, _, context) => (teamIds.length === 0 ? null : loadTeams(context, teamIds)),
  }),
  revokedTeamObjects: t.field({
    description: 'The teams that the caller can access and for which an owner has revoked the token’s access.',
    type: [TeamType],
    resolve: ({ revokedTeamIds }, _, context) => loadTeams(context, revokedTeamIds),
  }),
}))

const teamsOfTokens = statement<{ tokenId: string; teamId: string }, [tokenIds: readonly string[], teamIds: readonly string[] | null]>(
  'teams_of_tokens',
  `SELECT r.id AS "tokenId", m.team_id AS "teamId" FROM access_tokens r JOIN members m ON ${reaches(tokenReach('r'))}
   WHERE r.id = ANY ($1) AND ($2::uuid[] IS NULL OR m.team_id = ANY ($2))`,
)

/** Returns the keys of the teams that a personal token can access and in which the caller may see who has access. */
async function loadVisibleTeams(context: Context, tokenId: string): Promise<readonly string[]> {
  const visible = await findTeamIdsOfCaller(context, seeTeamAccess)
  const load = async (tokenIds: string[]) =>
    Map.groupBy(await teamsOfTokens(context.database.pool, tokenIds, visible), (row) => row.tokenId)
  return ((await loadBatched(context, 'teams of tokens of members', tokenId, load)) ?? []).map(({ teamId }) => teamId)
}

builder.objectField(MemberTokenType, 'teams', (t) =>
  t.field({
    description:
      'The teams that the token can access. Teams in which the caller may not see the token are omitted, so there are at most as many as the caller has.',
    type: [TeamType],
    requires: { scopes: seeTeamAccess.scopes },
    resolve: async ({ id }, _, context) => loadTeams(context, await loadVisibleTeams(context, id)),
  }),
)

const CredentialType = builder.unionType('TeamCredential', {
  description: 'A token, a grant, a client or a workload identity that can access a team.',
  types: [TeamTokenType, MemberTokenType, GrantType, ClientType, WorkloadIdentityType],
})
const credentialTypes = {
  team_token: 'TeamToken',
  personal_token: 'MemberToken',
  app: 'Grant',
  client: 'OAuthClient',
  workload_identity: 'WorkloadIdentity',
}

builder.objectFields(TeamAccessType, (t) => ({
  credential: t.field({
    description: 'The token, grant, client or workload identity; null if it was deleted meanwhile.',
    type: CredentialType,
    nullable: true,
    resolve: ({ kind, teamId, id, clientId }, _, context, info) =>
      findOfTeam(context, { type: credentialTypes[kind], teamId, id: kind === 'client' ? (clientId ?? id) : id }, info),
  }),
  person: t.field({
    description: 'The user that it acts for, or who created the team token or workload identity; null if unknown.',
    type: PersonType,
    nullable: true,
    resolve: ({ personId: id, personName: name, personPictureId: pictureId }) =>
      id === null || name === null ? null : { id, name, pictureId },
  }),
}))
