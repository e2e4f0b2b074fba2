import { builder } from '../builder/builder.ts'
import { enumType } from '../builder/enum-type.ts'
import { pageType } from '../builder/pagination.ts'
import { searchPattern } from '../builder/search.ts'
import { connectionType } from '../lists/connection.ts'
import { listFields } from '../lists/list-fields.ts'
import { orderByType } from '../lists/order-by.ts'
import { isAuthorized, seeTeamAccess } from '../core/requires.ts'
import { requireTeamAccessById } from '../core/team-access/team-access.ts'
import { TeamType } from '../teams/team.ts'
import { seeTeamTokens } from '../tokens/rules.ts'
import { credentialFilterArguments, credentialFilters, personDescription, personFilters } from '../tokens/credential-filters.ts'
import { tokenHint } from '../tokens/token.ts'
import { teamAccessList } from './access-list.ts'
import { clientKeys } from './clients/client-keys.ts'
import type { TeamAccessKind, TeamAccessOrder, TeamAccessRow } from './access-list.ts'

const TeamAccessKindType = enumType('TeamAccessKind', 'A kind of access to a team.', {
  team_token: 'A team access token.',
  personal_token: 'A personal access token of a member.',
  app: 'A client to which a member granted access.',
  client: 'A client of the team, by the client credentials grant.',
  workload_identity: 'A workload identity, whose jobs get tokens of the team.',
} satisfies Record<TeamAccessKind, string>)

const TeamAccessOrderType = orderByType('TeamAccessOrder', 'tokens and grants', {
  name: 'The name of the token or client.',
  person: 'The name of the member.',
  created: 'When access was given.',
  last_used: 'When access was last used.',
  expires: 'When access expires.',
} satisfies Record<TeamAccessOrder, string>)

const tokenKinds: Partial<Record<TeamAccessKind, 'team' | 'personal'>> = { team_token: 'team', personal_token: 'personal' }

function getHint({ kind, lastFour }: TeamAccessRow): string | null {
  const token = tokenKinds[kind]
  return token ? tokenHint({ kind: token, lastFour }) : null
}

export const TeamAccessType = builder.objectRef<TeamAccessRow>('TeamAccess').implement({
  description:
    'A team token, a member’s personal token, a grant to an OAuth client, a client of the team, or a workload identity that can access a team.',
  fields: (t) => ({
    tokenId: t.id({
      nullable: true,
      description: 'The token’s identifier; null for other kinds.',
      resolve: ({ id, kind }) => (tokenKinds[kind] ? id : null),
    }),
    grantId: t.id({
      nullable: true,
      description: 'The identifier of an app’s grant; null for other kinds.',
      resolve: ({ id, kind }) => (kind === 'app' ? id : null),
    }),
    identityId: t.id({
      nullable: true,
      description: 'The identifier of a workload identity; null for other kinds.',
      resolve: ({ id, kind }) => (kind === 'workload_identity' ? id : null),
    }),
    clientId: t.id({
      nullable: true,
      description: 'The public identifier of a client of the team; null for other kinds.',
      resolve: ({ clientId, kind }) => (kind === 'client' ? clientId : null),
    }),
    metadataUrl: t.string({
      nullable: true,
      description: 'URL of the document that describes an agent; null for others.',
      resolve: ({ clientId, clientSource }) => (clientSource === 'metadata' ? clientId : null),
    }),
    kind: t.expose('kind', { type: TeamAccessKindType, description: 'The kind of access.' }),
    name: t.exposeString('name', { description: 'The name of the token, the client or the identity.' }),
    hint: t.string({
      nullable: true,
      description: 'The prefix and the last four characters of a token; null for other kinds.',
      resolve: getHint,
    }),
    personName: t.exposeString('personName', {
      nullable: true,
      description: 'Name of the user that it acts for, or who created the team token or the identity; null if unknown.',
    }),
    providerName: t.exposeString('providerName', {
      nullable: true,
      description:
        'Name of the identity provider of the team that gave a client the access; null if the user gave it, and for other kinds.',
    }),
    isLimited: t.exposeBoolean('isLimited', {
      description: 'Whether it is limited to selected teams; otherwise it can access all teams of the user.',
    }),
    scopes: t.exposeStringList('scopes', { description: 'What it may do.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true, description: 'When it was last used, to the minute, or null.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true, description: 'When it expires, or null for never.' }),
  }),
})

builder.objectFields(TeamType, (t) =>
  listFields(t, 'access', {
    description:
      'What can access the team besides its signed-in members: personal tokens, grants and, for callers who may list them, team tokens, clients of the team and workload identities.',
    page: pageType('TeamAccessPage', TeamAccessType),
    connection: connectionType('TeamAccess', TeamAccessType),
    requires: seeTeamAccess,
    list: teamAccessList,
    args: builder.args((arg) => ({
      kind: arg.field({ type: TeamAccessKindType, description: 'Only this kind of access.' }),
      isAgent: arg.boolean({
        description: 'True for clients that are described by a document or have registered themselves, false for everything else.',
      }),
      ...credentialFilterArguments('tokens and grants'),
      search: arg.string({ description: 'Only tokens and clients whose name contains this text, in upper or lower case.' }),
      person: arg.string({ description: personDescription('tokens and grants') }),
      orderBy: arg.field({ type: TeamAccessOrderType, description: 'The order; default by creation, latest first.' }),
    })),
    async query({ kind, isAgent, search, person, orderBy, ...args }, context, team) {
      const teamAccess = await requireTeamAccessById(context, team.id)
      const pattern = searchPattern(search)
      const filters = {
        live: true,
        kind,
        isAgent,
        search: pattern === null ? null : { pattern, clients: (await clientKeys(context, 'name ILIKE $1', pattern)) ?? [] },
        ...personFilters(person),
        withoutTeamTokens: !isAuthorized(context, seeTeamTokens, teamAccess) || null,
        ...credentialFilters(args),
      } as const
      return { filters, orderBy: orderBy ?? { field: 'created', direction: 'desc' } }
    },
  }),
)
