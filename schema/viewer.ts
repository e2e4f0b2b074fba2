import { builder } from './builder.ts'
import type { Principal } from './context.ts'
import { notFound } from './errors.ts'
import { GrantType, findGrants } from './grant.ts'
import { listComplexity } from './pagination.ts'
import { authenticated, sessionPerson } from './reach.ts'
import { hasScope, seeOwnGrants, sessionOnly } from './requires.ts'
import { isScope } from './scopes.ts'
import type { Scope } from './scopes.ts'
import { readTeam, TeamType, teamOf } from './team.ts'
import { PersonalTokenPage, PersonalTokenType, findTokens, tokenArguments } from './token.ts'
import { UserType } from './user.ts'
import { isIdentifier } from './validation.ts'

const credentialKinds = ['oauth', 'personal_token', 'team_token', 'session', 'account_site', 'command_line'] as const
const CredentialKindType = builder.enumType('CredentialKind', {
  description: 'How the viewer was authenticated.',
  values: Object.fromEntries(credentialKinds.map((kind) => [kind.toUpperCase(), { value: kind }])),
})

export const ViewerType = builder.objectRef<Principal>('Viewer').implement({
  description: 'Who asks, and what their credential carries. What does not apply is null.',
  fields: (t) => ({
    kind: t.expose('via', { type: CredentialKindType, description: 'How the viewer was authenticated.' }),
    user: t.field({
      description: 'The person, where one asks; for a client that acts for them, with both the scopes `profile` and `email`.',
      type: UserType,
      nullable: true,
      resolve: (viewer, _, { database }) => {
        const user = personTold(viewer, 'profile', 'email')
        return user && database.prisma.user.findUniqueOrThrow({ where: { id: user.id } })
      },
    }),
    id: t.id({ description: 'The person’s identifier.', nullable: true, resolve: (viewer) => personTold(viewer)?.id ?? null }),
    name: t.string({
      description: 'The person’s name; for a client that acts for them, with the scope `profile`.',
      nullable: true,
      resolve: (viewer) => personTold(viewer, 'profile')?.name ?? null,
    }),
    email: t.string({
      description: 'The person’s e-mail address; for a client that acts for them, with the scope `email`.',
      nullable: true,
      resolve: (viewer) => personTold(viewer, 'email')?.email ?? null,
    }),
    team: t.field({
      description: 'The team of a team token, or the one selected in the grant of a client, while it is within reach.',
      type: TeamType,
      nullable: true,
      resolve: selectedTeam,
    }),
    teamSlug: t.string({ description: 'Slug of that team.', nullable: true, resolve: (viewer) => selectedTeam(viewer)?.slug ?? null }),
    teamSlugs: t.stringList({
      description: 'Slugs of the teams within reach; null where the credential may not list teams.',
      nullable: true,
      resolve: (viewer) => (viewer.kind !== 'operator' && hasScope(viewer, readTeam) ? viewer.teams.map(({ team }) => team.slug) : null),
    }),
    scopes: t.stringList({
      description: 'The scopes the credential carries.',
      resolve: (viewer) => (viewer.kind === 'operator' ? [] : [...viewer.scopes].filter(isScope)),
    }),
    clientId: t.string({
      description: 'The client that acts for the person.',
      nullable: true,
      resolve: (viewer) => (viewer.kind === 'user' ? (viewer.client?.clientId ?? null) : null),
    }),
    expiresAt: t.field({
      description: 'When the credential stops working.',
      type: 'DateTime',
      nullable: true,
      resolve: (viewer) => (viewer.kind === 'operator' ? null : viewer.expiresAt),
    }),
    grants: t.field({
      description: 'What the person allows clients at present, newest first.',
      type: [GrantType],
      requires: seeOwnGrants,
      resolve: (viewer, _, context) => (viewer.kind === 'user' ? findGrants(context, { userId: viewer.user.id }) : []),
    }),
    grant: t.field({
      description: 'One of them.',
      type: GrantType,
      requires: seeOwnGrants,
      args: { id: t.arg.id({ required: true, description: 'The grant’s identifier.' }) },
      resolve: async (viewer, { id }, context) => {
        const [grant] = viewer.kind === 'user' && isIdentifier(id) ? await findGrants(context, { id, userId: viewer.user.id }) : []
        if (!grant) throw notFound()
        return grant
      },
    }),
    tokens: t.field({
      description: 'The person’s personal tokens, newest first; for account-site sessions.',
      type: PersonalTokenPage,
      complexity: listComplexity,
      requires: sessionOnly,
      args: tokenArguments,
      resolve: (_, args, context) => findTokens(context, { userId: sessionPerson(context).user.id }, args),
    }),
    token: t.field({
      description: 'One of them.',
      type: PersonalTokenType,
      requires: sessionOnly,
      args: { id: t.arg.id({ required: true, description: 'The token’s identifier.' }) },
      resolve: async (viewer, { id }, { database }) => {
        const userId = viewer.kind === 'user' && isIdentifier(id) ? viewer.user.id : null
        const token = userId && (await database.prisma.accessToken.findFirst({ where: { id, userId } }))
        if (!token) throw notFound()
        return token
      },
    }),
  }),
})

/** The person who asks. A client is told of them what these scopes open, which a person may decline (decisions §8). */
function personTold(viewer: Principal, ...needed: Scope[]) {
  if (viewer.kind !== 'user') return null
  return viewer.via === 'oauth' && !needed.every((scope) => viewer.scopes.has(scope)) ? null : viewer.user
}

function selectedTeam(viewer: Principal) {
  if (viewer.kind === 'operator') return null
  const slug = viewer.kind === 'user' ? viewer.client?.team : viewer.teams[0]?.team.slug
  const reach = viewer.teams.find(({ team }) => team.slug === slug)
  return reach ? teamOf(reach) : null
}

builder.queryField('viewer', (t) =>
  t.field({ description: 'Who asks.', type: ViewerType, resolve: (_, __, context) => authenticated(context) }),
)
