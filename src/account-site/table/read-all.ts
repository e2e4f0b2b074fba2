import { invalid } from '../../../schema/core/errors.ts'

/** The rows are collected before the file is sent, so that an error never leaves an incomplete file. */
export const maxExported = 10_000

interface PageOfRows<Row> {
  nodes: readonly Row[]
  total: number
  lastPage: number
}

/** Reads all pages of a list for a file. Refused for a list that is too long. */
export async function readAll<Row>(
  noun: string,
  keyOf: (row: Row) => string,
  load: (page: number) => Promise<PageOfRows<Row>>,
): Promise<Row[]> {
  // By identifier, because a row that is created meanwhile moves others to the next page, where they are read again.
  const found = new Map<string, Row>()
  for (let page = 1, lastPage = 1; page <= lastPage; page++) {
    const { nodes, total, ...list } = await load(page)
    if (total > maxExported) throw invalid({ export: [`Filter the list to at most ${maxExported.toLocaleString('en')} ${noun}.`] })
    for (const node of nodes) found.set(keyOf(node), node)
    lastPage = list.lastPage
  }
  return [...found.values()]
}
