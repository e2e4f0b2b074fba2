import { text } from '../../../schema/core/validation.ts'
import type { ListPosition } from '../../web/components/lists/page-links.tsx'
import { readPageNumber } from '../../web/components/lists/page-links.tsx'
import type { Filter, Filters, TableDeclaration } from './declaration.ts'

// The state of a table in the query of its page: `?search=ada&role=OWNER&sort=-name&size=25&page=2`. A form with GET and links write it, so
// that it can be bookmarked and works without JavaScript. An invalid value counts as absent.

/** Numbers of rows on a page. The maximum is 50, so that every page stays below 100 kB. */
export const pageSizes = ['10', '25', '50'] as const
const defaultSize = '50'

type FilterValue<Declared extends Filter> = Declared extends { options: infer Options } ? keyof Options & string : string

/** The variables of the list's query. */
export type ListVariables<Sort extends string, Filtered extends Filters> = {
  search: string | null
  sort: Sort
  direction: 'ASC' | 'DESC'
  page: number
  perPage: number
} & { [Name in keyof Filtered]: FilterValue<Filtered[Name]> | null }

/** Returns the search text, or a text filter. */
export function readFilter(query: URLSearchParams, name: string): string {
  const value = (query.get(name) ?? '').trim()
  return text.safeParse(value).success ? Array.from(value).slice(0, 50).join('') : ''
}

/** Returns the value of a filter; empty if there is none. */
export function readFilterValue({ options, isDay }: Filter, query: URLSearchParams, name: string): string {
  const value = readFilter(query, name)
  if (isDay) return isStorableDay(value) ? value : ''
  return options && !Object.hasOwn(options, value) ? '' : value
}

/** Returns true if the day exists and is in the range of RFC 3339 timestamps in every time zone. */
const isStorableDay = (value: string) =>
  /^\d{4}-\d\d-\d\d$/.test(value) &&
  value > '0001-01-01' &&
  value < '9999-12-31' &&
  new Date(`${value}T00:00:00Z`).toJSON()?.startsWith(value)

/** Returns the earlier day as `from`, whatever the order in which the days were entered. */
export const dayRange = (from: string | null, to: string | null) =>
  from !== null && to !== null && from > to ? { from: to, to: from } : { from, to }

type Sorted = Pick<TableDeclaration<never, string, Filters>, 'columns' | 'sort' | 'isDescending'>

/** Returns the column order in the address, or that of the declaration. */
export function readOrder({ columns, sort, isDescending = false }: Sorted, query: URLSearchParams) {
  const sortValue = query.get('sort') ?? ''
  const name = sortValue.replace(/^-/, '')
  const column = columns.find((each) => each.sort !== undefined && each.sort.toLowerCase() === name)
  return column?.sort === undefined ? { sort, isDescending } : { sort: column.sort, isDescending: sortValue.startsWith('-') }
}

/** Returns an order in the form of the address. */
export const orderInAddress = (sort: string, isDescending: boolean) => `${isDescending ? '-' : ''}${sort.toLowerCase()}`

export const readPageSize = (query: URLSearchParams) => pageSizes.find((size) => size === query.get('size')) ?? defaultSize

/** Reads the variables of the list's query from the address. */
export function readListVariables<Row, Sort extends string, Filtered extends Filters>(
  table: TableDeclaration<Row, Sort, Filtered>,
  query: URLSearchParams,
): ListVariables<Sort, Filtered> {
  const { sort, isDescending } = readOrder(table, query)
  const filters = Object.entries(table.filters).map(([name, filter]) => [name, readFilterValue(filter, query, name) || null])
  const variables = {
    ...Object.fromEntries(filters),
    search: readFilter(query, 'search') || null,
    sort,
    direction: isDescending ? 'DESC' : 'ASC',
    page: readPageNumber(query),
    perPage: Number(readPageSize(query)),
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- values of filters are keys of their options
  return variables as ListVariables<Sort, Filtered>
}

/** Returns a page of a list whose rows are not counted: a full page may have a next one. */
export const toUncountedList = <Row>(
  { nodes, page }: { nodes: readonly Row[]; page: number },
  { perPage }: { perPage: number },
): ListPosition & { nodes: readonly Row[]; total: number } => ({
  nodes,
  page,
  total: nodes.length,
  lastPage: nodes.length < perPage ? page : null,
})

/** Returns the number of texts and filters in the address that restrict the list. */
export const countFilters = ({ filters }: { filters: Filters }, query: URLSearchParams): number =>
  Object.entries(filters).filter(([name, filter]) => readFilterValue(filter, query, name) !== '').length +
  (readFilter(query, 'search') === '' ? 0 : 1)

/** Returns true if the address restricts the list. */
export const isFiltered = (table: { filters: Filters }, query: URLSearchParams): boolean => countFilters(table, query) > 0

/** Returns the address of the page with other values of the query, from the first page on. */
export const addressWith = (path: string, query: URLSearchParams, values: Record<string, string>): string => {
  const changed = new URLSearchParams(query)
  changed.delete('page')
  for (const [name, value] of Object.entries(values)) changed.set(name, value)
  return `${path}?${changed}`
}

/** Query parameter of a row's page with the search, filters, order and page of the list from which it was opened. */
const listParameter = 'list'

/** Returns the address of the page of a row. */
export const rowAddress = ({ path, query }: Address, id: string): string =>
  withQuery(`${path}/${id}`, { [listParameter]: query.toString() })

/** Returns the address of the list with this path, with its state when the current page was opened from it. */
export const listAddress = (path: string, { query }: Pick<Address, 'query'>): string =>
  withQuery(path, Object.fromEntries(new URLSearchParams(query.get(listParameter) ?? '')))

interface Address {
  /** The path without the query. */
  path: string
  query: URLSearchParams
}

function withQuery(path: string, values: Record<string, string>): string {
  const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== ''))
  return query.size > 0 ? `${path}?${query}` : path
}
