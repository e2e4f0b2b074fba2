import type { ComponentChildren } from 'preact'
import { NoRows } from '../page-links.tsx'
import { Name } from '../page.tsx'
import { ScopeList } from '../scope-words.tsx'
import { Sure } from '../sure.tsx'
import { Table } from '../table.tsx'
import { Day, Moment } from '../time.tsx'

/** One of those that can touch a team. Instants are RFC 3339. */
interface AccessRow {
  name: string
  /** Of a token. */
  hint?: string
  /** Whom it acts for, or who made it. */
  person: ComponentChildren
  scopes: readonly string[]
  lastUsedAt: string | null
  expiresAt: string | null
  /** What the form that cuts it off sends. */
  hidden: Record<string, string>
}

interface AccessTableProps {
  id: string
  title: string
  about: string
  /** Said where there is none. */
  none: string
  /** The form that cuts one off, by its name among those of the page. */
  form: string
  warning: string
  /** One page of them. */
  rows: readonly AccessRow[]
  /** How many there are on all pages. */
  total: number
}

/** Those of one kind that can touch a team, each with a way to cut it off. */
export const AccessTable = ({ id, title, about, none, form, warning, rows, total }: AccessTableProps) => (
  <section>
    <h2 id={id}>{title}</h2>
    <p>{about}</p>
    {rows.length === 0 ? (
      <NoRows isBeyond={total > 0}>{none}</NoRows>
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
                <Moment at={row.lastUsedAt} />
              </td>
              <td>
                <Day at={row.expiresAt} />
              </td>
              <td>
                <Sure summary="Cut off" of={row.name} form={form} hidden={row.hidden} button="Yes, cut it off">
                  {warning}
                </Sure>
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    )}
  </section>
)
