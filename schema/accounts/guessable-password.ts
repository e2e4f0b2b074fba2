import { readFileSync } from 'node:fs'
import path from 'node:path'
import { projectFolder } from '../core/project-folder.ts'

// Whole passwords are compared, not the words they contain, and there are no rules about kinds of characters (NIST SP
// 800-63B): both would refuse good passwords and lead to predictable ones. A strength estimator such as zxcvbn was
// rejected: it blocks the process for up to 0.3 s and accepts `adamoreau2024` of Ada Moreau.

/**
 * The 10,000 most common passwords of at least 8 characters, in lower case, most common first: the beginning of
 * `10-million-password-list-top-1000000.txt` of SecLists (MIT licence).
 */
const commonPasswords = new Set(readFileSync(path.join(projectFolder, 'schema', 'accounts', 'common-passwords.txt'), 'utf8').split('\n'))

/** Whether attackers try this password among the first, whatever its case. */
export const isCommonPassword = (password: string): boolean => commonPasswords.has(normalize(password))

/**
 * Whether a password has letters, all of which belong to words of these names. `Ada.Moreau-1984` is made of the name
 * `Ada Moreau`, and `adamoreau@acme.example` of an address and that name; `ada likes oatmeal` is made of neither.
 */
export function isMadeOf(password: string, names: readonly string[]): boolean {
  const words = new Set(names.flatMap((name) => normalize(name).split(nonLetters)))
  // The longest first: otherwise `ada` would leave the `m` of `adam`.
  const longestFirst = [...words].filter((word) => word.length > 1).toSorted((a, b) => b.length - a.length)
  const rest = longestFirst.reduce((left, word) => left.replaceAll(word, ' '), normalize(password))
  return rest !== normalize(password) && !/\p{L}/u.test(rest)
}

const nonLetters = /[^\p{L}\p{M}]+/u

/** One form for spellings that look alike, such as full-width letters. */
const normalize = (text: string) => text.normalize('NFKC').toLowerCase()
