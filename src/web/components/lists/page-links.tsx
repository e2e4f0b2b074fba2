import type { ComponentChildren } from 'preact'

/** Returns the requested page of a list; 1 if the parameter is missing or not a page number. */
export function readPageNumber(query: URLSearchParams, parameter = 'page'): number {
  const page = query.get(parameter) ?? ''
  return /^[1-9]\d{0,8}$/.test(page) ? Number(page) : 1
}

/** The number of a page, and of the last page; null if there are further pages that nothing has counted. */
export interface ListPosition {
  page: number
  lastPage: number | null
}

interface PageLinksProps {
  /** Accessible name of the links, which distinguishes several lists on one page. */
  label: string
  path: string
  query: URLSearchParams
  parameter?: string
  /** The list, with the number of the current page. */
  list: ListPosition
}

/** Links to the previous and next page, or from beyond the last page to it. They keep other query parameters. A single page has none. */
export function PageLinks({ label, path, query, parameter = 'page', list: { page, lastPage } }: PageLinksProps) {
  if (page === 1 && lastPage === 1) return null
  const getAddress = (number: number) => `${path}?${new URLSearchParams({ ...Object.fromEntries(query), [parameter]: String(number) })}`
  if (lastPage !== null && page > lastPage)
    return (
      <nav class="pages" aria-label={label}>
        <a href={getAddress(lastPage)}>Go to the last page</a>
      </nav>
    )
  return (
    <nav class="pages" aria-label={label}>
      {page > 1 && (
        <a rel="prev" href={getAddress(page - 1)}>
          Previous page
        </a>
      )}
      <span>{lastPage === null ? `Page ${page}` : `Page ${page} of ${lastPage}`}</span>
      {(lastPage === null || page < lastPage) && (
        <a rel="next" href={getAddress(page + 1)}>
          Next page
        </a>
      )}
    </nav>
  )
}

/** Replaces a list without rows. If `isBeyond`, it says that the requested page is beyond the last one; otherwise it shows `children`. */
export const EmptyList = ({ isBeyond, children }: { isBeyond: boolean; children?: ComponentChildren }) => (
  <p class="empty">{isBeyond ? 'There is nothing on this page.' : children}</p>
)
