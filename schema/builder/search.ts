import { z } from 'zod'
import { parse, text } from '../core/validation.ts'

const searchRules = z.object({ search: text.trim().max(100).nullish() })

/** Returns the pattern of LIKE for values that contain the searched text, or null if nothing was searched for. */
export function searchPattern(searched: string | null | undefined): string | null {
  const { search } = parse(searchRules, { search: searched })
  // Escaped, because LIKE would take these characters as a pattern.
  return search ? `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%` : null
}
