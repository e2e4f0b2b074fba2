import type { PageContext } from '../framework/page-context.ts'
import { maxExported } from './read-all.ts'

/** Downloads the rows that match the filters of the page, on all its pages. The file has the address of the page, and `.csv`. */
export const ExportLink = ({ total, ctx: { path, query } }: { total: number; ctx: PageContext }) => {
  if (total === 0) return null
  if (total > maxExported) return <span class="hint">To export, filter the list to at most {maxExported.toLocaleString('en')} rows.</span>
  return (
    <a class="button second" href={`${path}.csv${query.size > 0 ? `?${query}` : ''}`}>
      Export as CSV
    </a>
  )
}
