import { maxGroupRoles } from '../../../../schema/members/groups/rules.ts'
import { readPageNumber, PageLinks } from '../../../web/components/lists/page-links.tsx'
import { page } from '../../framework/page.ts'
import { GroupsDocument } from '../../generated/operations.ts'
import type { GroupsQuery } from '../../generated/operations.ts'
import { RoleBadge } from '../../role-badge.tsx'
import { ProductAccess } from '../../members/product-access.tsx'
import { DataTable } from '../../table/data-table.tsx'
import { defineTable } from '../../table/declaration.ts'
import { ReceivedGroups } from '../directory/received-groups.tsx'
import { signInSettingsPath } from '../sign-in-overview.tsx'
import { groupsPath, encodeGroup } from './group-forms.ts'

type GroupRole = GroupsQuery['team']['groupRoles'][number]

const table = defineTable({
  noun: ['group', 'groups'],
  getName: ({ group }: GroupRole) => group,
  filters: {},
  columns: [
    {
      label: 'Group',
      phone: 'name',
      cell: ({ group }, { path }) => (
        <a href={`${path}/${encodeGroup(group)}`}>
          <bdi>{group}</bdi>
        </a>
      ),
    },
    { label: 'Role', phone: 'state', cell: ({ role }) => <RoleBadge role={role} /> },
    { label: 'Products', phone: 'state', cell: ({ accessibleAppIds }) => <ProductAccess ids={accessibleAppIds} /> },
  ],
  sort: 'CREATED',
  empty: 'Add a group of your identity provider or directory. Without groups, owners decide the role and the products of each member.',
})

/** The groups that determine the roles of their members in the team. */
export const groupRoles = page({
  path: groupsPath,
  title: 'Groups',
  parent: signInSettingsPath,
  document: GroupsDocument,
  variables: (ctx) => ({ team: ctx.param('team'), page: readPageNumber(ctx.query) }),
  view: ({ team: { groupRoles: nodes, received, directoryGroups } }, ctx) => (
    <>
      <p>
        These groups decide the role and the products of their members, who are then managed by the identity provider: owners cannot change
        them here. If a member is in several groups, the role Member takes precedence over Billing, and the member can use the products of
        all these groups. Owners stay owners.
      </p>
      <DataTable
        table={table}
        ctx={ctx}
        list={{ nodes, total: nodes.length, page: 1, lastPage: 1 }}
        actions={
          nodes.length >= maxGroupRoles ? (
            <span class="hint">A team can have {maxGroupRoles}. Remove one to add another.</span>
          ) : (
            <a class="button" href={`${ctx.path}/new`}>
              Add group
            </a>
          )
        }
      />
      {received.total > 0 && (
        <ReceivedGroups
          title="Groups of the directory without a role"
          groups={directoryGroups.nodes}
          team={ctx.param('team')}
          intro={
            <>
              {directoryGroups.total === 0 && 'Each group that the directory has sent has a role. '}
              Because the directory sends groups, groups that the identity provider sends at sign-in have no effect.
            </>
          }
        >
          <PageLinks label="Pages of groups" path={ctx.path} query={ctx.query} list={directoryGroups} />
        </ReceivedGroups>
      )}
    </>
  ),
})
