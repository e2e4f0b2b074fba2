import type { PageContext } from '../framework/page-context.ts'

interface FileLinkProps {
  /** Extension of the file, whose address is that of the page with the extension. */
  extension: 'csv' | 'zip'
  /** Verb for the action, which a phone omits. */
  verb: string
  label: string
  /** Noun for the objects in the list, in the plural. */
  noun: string
  total: number
  limit: number
  ctx: PageContext
}

/**
 * A link to a file of all rows that match the filters of the page. If there are too many, it shows a hint instead. Staff in a support
 * session cannot download files.
 */
export const FileLink = ({ extension, verb, label, noun, total, limit, ctx: { path, query, supportSession } }: FileLinkProps) =>
  supportSession ? null : total > limit ? (
    <span class="hint">
      {verb} {label}: filter the list to at most {limit.toLocaleString('en')} {noun}.
    </span>
  ) : (
    <a class="button second" href={`${path}.${extension}${query.size > 0 ? `?${query}` : ''}`}>
      <span class="verb">{verb} </span>
      {label}
    </a>
  )
