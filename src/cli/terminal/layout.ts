// Columns of text.

/** Two spaces between columns. */
const gap = 2

/** Words that are longer than this are broken if rows do not fit otherwise. Every scope has fewer characters. */
const breakableWidth = 28

/** A column that is printed: its place in the rows, and its width in characters. */
interface Column {
  index: number
  width: number
}

/**
 * Returns the columns that fit into rows of `width` characters: all with their natural widths if possible, otherwise with less, so that
 * cells have several lines. A column is omitted if the line has no space for it. Words of columns for which `isWhole` is true
 * are broken only if the first column alone is too wide; words of others are broken if they are longer than 28 characters.
 */
export function fitColumns(rows: readonly (readonly string[])[], width: number, isWhole: (index: number) => boolean): Column[] {
  const count = Math.max(...rows.map((row) => row.length))
  const all = Array.from({ length: count }, (_, index) => {
    const cells = rows.map((row) => row[index] ?? '')
    const natural = Math.max(...cells.map(textWidth))
    const word = Math.max(...cells.flatMap((cell) => cell.split(' ').map(textWidth)))
    return { index, natural, word, width: isWhole(index) ? word : Math.min(word, breakableWidth) }
  })
  if (getTotal(all.map(({ natural }) => natural)) <= width) return all.map(({ index, natural }) => ({ index, width: natural }))
  const columns: typeof all = []
  for (const column of all) {
    if (columns.length === 0) columns.push({ ...column, width: Math.min(column.width, width) })
    else if (getTotal([...columns, column].map((each) => each.width)) <= width) columns.push(column)
  }
  let free = width - getTotal(columns.map((column) => column.width))
  // The remaining space prevents breaks in the words of the first columns.
  for (const column of columns) {
    const more = Math.min(free, column.word - column.width)
    column.width += more
    free -= more
  }
  // The rest goes to the columns that need more, in equal shares.
  while (free > 0) {
    const narrow = columns.filter((column) => column.width < column.natural)
    if (narrow.length === 0) break
    const share = Math.max(1, Math.floor(free / narrow.length))
    for (const column of narrow) {
      const more = Math.min(share, free, column.natural - column.width)
      column.width += more
      free -= more
    }
  }
  return columns.map((column) => ({ index: column.index, width: column.width }))
}

const getTotal = (widths: readonly number[]) => widths.reduce((sum, each) => sum + each, gap * (widths.length - 1))

/** Returns the lines of a row. `format` changes the look of a piece of the cell with an index, but not its width. */
export function rowLines(cells: readonly string[], columns: readonly Column[], format = (text: string, _index: number) => text): string[] {
  const wrapped = columns.map(({ index, width }) => wrap(cells[index] ?? '', width))
  const height = Math.max(...wrapped.map((lines) => lines.length))
  return Array.from({ length: height }, (_, line) => {
    const pieces = columns.map((column, at) => ({ ...column, text: wrapped[at]?.[line] ?? '' }))
    const last = pieces.findLastIndex(({ text }) => text !== '')
    return pieces
      .slice(0, last + 1)
      .map(({ index, width, text }, at) => format(text, index) + ' '.repeat(at < last ? width - textWidth(text) + gap : 0))
      .join('')
  })
}

/** Breaks text between words into lines of at most `width`; a longer word is broken where its line ends. */
export function wrap(text: string, width: number): string[] {
  if (textWidth(text) <= width) return [text]
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`
    if (lines.length > 0 && textWidth(longer) <= width) lines[lines.length - 1] = longer
    else lines.push(...breakWord(word, width))
  }
  return lines
}

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })

function breakWord(word: string, width: number): string[] {
  if (textWidth(word) <= width) return [word]
  const lines = ['']
  for (const { segment } of characters.segment(word)) {
    const longer = `${lines.at(-1)}${segment}`
    if (textWidth(longer) <= width || lines.at(-1) === '') lines[lines.length - 1] = longer
    else lines.push(segment)
  }
  return lines
}

/** Returns the number of terminal cells of a text: two for East Asian characters and emoji, none for combining marks. */
export function textWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  let width = 0
  for (const character of text) width += none.test(character) ? 0 : two.test(character) ? 2 : 1
  return width
}

const none = /[\p{Mn}\p{Me}\p{Cf}]/u
const two = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u
