import { z } from 'zod'
import { parse, text } from '../core/validation.ts'

const searched = text.trim().max(100).nullish()
const rules = z.object({ search: searched, person: searched })

/** Returns a LIKE pattern for values that contain the text. Escapes the wildcards of LIKE. */
export const containing = (text: string) => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`

/** Builds an SQL condition: one of the columns contains the text of a pattern, in upper or lower case. It is not true for a null column. */
export const anyContains = (columns: readonly string[], pattern: string) => `(${columns.join(String.raw` || E'\n' || `)}) ILIKE ${pattern}`

/** Returns the text of an argument for a search, or null if it is blank. `name` is that of the argument. */
export const parseSearch = (input: string | null | undefined, name: keyof z.infer<typeof rules> = 'search'): string | null =>
  parse(rules, { [name]: input })[name] || null

/** Returns the LIKE pattern for values that contain the text of an argument, or null if it is blank. `name` is that of the argument. */
export function searchPattern(input: string | null | undefined, name?: keyof z.infer<typeof rules>): string | null {
  const searchedText = parseSearch(input, name)
  return searchedText === null ? null : containing(searchedText)
}
