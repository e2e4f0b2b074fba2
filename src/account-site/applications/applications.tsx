import { z } from 'zod'
import { form, page } from '../declaration.ts'
import { text } from '../fields.ts'
import { ApplicationsDocument, RevokeGrantDocument } from '../generated/operations.ts'
import type { ApplicationsQuery } from '../generated/operations.ts'
import { Initials, Name } from '../page.tsx'
import { ScopeList } from '../scope-words.tsx'
import { Sure } from '../sure.tsx'
import { Moment } from '../time.tsx'

export const applicationsPath = '/applications'

/** What the person allows applications of others. */
export const applications = page({
  path: applicationsPath,
  title: 'Connected applications',
  nav: { in: 'account', label: 'Connected applications', order: 40 },
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
          <Moment at={createdAt} />
        </dd>
      </div>
      <div>
        <dt>Last used</dt>
        <dd>
          <Moment at={lastUsedAt} />
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
    <Sure summary="Disconnect" of={client.name} form="revoke" hidden={{ id }} button="Yes, disconnect it">
      It loses all access. To connect it again you would have to allow it anew.
    </Sure>
  </>
)

type OneGrant = ApplicationsQuery['viewer']['grants'][number]
