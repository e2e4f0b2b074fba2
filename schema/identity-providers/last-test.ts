import { z } from 'zod'
import { statement } from '../../prisma/statement/statement.ts'
import { builder } from '../builder/builder.ts'
import { notFound } from '../core/errors.ts'
import { parseIdentifier } from '../core/global-id.ts'
import { sessionOnly } from '../core/requires.ts'
import { requirePrincipal } from '../core/team-access/team-access.ts'
import { isIdentifier } from '../core/validation.ts'
import { TeamType } from '../teams/team.ts'
import type { ProviderAssertion } from './protocol.ts'

interface LastTest {
  at: string
  answer: unknown
}

const lastAnsweredTest = statement<LastTest, [userId: string, providerId: string, teamId: string, now: Date]>(
  'last_answered_provider_test',
  `SELECT r.answered_at AS at, r.answer FROM sign_in_requests r JOIN identity_providers p ON p.id = r.provider_id
   WHERE r.user_id = $1 AND r.provider_id = $2 AND p.team_id = $3 AND r.purpose = 'test' AND r.answer IS NOT NULL AND r.expires_at > $4
   ORDER BY r.answered_at DESC LIMIT 1`,
)

/** The stored result of a test. */
const storedTest = z.object({
  subject: z.string(),
  email: z.string().nullable(),
  name: z.string().nullable(),
  groups: z.array(z.string()).nullable(),
  claims: z.record(z.string(), z.unknown()),
}) satisfies z.ZodType<Omit<ProviderAssertion, 'isEmailVerified' | 'issuer'>>
type ProviderTest = z.output<typeof storedTest> & { at: Date }

/** Maximum number of claims, and of characters of each, that are shown. */
const maxClaims = 100
const maxLength = 1000

const ClaimType = builder.objectRef<{ name: string; value: string }>('ProviderClaim').implement({
  description: 'A claim of an ID token, or an attribute of a SAML assertion.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name.' }),
    value: t.exposeString('value', { description: 'Its value; what is no text is JSON.' }),
  }),
})

const ProviderTestType = builder.objectRef<ProviderTest>('IdentityProviderTest').implement({
  description: 'What an identity provider stated at a test sign-in.',
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime', description: 'When the provider answered.' }),
    subject: t.exposeString('subject', { description: 'The identifier of the person at the provider.' }),
    email: t.exposeString('email', { nullable: true, description: 'The email address, or null if there is no valid one.' }),
    name: t.exposeString('name', { nullable: true, description: 'The name, or null.' }),
    groups: t.exposeStringList('groups', { nullable: true, description: 'The groups; null if groups are not read or none were stated.' }),
    claims: t.field({
      type: [ClaimType],
      description: `Everything that was stated, at most ${maxClaims} claims.`,
      resolve: ({ claims }) =>
        Object.entries(claims)
          .slice(0, maxClaims)
          .map(([name, value]) => ({
            name,
            value: (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, maxLength),
          })),
    }),
  }),
})

builder.objectField(TeamType, 'lastIdentityProviderTest', (t) =>
  t.field({
    description: 'The last test sign-in of the user at an identity provider of the team; null if there was none lately.',
    type: ProviderTestType,
    nullable: true,
    requires: { ...sessionOnly, roles: ['owner'] },
    args: { id: t.arg.id({ required: true, description: 'The identifier of the identity provider.' }) },
    async resolve(team, args, context) {
      const id = parseIdentifier(args.id, ['IdentityProvider'], team)
      if (!isIdentifier(id)) throw notFound()
      const principal = requirePrincipal(context)
      if (principal.kind !== 'user') return null
      const [row] = await lastAnsweredTest(context.database.pool, principal.user.id, id, team.id, context.now())
      return row ? { ...storedTest.parse(row.answer), at: new Date(row.at) } : null
    },
  }),
)
