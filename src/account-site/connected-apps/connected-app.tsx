import { z } from 'zod'
import { AppMark } from '../../web/components/app-mark.tsx'
import { AppOrigin } from '../../web/components/app-origin.tsx'
import { DateTime, RelativeTime } from '../../web/components/time.tsx'
import { isolateName, quoteName } from '../../web/display-name.ts'
import { applicationsPath } from '../../web/page-paths.ts'
import { list } from '../framework/field-types.ts'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { ApplicationDocument, ReduceGrantScopesDocument } from '../generated/operations.ts'
import { revokeApp, RevokeApp, TeamOfGrant } from './revoke-app.tsx'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Choices } from '../../web/components/forms/choices.tsx'
import { FieldGroup } from '../../web/components/forms/field-group.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { WriteBadge, mayChange, scopeLabel, ScopeList, sortWritesLast } from '../../web/components/scope-list.tsx'
import type { ApplicationQuery } from '../generated/operations.ts'

/** A connected app: its publisher, its permissions, which the user can reduce, and a form that ends its access. */
export const application = page({
  path: `${applicationsPath}/:grant`,
  title: ({ viewer: { grant } }) => isolateName(grant.client.name),
  parent: applicationsPath,
  document: ApplicationDocument,
  variables: (ctx) => ({ id: ctx.param('grant') }),
  forms: {
    narrow: form({
      // Browsers submit only checked boxes. `fixed` contains the scopes that cannot be removed and therefore have no box.
      fields: z.object({ scopes: list, fixed: list }),
      document: ReduceGrantScopesDocument,
      variables: ({ scopes, fixed }, ctx) => ({ input: { id: ctx.param('grant'), scopes: [...fixed, ...scopes] } }),
      notice: ({ reduceGrantScopes: { grant } }) => `The permissions of ${quoteName(grant.client.name)} were changed.`,
    }),
    revoke: revokeApp,
  },
  view: ({ viewer: { grant } }) => (
    <>
      <About grant={grant} />
      <AppPermissions grant={grant} />
      <FieldGroup
        id="revoke"
        title="Revoke access"
        about="The app loses access immediately. It keeps what it has already read."
        isDangerous
      >
        {grant.providerName !== null && (
          <p>The identity provider can give the app access again. To prevent this, ask an owner of the team.</p>
        )}
        <RevokeApp grant={grant} summary="Revoke access…" />
      </FieldGroup>
    </>
  ),
})

const About = ({ grant }: { grant: ShownGrant }) => (
  <section>
    <div class="who top">
      <AppMark app={grant.client} />
      <div>
        {grant.client.description !== null && (
          <p>
            <bdi>{grant.client.description}</bdi>
          </p>
        )}
        <AppOrigin {...grant.client} />
      </div>
    </div>
    <dl class="facts">
      <div>
        <dt>Team</dt>
        <dd>
          <TeamOfGrant grant={grant} />
        </dd>
      </div>
      {grant.providerName !== null && (
        <div>
          <dt>Given by</dt>
          <dd>
            <bdi>{grant.providerName}</bdi>, the identity provider of the team
          </dd>
        </div>
      )}
      <div>
        <dt>Connected</dt>
        <dd>
          <RelativeTime at={grant.createdAt} />
        </dd>
      </div>
      <div>
        <dt>Last used</dt>
        <dd>
          <RelativeTime at={grant.lastUsedAt} />
        </dd>
      </div>
      <div>
        <dt>Access ends</dt>
        <dd>
          <DateTime at={grant.expiresAt} />
        </dd>
      </div>
    </dl>
  </section>
)

type ShownGrant = ApplicationQuery['viewer']['grant']

/** The permissions of a connected app, with a form that removes some. */
const AppPermissions = ({ grant: { scopes, fixedScopes, declinedScopes } }: { grant: ShownGrant }) => {
  const optionalScopes = sortWritesLast(scopes).filter((scope) => !fixedScopes.includes(scope))
  return (
    <section>
      <h2>Permissions</h2>
      {fixedScopes.length > 0 && (
        <>
          <p>The app needs these permissions. To remove them, revoke its access.</p>
          <ScopeList scopes={fixedScopes} />
        </>
      )}
      {optionalScopes.length === 0 ? (
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
            options={optionalScopes.map((scope) => ({
              value: scope,
              label: scopeLabel(scope),
              hint: mayChange(scope) && <WriteBadge />,
            }))}
            checked={optionalScopes}
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
