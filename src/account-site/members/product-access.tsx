import type { Application } from '../generated/operations.ts'
import { accessLabel } from '../labels.ts'

/** The products of a person in a table row: one by its name, several by their number, with all names on hover. Numbers do not wrap. */
export const ProductAccess = ({ ids }: { ids: readonly Application[] | null }) =>
  ids === null ? (
    <span class="short default">{accessLabel(ids)}</span>
  ) : ids.length > 1 ? (
    <span class="short" title={accessLabel(ids)}>
      {ids.length} products
    </span>
  ) : (
    <>{accessLabel(ids)}</>
  )
