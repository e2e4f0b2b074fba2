import { Fragment } from 'preact'
import type { Scope } from '../../../../schema/core/scopes.ts'
import { describedBy, FieldDescription, fieldIdOf } from '../../../web/components/forms/field-description.tsx'
import { useSubmittedField } from '../../../web/components/forms/form.tsx'
import { permissionAreas, scopeLabel } from '../../../web/components/scope-list.tsx'
import type { Area } from '../../../web/components/scope-list.tsx'

interface PermissionTableProps {
  /** Those that the token can have. */
  scopes: readonly Scope[]
  /** The scopes that are ticked at first. */
  initial: readonly string[]
}

const legend = 'Permissions'

/** The scopes that a token can have: a row for each area, a column each for reading and writing. What a scope allows unfolds. */
export const PermissionTable = ({ scopes, initial }: PermissionTableProps) => {
  const { value, isRefused, messages, isFirst } = useSubmittedField('scopes', {
    label: legend,
    verb: 'Choose at least one',
    noun: 'permission',
  })
  const ticked = isRefused ? [value].flat() : initial
  const id = fieldIdOf('scopes')
  return (
    <div role="group" aria-label={legend} {...describedBy(id, undefined, messages)}>
      <FieldDescription id={id} hint={undefined} messages={messages} />
      <table class="permissions">
        <thead>
          <tr>
            <td />
            <th scope="col">Read</th>
            <th scope="col">Write</th>
          </tr>
        </thead>
        {permissionAreas(scopes).map(({ product, areas }, group) => (
          <tbody>
            <tr>
              <th scope="rowgroup" colSpan={3}>
                {product}
              </th>
            </tr>
            {areas.map((area, index) => (
              <AreaRow area={area} ticked={ticked} hasFocus={isFirst && group === 0 && index === 0} />
            ))}
          </tbody>
        ))}
      </table>
    </div>
  )
}

const AreaRow = ({ area: { name, read, write }, ticked, hasFocus }: { area: Area; ticked: readonly unknown[]; hasFocus: boolean }) => (
  <tr>
    <th scope="row">
      <details class="fold">
        <summary>{name}</summary>
        <dl>
          {[read, write].map(
            (scope) =>
              scope && (
                <Fragment>
                  <dt>{scopeLabel(scope)}</dt>
                  <dd>
                    <code>{scope}</code>
                  </dd>
                </Fragment>
              ),
          )}
        </dl>
      </details>
    </th>
    {(['read', 'write'] as const).map((column) => {
      const scope = column === 'read' ? read : write
      return (
        <td>
          {scope && (
            <label title={scopeLabel(scope)}>
              <span class="visually-hidden">{scopeLabel(scope)}</span>
              <input
                type="checkbox"
                name="scopes"
                value={scope}
                checked={ticked.includes(scope)}
                autofocus={hasFocus && column === 'read'}
              />
            </label>
          )}
        </td>
      )
    })}
  </tr>
)
