import type { ComponentChildren } from 'preact'

/** The page of a list that an address asks for in this parameter; what it cannot mean counts as the first. */
export function pageOf(query: URLSearchParams, parameter = 'page'): number {
  const page = query.get(parameter) ?? ''
  return /^[1-9]\d{0,8}$/.test(page) ? Number(page) : 1
}

interface PageLinksProps {
  /** Which list, where a page has several. */
  label: string
  path: string
  query: URLSearchParams
  parameter?: string
  /** The list's page as it was answered. */
  list: { page: number; lastPage: number }
}

/** Links to the pages before and after; nothing where there is one page. What else the address asks for stays. */
export function PageLinks({ label, path, query, parameter = 'page', list: { page, lastPage } }: PageLinksProps) {
  if (page === 1 && lastPage === 1) return null
  const addressOf = (number: number) => `${path}?${new URLSearchParams({ ...Object.fromEntries(query), [parameter]: String(number) })}`
  return (
    <nav class="pages" aria-label={label}>
      {page > 1 && (
        <a rel="prev" href={addressOf(Math.min(page - 1, lastPage))}>
          Previous page
        </a>
      )}
      <span>{`Page ${page} of ${lastPage}`}</span>
      {page < lastPage && (
        <a rel="next" href={addressOf(page + 1)}>
          Next page
        </a>
      )}
    </nav>
  )
}

/** Stands where a list has no rows to show: this page is beyond its end, or there are none, as `children` say. */
export const NoRows = ({ isBeyond, children }: { isBeyond: boolean; children?: ComponentChildren }) => (
  <p class="empty">{isBeyond ? 'The list ends before this page.' : children}</p>
)
