import { allowsChanges, isScope, scopes as catalogue } from '../../../schema/core/scopes.ts'
import { scopeLabel, sortScopes } from './scope-list.tsx'

const mayChange = (scope: string) => isScope(scope) && allowsChanges(scope)

/** The number of permissions and whether some allow changes. It unfolds to their areas, which are shorter than the whole list. */
export const ScopeSummary = ({ scopes }: { scopes: readonly string[] }) => (
  <details class="fold">
    <summary>
      {scopes.length === 1 ? '1 permission' : `${scopes.length} permissions`}{' '}
      {scopes.some(mayChange) && <span class="badge caution">Write access</span>}
    </summary>
    <ul>
      {areasOf(scopes).map((area) => (
        <li>{area}</li>
      ))}
    </ul>
  </details>
)

/** Returns texts such as `Members: read, write`. A scope without an area is represented by its label. */
function areasOf(scopes: readonly string[]): string[] {
  const areas = new Map<string, string[]>()
  for (const scope of sortScopes(scopes)) {
    const area = isScope(scope) ? catalogue[scope].area : undefined
    const kinds = areas.get(area ?? scopeLabel(scope)) ?? []
    areas.set(area ?? scopeLabel(scope), area === undefined ? kinds : [...kinds, mayChange(scope) ? 'write' : 'read'])
  }
  return Array.from(areas, ([name, kinds]) => (kinds.length === 0 ? name : `${name}: ${kinds.join(', ')}`))
}
