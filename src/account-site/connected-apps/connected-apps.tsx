import { z } from 'zod'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { text } from '../framework/field-types.ts'
import { ApplicationsDocument, RevokeGrantDocument } from '../generated/operations.ts'
import type { ApplicationsQuery } from '../generated/operations.ts'
import { applicationsPath } from '../../web/page-paths.ts'
import { AppOrigin } from '../../web/components/app-origin.tsx'
import { Initials, Name } from '../../web/components/name.tsx'
import { EmptyList, PageLinks, pageNumberOf } from '../../web/components/page-links.tsx'
import { ScopeList } from '../../web/components/scope-list.tsx'
import { ConfirmDialog } from '../../web/components/confirm-dialog.tsx'
import { RelativeTime } from '../../web/components/time.tsx'
import { quoteName } from '../../web/display-name.ts'

/** The applications to which the user gave consent. */
export const applications = page({
  path: applicationsPath,
  title: 'Connected apps',
  nav: { section: 'account', label: 'Connected apps', icon: 'plug', order: 40 },
  document: ApplicationsDocument,
  variables: ({ query }) => ({ page: pageNumberOf(query) }),
  forms: {
    revoke: form({
      fields: z.object({ id: text }),
      document: RevokeGrantDocument,
      variables: (input) => ({ input }),
      notice: ({ revokeGrant: { grant } }) => `The access of ${quoteName(grant.client.name)} was revoked.`,
    }),
  },
  view: ({ viewer: { grants } }, { path, query }) => (
    <>
      <p>These apps have access to your account. Changes take effect immediately.</p>
      {grants.nodes.length === 0 ? (
        <EmptyList isBeyond={grants.page > grants.lastPage}>
          No apps are connected. Apps that you allow to access your account appear here.
        </EmptyList>
      ) : (
        <ul class="cards">
          {grants.nodes.map((grant) => (
            <li class="card">
              <Grant grant={grant} />
            </li>
          ))}
        </ul>
      )}
      <PageLinks label="Pages of connected apps" path={path} query={query} list={grants} />
    </>
  ),
})

const Grant = ({ grant: { id, client, teamSlug, scopes, declinedScopes, createdAt, lastUsedAt } }: { grant: OneGrant }) => (
  <>
    <div class="who">
      <Initials name={client.name} />
      <h2>
        <Name>{client.name}</Name>
      </h2>
    </div>
    {client.description !== null && (
      <p>
        <bdi>{client.description}</bdi>
      </p>
    )}
    <AppOrigin {...client} />
    <p>
      {teamSlug === null ? (
        'Access to all your teams.'
      ) : (
        <>
          Access to the team <code>{teamSlug}</code>.
        </>
      )}
    </p>
    <p>Permissions:</p>
    <ScopeList scopes={scopes} />
    {declinedScopes.length > 0 && (
      <>
        <p>Declined:</p>
        <ScopeList scopes={declinedScopes} />
      </>
    )}
    <dl class="facts">
      <div>
        <dt>Connected</dt>
        <dd>
          <RelativeTime at={createdAt} />
        </dd>
      </div>
      <div>
        <dt>Last used</dt>
        <dd>
          <RelativeTime at={lastUsedAt} />
        </dd>
      </div>
    </dl>
    <p>
      <a href={`${applicationsPath}/${id}`}>
        Change permissions
        <span class="visually-hidden">
          {' of '}
          <bdi>{client.name}</bdi>
        </span>
      </a>
    </p>
    <ConfirmDialog summary="Revoke access" objectName={client.name} form="revoke" hidden={{ id }} button="Revoke access">
      The app loses access immediately. To use it again, you must allow access again.
    </ConfirmDialog>
  </>
)

type OneGrant = ApplicationsQuery['viewer']['grants']['nodes'][number]
