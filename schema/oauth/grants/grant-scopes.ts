import { z } from 'zod'
import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import { updateRows } from '../../../prisma/statement/write-row.ts'
import { change } from '../../core/audit/audit.ts'
import { builder } from '../../builder/builder.ts'
import type { Context } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import type { FieldErrors } from '../../core/errors.ts'
import { GrantPayload, grantSubjects, ownerOfGrants } from './grant-mutations.ts'
import { fixedScopes } from './grant.ts'
import type { GrantWithParts } from './grant.ts'
import { findLiveGrant } from './find-grants.ts'
import { requirePrincipal } from '../../core/team-access/team-access.ts'
import { endOwnGrants } from '../../core/requires.ts'
import { isIdentifier, parse, refused, text, invalidChoice } from '../../core/validation.ts'
import { parseIdentifier } from '../../core/global-id.ts'

const ReduceGrantScopesInput = builder.inputType('ReduceGrantScopesInput', {
  fields: (t) => ({
    id: t.id({ required: true, description: 'The grant’s identifier.' }),
    scopes: t.stringList({
      required: true,
      description: 'The scopes that the grant keeps. Each must be granted now. All others are removed.',
    }),
  }),
})

const reduceRules = z.object({ scopes: z.array(text).min(1) })

builder.mutationField('reduceGrantScopes', (t) =>
  t.field({
    description:
      'Removes scopes from a grant, on all devices, from the next request on. They count as declined. Scopes that the client requires cannot be removed.',
    type: GrantPayload,
    requires: endOwnGrants,
    args: { input: t.arg({ type: ReduceGrantScopesInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { scopes: remaining } = parse(reduceRules, input)
      return change(context, info, async (transaction) => {
        const current = await lockGrant(transaction, context, parseIdentifier(input.id, ['Grant']))
        const { id, teamId, scopes, declinedScopes } = current
        checkRemaining(remaining, scopes, fixedScopes(current))
        const removed = scopes.filter((scope) => !remaining.includes(scope))
        const data = {
          scopes: scopes.filter((scope) => remaining.includes(scope)),
          declinedScopes: [...new Set([...declinedScopes, ...removed])],
        }
        transaction.defer(updateRows(transaction, 'oauth_grants', { id }, data))
        transaction.defer(narrowChains(transaction, id, remaining))
        const grant = { ...current, ...data }
        const after = { ...grantSubjects(grant), scopes: grant.scopes, declinedScopes: grant.declinedScopes }
        return {
          result: { grant },
          ...(teamId && { teamId }),
          subject: id,
          subjectName: grant.client.name,
          before: { scopes, declinedScopes },
          after,
          isUnchanged: removed.length === 0,
        }
      })
    },
  }),
)

/** Removes all other scopes from the chains of a grant. It is one statement in SQL, because each chain has its own scopes. */
const narrowChains = statement<object, [grantId: string, remaining: readonly string[]]>(
  'narrow_chains',
  `UPDATE token_chains SET scopes = ARRAY(SELECT s FROM unnest(scopes) s WHERE s = ANY ($2::text[]))
   WHERE grant_id = $1 AND NOT scopes <@ $2::text[]`,
)

const lockRow = statement<object, [id: string]>('lock_grant', 'SELECT 1 FROM oauth_grants WHERE id = $1 FOR NO KEY UPDATE')

/** Locks and returns a live grant of the principal. A simultaneous consent or new chain is written before or after the change. */
async function lockGrant(transaction: Transaction, context: Context, id: string): Promise<GrantWithParts> {
  if (!isIdentifier(id)) throw notFound()
  const userId = ownerOfGrants(requirePrincipal(context))
  const [, grant] = await Promise.all([lockRow(transaction, id), findLiveGrant(transaction, id, context.now(), userId)])
  if (!grant) throw notFound()
  return grant
}

/** Throws for scopes that are not granted, and for the removal of scopes that the client requires. */
function checkRemaining(remaining: readonly string[], granted: readonly string[], fixed: readonly string[]): void {
  const errors: FieldErrors = {}
  for (const [index, scope] of remaining.entries()) if (!granted.includes(scope)) errors[`scopes.${index}`] = [invalidChoice]
  const missing = fixed.filter((scope) => !remaining.includes(scope))
  if (missing.length > 0) errors['scopes'] = [`The :attribute field must contain ${missing.join(', ')}, which the client requires.`]
  if (Object.keys(errors).length > 0) throw refused(errors)
}
