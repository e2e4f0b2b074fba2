import type { Application, SortDirection } from '../generated/operations.ts'
import { pageOf } from '../page-links.tsx'
import { appNames } from '../words.ts'

/** What the address of the list asks for; what it cannot mean counts as not asked. */
export interface Asked {
  page: number
  app: Application | null
  sort: SortDirection
}

export function askedOf(query: URLSearchParams): Asked {
  const app = (query.get('app') ?? '').toUpperCase()
  return {
    page: pageOf(query),
    app: Object.hasOwn(appNames, app) ? (app as Application) : null,
    sort: query.get('sort') === 'asc' ? 'ASC' : 'DESC',
  }
}
