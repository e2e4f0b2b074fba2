import type { ComponentChildren } from 'preact'
import type { Scope } from '../../../../schema/core/scopes.ts'
import { describedBy, FieldDescription, formatFieldId } from '../../../web/components/forms/field-description.tsx'
import { useSubmittedField } from '../../../web/components/forms/form.tsx'
import { permissionAreas, scopeLabel } from '../../../web/components/scope-list.tsx'
import type { Area } from '../../../web/components/scope-list.tsx'

const legend = 'Permissions'
const words = { label: legend, verb: 'Choose at least one', noun: 'permission' } as const

/** Returns the submitted value of a field of the table. */
export const useSubmittedScopes = (name: string) => useSubmittedField(name, words)

interface ScopeGridProps {
  messages: readonly string[]
  /** True if the first checkbox has the focus when the page opens. */
  hasFocus: boolean
  /** Content above the names. */
  corner?: ComponentChildren
  columns: readonly string[]
  groups: readonly { label: string; rows: readonly ScopeRow[] }[]
}

interface ScopeRow {
  name: string
  /** Content that unfolds below the name. */
  details: ComponentChildren
  /** The checkbox in each column, if there is one. */
  cells: readonly (false | undefined | { name?: string; scope: Scope; label: string; isTicked: boolean })[]
}

/** A table of checkboxes for scopes, in groups. */
export function ScopeGrid({ messages, hasFocus, corner, columns, groups }: ScopeGridProps) {
  const id = formatFieldId('scopes')
  return (
    <div role="group" aria-label={legend} {...describedBy(id, undefined, messages)}>
      <FieldDescription id={id} hint={undefined} messages={messages} />
      <table class="permissions">
        <thead>
          <tr>
            <td>{corner}</td>
            {columns.map((column) => (
              <th scope="col">{column}</th>
            ))}
          </tr>
        </thead>
        {groups.map(({ label, rows }, group) => (
          <tbody>
            <tr>
              <th scope="rowgroup" colSpan={columns.length + 1}>
                {label}
              </th>
            </tr>
            {rows.map(({ name: summary, details, cells }, row) => (
              <tr>
                <th scope="row">
                  <details class="fold">
                    <summary>{summary}</summary>
                    {details}
                  </details>
                </th>
                {cells.map((cell, column) => (
                  <td>
                    {cell && (
                      <label title={cell.label}>
                        <span class="visually-hidden">{cell.label}</span>
                        <input
                          type="checkbox"
                          name={cell.name ?? 'scopes'}
                          value={cell.scope}
                          checked={cell.isTicked}
                          autofocus={hasFocus && group + row + column === 0}
                        />
                      </label>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  )
}

interface PermissionTableProps {
  /** Scopes that the token can have. */
  scopes: readonly Scope[]
  /** Scopes that are ticked at first. */
  initial: readonly string[]
}

/** The scopes that a token can have: a row for each area, columns for reading and writing. A row unfolds to its permissions. */
export function PermissionTable({ scopes, initial }: PermissionTableProps) {
  const { value, isRefused, messages, isFirst } = useSubmittedScopes('scopes')
  const ticked: readonly unknown[] = isRefused ? [value].flat() : initial
  const toRow = ({ name, read, write }: Area) => ({
    name,
    details: (
      <dl>
        {[read, write].map(
          (scope) =>
            scope && (
              <>
                <dt>{scopeLabel(scope)}</dt>
                <dd>
                  <code>{scope}</code>
                </dd>
              </>
            ),
        )}
      </dl>
    ),
    cells: [read, write].map((scope) => scope && { scope, label: scopeLabel(scope), isTicked: ticked.includes(scope) }),
  })
  const groups = permissionAreas(scopes).map(({ product, areas }) => ({ label: product, rows: areas.map(toRow) }))
  return <ScopeGrid messages={messages} hasFocus={isFirst} columns={['Read', 'Write']} groups={groups} />
}
