import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import type { FieldErrors } from '../../core/errors.ts'
import type { Ports } from '../../core/ports.ts'
import { refused } from '../../core/validation.ts'

// On the consent page, users recognize an app by its name, and on sign-in pages an identity provider. A team must not choose one that looks
// like the service or like another app (docs/decisions/clients.md#names).

/** Scripts whose letters can be distinguished from Latin ones; writing them together with Latin letters is common. */
const besidesLatin = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Bopomofo']
const scripts =
  `Latin Cyrillic Greek Armenian Cherokee Coptic Georgian Hebrew Arabic Devanagari Bengali Tamil Telugu Thai Lao Khmer Ethiopic
  Lisu Tifinagh Gothic Deseret Osage Glagolitic Runic Ogham ${besidesLatin.join(' ')}`
    .split(/\s+/)
    .map((name) => ({ name, letters: new RegExp(String.raw`\p{Script=${name}}`, 'u') }))

/** Returns the scripts of the letters; letters of any other script count as one more. */
function listScripts(text: string): Set<string> {
  const letters = text.match(/\p{L}/gu) ?? []
  return new Set(letters.map((letter) => scripts.find((script) => script.letters.test(letter))?.name ?? 'other'))
}

function mixesScripts(text: string): boolean {
  const otherScripts = [...listScripts(text)].filter((script) => !besidesLatin.includes(script))
  return otherScripts.length > 1 || (otherScripts.length === 1 && otherScripts[0] !== 'Latin' && listScripts(text).size > 1)
}

/** Letters of other scripts, and digits and signs, by the Latin letter that they look like, which is the first text of a pair. */
const lookAlikes = new Map(
  [
    // Cyrillic and Greek, with capitals that look unlike their small letters, and Latin small capitals and letters with strokes and hooks.
    ['a', '\u0430\u0410\u03b1\u0391\u0251\u1d00\u2c65\u023a'],
    ['b', '\u0432\u0412\u0392\u03b2\u042c\u044c\u0299\u0180\u0253'],
    ['c', '\u0441\u0421\u03f2\u03f9\u1d04\u023c\u0188'],
    ['d', '\u0501\u0500\u1d05\u0111\u0110\u0257'],
    ['e', '\u0435\u0415\u0395\u03b5\u0454\u0404\u1d07\u0247\u0259'],
    ['f', '\ua730\u0192\u0191'],
    ['g', '\u0261\u050c\u050d\u0262\u01e5\u0260'],
    ['h', '\u04bb\u04ba\u041d\u0397\u043d\u029c\u0127\u0126'],
    ['i', '\u0456\u0406\u0399\u03b9\u0131\u04cf\u04c0lL1|!\u026a\u0268\u0197\u0142\u0141\u029f\u019a'],
    ['j', '\u0458\u0408\u03f3\u1d0a\u0249'],
    ['k', '\u043a\u041a\u03ba\u039a\u1d0b\u0199\u0198'],
    ['m', '\u043c\u041c\u039c\u1d0d\u0271'],
    ['n', '\u03b7\u039d\u0578\u0274\u014b\u014a\u0272'],
    ['o', '\u043e\u041e\u03bf\u039f\u0585\u0555\u05e10\u1d0f\u00f8\u00d8\u0275'],
    ['p', '\u0440\u0420\u03c1\u03a1\u1d18\u01a5\u01a4'],
    ['q', '\u051b\u051a'],
    ['r', '\u0433\u1d26\u0280\u027e\u024d'],
    ['s', '\u0455\u0405\ua731$5'],
    ['t', '\u0442\u0422\u03c4\u03a4\u1d1b\u0167\u0166\u01ad\u01ac'],
    ['u', '\u03c5\u057d\u03bc\u1d1c\u0289\u0244'],
    ['v', '\u03bd\u0475\u0474\u1d20'],
    ['w', '\u051d\u051c\u0461\u03c9\u1d21'],
    ['x', '\u0445\u0425\u03c7\u03a7'],
    ['y', '\u0443\u0423\u03a5\u04af\u04ae\u028f\u01b4\u01b3\u024f'],
    ['z', '\u0396\u1d22\u01b6\u01b5'],
  ].flatMap(([letter = '', lookalikes = '']) => Array.from(lookalikes, (other) => [other, letter] as const)),
)

/** Returns the words of a name as they look: without case, accents and signs, with one letter for those that look alike. */
function listWords(name: string): string[] {
  // NFKC converts the signs for trademarks to letters.
  const plain = name
    .replaceAll(/[\u2122\u2120]/g, '')
    .normalize('NFKC')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
  const letters = Array.from(plain, (character) => lookAlikes.get(character) ?? character.toLowerCase()).join('')
  return letters
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
}

/** Returns the appearance of a name. Two names with the same appearance can be mistaken for each other. */
export const normalizeName = (name: string): string => listWords(name).join('')

/** Minimum length from which the name of the service is recognized within another word, which can contain a shorter one by chance. */
const recognizedLength = 8

function imitates(name: string, brand: string): boolean {
  const look = normalizeName(brand)
  if (look === '') return false
  const [words, brandWords] = [` ${listWords(name).join(' ')} `, ` ${listWords(brand).join(' ')} `]
  return (
    words.includes(brandWords) || normalizeName(name) === look || (look.length >= recognizedLength && normalizeName(name).includes(look))
  )
}

/** Returns the rule that a name of a client, a publisher or an identity provider breaks, to follow "must not"; null if it is acceptable. */
export function brokenNameRule(name: string, brandName: string): string | null {
  if (/[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(name))
    return 'contain invisible characters, or characters that change the direction of text'
  if (mixesScripts(name.normalize('NFKC'))) return 'mix letters of several scripts'
  return imitates(name, brandName) ? `imitate the name of this service, ${brandName}` : null
}

const namesOfOthers = statement<{ name: string }, [teamId: string | null]>(
  'names_of_listed_clients',
  // Anyone can have this service store a client by URL.
  `SELECT DISTINCT name FROM oauth_clients WHERE state = 'listed' AND owner_team_id IS DISTINCT FROM $1 AND source IS DISTINCT FROM 'metadata'`,
)

/** The new names on the consent page. */
interface Named {
  ownerTeamId: string | null
  name?: string | undefined
  publisher?: string | null | undefined
}

/** Throws if a name could be mistaken for the service, or that of the client for a listed client of another team. */
export async function requireOwnName(
  transaction: Transaction,
  { brandName }: Pick<Ports, 'brandName'>,
  { ownerTeamId, name, publisher }: Named,
): Promise<void> {
  const errors: FieldErrors = {}
  for (const [member, value] of Object.entries({ name, publisher })) {
    const rule = value && brokenNameRule(value, brandName)
    if (rule) errors[member] = [`The :attribute field must not ${rule}.`]
  }
  if (name !== undefined && !errors['name']) {
    // Returns the appearance of a name. A name without letters, such as an emoji, is compared unchanged.
    const appearance = (text: string) => normalizeName(text) || text.normalize('NFKC')
    const taken = (await namesOfOthers(transaction, ownerTeamId)).find((other) => appearance(other.name) === appearance(name))
    if (taken) errors['name'] = [`The :attribute field must not be, or look like, that of another app: ${taken.name}.`]
  }
  if (Object.keys(errors).length > 0) throw refused(errors)
}
