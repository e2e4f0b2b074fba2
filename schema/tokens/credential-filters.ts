import { z } from 'zod'
import { builder } from '../builder/builder.ts'
import { parse, text } from '../core/validation.ts'

// Filters that lists of tokens and of grants have in common: both expire, are used and have scopes.

/** Arguments that filter tokens or grants. */
export const credentialFilterArguments = (nouns: 'tokens' | 'grants') =>
  builder.args((t) => ({
    expiresBefore: t.field({ type: 'DateTime', description: `Only ${nouns} that expire before this instant.` }),
    expiresAfter: t.field({
      type: 'DateTime',
      description: `Only ${nouns} that expire at or after this instant, not those that never expire.`,
    }),
    unusedSince: t.field({ type: 'DateTime', description: `Only ${nouns} that were last used before this instant, or never.` }),
    scope: t.string({ description: `Only ${nouns} with this scope.` }),
  }))

const filterRules = z.object({
  expiresBefore: z.date().nullish(),
  expiresAfter: z.date().nullish(),
  unusedSince: z.date().nullish(),
  scope: text.trim().max(100).nullish(),
})

export type CredentialFilters = [expiresBefore: Date | null, expiresAfter: Date | null, unusedSince: Date | null, scope: string | null]

/** The values of the parameters of `credentialConditions`, in their order. */
export function credentialFilters(args: z.input<typeof filterRules>): CredentialFilters {
  const { expiresBefore, expiresAfter, unusedSince, scope } = parse(filterRules, args)
  return [expiresBefore ?? null, expiresAfter ?? null, unusedSince ?? null, scope || null]
}

/** SQL conditions on a token or grant `t`, with four parameters that start at the given number. A parameter that is null filters nothing. */
export const credentialConditions = (first: number) =>
  `($${first}::timestamptz IS NULL OR t.expires_at < $${first}) AND ($${first + 1}::timestamptz IS NULL OR t.expires_at >= $${first + 1})
   AND ($${first + 2}::timestamptz IS NULL OR t.last_used_at IS NULL OR t.last_used_at < $${first + 2})
   AND ($${first + 3}::text IS NULL OR $${first + 3} = ANY (t.scopes))`
