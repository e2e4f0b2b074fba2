import { z } from 'zod'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { list } from '../framework/field-types.ts'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Choices } from '../../web/components/forms/choices.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { ApplicationDocument, ReduceGrantScopesDocument } from '../generated/operations.ts'
import { AppOrigin } from '../../web/components/app-origin.tsx'
import { Name } from '../../web/components/name.tsx'
import { sortScopes, ScopeList, scopeChoice } from '../../web/components/scope-list.tsx'
import { applicationsPath } from '../../web/page-paths.ts'
import { quoteName } from '../../web/display-name.ts'

/** Shows what an application is allowed to do and lets the user reduce it. */
export const application = page({
  path: `${applicationsPath}/:grant`,
  title: 'App permissions',
  parent: applicationsPath,
  document: ApplicationDocument,
  variables: (ctx) => ({ id: ctx.param('grant') }),
  forms: {
    narrow: form({
      // Browsers submit only checked boxes. `fixed` has the scopes that cannot be removed and therefore have no box.
      fields: z.object({ scopes: list, fixed: list }),
      document: ReduceGrantScopesDocument,
      variables: ({ scopes, fixed }, ctx) => ({ input: { id: ctx.param('grant'), scopes: [...fixed, ...scopes] } }),
      notice: ({ reduceGrantScopes: { grant } }) => `The permissions of ${quoteName(grant.client.name)} were changed.`,
      onSuccess: () => applicationsPath,
    }),
  },
  view: ({ viewer: { grant } }) => {
    const { client, scopes, fixedScopes, teamSlug } = grant
    const others = sortScopes(scopes).filter((scope) => !fixedScopes.includes(scope))
    return (
      <section>
        <p>
          These are the permissions of <Name>{client.name}</Name>
          {teamSlug === null ? (
            ' for all your teams.'
          ) : (
            <>
              {' '}
              for the team <code>{teamSlug}</code>.
            </>
          )}
        </p>
        <AppOrigin {...client} />
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
              options={others.map(scopeChoice)}
              checked={others}
              hint="Clear a permission to remove it. To get it back, the app must ask you again."
            />
            <Buttons>
              <Button>Save</Button>
            </Buttons>
          </Form>
        )}
        <p>
          <a href={applicationsPath}>Back to connected apps</a>
        </p>
      </section>
    )
  },
})
