import { oauthScopes, scopes, tokenScopes } from '../../../../schema/core/scopes.ts'
import type { Product, Scope } from '../../../../schema/core/scopes.ts'
import { products } from '../../../../schema/core/products.ts'
import { ScopeGrid, useSubmittedScopes } from '../../tokens/new-token/permission-table.tsx'

interface ScopeTableProps {
  /** Scopes that are ticked at first, and those of them that users cannot decline. */
  optional: readonly string[]
  required: readonly string[]
  /** True if there is a column for scopes that users cannot decline. */
  hasRequired: boolean
}

/** Sign-in comes first, because almost every app needs it. */
const groups: { product: Product; label: string }[] = [
  { product: 'identity', label: 'Sign-in' },
  { product: 'account', label: 'Account and teams' },
  { product: 'flow', label: products.flow.name },
]

/** The scopes that an app may request, each with a box that makes it required. A row unfolds to show the identifier of the scope. */
export function ScopeTable({ optional, required, hasRequired }: ScopeTableProps) {
  const submitted = useSubmittedScopes('scopes')
  const fixed = useSubmittedScopes('requiredScopes')
  const refusedOptional = useSubmittedScopes('optionalScopes')
  const ticked = submitted.isRefused ? [submitted.value].flat() : [...optional, ...required]
  const tickedRequired = fixed.isRefused ? [fixed.value].flat() : required
  const toRow = (scope: Scope) => {
    const { label, declinable } = scopes[scope]
    const always = { name: 'requiredScopes', scope, label: `Users cannot decline: ${label}`, isTicked: tickedRequired.includes(scope) }
    return {
      name: label,
      details: <code>{scope}</code>,
      cells: [{ scope, label: `Ask for: ${label}`, isTicked: ticked.includes(scope) }, ...(hasRequired ? [declinable && always] : [])],
    }
  }
  return (
    <ScopeGrid
      messages={[...submitted.messages, ...fixed.messages, ...refusedOptional.messages]}
      hasFocus={submitted.isFirst}
      corner={<strong>Permissions</strong>}
      columns={hasRequired ? ['Ask', 'Always'] : ['Ask']}
      groups={groups.map(({ product, label }) => ({
        label,
        rows: oauthScopes.filter((scope) => scopes[scope].product === product).map(toRow),
      }))}
    />
  )
}

/** Returns the scopes of a registration from the ticked boxes. Scopes that cannot be declined are always required. */
export function readTickedScopes(ticked: readonly string[], required: readonly string[], grantTypes: readonly string[]) {
  const isForUsers = grantTypes.some((grant) => grant !== 'client_credentials' && grant !== 'refresh_token')
  const usable: readonly Scope[] = isForUsers ? oauthScopes : tokenScopes
  const isUsable = (scope: Scope) => usable.includes(scope) && (scope !== 'offline_access' || grantTypes.includes('refresh_token'))
  const selected = oauthScopes.filter((scope) => (ticked.includes(scope) || required.includes(scope)) && isUsable(scope))
  const isRequired = (scope: Scope) => required.includes(scope) || !scopes[scope].declinable
  return { requiredScopes: selected.filter(isRequired), optionalScopes: selected.filter((scope) => !isRequired(scope)) }
}
