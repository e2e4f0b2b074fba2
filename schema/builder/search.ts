import { z } from 'zod'
import { parse, text } from '../core/validation.ts'

const searchRules = z.object({ search: text.trim().max(100).nullish() })

/** Returns the searched text, in which characters that LIKE takes as a pattern are escaped; null if nothing was searched for. */
export function searchText(searched: string | null | undefined): string | null {
  const { search } = parse(searchRules, { search: searched })
  return search ? search.replaceAll(/[\\%_]/g, String.raw`\$&`) : null
}

/** Returns the pattern of LIKE for values that contain the searched text, or null if nothing was searched for. */
export function searchPattern(searched: string | null | undefined): string | null {
  const escaped = searchText(searched)
  return escaped === null ? null : `%${escaped}%`
}
