import type { ComponentChildren } from 'preact'
import { EmptyList } from '../../web/components/page-links.tsx'
import { Name } from '../../web/components/name.tsx'
import { ScopeList } from '../../web/components/scope-list.tsx'
import { ConfirmDialog } from '../../web/components/confirm-dialog.tsx'
import { Table } from '../../web/components/table.tsx'
import { Day, DateTime } from '../../web/components/time.tsx'

/** A token or connected application with access to a team. Times are RFC 3339. */
interface AccessRow {
  name: string
  /** Prefix and last four characters of a token. */
  hint?: string
  /** The user for whom it acts, or who created it. */
  person: ComponentChildren
  scopes: readonly string[]
  lastUsedAt: string | null
  expiresAt: string | null
  /** Hidden fields of the form that revokes its access. */
  hidden: Record<string, string>
}

interface AccessTableProps {
  id: string
  title: string
  description: string
  /** Text for an empty table. */
  none: string
  /** Name of the form that revokes access. */
  form: string
  warning: string
  /** The rows of the current page. */
  rows: readonly AccessRow[]
  /** Number of rows on all pages. */
  total: number
}

/** A table of one kind of access to a team, with a dialog in each row that revokes it. */
export const AccessTable = ({ id, title, description, none, form, warning, rows, total }: AccessTableProps) => (
  <section>
    <h2 id={id}>{title}</h2>
    <p>{description}</p>
    {rows.length === 0 ? (
      <EmptyList isBeyond={total > 0}>{none}</EmptyList>
    ) : (
      <Table labelledBy={id}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">It may</th>
            <th scope="col">Last used</th>
            <th scope="col">Expires</th>
            <th scope="col">End</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              <th scope="row">
                <Name>{row.name}</Name>
                <p class="hint">
                  {row.hint && <code>{row.hint}</code>} {row.person}
                </p>
              </th>
              <td>
                <ScopeList scopes={row.scopes} />
              </td>
              <td>
                <DateTime at={row.lastUsedAt} />
              </td>
              <td>
                <Day at={row.expiresAt} />
              </td>
              <td>
                <ConfirmDialog summary="Cut off" objectName={row.name} form={form} hidden={row.hidden} button="Yes, cut it off">
                  {warning}
                </ConfirmDialog>
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    )}
  </section>
)
