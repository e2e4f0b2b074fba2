import { z } from 'zod'
import { parse, text } from '../core/validation.ts'

const searched = text.trim().max(100).nullish()
const rules = z.object({ search: searched, person: searched })

/** Returns a LIKE pattern for values that contain the text. Escapes the wildcards of LIKE. */
export const containing = (text: string) => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`

/** The SQL expression of the texts of columns, each in a line. */
export const joined = (columns: readonly string[]) => columns.join(String.raw` || E'\n' || `)

/**
 * An SQL condition: one of the columns contains the text of a pattern, in upper or lower case. A list has an index on exactly this
 * expression, or few rows for each owner (docs/decisions/pagination.md#text-search). The condition is not true if a column is null.
 */
export const anyContains = (columns: readonly string[], pattern: string) => `(${joined(columns)}) ILIKE ${pattern}`

/** Returns the pattern of LIKE for values that contain the text of an argument, or null if it is blank. `name` is that of the argument. */
export function searchPattern(given: string | null | undefined, name: keyof z.infer<typeof rules> = 'search'): string | null {
  const pattern = parse(rules, { [name]: given })[name]
  return pattern ? containing(pattern) : null
}
