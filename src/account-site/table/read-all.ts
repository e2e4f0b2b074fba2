import { invalid } from '../../../schema/core/errors.ts'

/** Maximum number of rows of a CSV file. They are collected before the file is sent, so that an error leaves no incomplete file. */
export const maxExported = 10_000

interface Reading<Row> {
  /** Maximum number of rows, and the message at the button of the file if there are more. */
  limit: number
  refusal: Readonly<Record<string, string>>
  getKey(row: Row): string
  load(page: number): Promise<{ nodes: readonly Row[]; total: number; lastPage: number }>
}

/** Reads all pages of a list for a file. Refuses a list that is too long. */
export async function readAll<Row>({ limit, refusal, getKey, load }: Reading<Row>): Promise<Row[]> {
  // Rows are stored by identifier, because a row that is created meanwhile moves others to the next page, where they are read again.
  const rows = new Map<string, Row>()
  for (let page = 1, lastPage = 1; page <= lastPage; page++) {
    const { nodes, total, ...list } = await load(page)
    if (total > limit) throw invalid(Object.fromEntries(Object.entries(refusal).map(([field, message]) => [field, [message]])))
    for (const node of nodes) rows.set(getKey(node), node)
    lastPage = list.lastPage
  }
  return [...rows.values()]
}

/** Returns the limit of a CSV file, and the message of its refusal. */
export const exportLimit = (noun: string) => ({
  limit: maxExported,
  refusal: { export: `Filter the list to at most ${maxExported.toLocaleString('en')} ${noun}.` },
})
