import { oauthScopes, scopes, tokenScopes } from '../../../../schema/core/scopes.ts'
import type { Product, Scope } from '../../../../schema/core/scopes.ts'
import { products } from '../../../../schema/core/products.ts'
import { describedBy, FieldDescription, fieldIdOf } from '../../../web/components/forms/field-description.tsx'
import { useSubmittedField } from '../../../web/components/forms/form.tsx'

interface ScopeTableProps {
  /** The scopes that are ticked at first, and those of them that users cannot decline. */
  optional: readonly string[]
  required: readonly string[]
  /** Whether there is a column for scopes that users cannot decline. */
  hasRequired: boolean
}

/** Sign-in comes first, since almost every app needs it. */
const groups: { product: Product; label: string }[] = [
  { product: 'identity', label: 'Sign-in' },
  { product: 'account', label: 'Account and teams' },
  { product: 'flow', label: products.flow.name },
]

const legend = 'Permissions'
const words = { label: legend, verb: 'Choose at least one', noun: 'permission' } as const

/** The scopes that an app may request, each with whether its users can decline it. The row unfolds to show the identifier of the scope. */
export const ScopeTable = ({ optional, required, hasRequired }: ScopeTableProps) => {
  const chosen = useSubmittedField('scopes', words)
  const fixed = useSubmittedField('requiredScopes', words)
  const refusedOptional = useSubmittedField('optionalScopes', words)
  const messages = [...chosen.messages, ...fixed.messages, ...refusedOptional.messages]
  const ticked = chosen.isRefused ? [chosen.value].flat() : [...optional, ...required]
  const tickedRequired = fixed.isRefused ? [fixed.value].flat() : required
  const id = fieldIdOf('scopes')
  return (
    <div role="group" aria-label={legend} {...describedBy(id, undefined, messages)}>
      <FieldDescription id={id} hint={undefined} messages={messages} />
      <table class="permissions">
        <thead>
          <tr>
            <td>
              <strong>{legend}</strong>
            </td>
            <th scope="col">Ask</th>
            {hasRequired && <th scope="col">Always</th>}
          </tr>
        </thead>
        {groups.map(({ product, label }, group) => (
          <tbody>
            <tr>
              <th scope="rowgroup" colSpan={hasRequired ? 3 : 2}>
                {label}
              </th>
            </tr>
            {oauthScopes
              .filter((scope) => scopes[scope].product === product)
              .map((scope, index) => (
                <ScopeRow
                  scope={scope}
                  isTicked={ticked.includes(scope)}
                  isRequired={hasRequired ? tickedRequired.includes(scope) : null}
                  hasFocus={chosen.isFirst && group + index === 0}
                />
              ))}
          </tbody>
        ))}
      </table>
    </div>
  )
}

interface ScopeRowProps {
  scope: Scope
  isTicked: boolean
  /** Null without the column. */
  isRequired: boolean | null
  hasFocus: boolean
}

const ScopeRow = ({ scope, isTicked, isRequired, hasFocus }: ScopeRowProps) => {
  const { label, declinable } = scopes[scope]
  return (
    <tr>
      <th scope="row">
        <details class="fold">
          <summary>{label}</summary>
          <code>{scope}</code>
        </details>
      </th>
      <td>
        <Cell name="scopes" scope={scope} label={`Ask for: ${label}`} isTicked={isTicked} hasFocus={hasFocus} />
      </td>
      {isRequired !== null && (
        <td>{declinable && <Cell name="requiredScopes" scope={scope} label={`Users cannot decline: ${label}`} isTicked={isRequired} />}</td>
      )}
    </tr>
  )
}

const Cell = (props: { name: string; scope: Scope; label: string; isTicked: boolean; hasFocus?: boolean }) => (
  <label title={props.label}>
    <span class="visually-hidden">{props.label}</span>
    <input type="checkbox" name={props.name} value={props.scope} checked={props.isTicked} autofocus={props.hasFocus} />
  </label>
)

/** The scopes of a registration, from the ticked boxes. Scopes that cannot be declined are always required. */
export function registeredScopes(ticked: readonly string[], required: readonly string[], grantTypes: readonly string[]) {
  const isForUsers = grantTypes.some((grant) => grant !== 'client_credentials' && grant !== 'refresh_token')
  const usable: readonly Scope[] = isForUsers ? oauthScopes : tokenScopes
  const isUsable = (scope: Scope) => usable.includes(scope) && (scope !== 'offline_access' || grantTypes.includes('refresh_token'))
  const wanted = oauthScopes.filter((scope) => (ticked.includes(scope) || required.includes(scope)) && isUsable(scope))
  const isRequired = (scope: Scope) => required.includes(scope) || !scopes[scope].declinable
  return { requiredScopes: wanted.filter(isRequired), optionalScopes: wanted.filter((scope) => !isRequired(scope)) }
}
