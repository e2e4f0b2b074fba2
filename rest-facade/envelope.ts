import { lastPage } from '../schema/builder/pagination.ts'
import type { Page } from '../schema/builder/pagination.ts'
import type { EventPage } from '../schema/events/feed.ts'

/**
 * Builds the envelope of a page, in Laravel's form (docs/decisions/page-format.md#envelope). `path` is an absolute URL without a query;
 * `query` has the other parameters, which every link repeats.
 */
export function envelope({ nodes, ...page }: Page<unknown>, path: string, query: string) {
  const last = lastPage(page)
  const current = page.page
  const prefix = `${path}?${query}${query && '&'}page=`
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

/**
 * Builds the envelope of a page of the feed, in the form of Laravel's cursor paginator. `next_cursor` is never null, because later events
 * follow it. `path` and `query` are those of `envelope`.
 */
export function feedEnvelope({ nodes, nextCursor, perPage }: Omit<EventPage, 'nodes'> & { nodes: unknown[] }, path: string, query: string) {
  const next = `${path}?${query}${query && '&'}after=${encodeURIComponent(nextCursor)}`
  return {
    data: nodes,
    links: { first: null, last: null, prev: null, next },
    meta: { path, per_page: perPage, next_cursor: nextCursor, prev_cursor: null },
  }
}

interface PageLink {
  url: string | null
  label: string
  active: boolean
}

// Laravel's rules for page links (docs/decisions/page-format.md#page-links).
const minPagesForGaps = 14
const pagesNearEnd = 7
const pagesAroundCurrent = 3

/** Returns the links to single pages. `url` returns the URL of a page. */
function pageLinks(current: number, last: number, url: (page: number) => string): PageLink[] {
  return pageNumbers(current, last).map((page) =>
    page === null ? { url: null, label: '...', active: false } : { url: url(page), label: String(page), active: page === current },
  )
}

/** Returns the numbers of the linked pages, with null for a gap. */
export function pageNumbers(current: number, last: number): (number | null)[] {
  if (last < minPagesForGaps) return range(1, last)
  if (current <= pagesNearEnd) return [...range(1, 10), null, last - 1, last]
  if (current > last - pagesNearEnd) return [1, 2, null, ...range(last - 9, last)]
  return [1, 2, null, ...range(current - pagesAroundCurrent, current + pagesAroundCurrent), null, last - 1, last]
}

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)
