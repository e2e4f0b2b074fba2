import { allowsChanges, isScope } from '../../../schema/core/scopes.ts'
import { ScopeList } from './scope-list.tsx'

/** The number of permissions and whether some allow changes; unfolds to their list. */
export const ScopeSummary = ({ scopes }: { scopes: readonly string[] }) => (
  <details class="fold">
    <summary>
      {scopes.length === 1 ? '1 permission' : `${scopes.length} permissions`}{' '}
      {scopes.some((scope) => isScope(scope) && allowsChanges(scope)) && <span class="badge caution">Write access</span>}
    </summary>
    <ScopeList scopes={scopes} />
  </details>
)
