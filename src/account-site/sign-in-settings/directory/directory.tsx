import { copyScript } from '../../../web/components/copy-button.tsx'
import { page } from '../../framework/page.ts'
import { DirectoryDocument } from '../../generated/operations.ts'
import { variablesOf } from '../../table/address.ts'
import { DataTable } from '../../table/data-table.tsx'
import { signInSettingsPath } from '../overview.tsx'
import { Connection } from './connection.tsx'
import { directoryForms } from './directory-forms.ts'
import { DirectoryGuides } from './guides/directory-guides.tsx'
import { LastErrorSection } from './last-error.tsx'
import { ReceivedGroups } from './received-groups.tsx'
import { directoryUsersTable } from './users-table.tsx'

/** The directory of the team, which manages members through SCIM: how it connects, what it sent, and whom it manages. */
export const directory = page({
  path: `${signInSettingsPath}/directory`,
  title: 'Directory',
  parent: signInSettingsPath,
  scripts: [copyScript],
  document: DirectoryDocument,
  variables: (ctx) => ({ team: ctx.param('team'), ...variablesOf(directoryUsersTable, ctx.query) }),
  forms: directoryForms,
  view({ team }, ctx) {
    const slug = ctx.param('team')
    const { total, nodes } = team.directoryGroups
    return (
      <>
        <p>
          The directory of your organization, such as Entra ID or Okta, can add and remove members, and send its groups (SCIM 2.0). People
          with an email address in a verified domain become members at once. Others are invited.
        </p>
        {!team.domains.some(({ verifiedAt }) => verifiedAt !== null) && (
          <p class="caution">
            The team has no verified domain, so everybody whom the directory adds is only invited.{' '}
            <a href={`/teams/${slug}/sign-in/domains`}>Verify a domain</a> first.
          </p>
        )}
        <Connection team={team} ctx={ctx} />
        <DirectoryGuides url={team.directoryUrl} />
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
