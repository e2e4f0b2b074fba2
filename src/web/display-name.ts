// Users choose their names, and the names appear in mails and page titles. These functions remove characters that would change the text
// around the name.

/**
 * Returns the text as one line: control characters and line separators become a space, and invisible characters that change
 * the writing direction are removed. A name can then neither start a new mail header field nor reverse a sentence.
 */
export const toSingleLine = (text: string): string =>
  text
    .replace(/[\u202A-\u202E\u2066-\u2069]/g, '')
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()

const writtenRightToLeft = /[\u0590-\u08FF\u200F\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

/** Returns a name for a sentence in plain text. A right-to-left name is isolated, so that the words around it stay in place. */
export const isolateName = (name: string): string => {
  const line = toSingleLine(name)
  return writtenRightToLeft.test(line) ? `\u2068${line}\u2069` : line
}

/** Returns a user-chosen name of a thing for a sentence in plain text. */
export const quoteName = (name: string): string => `“${isolateName(name)}”`

/** Returns the text, shortened to at most `characters` characters. A shortened text ends with an ellipsis. */
export const truncate = (text: string, characters: number): string => {
  const all = Array.from(text)
  return all.length <= characters ? text : `${all.slice(0, characters - 1).join('')}…`
}

/** Returns the first letters of the first two words. */
export const getInitials = (name: string): string =>
  name
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .slice(0, 2)
    .map((word) => Array.from(word)[0]?.toUpperCase())
    .join('')
