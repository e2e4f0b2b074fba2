import { products as productNames } from '../../../schema/core/products.ts'
import { allowsChanges, isScope, scopes as catalogue } from '../../../schema/core/scopes.ts'
import type { Product, Scope } from '../../../schema/core/scopes.ts'

/** Returns the label of a scope. The label of a scope that no longer exists is its name. */
export const scopeLabel = (scope: string): string => (isScope(scope) ? catalogue[scope].label : scope)

const products: Record<Exclude<Product, 'identity'>, string> = {
  account: 'Account and teams',
  flow: productNames.flow.name,
  directory: 'Directory',
  staff: 'Staff',
}

/** A subject of scopes, with the scope that reads it and the one that changes it, if they exist. */
export interface Area {
  name: string
  read?: Scope
  write?: Scope
}

/** The areas of scopes, by product. */
export const permissionAreas = (scopes: readonly Scope[]): { product: string; areas: Area[] }[] =>
  Object.entries(products).flatMap(([product, name]) => {
    const areas = new Map<string, Area>()
    for (const scope of scopes) {
      const { area, product: ofProduct } = catalogue[scope]
      if (area === undefined || ofProduct !== product) continue
      areas.set(area, { ...areas.get(area), name: area, [allowsChanges(scope) ? 'write' : 'read']: scope })
    }
    return areas.size === 0 ? [] : [{ product: name, areas: [...areas.values()] }]
  })

const order = Object.keys(catalogue)

/** Sorts scopes in the order of their definition. Scopes that no longer exist come first. */
export const sortScopes = (scopes: readonly string[]): string[] =>
  scopes.toSorted((one, other) => order.indexOf(one) - order.indexOf(other))

/** Returns true for a scope that allows changes. */
export const mayChange = (scope: string) => isScope(scope) && allowsChanges(scope)

/** Sorts scopes like `sortScopes`, with those that allow changes last. */
export function sortWritesLast(scopes: readonly string[]): string[] {
  const sorted = sortScopes(scopes)
  return [...sorted.filter((scope) => !mayChange(scope)), ...sorted.filter(mayChange)]
}

/** Marks a scope that allows changes. */
export const WriteBadge = () => <span class="badge caution">Can make changes</span>

/** The labels of scopes as a list. */
export const ScopeList = ({ scopes }: { scopes: readonly string[] }) => (
  <ul>
    {sortScopes(scopes).map((scope) => (
      <li>{scopeLabel(scope)}</li>
    ))}
  </ul>
)

/** The number of permissions and whether some allow changes. It unfolds to their areas, which are shorter than the whole list. */
export const ScopeSummary = ({ scopes }: { scopes: readonly string[] }) => (
  <details class="fold">
    <summary>
      {scopes.length === 1 ? '1 permission' : `${scopes.length} permissions`}{' '}
      {scopes.some(mayChange) && <span class="badge caution">Write access</span>}
    </summary>
    <ul>
      {listAreas(scopes).map((area) => (
        <li>{area}</li>
      ))}
    </ul>
  </details>
)

/** Returns texts such as `Members: read, write`. A scope without an area is represented by its label. */
function listAreas(scopes: readonly string[]): string[] {
  const areas = new Map<string, string[]>()
  for (const scope of sortScopes(scopes)) {
    const area = isScope(scope) ? catalogue[scope].area : undefined
    const kinds = areas.get(area ?? scopeLabel(scope)) ?? []
    areas.set(area ?? scopeLabel(scope), area === undefined ? kinds : [...kinds, mayChange(scope) ? 'write' : 'read'])
  }
  return Array.from(areas, ([name, kinds]) => (kinds.length === 0 ? name : `${name}: ${kinds.join(', ')}`))
}
