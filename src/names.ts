// Names come from people, and are read in places that are trusted, such as mails and titles: whatever one holds, it
// stays what it is, a name.

/**
 * Text for one line: control characters and line separators become a space, and the invisible marks that change the
 * direction of what follows are dropped, so that a name can neither begin a header field nor turn the sentence round.
 */
export const oneLine = (text: string): string =>
  text
    .replace(/[\u202A-\u202E\u2066-\u2069]/g, '')
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()

const writtenRightToLeft = /[\u0590-\u08FF\u200F\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

/** One line for plain text: a name written from right to left is isolated, so that it keeps to its place in the sentence. */
export const inSentence = (name: string): string => {
  const line = oneLine(name)
  return writtenRightToLeft.test(line) ? `\u2068${line}\u2069` : line
}

/** At most so many characters, with an ellipsis where some are missing. */
export const shortened = (text: string, characters: number): string => {
  const all = Array.from(text)
  return all.length <= characters ? text : `${all.slice(0, characters - 1).join('')}…`
}
