import { builder } from '../builder/builder.ts'
import type { Context } from '../core/context.ts'
import type { Principal } from '../core/principals.ts'
import { accessibleTeams, requirePrincipal } from '../core/team-access/team-access.ts'
import { hasScope, ownTokenId } from '../core/requires.ts'
import { isScope } from '../core/scopes.ts'
import type { Scope } from '../core/scopes.ts'
import { emailAddress } from '../core/validation.ts'
import { readTeam, TeamType } from '../teams/team.ts'
import { StaffRoleType } from '../builder/staff-role-type.ts'

// The account, its tokens, grants and sign-in methods are fields that their own folders add to this type.

/** The kinds of credential. The value is true if REST accepts the kind: its OpenAPI document declares only those that it can return. */
const credentialKinds = {
  oauth: { isInRest: true, description: 'An OAuth access token.' },
  personal_token: { isInRest: true, description: 'A personal access token.' },
  team_token: { isInRest: true, description: 'A team access token.' },
  client: { isInRest: true, description: 'An access token of a client of a team, by the client credentials grant.' },
  workload_identity: { isInRest: true, description: 'An access token of a workload identity of a team.' },
  session: { isInRest: false, description: 'A session of the account site.' },
  account_site: { isInRest: false, description: 'The account site itself, for a visitor who is not signed in.' },
  command_line: { isInRest: false, description: 'The command line of an operator.' },
}
const CredentialKindType = builder.enumType('CredentialKind', {
  description: 'How the viewer was authenticated.',
  values: Object.fromEntries(
    Object.entries(credentialKinds).map(([value, { isInRest, description }]) => [
      value.toUpperCase(),
      { value, description, extensions: { isInRest } },
    ]),
  ),
})

export const ViewerType = builder.objectRef<Principal>('Viewer').implement({
  description: 'The caller and what their credential allows. A field that does not apply is null.',
  fields: (t) => ({
    kind: t.expose('authenticationMethod', { type: CredentialKindType, description: 'How the viewer was authenticated.' }),
    userId: t.id({ description: 'The user’s identifier.', nullable: true, resolve: (viewer) => visiblePerson(viewer)?.id ?? null }),
    name: t.string({
      description: 'The user’s name. A client that acts for a user needs the scope `profile`.',
      nullable: true,
      resolve: (viewer) => visiblePerson(viewer, 'profile')?.name ?? null,
    }),
    email: t.string({
      description: 'The user’s email address. A client that acts for a user needs the scope `email`.',
      nullable: true,
      extensions: { rule: emailAddress },
      resolve: (viewer) => visiblePerson(viewer, 'email')?.email ?? null,
    }),
    team: t.field({
      description: 'The team of a team token or a machine, or the team selected in a client’s grant, if the credential can access it.',
      type: TeamType,
      nullable: true,
      resolve: (viewer, _, context) => selectedTeam(viewer, context),
    }),
    teamSlug: t.string({
      description: 'Slug of that team.',
      nullable: true,
      resolve: async (viewer, _, context) => (await selectedTeam(viewer, context))?.slug ?? null,
    }),
    teamSlugs: t.stringList({
      description: 'Slugs of the accessible teams; null if the credential may not list teams.',
      nullable: true,
      resolve: async (viewer, _, context) =>
        viewer.kind !== 'operator' && hasScope(viewer, readTeam)
          ? (await accessibleTeams(context, viewer)).map(({ team }) => team.slug)
          : null,
    }),
    scopes: t.stringList({
      description: 'The scopes of the credential.',
      resolve: (viewer) => (viewer.kind === 'operator' ? [] : [...viewer.scopes].filter(isScope)),
    }),
    isStaff: t.boolean({
      description: 'Whether the user belongs to the service’s staff. Always false for a client that acts for a user.',
      resolve: (viewer) => viewer.kind === 'user' && viewer.staffRole !== null,
    }),
    staffRole: t.field({
      description: 'The role of a user who is staff; null for everyone else, and always for a client that acts for a user.',
      type: StaffRoleType,
      nullable: true,
      resolve: (viewer) => (viewer.kind === 'user' ? viewer.staffRole : null),
    }),
    clientId: t.string({
      description: 'The client that acts for the user or, by the client credentials grant, for its team.',
      nullable: true,
      resolve: (viewer) => (viewer.kind === 'team' ? viewer.clientId : viewer.kind === 'user' ? (viewer.client?.clientId ?? null) : null),
    }),
    tokenId: t.id({
      description: 'The identifier of the personal or team token, with which it can rotate or revoke itself.',
      nullable: true,
      resolve: ownTokenId,
    }),
    expiresAt: t.field({
      description: 'When the credential expires.',
      type: 'DateTime',
      nullable: true,
      resolve: (viewer) => (viewer.kind === 'operator' ? null : viewer.expiresAt),
    }),
  }),
})

/**
 * Returns the user of the credential. A client sees them only if its grant has the scopes, which a user may decline
 * (docs/decisions/oauth.md#userinfo).
 */
export function visiblePerson(viewer: Principal, ...needed: Scope[]) {
  if (viewer.kind !== 'user') return null
  return viewer.authenticationMethod === 'oauth' && !needed.every((scope) => viewer.scopes.has(scope)) ? null : viewer.user
}

async function selectedTeam(viewer: Principal, context: Context) {
  // These credentials have one team. Without it, or without access to it, the list is empty.
  const hasOneTeam = viewer.kind === 'team' || (viewer.kind === 'user' && viewer.client?.team)
  return (hasOneTeam && (await accessibleTeams(context, viewer))[0]?.team) || null
}

builder.queryField('viewer', (t) =>
  t.field({ description: 'The caller.', type: ViewerType, resolve: (_, __, context) => requirePrincipal(context) }),
)
