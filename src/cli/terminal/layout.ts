// Columns of text. Words are never broken, because identifiers and addresses are copied from the output.

/** Two spaces between columns. */
const gap = 2

/**
 * The widths of columns so that rows are at most `width` characters wide: their natural widths if these fit, otherwise less, so that cells
 * have several lines. If not even the longest words fit, the last columns are left out: the result has fewer widths than there are columns.
 */
export function fitColumns(rows: readonly (readonly string[])[], width: number): number[] {
  const count = Math.max(...rows.map((row) => row.length))
  const columns = Array.from({ length: count }, (_, column) => rows.map((row) => row[column] ?? ''))
  const natural = columns.map((cells) => Math.max(...cells.map(textWidth)))
  if (totalOf(natural) <= width) return natural
  const widths = columns.map((cells) => Math.max(...cells.flatMap((cell) => cell.split(' ').map(textWidth))))
  while (widths.length > 1 && totalOf(widths) > width) widths.pop()
  // The remaining space goes to the columns that need more, in equal shares.
  for (let free = width - totalOf(widths); free > 0;) {
    const narrow = widths.flatMap((current, column) => (current < (natural[column] ?? 0) ? [column] : []))
    if (narrow.length === 0) break
    const share = Math.max(1, Math.floor(free / narrow.length))
    for (const column of narrow) {
      const more = Math.min(share, free, (natural[column] ?? 0) - (widths[column] ?? 0))
      widths[column] = (widths[column] ?? 0) + more
      free -= more
    }
  }
  return widths
}

const totalOf = (widths: readonly number[]) => widths.reduce((sum, each) => sum + each, gap * (widths.length - 1))

/** The lines of a row. `format` changes the look of a piece of a cell, not its width. */
export function rowLines(cells: readonly string[], widths: readonly number[], format = (text: string, _column: number) => text): string[] {
  const wrapped = widths.map((width, column) => wrap(cells[column] ?? '', width))
  const height = Math.max(...wrapped.map((lines) => lines.length))
  return Array.from({ length: height }, (_, line) => {
    const pieces = wrapped.map((lines) => lines[line] ?? '')
    const last = pieces.findLastIndex((piece) => piece !== '')
    return pieces
      .slice(0, last + 1)
      .map((piece, column) => format(piece, column) + ' '.repeat(column < last ? (widths[column] ?? 0) - textWidth(piece) + gap : 0))
      .join('')
  })
}

/** Breaks text between words into lines of at most `width`; a longer word has a line of its own. */
function wrap(text: string, width: number): string[] {
  if (textWidth(text) <= width) return [text]
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`
    if (lines.length > 0 && textWidth(longer) <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

/** The number of terminal cells of a text: two for East Asian characters and emoji, none for combining marks. */
export function textWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  let width = 0
  for (const character of text) width += none.test(character) ? 0 : two.test(character) ? 2 : 1
  return width
}

const none = /[\p{Mn}\p{Me}\p{Cf}]/u
const two = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u
