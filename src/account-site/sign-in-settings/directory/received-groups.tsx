import type { ComponentChildren } from 'preact'
import { Table } from '../../../web/components/lists/table.tsx'
import type { DirectoryGroupPartsFragment } from '../../generated/operations.ts'
import { counted, roleNames } from '../../labels.ts'
import { groupAddress, newGroupAddress } from '../groups/group-forms.ts'

interface ReceivedGroupsProps {
  title: string
  groups: readonly DirectoryGroupPartsFragment[]
  /** Slug of the team. */
  team: string
  /** Content above the table. */
  intro: ComponentChildren
  /** Content below the table. */
  children?: ComponentChildren
}

/** Groups that the directory has sent, with the number of users and the role of each. */
export const ReceivedGroups = ({ title, groups, team, intro, children }: ReceivedGroupsProps) => (
  <section>
    <h2 id="received-groups">{title}</h2>
    <p>{intro}</p>
    {groups.length > 0 && (
      <Table labelledBy="received-groups">
        <thead>
          <tr>
            <th scope="col">Group</th>
            <th scope="col">Users</th>
            <th scope="col">Role</th>
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <tr>
              <th scope="row">
                <bdi>{group.displayName}</bdi>
              </th>
              <td>{counted(group.memberCount, 'user', 'users')}</td>
              <td>
                <Roles group={group} team={team} />
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    )}
    {children}
  </section>
)

const Roles = ({ group: { displayName, groupRoles }, team }: { group: DirectoryGroupPartsFragment; team: string }) =>
  groupRoles.length === 0 ? (
    <a href={newGroupAddress(team, displayName)}>
      Set a role
      <span class="visually-hidden">
        {' for '}
        <bdi>{displayName}</bdi>
      </span>
    </a>
  ) : (
    <>
      {groupRoles.map(({ group, role }, index) => (
        <>
          {index > 0 && ', '}
          <a href={groupAddress(team, group)}>{roleNames[role]}</a>
        </>
      ))}
    </>
  )
