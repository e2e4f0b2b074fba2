import { z } from 'zod'
import type { Transaction } from '../prisma/client.ts'
import { change } from './audit.ts'
import { builder } from './builder.ts'
import type { Context } from './context.ts'
import { invalid, notFound } from './errors.ts'
import type { FieldErrors } from './errors.ts'
import { GrantPayload, ownGrants, subjects } from './grant-mutations.ts'
import { fixedScopes, grantParts, liveGrants } from './grant.ts'
import { authenticated } from './reach.ts'
import { endOwnGrants } from './requires.ts'
import { isIdentifier, parse, text } from './validation.ts'

const NarrowGrantInput = builder.inputType('NarrowGrantInput', {
  fields: (t) => ({
    id: t.id({ required: true, description: 'The grant’s identifier.' }),
    scopes: t.stringList({ required: true, description: 'The scopes that stay, all of them granted now; the others are taken away.' }),
  }),
})

const narrowing = z.object({ scopes: z.array(text).min(1) })

builder.mutationField('narrowGrant', (t) =>
  t.field({
    description:
      'Takes scopes away from what the person allowed a client; they count as declined, from the next request on. Nothing is ever added, and what the client requires stays.',
    type: GrantPayload,
    requires: endOwnGrants,
    args: { input: t.arg({ type: NarrowGrantInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { scopes: kept } = parse(narrowing, input)
      return change(context, info, async (transaction) => {
        const { id, teamId, scopes, declinedScopes, ...rest } = await lockGrant(transaction, context, input.id)
        refuseOthers(kept, scopes, fixedScopes({ scopes, client: rest.client }))
        const taken = scopes.filter((scope) => !kept.includes(scope))
        const grant = await transaction.oAuthGrant.update({
          where: { id },
          data: { scopes: scopes.filter((scope) => kept.includes(scope)), declinedScopes: [...new Set([...declinedScopes, ...taken])] },
          include: grantParts,
        })
        const after = { ...subjects(grant), scopes: grant.scopes, declinedScopes: grant.declinedScopes }
        return {
          result: { grant },
          ...(teamId && { teamId }),
          subject: id,
          subjectName: grant.client.name,
          before: { scopes, declinedScopes },
          after,
        }
      })
    },
  }),
)

/** A live grant of the principal's, under a lock: consent given again at the same time comes before or after, never between. */
async function lockGrant(transaction: Transaction, context: Context, id: string) {
  if (!isIdentifier(id)) throw notFound()
  const where = { id, ...liveGrants(context.now()), ...ownGrants(authenticated(context)) }
  await transaction.$queryRaw`SELECT 1 FROM oauth_grants WHERE id = ${id}::uuid FOR NO KEY UPDATE`
  const grant = await transaction.oAuthGrant.findFirst({ where, include: grantParts })
  if (!grant) throw notFound()
  return grant
}

function refuseOthers(kept: readonly string[], granted: readonly string[], fixed: readonly string[]): void {
  const errors: FieldErrors = {}
  for (const [index, scope] of kept.entries())
    if (!granted.includes(scope)) errors[`scopes.${index}`] = [`The selected scopes.${index} is invalid.`]
  const missing = fixed.filter((scope) => !kept.includes(scope))
  if (missing.length > 0) errors['scopes'] = [`The scopes field must contain ${missing.join(', ')}, which the client requires.`]
  if (Object.keys(errors).length > 0) throw invalid(errors)
}
