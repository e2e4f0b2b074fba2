import { ScimError } from './error.ts'
import type { Filter } from './filter.ts'
import { parseFilter } from './filter.ts'

/** A part of a list of resources. */
export interface ScimListQuery {
  filter: Filter | null
  offset: number
  limit: number
}

export interface ListPage<Row> {
  total: number
  rows: readonly Row[]
}

/** Default and maximum number of resources in a response. */
export const maxResults = 200
const defaultResults = 100

const integer = (text: string | null, name: string): number | null => {
  if (text === null || text === '') return null
  if (!/^-?\d{1,15}$/.test(text)) throw new ScimError(400, 'invalidValue', `${name} must be an integer.`)
  return Number(text)
}

/** Reads `filter`, `startIndex` and `count`. A start below 1 means 1, and a negative count means 0 (RFC 7644 §3.4.2.4). */
export function readListQuery(parameters: URLSearchParams): ScimListQuery & { startIndex: number } {
  const filter = parameters.get('filter')
  const startIndex = Math.max(integer(parameters.get('startIndex'), 'startIndex') ?? 1, 1)
  const limit = Math.min(Math.max(integer(parameters.get('count'), 'count') ?? defaultResults, 0), maxResults)
  return { filter: filter === null || filter.trim() === '' ? null : parseFilter(filter), startIndex, offset: startIndex - 1, limit }
}

/** Maximum number of members of groups, or groups of users, in all resources of a response. */
const maxReferences = 20_000

/**
 * Builds SQL for the first resources `r` of a page that have at most so many references in all. It always includes the first resource, so
 * that a client reaches the end of the list. `count` is a query for the references of a resource.
 */
export const endBeforeTooMany = (page: string, count: string): string =>
  `(SELECT * FROM (SELECT r.*, row_number() OVER list AS list_position, sum(c.count) OVER list AS list_references
     FROM (${page}) r CROSS JOIN LATERAL (${count}) c WINDOW list AS (ORDER BY r.created_at, r.id)) r
   WHERE list_references <= ${maxReferences} OR list_position = 1) r`
