import type { Application, SortDirection } from '../generated/operations.ts'
import { pageNumberOf } from '../../web/components/page-links.tsx'
import { applications } from '../labels.ts'

/** The filter in the query of the page. An invalid value counts as absent. */
export interface InvoiceFilter {
  page: number
  app: Application | null
  sort: SortDirection
}

export function parseInvoiceFilter(query: URLSearchParams): InvoiceFilter {
  return {
    page: pageNumberOf(query),
    app: applications.find((id) => id === query.get('app')?.toUpperCase()) ?? null,
    sort: query.get('sort') === 'asc' ? 'ASC' : 'DESC',
  }
}
