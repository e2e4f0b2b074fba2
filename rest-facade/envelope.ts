import { lastPage } from '../schema/pagination.ts'
import type { Page } from '../schema/pagination.ts'

/** What of an operation's result a route answers, and in which form. `at` is the path to it in the result. */
export type Answer = { kind: 'resource'; at: string } | { kind: 'list'; at: string } | { kind: 'page'; at: string } | { kind: 'empty' }

interface PageLink {
  url: string | null
  label: string
  active: boolean
}

/** The paginated envelope of §2.7, member by member. `path` is absolute, `kept` the other parameters' query string. */
export function envelope({ nodes, ...page }: Page<unknown>, path: string, kept: string) {
  const last = lastPage(page)
  const current = page.page
  const prefix = `${path}?${kept}${kept && '&'}page=`
  const url = (number: number) => prefix + number
  const previous = current > 1 ? url(current - 1) : null
  const next = current < last ? url(current + 1) : null
  const from = nodes.length > 0 ? (current - 1) * page.perPage + 1 : null
  return {
    data: nodes,
    links: { first: url(1), last: url(last), prev: previous, next },
    meta: {
      current_page: current,
      from,
      last_page: last,
      links: [
        { url: previous, label: '&laquo; Previous', active: false },
        ...pageLinks(current, last, url),
        { url: next, label: 'Next &raquo;', active: false },
      ],
      path,
      per_page: page.perPage,
      to: from === null ? null : from + nodes.length - 1,
      total: page.total,
    },
  }
}

// From here on both ends are listed and the middle slides (decisions §3).
const listedWhole = 14
const atAnEnd = 7
const aroundCurrent = 3

function pageLinks(current: number, last: number, url: (page: number) => string): PageLink[] {
  return pageNumbers(current, last).map((page) =>
    page === null ? { url: null, label: '...', active: false } : { url: url(page), label: String(page), active: page === current },
  )
}

/** The pages listed, null for a gap. */
export function pageNumbers(current: number, last: number): (number | null)[] {
  if (last < listedWhole) return range(1, last)
  if (current <= atAnEnd) return [...range(1, 10), null, last - 1, last]
  if (current > last - atAnEnd) return [1, 2, null, ...range(last - 9, last)]
  return [1, 2, null, ...range(current - aroundCurrent, current + aroundCurrent), null, last - 1, last]
}

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)
