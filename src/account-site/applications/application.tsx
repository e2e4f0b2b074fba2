import { z } from 'zod'
import { form, page } from '../declaration.ts'
import { list } from '../fields.ts'
import { Button, Buttons, Choices, Form } from '../form.tsx'
import { ApplicationDocument, NarrowGrantDocument } from '../generated/operations.ts'
import { Name } from '../page.tsx'
import { inOrder, ScopeList, scopeChoice } from '../scope-words.tsx'
import { applicationsPath } from './applications.tsx'

/** Takes away some of what the person allows an application. */
export const application = page({
  path: `${applicationsPath}/:grant`,
  title: 'What the application may do',
  document: ApplicationDocument,
  variables: (visit) => ({ id: visit.param('grant') }),
  forms: {
    narrow: form({
      // Checked boxes alone are sent; what cannot be taken away comes beside them.
      fields: z.object({ scopes: list, fixed: list }),
      document: NarrowGrantDocument,
      variables: ({ scopes, fixed }, visit) => ({ input: { id: visit.param('grant'), scopes: [...fixed, ...scopes] } }),
      notice: 'Changed. The application can do no more than this.',
      done: () => applicationsPath,
    }),
  },
  view: ({ viewer: { grant } }) => {
    const { client, scopes, fixedScopes, teamSlug } = grant
    const others = inOrder(scopes).filter((scope) => !fixedScopes.includes(scope))
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
