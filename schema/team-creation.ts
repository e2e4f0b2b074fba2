import { z } from 'zod'
import type { Transaction } from '../prisma/client.ts'
import { lockAccount, lockEnabledAccount } from './account-lock.ts'
import { change } from './audit.ts'
import { builder } from './builder.ts'
import type { Context } from './context.ts'
import { forbidden, invalid, rateLimited, unauthenticated } from './errors.ts'
import { authenticated } from './reach.ts'
import { sessionOnly } from './requires.ts'
import { TeamPayload, teamRules, teamSlug } from './team.ts'
import { emailAddress, parse, unlessTaken } from './validation.ts'

const CreateTeamInput = builder.inputType('CreateTeamInput', {
  fields: (t) => ({
    slug: t.string({ required: true, description: 'The public slug; it never changes.' }),
    name: t.string({ required: true, description: 'The team’s display name, 1 to 255 characters.' }),
    timezone: t.string({ description: 'IANA time zone, or null.' }),
    owner: t.string({
      description: 'For operators alone: e-mail address of the account that owns the team from the start. A person owns what they create.',
    }),
  }),
})
const operatorRules = z.object({
  slug: teamSlug,
  name: teamRules.name,
  timezone: teamRules.timezone.optional(),
  owner: emailAddress.nullish(),
})

// What would read as a page of this service, or as its staff, where a team is linked to. Operators know what they do.
const reservedSlugs = new Set(
  'account accounts admin administrator api app apps assets auth billing demo docs graphql help internal invitation invitations invoices login logout new oauth official operator owner root security settings sign-in sign-out sign-up staff status support system team teams undefined null www'.split(
    ' ',
  ),
)
const personRules = operatorRules.extend({
  slug: teamSlug.min(3).refine((slug) => !reservedSlugs.has(slug), { message: 'The :attribute is reserved.' }),
})

/** A person creates at most so many teams within a day. */
const creationLimit = { policy: 'teams-per-person', quota: 20, windowSeconds: 86_400 } as const

builder.mutationField('createTeam', (t) =>
  t.field({
    description: 'Creates a team. The person whose session asks owns it; their e-mail address must be verified.',
    type: TeamPayload,
    requires: sessionOnly,
    args: { input: t.arg({ type: CreateTeamInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const principal = authenticated(context)
      const { slug, name, timezone, owner } = parse(principal.kind === 'operator' ? operatorRules : personRules, input)
      return change(context, info, async (transaction) => {
        const at = context.now()
        const user = await ownerOf(transaction, context, owner)
        const members = user ? { create: { userId: user.id, role: 'owner' as const, joinedAt: at } } : undefined
        const data = { slug, name, timezone, createdAt: at, updatedAt: at, members }
        const team = await unlessTaken('slug', transaction.team.create({ data }))
        const after = { slug, name, timezone: timezone ?? null, owner: user?.email ?? null }
        return { result: { team }, teamId: team.id, subject: slug, after }
      })
    },
  }),
)

/** Who owns a team from the start: the person who creates it, or for an operator whom they name. */
async function ownerOf(transaction: Transaction, context: Context, named: string | null | undefined) {
  const principal = authenticated(context)
  if (principal.kind === 'user') {
    if (named != null) throw forbidden('role_required')
    return creatorOf(transaction, context, principal.user.id)
  }
  const user = named ? await lockAccount(transaction, { email: named }) : null
  if (named && !user) throw invalid({ owner: ['The selected owner is invalid.'] })
  return user
}

/** The person under a lock, so that the count is exact however many they create at once, and nobody deletes them meanwhile. */
async function creatorOf(transaction: Transaction, context: Context, id: string) {
  const user = await lockEnabledAccount(transaction, { id })
  if (!user) throw unauthenticated()
  if (!user.emailVerified) throw invalid({ email: ['Verify your email address before you create a team.'] })
  const { quota, windowSeconds } = creationLimit
  const window = windowSeconds * 1000
  const now = context.now().getTime()
  // The action stands in the text: the index is of these entries alone.
  const [first] = await transaction.$queryRaw<{ at: Date }[]>`
    SELECT at FROM audit_entries WHERE action = 'createTeam' AND actor_user_id = ${id}::uuid AND at > ${new Date(now - window)}
    ORDER BY at DESC OFFSET ${quota - 1} LIMIT 1`
  if (first) throw rateLimited(creationLimit, (first.at.getTime() + window - now) / 1000)
  return user
}
