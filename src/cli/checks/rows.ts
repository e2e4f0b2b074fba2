/** Rows that `doctor` prints of one problem at most, and problems of one check. */
export const maxRows = 10

/** What has a problem: the first ten, one line each, and the number of all. */
export interface Rows {
  count: number
  first: string[]
}

/** Collects rows of which only the first are printed. */
export function collectRows() {
  const rows: Rows = { count: 0, first: [] }
  return {
    rows,
    /** Adds `count` rows, of which `lines` are the first. */
    add(lines: readonly string[], count = lines.length): void {
      rows.count += count
      rows.first.push(...lines.slice(0, maxRows - rows.first.length))
    },
  }
}

/** The line after the first rows, if there are others. */
export const moreText = ({ count, first }: Rows): string[] => (count > first.length ? [`and ${count - first.length} more`] : [])

/** `1 domain is`, `2 domains are`: the beginning of a sentence about a number of things. */
export const countOf = (count: number, one: string, many: string): string => (count === 1 ? `1 ${one}` : `${count} ${many}`)
