import { z } from 'zod'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { list } from '../framework/field-types.ts'
import { Button, Buttons } from '../../web/components/button.tsx'
import { Choices } from '../../web/components/choices.tsx'
import { Form } from '../../web/components/form.tsx'
import { ApplicationDocument, ReduceGrantScopesDocument } from '../generated/operations.ts'
import { Name } from '../../web/components/name.tsx'
import { sortScopes, ScopeList, scopeChoice } from '../../web/components/scope-list.tsx'
import { applicationsPath } from '../../web/page-paths.ts'

/** Shows what an application is allowed to do and lets the user reduce it. */
export const application = page({
  path: `${applicationsPath}/:grant`,
  title: 'What the application may do',
  document: ApplicationDocument,
  variables: (ctx) => ({ id: ctx.param('grant') }),
  forms: {
    narrow: form({
      // Browsers submit only checked boxes. `fixed` has the scopes that cannot be removed and therefore have no box.
      fields: z.object({ scopes: list, fixed: list }),
      document: ReduceGrantScopesDocument,
      variables: ({ scopes, fixed }, ctx) => ({ input: { id: ctx.param('grant'), scopes: [...fixed, ...scopes] } }),
      notice: 'Changed. The application can do no more than this.',
      onSuccess: () => applicationsPath,
    }),
  },
  view: ({ viewer: { grant } }) => {
    const { client, scopes, fixedScopes, teamSlug } = grant
    const others = sortScopes(scopes).filter((scope) => !fixedScopes.includes(scope))
    return (
      <section>
        <p>
          This is what you allow <Name>{client.name}</Name>
          {teamSlug === null ? (
            ', with no team in particular.'
          ) : (
            <>
              {' '}
              for the team <code>{teamSlug}</code>.
            </>
          )}
        </p>
        {fixedScopes.length > 0 && (
          <>
            <p>It cannot work without these. To take them away, disconnect it.</p>
            <ScopeList scopes={fixedScopes} />
          </>
        )}
        {others.length === 0 ? (
          <p>There is nothing else to take away.</p>
        ) : (
          <Form name="narrow">
            {fixedScopes.map((scope) => (
              <input type="hidden" name="fixed" value={scope} />
            ))}
            <Choices
              name="scopes"
              legend="It also may"
              type="checkbox"
              options={others.map(scopeChoice)}
              checked={others}
              hint="Uncheck what it should no longer do; it has to ask you to get it back. To take all away, disconnect it."
            />
            <Buttons>
              <Button>Save</Button>
            </Buttons>
          </Form>
        )}
        <p>
          <a href={applicationsPath}>Back to the connected applications</a>
        </p>
      </section>
    )
  },
})
