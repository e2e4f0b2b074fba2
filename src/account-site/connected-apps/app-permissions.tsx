import { allowsChanges, isScope } from '../../../schema/core/scopes.ts'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Choices } from '../../web/components/forms/choices.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { scopeLabel, ScopeList, sortScopes } from '../../web/components/scope-list.tsx'
import type { ApplicationQuery } from '../generated/operations.ts'

export type ShownGrant = ApplicationQuery['viewer']['grant']

/** What a connected app is allowed to do, with a form that takes permissions back. */
export const AppPermissions = ({ grant: { scopes, fixedScopes, declinedScopes } }: { grant: ShownGrant }) => {
  const others = sortScopes(scopes).filter((scope) => !fixedScopes.includes(scope))
  return (
    <section>
      <h2>Permissions</h2>
      {fixedScopes.length > 0 && (
        <>
          <p>The app needs these permissions. To remove them, revoke its access.</p>
          <ScopeList scopes={fixedScopes} />
        </>
      )}
      {others.length === 0 ? (
        <p>The app has no optional permissions.</p>
      ) : (
        <Form name="narrow">
          {fixedScopes.map((scope) => (
            <input type="hidden" name="fixed" value={scope} />
          ))}
          <Choices
            name="scopes"
            legend="Optional permissions"
            noun="permission"
            type="checkbox"
            options={others.map((scope) => ({
              value: scope,
              label: scopeLabel(scope),
              hint: isScope(scope) && allowsChanges(scope) && 'Can make changes',
            }))}
            checked={others}
            hint="Clear a permission to remove it. To get it back, the app must ask you again."
          />
          <Buttons>
            <Button>Save permissions</Button>
          </Buttons>
        </Form>
      )}
      {declinedScopes.length > 0 && (
        <>
          <p>You declined these permissions:</p>
          <ScopeList scopes={declinedScopes} />
        </>
      )}
    </section>
  )
}
