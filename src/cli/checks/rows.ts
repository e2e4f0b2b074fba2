/** Maximum numbers of rows that `doctor` prints for one problem, and of problems of one check. */
export const maxRows = 10

/** Objects with a problem: the first ten, one line each, and the number of all. */
export interface ProblemRows {
  count: number
  first: string[]
}

/** Collects rows, of which only the first are printed. */
export function collectRows() {
  const rows: ProblemRows = { count: 0, first: [] }
  return {
    rows,
    /** Adds `count` rows, of which `lines` are the first. */
    add(lines: readonly string[], count = lines.length): void {
      rows.count += count
      rows.first.push(...lines.slice(0, maxRows - rows.first.length))
    },
  }
}

/** Returns the line after the first rows, if there are others. */
export const moreText = ({ count, first }: ProblemRows): string[] => (count > first.length ? [`and ${count - first.length} more`] : [])

/** Returns the start of a sentence about a number of things: `1 domain is`, `2 domains are`. */
export const formatCount = (count: number, one: string, many: string): string => (count === 1 ? `1 ${one}` : `${count} ${many}`)
