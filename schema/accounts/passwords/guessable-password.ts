import { createRequire } from 'node:module'
import type * as Core from '@zxcvbn-ts/core'
import type * as Common from '@zxcvbn-ts/language-common'

// There are no rules about kinds of characters (NIST SP 800-63B): they refuse good passwords and lead to predictable ones. zxcvbn estimates
// the number of guesses of an attacker who tries common passwords, words, keyboard patterns, dates and repetitions first. See
// docs/decisions/accounts.md#passwords.

/**
 * Passwords that need fewer guesses are refused. The 10,000 most common passwords need fewer than 10^6. zxcvbn counts ten guesses for each
 * character without a pattern, the number of digits. Eight random characters are therefore accepted, eight digits are not.
 */
const minGuesses = (password: string) => (/^\d*$/.test(password) ? 2e8 : 1e8)

/** Passwords that need as many guesses resist an attack on a stolen hash. They have the highest score of zxcvbn. */
const strongGuesses = 1e10

/** The time of an estimate grows with the square of the length. The first characters suffice, because further ones only add guesses. */
const maxLength = 32

let estimator: Core.ZxcvbnFactory | undefined

/** The estimator is loaded on first use: its dictionaries need 20 MB, and most processes of the command line set no password. */
function loadEstimator(): Core.ZxcvbnFactory {
  const load = createRequire(import.meta.url)
  const core: typeof Core = load('@zxcvbn-ts/core')
  const common: typeof Common = load('@zxcvbn-ts/language-common')
  return new core.ZxcvbnFactory({ dictionary: common.dictionary, graphs: common.adjacencyGraphs, maxLength })
}

/** The reason why a password can be guessed. */
export type Weakness = 'common' | 'own'

/** Returns why a password can be guessed, or null, and whether it is hard to guess. `own`: it consists of words of these names. */
export function estimate(password: string, names: readonly string[]): { weakness: Weakness | null; isStrong: boolean } {
  const plain = normalize(password)
  const normalized = names.map(normalize)
  // The whole name is a word, too: splitting `w2@mail.example` leaves only `mail` and `example`.
  const words = [...new Set([...normalized, ...normalized.flatMap((name) => name.split(nonLetters))])].filter((word) => word.length > 1)
  if (consistsOfWords(plain, words) || consistsOfWords(withoutLeet(plain), words)) return { weakness: 'own', isStrong: false }
  estimator ??= loadEstimator()
  const { guesses } = estimator.check(plain, words)
  return { weakness: guesses < minGuesses(plain) ? 'common' : null, isStrong: guesses >= strongGuesses }
}

/**
 * Returns true if a password has letters and all of them belong to these words. `ada.moreau-1984` consists of `ada` and `moreau`; `ada
 * likes oatmeal` does not. zxcvbn alone accepts `adamoreau2024`: it assumes that combinations of words are hard to guess.
 */
function consistsOfWords(password: string, words: readonly string[]): boolean {
  // The longest word is removed first: otherwise `ada` would leave the `m` of `adam`.
  const longestFirst = words.toSorted((a, b) => b.length - a.length)
  const rest = longestFirst.reduce((left, word) => left.replaceAll(word, ' '), password)
  return rest !== password && !/\p{L}/u.test(rest)
}

const leet: Readonly<Record<string, string>> = { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's' }

/** Replaces digits and signs within a word by the letters that they stand for: `adam0reau` becomes `adamoreau`. */
const withoutLeet = (text: string) => text.replace(/(?<=\p{L})[013457@$](?=\p{L})/gu, (sign) => leet[sign] ?? sign)

const nonLetters = /[^\p{L}\p{M}]+/u

/** Returns one form for spellings that look alike, such as full-width letters. */
const normalize = (text: string) => text.normalize('NFKC').toLowerCase()
