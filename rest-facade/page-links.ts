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
export function pageLinks(current: number, last: number, url: (page: number) => string): PageLink[] {
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
