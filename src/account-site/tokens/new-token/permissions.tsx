import { allowsChanges, isScope } from '../../../../schema/core/scopes.ts'
import { ScopeList } from '../../../web/components/scope-list.tsx'

/** The scopes of a token, folded to their number. Write access is marked. */
export const Permissions = ({ scopes }: { scopes: readonly string[] }) => (
  <details class="permissions">
    <summary>
      {scopes.length === 1 ? '1 permission' : `${scopes.length} permissions`}
      {scopes.some((scope) => isScope(scope) && allowsChanges(scope)) && (
        <>
          {' '}
          <span class="badge">Write access</span>
        </>
      )}
    </summary>
    <ScopeList scopes={scopes} />
  </details>
)
