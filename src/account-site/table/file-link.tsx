import type { PageContext } from '../framework/page-context.ts'

interface FileLinkProps {
  /** The file has the address of the page and this extension. */
  extension: 'csv' | 'zip'
  /** What is done, which a phone leaves out. */
  verb: string
  label: string
  /** What the list contains, in the plural. */
  noun: string
  total: number
  limit: number
  ctx: PageContext
}

/** Downloads a file of the rows that match the filters of the page, on all its pages. Says what to do if there are too many. */
export const FileLink = ({ extension, verb, label, noun, total, limit, ctx: { path, query } }: FileLinkProps) =>
  total > limit ? (
    <span class="hint">
      {verb} {label}: filter the list to at most {limit.toLocaleString('en')} {noun}.
    </span>
  ) : (
    <a class="button second" href={`${path}.${extension}${query.size > 0 ? `?${query}` : ''}`}>
      <span class="verb">{verb} </span>
      {label}
    </a>
  )
