import { z } from 'zod'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { text } from '../framework/field-types.ts'
import { ApplicationsDocument, RevokeGrantDocument } from '../generated/operations.ts'
import type { ApplicationsQuery } from '../generated/operations.ts'
import { applicationsPath } from '../../web/page-paths.ts'
import { Initials, Name } from '../../web/components/name.tsx'
import { ScopeList } from '../../web/components/scope-list.tsx'
import { ConfirmDialog } from '../../web/components/confirm-dialog.tsx'
import { DateTime } from '../../web/components/time.tsx'

/** The applications to which the user gave consent. */
export const applications = page({
  path: applicationsPath,
  title: 'Connected applications',
  nav: { section: 'account', label: 'Connected applications', order: 40 },
  document: ApplicationsDocument,
  forms: {
    revoke: form({
      fields: z.object({ id: text }),
      document: RevokeGrantDocument,
      variables: (input) => ({ input }),
      notice: 'The application can do nothing for you any more.',
    }),
  },
  view: ({ viewer: { grants } }) => (
    <>
      <p>These applications act for you, as you allowed them to. What you end or change here counts at once.</p>
      {grants.length === 0 ? (
        <p class="empty">No application has access to your account.</p>
      ) : (
        <ul class="cards">
          {grants.map((grant) => (
            <li class="card">
              <Grant grant={grant} />
            </li>
          ))}
        </ul>
      )}
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
    <p>
      {teamSlug === null ? (
        'For you, with no team in particular.'
      ) : (
        <>
          For the team <code>{teamSlug}</code>.
        </>
      )}
    </p>
    <p>It may:</p>
    <ScopeList scopes={scopes} />
    {declinedScopes.length > 0 && (
      <>
        <p>You declined that it may:</p>
        <ScopeList scopes={declinedScopes} />
      </>
    )}
    <dl class="facts">
      <div>
        <dt>Connected</dt>
        <dd>
          <DateTime at={createdAt} />
        </dd>
      </div>
      <div>
        <dt>Last used</dt>
        <dd>
          <DateTime at={lastUsedAt} />
        </dd>
      </div>
    </dl>
    <p>
      <a href={`${applicationsPath}/${id}`}>
        Change
        <span class="visually-hidden">
          {' what '}
          <bdi>{client.name}</bdi> may do
        </span>
      </a>
    </p>
    <ConfirmDialog summary="Disconnect" objectName={client.name} form="revoke" hidden={{ id }} button="Yes, disconnect it">
      It loses all access. To connect it again you would have to allow it anew.
    </ConfirmDialog>
  </>
)

type OneGrant = ApplicationsQuery['viewer']['grants'][number]
