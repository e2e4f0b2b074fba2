import { z } from 'zod'
import { builder } from '../builder/builder.ts'
import { searchPattern } from '../builder/search.ts'
import { parse, text } from '../core/validation.ts'
import type { ListDeclaration, SqlOrder } from '../lists/declaration.ts'
import { parseUserId } from '../teams/person.ts'

// These filters are shared by lists of tokens and of grants, because both expire, are used and have scopes.

export interface CredentialFilters {
  expiresBefore?: Date | null | undefined
  expiresAfter?: Date | null | undefined
  unusedSince?: Date | null | undefined
  scope?: string | null | undefined
}

export interface CredentialPersonFilters {
  /** The identifier of the user. */
  personId?: string | null
  /** Pattern for the user's name or address. */
  person?: string | null
}

/** Returns the filter for an argument with the identifier or global id of a user, or a part of the name or address. */
export function personFilters(input: string | null | undefined): CredentialPersonFilters {
  const personId = input ? parseUserId(input) : null
  return { personId, person: personId === null ? searchPattern(input, 'person') : null }
}

/** Returns the description of such an argument. */
export const personDescription = (nouns: string) =>
  `Only ${nouns} of the user with this identifier or global id, or of people whose name or email address contains this text, in upper or lower case.`

/** Declares the arguments that filter tokens or grants. */
export const credentialFilterArguments = (nouns: 'tokens' | 'grants' | 'tokens and grants') =>
  builder.args((t) => ({
    expiresBefore: t.field({ type: 'DateTime', description: `Only ${nouns} that expire before this instant.` }),
    expiresAfter: t.field({
      type: 'DateTime',
      description: `Only ${nouns} that expire at or after this instant, not those that never expire.`,
    }),
    unusedSince: t.field({ type: 'DateTime', description: `Only ${nouns} that were last used before this instant, or never.` }),
    scope: t.string({ description: `Only ${nouns} with this scope.` }),
  }))

const scopeRules = z.object({ scope: text.trim().max(100).nullish() })

/** Validates the arguments and returns the filters. */
export function credentialFilters({
  expiresBefore,
  expiresAfter,
  unusedSince,
  scope,
}: { [Name in keyof CredentialFilters]: CredentialFilters[Name] | undefined }): CredentialFilters {
  return { expiresBefore, expiresAfter, unusedSince, scope: parse(scopeRules, { scope }).scope }
}

/** The order of tokens or grants `r` by their last use. */
export const byLastUse = { keys: [['r.last_used_at', 'timestamptz']], isNullable: true } as const satisfies SqlOrder

/** SQL conditions on a token or grant `r`. */
export const credentialConditions: ListDeclaration<never, unknown, string, CredentialFilters>['filters'] = {
  expiresBefore: ({ value }) => `r.expires_at < ${value}::timestamptz`,
  expiresAfter: ({ value }) => `r.expires_at >= ${value}::timestamptz`,
  unusedSince: ({ value }) => `(r.last_used_at IS NULL OR r.last_used_at < ${value}::timestamptz)`,
  scope: ({ value }) => `r.scopes @> ARRAY[${value}::text]`,
}
