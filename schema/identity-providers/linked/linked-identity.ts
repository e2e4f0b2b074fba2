import type { SocialProvider } from '../../../prisma/generated/client/enums.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import { builder } from '../../builder/builder.ts'
import { sessionOnly } from '../../core/requires.ts'
import { socialNames } from '../../core/social-clients.ts'
import { requirePerson } from '../../core/team-access/team-access.ts'
import { defineList } from '../../lists/list.ts'
import { wholeListFields } from '../../lists/whole-list-fields.ts'
import { ViewerType } from '../../viewer/viewer.ts'
import { OfferedProviderType, socialOffered } from '../sign-in/options.ts'
import type { OfferedProvider } from '../sign-in/options.ts'

/** The columns that the fields of an identity need. Lists select instants as text. */
export interface LinkedIdentityRow {
  id: string
  providerId: string | null
  /** The public provider, or null for that of a team. */
  social: SocialProvider | null
  /** The name of the provider of a team. */
  name: string | null
  teamName: string | null
  email: string | null
  createdAt: Date | string
  lastSignInAt: Date | string
}

/** Returns the name of the provider of an identity. */
export const getProviderName = ({ social, name }: Pick<LinkedIdentityRow, 'social' | 'name'>): string =>
  social ? socialNames[social] : (name ?? '')

export const ExternalIdentityType = builder.objectRef<LinkedIdentityRow>('ExternalIdentity').implement({
  describedBy: 'ExternalIdentity',
  fields: (t) => ({
    externalIdentityId: t.exposeID('id'),
    providerName: t.string({ description: 'The name of the identity provider.', resolve: getProviderName }),
    teamName: t.exposeString('teamName', { description: 'The name of the team of the provider; null for a public one.', nullable: true }),
    email: t.exposeString('email', { nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    lastSignInAt: t.expose('lastSignInAt', { type: 'DateTime' }),
  }),
})

/** SQL for identities with their providers. Those of deleted teams cannot be used and are excluded. */
export const identityRows = `external_identities r LEFT JOIN identity_providers p ON p.id = r.provider_id LEFT JOIN teams t ON t.id = p.team_id`
export const identityColumns = `r.id, r.provider_id AS "providerId", r.social, p.name, t.name AS "teamName", r.email, r.created_at AS "createdAt",
  r.last_sign_in_at AS "lastSignInAt"`

const identityList = defineList<LinkedIdentityRow, LinkedIdentityRow, 'created', object>({
  name: 'external identities',
  rows: (user) => `FROM ${identityRows} WHERE r.user_id = ${user} AND t.deleted_at IS NULL`,
  id: 'r.id',
  columns: identityColumns,
  orders: { created: { keys: [['r.created_at', 'timestamptz']] } },
  filters: {},
  toNode: (row) => row,
})

const providersOfTeams = statement<OfferedProvider, [userId: string]>(
  'linkable_providers',
  `SELECT p.id AS key, p.name, t.name AS "teamName" FROM identity_providers p JOIN teams t ON t.id = p.team_id JOIN members m ON m.team_id = t.id
   WHERE m.user_id = $1 AND p.disabled_at IS NULL AND t.deleted_at IS NULL
   AND NOT EXISTS (SELECT FROM external_identities i WHERE i.user_id = $1 AND i.provider_id = p.id) ORDER BY t.name, p.created_at, p.id`,
)
const linkedSocial = statement<{ social: SocialProvider }, [userId: string]>(
  'linked_public_providers',
  'SELECT DISTINCT social FROM external_identities WHERE user_id = $1 AND social IS NOT NULL',
)

builder.objectFields(ViewerType, (t) => ({
  ...wholeListFields(t, 'externalIdentities', {
    description:
      'The accounts at identity providers through which the signed-in user can sign in, newest first. For account-site sessions.',
    type: ExternalIdentityType,
    requires: sessionOnly,
    list: identityList,
    owner: (context) => requirePerson(context).user.id,
    query: { filters: {}, orderBy: { field: 'created', direction: 'desc' } },
  }),
  linkableProviders: t.field({
    description:
      'The public identity providers and the enabled ones of the teams of the signed-in user at which no account is linked. For account-site sessions.',
    type: [OfferedProviderType],
    requires: sessionOnly,
    async resolve(_, __, context) {
      const { id } = requirePerson(context).user
      const { pool } = context.database
      const [ofTeams, linked] = await Promise.all([providersOfTeams(pool, id), linkedSocial(pool, id)])
      const isLinked = new Set<string>(linked.map(({ social }) => social))
      return [...ofTeams, ...socialOffered(context.socialProviders).filter(({ key }) => !isLinked.has(key))]
    },
  }),
}))
