import { builder } from './builder.ts'
import type { Principal } from './context.ts'
import { authenticated } from './reach.ts'
import { hasScope } from './requires.ts'
import { isScope } from './scopes.ts'
import { readTeam, TeamType, teamOf } from './team.ts'
import { PersonalTokenType } from './token.ts'
import { UserType } from './user.ts'

const credentialKinds = ['oauth', 'personal_token', 'team_token', 'session', 'command_line'] as const
const CredentialKindType = builder.enumType('CredentialKind', {
  description: 'How the viewer was authenticated.',
  values: Object.fromEntries(credentialKinds.map((kind) => [kind.toUpperCase(), { value: kind }])),
})

const ViewerType = builder.objectRef<Principal>('Viewer').implement({
  description: 'Who asks, and what their credential carries. What does not apply is null.',
  fields: (t) => ({
    kind: t.expose('via', { type: CredentialKindType, description: 'How the viewer was authenticated.' }),
    user: t.field({
      description: 'The person, where one asks.',
      type: UserType,
      nullable: true,
      resolve: (viewer, _, { database }) =>
        viewer.kind === 'user' ? database.prisma.user.findUniqueOrThrow({ where: { id: viewer.user.id } }) : null,
    }),
    id: t.id({ description: 'The person’s identifier.', nullable: true, resolve: (viewer) => person(viewer)?.id ?? null }),
    name: t.string({ description: 'The person’s name.', nullable: true, resolve: (viewer) => person(viewer)?.name ?? null }),
    email: t.string({ description: 'The person’s e-mail address.', nullable: true, resolve: (viewer) => person(viewer)?.email ?? null }),
    team: t.field({
      description: 'The team of a team token, or the one selected in the grant of a client.',
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
    tokens: t.field({
      description: 'The person’s personal tokens, newest first; for account-site sessions.',
      type: [PersonalTokenType],
      requires: { scopes: [], via: ['session'] },
      resolve: (viewer, _, { database }) =>
        viewer.kind !== 'user'
          ? []
          : database.prisma.accessToken.findMany({ where: { userId: viewer.user.id }, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] }),
    }),
  }),
})

const person = (viewer: Principal) => (viewer.kind === 'user' ? viewer.user : null)

function selectedTeam(viewer: Principal) {
  if (viewer.kind === 'operator') return null
  const slug = viewer.kind === 'user' ? viewer.client?.team : viewer.teams[0]?.team.slug
  const reach = viewer.teams.find(({ team }) => team.slug === slug)
  return reach ? teamOf(reach) : null
}

builder.queryField('viewer', (t) =>
  t.field({ description: 'Who asks.', type: ViewerType, resolve: (_, __, context) => authenticated(context) }),
)
