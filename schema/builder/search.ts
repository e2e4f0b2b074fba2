import { z } from 'zod'
import { parse, text } from '../core/validation.ts'

const searchRules = z.object({ search: text.trim().max(100).nullish() })

/** Returns the pattern of LIKE for values that contain the text, in which characters that LIKE takes as a pattern are escaped. */
export const containing = (text: string) => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`

/**
 * SQL for whether one of the columns contains the text of a pattern, in upper or lower case. Each list has an index on exactly this expression,
 * or finds few rows by its owner (docs/decisions/pagination.md#text-search). With a null, the condition is not true.
 */
export const anyContains = (columns: readonly string[], pattern: string) => `(${columns.join(String.raw` || E'\n' || `)}) ILIKE ${pattern}`

/** Returns the pattern of LIKE for values that contain the searched text, or null if nothing was searched for. */
export function searchPattern(searched: string | null | undefined): string | null {
  const { search } = parse(searchRules, { search: searched })
  return search ? containing(search) : null
}
