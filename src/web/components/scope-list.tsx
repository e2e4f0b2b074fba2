import { isScope, scopes as catalogue, personalTokenScopes } from '../../../schema/core/scopes.ts'
import { products as productNames } from '../../../schema/core/products.ts'
import type { Product } from '../../../schema/core/scopes.ts'

/** Returns the label of a scope. A scope that no longer exists has its name as label. */
export const scopeLabel = (scope: string): string => (isScope(scope) ? catalogue[scope].label : scope)

/** Returns a scope as an option of a form, with its label and its name. */
export const scopeChoice = (scope: string) => ({ value: scope, label: scopeLabel(scope), hint: scope })

const products: Record<Exclude<Product, 'identity'>, string> = {
  account: 'Account and teams',
  flow: productNames.flow.name,
  staff: 'Staff',
}

/** Scopes that a token can have, by product; those of staff for a personal token of staff alone. */
export const tokenScopeGroups = (isOfStaff: boolean) =>
  Object.entries(products)
    .map(([product, name]) => ({
      product,
      name,
      choices: personalTokenScopes(isOfStaff)
        .filter((scope) => catalogue[scope].product === product)
        .map(scopeChoice),
    }))
    .filter(({ choices }) => choices.length > 0)

const order = Object.keys(catalogue)

/** Sorts scopes in the order of their definition. Scopes that no longer exist come first. */
export const sortScopes = (scopes: readonly string[]): string[] =>
  scopes.toSorted((one, other) => order.indexOf(one) - order.indexOf(other))

/** The labels of scopes as a list. */
export const ScopeList = ({ scopes }: { scopes: readonly string[] }) => (
  <ul>
    {sortScopes(scopes).map((scope) => (
      <li>{scopeLabel(scope)}</li>
    ))}
  </ul>
)
