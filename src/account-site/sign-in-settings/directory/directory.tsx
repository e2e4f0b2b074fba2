import { z } from 'zod'
import type { Scope } from '../../../../schema/core/scopes.ts'
import { seconds, text } from '../../framework/field-types.ts'
import { form } from '../../framework/form.ts'
import { CreateTeamTokenDocument, RotateTokenDocument, DirectoryDocument } from '../../generated/operations.ts'
import { tokenValuePage } from '../../tokens/token-value-page.tsx'
import { copyScript } from '../../../web/components/copy-button.tsx'
import { page } from '../../framework/page.ts'
import { readListVariables } from '../../table/address.ts'
import { DataTable } from '../../table/data-table.tsx'
import { signInSettingsPath } from '../sign-in-overview.tsx'
import { ConnectionSection } from './connection.tsx'
import { ReceivedGroups } from './received-groups.tsx'
import { directoryUsersTable } from './users-table.tsx'
import { Fact, Facts } from '../../../web/components/facts.tsx'
import { RelativeTime } from '../../../web/components/time.tsx'
import type { DirectoryQuery } from '../../generated/operations.ts'
import { FoldedSection } from '../../../web/components/forms/folded-section.tsx'
import { EntraGuide } from './guides/entra-directory.tsx'
import { OktaGuide } from './guides/okta-directory.tsx'

const scopes: Scope[] = ['acct:team:scim']

/**
 * The forms of the directory's token, which is a team token with one scope. It does not expire, because directories do not renew their
 * tokens. One with an expiration is created among the team tokens.
 */
const directoryForms = {
  create: form({
    fields: z.object({ idempotencyKey: text }),
    document: CreateTeamTokenDocument,
    variables: ({ idempotencyKey }, ctx) => ({
      input: { team: ctx.param('team'), name: 'Directory', scopes, expiresAt: null, idempotencyKey },
    }),
    onSuccess: ({ createTeamToken }, ctx) => tokenValuePage(createTeamToken, ctx.path),
  }),
  rotate: form({
    fields: z.object({ id: text, overlapSeconds: seconds, idempotencyKey: text }),
    document: RotateTokenDocument,
    variables: (input) => ({ input }),
    onSuccess: ({ rotateToken }, ctx) => tokenValuePage(rotateToken, ctx.path),
  }),
}

/** The directory of the team, which manages members through SCIM: its connection, the data that it sent, and the managed members. */
export const directory = page({
  path: `${signInSettingsPath}/directory`,
  title: 'Directory',
  nav: { group: 'security', icon: 'book', order: 10 },
  scripts: [copyScript],
  document: DirectoryDocument,
  variables: (ctx) => ({ team: ctx.param('team'), ...readListVariables(directoryUsersTable, ctx.query) }),
  forms: directoryForms,
  view({ team }, ctx) {
    const slug = ctx.param('team')
    const { total, nodes } = team.directoryGroups
    return (
      <>
        <p>
          The directory of your organization, such as Entra ID or Okta, can add and remove members, and send its groups (SCIM 2.0). People
          with an email address in a verified domain become members immediately. Others are invited.
        </p>
        {!team.domains.some(({ verifiedAt }) => verifiedAt !== null) && (
          <p class="caution">
            The team has no verified domain, so people whom the directory adds are only invited.{' '}
            <a href={`/teams/${slug}/sign-in/domains`}>Verify a domain</a> first.
          </p>
        )}
        <ConnectionSection team={team} ctx={ctx}>
          <DirectoryGuides url={team.directoryUrl} />
        </ConnectionSection>
        <LastErrorSection error={team.lastDirectoryError} />
        <ReceivedGroups
          title="Groups"
          groups={nodes}
          team={slug}
          intro={
            <>
              {total === 0
                ? 'The directory has sent no groups. With groups, it can also decide the role and the products of members.'
                : 'Groups with a role decide the role and the products of their members.'}{' '}
              <a href={`/teams/${slug}/sign-in/groups`}>{total > nodes.length ? `View all ${total} groups` : 'View the roles of groups'}</a>
            </>
          }
        />
        <DataTable table={directoryUsersTable} ctx={ctx} list={team.directoryUsers} />
      </>
    )
  },
})

type LastError = DirectoryQuery['team']['lastDirectoryError']

/** The last error that the directory received, for the administrator who corrects its data. */
const LastErrorSection = ({ error }: { error: LastError }) => (
  <section aria-labelledby="last-error">
    <h2 id="last-error">Last error</h2>
    {error === null ? (
      <p>The directory received no error in the last 30 days.</p>
    ) : (
      <>
        <p class="caution">
          <bdi>{error.detail}</bdi>
        </p>
        {error.scimType === 'uniqueness' && (
          <p>
            Your directory has sent this user or group before. Remove the duplicate there, or change what both have in common, and start the
            synchronization again.
          </p>
        )}
        <Facts>
          <Fact name="Time">
            <RelativeTime at={error.at} />
          </Fact>
          <Fact name="Request">
            <code>{`${error.method} ${error.path}`}</code>
          </Fact>
          <Fact name="Response">
            Status <code>{error.status}</code>
            {error.scimType !== null && (
              <>
                , type <code>{error.scimType}</code>
              </>
            )}
          </Fact>
        </Facts>
      </>
    )}
  </section>
)

/** Setup instructions for the most common directories. `url` is the value that the administrator enters there. */
const DirectoryGuides = ({ url }: { url: string }) => (
  <>
    <FoldedSection id="entra" title="Set up Microsoft Entra ID">
      <EntraGuide url={url} />
    </FoldedSection>
    <FoldedSection id="okta" title="Set up Okta">
      <OktaGuide url={url} />
    </FoldedSection>
  </>
)
