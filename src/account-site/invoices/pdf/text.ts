// A PDF contains positioned glyphs, not text, so line breaks and the writing direction are determined here.

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Thaana}]/u
// Invisible formatting characters, which are removed, because the text is already in visual order and the font would draw them as boxes.
// The joiners U+200C and U+200D stay, because they affect the shape of letters.
const invisible = /(?![\u200C\u200D])[\p{Cf}\p{Variation_Selector}]/gu
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Reduces text to one line without invisible characters. */
export const toPlainLine = (text: string): string => text.normalize('NFC').replace(/\s+/gu, ' ').replace(invisible, '').trim()

/** Breaks text into lines at spaces. Breaks words that are longer than a line between letters. */
export function breakLines(text: string, width: number, measure: (text: string) => number): string[] {
  const lines: string[] = []
  let line = ''
  const fits = (candidate: string) => measure(candidate) <= width
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (fits(longer)) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    line = word
    while (!fits(line)) {
      const start = longestStart(line, fits)
      lines.push(start)
      line = line.slice(start.length)
    }
  }
  return [...lines, line]
}

/** Returns the longest prefix of a word that fits, but at least one grapheme, so that breaking terminates. */
function longestStart(word: string, fits: (text: string) => boolean): string {
  let start = ''
  for (const { segment } of graphemes.segment(word)) {
    if (start !== '' && !fits(start + segment)) break
    start += segment
  }
  return start
}

/**
 * Splits a line into runs of one direction, in visual order from left to right. Consecutive words of right-to-left scripts are reversed,
 * including the numbers between them. The base direction is left to right. This is the part of the bidirectional algorithm (UAX #9) that
 * names need.
 */
export function visualRuns(line: string): string[] {
  if (!rightToLeft.test(line)) return [line]
  const words = line
    .split(/( )/)
    .flatMap((word) => word.split(directionChanges))
    .filter(Boolean)
  const runs: string[] = []
  for (let start = 0; start < words.length;) {
    const end = rightToLeft.test(words[start] ?? '') ? endOfRightToLeft(words, start) : start + 1
    const run = words.slice(start, end)
    runs.push(...(end > start + 1 ? run.map(mirror).toReversed() : run))
    start = end
  }
  return joinLeftToRight(runs)
}

const rtl = String.raw`\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Thaana}\p{M}\u200C\u200D`
const directionChanges = new RegExp(`(?<=[${rtl}])(?=[^${rtl}])|(?<=[^${rtl}])(?=[${rtl}])`, 'u')

const mirrors: Record<string, string> = { '(': ')', ')': '(', '[': ']', ']': '[', '{': '}', '}': '{', '«': '»', '»': '«' }
const opening = new Set(['(', '[', '{', '«'])
const mirror = (word: string) => mirrors[word] ?? word

/** Returns the index after the last word of a right-to-left sequence. The sequence includes the closing bracket of each opened one. */
function endOfRightToLeft(words: readonly string[], start: number): number {
  let end = start + 1
  let open = 0
  for (let index = start + 1; index < words.length; index++) {
    const word = words[index] ?? ''
    const closes = word in mirrors && !opening.has(word) && open > 0 && index === end
    if (rightToLeft.test(word) || closes) end = index + 1
    else if (/\p{L}/u.test(word)) break
    open += opening.has(word) ? 1 : closes ? -1 : 0
  }
  return end
}

/** Joins adjacent left-to-right runs, so that a PDF viewer selects and copies them as one text. */
function joinLeftToRight(runs: readonly string[]): string[] {
  const result: string[] = []
  for (const run of runs) {
    const last = result.at(-1)
    if (last !== undefined && !rightToLeft.test(last) && !rightToLeft.test(run)) result[result.length - 1] = last + run
    else result.push(run)
  }
  return result
}
