import { z } from 'zod'
import { form, page } from '../declaration.ts'
import { LeaveTeamDocument, MembersDocument } from '../generated/operations.ts'
import type { MembersQuery } from '../generated/operations.ts'
import { NoRows, PageLinks, pageOf } from '../page-links.tsx'
import { Sure } from '../sure.tsx'
import { Table } from '../table.tsx'
import { Day } from '../time.tsx'
import { accessWords, roleNames } from '../words.ts'

type Members = MembersQuery['team']['members']

const leave = form({
  fields: z.object({}),
  document: LeaveTeamDocument,
  variables: (_, visit) => ({ input: { team: visit.param('team') } }),
  notice: 'You left the team.',
  done: () => '/',
})

/** Who is in a team; each can leave it. */
export const members = page({
  path: '/teams/:team/members',
  title: 'Members',
  nav: { in: 'team', label: 'Members', order: 20 },
  document: MembersDocument,
  variables: (visit) => ({ team: visit.param('team'), page: pageOf(visit.query) }),
  forms: { leave },
  view: ({ team: { members } }, visit) => (
    <>
      <section>
        <h2 id="members">{members.total === 1 ? 'One member' : `${members.total} members`}</h2>
        {members.nodes.length > 0 ? <Rows path={visit.path} nodes={members.nodes} own={visit.person?.user.id} /> : <NoRows isBeyond />}
        <PageLinks label="Pages of members" path={visit.path} query={visit.query} list={members} />
      </section>
      <Leaving />
    </>
  ),
})

const Rows = ({ path, nodes, own }: { path: string; nodes: Members['nodes']; own: string | undefined }) => (
  <Table labelledBy="members">
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">Email address</th>
        <th scope="col">Role</th>
        <th scope="col">Application access</th>
        <th scope="col">Joined</th>
      </tr>
    </thead>
    <tbody>
      {nodes.map(({ id, name, email, role, accessibleAppIds, joinedAt }) => (
        <tr>
          <th scope="row">
            <a href={`${path}/${id}`}>
              <bdi>{name}</bdi>
            </a>
            {id === own && ' (you)'}
          </th>
          <td>
            <bdi>{email}</bdi>
          </td>
          <td>{roleNames[role]}</td>
          <td>{accessWords(accessibleAppIds)}</td>
          <td>
            <Day at={joinedAt} />
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
)

const Leaving = () => (
  <section>
    <h2>Leave the team</h2>
    <Sure summary="Leave…" form="leave" button="Leave the team">
      You, your personal tokens and the applications you connected lose the team at once. Only an owner can invite you again.
    </Sure>
  </section>
)
