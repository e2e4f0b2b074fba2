// PDF knows glyphs at places and no text: where lines break and which way words run is decided here.

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Thaana}]/u
// Marks that turn the text around them: what is drawn here is turned already, and they would show as boxes. Those that
// join letters, or keep them apart, stay.
const unseen = /(?![\u200C\u200D])[\p{Cf}\p{Variation_Selector}]/gu
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Text in characters that the font has: white space as a space, anything it lacks as a box that is seen. */
export function printable(text: string, has: (codePoint: number) => boolean): string {
  const plain = text.normalize('NFC').replace(/\s+/gu, ' ').replace(unseen, '').trim()
  return Array.from(plain, (character) => (has(character.codePointAt(0) ?? 0) ? character : '□')).join('')
}

/** Breaks text at spaces into lines that fit; a word that is longer than a line, within. */
export function breakLines(text: string, width: number, measure: (text: string) => number): string[] {
  const lines: string[] = []
  let line = ''
  const fits = (more: string) => measure(more) <= width
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

/** At least one grapheme, so that it comes to an end. */
function longestStart(word: string, fits: (text: string) => boolean): string {
  let start = ''
  for (const { segment } of graphemes.segment(word)) {
    if (start !== '' && !fits(start + segment)) break
    start += segment
  }
  return start
}

/**
 * A line in runs from left to right, each of one direction: words of right-to-left scripts that follow one another stand
 * in the order in which they are read. A paragraph runs left to right; numbers between such words go with them. This is
 * as much of UAX #9 as names need.
 */
export function visualRuns(line: string): string[] {
  if (!rightToLeft.test(line)) return [line]
  const words = line
    .split(/( )/)
    .flatMap((word) => word.split(directionChanges))
    .filter(Boolean)
  const runs: string[] = []
  for (let at = 0; at < words.length;) {
    const end = rightToLeft.test(words[at] ?? '') ? endOfTurned(words, at) : at + 1
    const turned = words.slice(at, end)
    runs.push(...(end > at + 1 ? turned.map(mirrored).toReversed() : turned))
    at = end
  }
  return joined(runs)
}

const rtl = String.raw`\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Thaana}\p{M}\u200C\u200D`
const directionChanges = new RegExp(`(?<=[${rtl}])(?=[^${rtl}])|(?<=[^${rtl}])(?=[${rtl}])`, 'u')

const mirrors: Record<string, string> = { '(': ')', ')': '(', '[': ']', ']': '[', '{': '}', '}': '{', '«': '»', '»': '«' }
const opening = new Set(['(', '[', '{', '«'])
const mirrored = (word: string) => mirrors[word] ?? word

/** Past the last right-to-left word before one of another direction; a bracket that was opened within is closed within. */
function endOfTurned(words: readonly string[], start: number): number {
  let end = start + 1
  let open = 0
  for (let at = start + 1; at < words.length; at++) {
    const word = words[at] ?? ''
    const closes = word in mirrors && !opening.has(word) && open > 0 && at === end
    if (rightToLeft.test(word) || closes) end = at + 1
    else if (/\p{L}/u.test(word)) break
    open += opening.has(word) ? 1 : closes ? -1 : 0
  }
  return end
}

/** Left-to-right neighbours as one run, so that they are set, and copied, as one. */
function joined(runs: readonly string[]): string[] {
  const result: string[] = []
  for (const run of runs) {
    const last = result.at(-1)
    if (last !== undefined && !rightToLeft.test(last) && !rightToLeft.test(run)) result[result.length - 1] = last + run
    else result.push(run)
  }
  return result
}
