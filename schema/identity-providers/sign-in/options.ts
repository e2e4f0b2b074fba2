import type { SocialProvider } from '../../../prisma/generated/client/enums.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import { builder } from '../../builder/builder.ts'
import { accountSiteOnly, confirmationOnly } from '../../core/requires.ts'
import { socialNames } from '../../core/social-clients.ts'
import type { SocialClients } from '../../core/social-clients.ts'
import { requirePerson } from '../../core/team-access/team-access.ts'
import { emailAddress } from '../../core/validation.ts'
import { domainOfAddress } from '../../domains/verified.ts'
import { ViewerType } from '../../viewer/viewer.ts'

/** A provider that the sign-in page offers. */
export interface OfferedProvider {
  key: string
  name: string
  /** Name of the provider's team, for a user who chooses among the providers of several teams. */
  teamName?: string
}

export const OfferedProviderType = builder.objectRef<OfferedProvider>('OfferedProvider').implement({
  description: 'An identity provider through which someone can sign in. For the account site.',
  fields: (t) => ({
    key: t.exposeString('key', { description: 'What names it in `beginProviderSignIn`.' }),
    name: t.exposeString('name', { description: 'The name on the button.' }),
    teamName: t.string({
      description: 'The name of the team of the provider, in `linkableProviders`; otherwise null.',
      nullable: true,
      resolve: ({ teamName }) => teamName ?? null,
    }),
  }),
})

const teamProviders = statement<object, []>(
  'any_enabled_identity_provider',
  `SELECT 1 FROM identity_providers p JOIN teams t ON t.id = p.team_id WHERE p.disabled_at IS NULL AND t.deleted_at IS NULL LIMIT 1`,
)
const columns = `SELECT p.id AS key, p.name FROM identity_providers p JOIN teams t ON t.id = p.team_id AND t.deleted_at IS NULL`
const providersOfTeam = statement<OfferedProvider, [slug: string]>(
  'providers_of_team',
  `${columns} WHERE t.slug = $1 AND p.disabled_at IS NULL ORDER BY p.created_at, p.id`,
)
const providersOfDomain = statement<OfferedProvider, [domain: string]>(
  'providers_of_domain',
  `${columns} JOIN team_domains d ON d.team_id = t.id
   WHERE d.domain = $1 AND d.verified_at IS NOT NULL AND p.disabled_at IS NULL ORDER BY p.created_at, p.id`,
)
const ownProviders = statement<OfferedProvider & { social: SocialProvider | null }, [userId: string]>(
  'own_providers',
  `SELECT DISTINCT coalesce(p.id::text, i.social::text) AS key, p.name, i.social FROM external_identities i
   LEFT JOIN identity_providers p ON p.id = i.provider_id LEFT JOIN teams t ON t.id = p.team_id
   WHERE i.user_id = $1 AND (p.id IS NULL OR (p.disabled_at IS NULL AND t.deleted_at IS NULL)) ORDER BY 1`,
)

const socialKeys: readonly SocialProvider[] = ['google', 'microsoft', 'github']
export const socialOffered = (clients: SocialClients): OfferedProvider[] =>
  socialKeys.filter((key) => clients[key] !== undefined).map((key) => ({ key, name: socialNames[key] }))

builder.queryFields((t) => ({
  asksForAddress: t.boolean({
    description:
      'Whether the sign-in page asks for the email address first, because a team has an identity provider. For the account site.',
    requires: accountSiteOnly,
    resolve: async (_, __, { database }) => (await teamProviders(database.pool)).length > 0,
  }),
  publicProviders: t.field({
    description: 'The public identity providers that the operator has set up. For the account site.',
    type: [OfferedProviderType],
    requires: accountSiteOnly,
    resolve: (_, __, { socialProviders }) => socialOffered(socialProviders),
  }),
  signInProviders: t.field({
    description:
      'The enabled identity providers of the team with this slug, or of the team that verified the domain of this email address. For the account site.',
    type: [OfferedProviderType],
    requires: accountSiteOnly,
    args: {
      team: t.arg.string({ description: 'Slug of the team.' }),
      email: t.arg.string({ description: 'Email address.' }),
    },
    resolve(_, { team, email }, { database: { pool } }) {
      if (typeof team === 'string') return team.includes('\0') ? [] : providersOfTeam(pool, team)
      const address = emailAddress.safeParse(email)
      return address.success ? providersOfDomain(pool, domainOfAddress(address.data)) : []
    },
  }),
}))

builder.objectFields(ViewerType, (t) => ({
  confirmationProviders: t.field({
    description: 'The identity providers at which the signed-in user can confirm the sign-in. For the account site.',
    type: [OfferedProviderType],
    requires: confirmationOnly,
    async resolve(_, __, context) {
      const { user, signIns } = requirePerson(context)
      const own = await ownProviders(context.database.pool, user.id)
      // The names of the other providers would reveal the teams of the user.
      const allowed = signIns?.isLimited ? own.filter(({ key, social }) => social !== null || signIns.providerIds.includes(key)) : own
      // GitHub has no way to request that a user authenticates again.
      return allowed.flatMap(({ key, name, social }) => {
        if (social === null) return { key, name }
        return social === 'github' || context.socialProviders[social] === undefined ? [] : { key, name: socialNames[social] }
      })
    },
  }),
  proofProviders: t.field({
    description: 'The public identity providers at which the signed-in user can prove the account. For the account site.',
    type: [OfferedProviderType],
    requires: confirmationOnly,
    async resolve(_, __, context) {
      const offered = socialOffered(context.socialProviders)
      const own = await ownProviders(context.database.pool, requirePerson(context).user.id)
      return offered.filter(({ key }) => own.some(({ social }) => social === key))
    },
  }),
}))
