import { z } from 'zod'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { LeaveTeamDocument, MembersDocument } from '../generated/operations.ts'
import type { MembersQuery } from '../generated/operations.ts'
import { EmptyList, PageLinks, pageNumberOf } from '../../web/components/page-links.tsx'
import { ConfirmDialog } from '../../web/components/confirm-dialog.tsx'
import { Table } from '../../web/components/table.tsx'
import { Day } from '../../web/components/time.tsx'
import { accessLabel, roleNames } from '../labels.ts'

type Members = MembersQuery['team']['members']

const leave = form({
  fields: z.object({}),
  document: LeaveTeamDocument,
  variables: (_, ctx) => ({ input: { team: ctx.param('team') } }),
  notice: 'You left the team.',
  onSuccess: () => '/',
})

/** The members of a team, and the form to leave it. */
export const members = page({
  path: '/teams/:team/members',
  title: 'Members',
  nav: { section: 'team', label: 'Members', order: 20 },
  document: MembersDocument,
  variables: (ctx) => ({ team: ctx.param('team'), page: pageNumberOf(ctx.query) }),
  forms: { leave },
  view: ({ team: { members } }, ctx) => (
    <>
      <section>
        <h2 id="members">{members.total === 1 ? 'One member' : `${members.total} members`}</h2>
        {members.nodes.length > 0 ? <Rows path={ctx.path} nodes={members.nodes} ownId={ctx.person?.user.id} /> : <EmptyList isBeyond />}
        <PageLinks label="Pages of members" path={ctx.path} query={ctx.query} list={members} />
      </section>
      <LeaveSection />
    </>
  ),
})

const Rows = ({ path, nodes, ownId }: { path: string; nodes: Members['nodes']; ownId: string | undefined }) => (
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
            {id === ownId && ' (you)'}
          </th>
          <td>
            <bdi>{email}</bdi>
          </td>
          <td>{roleNames[role]}</td>
          <td>{accessLabel(accessibleAppIds)}</td>
          <td>
            <Day at={joinedAt} />
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
)

const LeaveSection = () => (
  <section>
    <h2>Leave the team</h2>
    <ConfirmDialog summary="Leave…" form="leave" button="Leave the team">
      You, your personal tokens and the applications you connected lose the team at once. Only an owner can invite you again.
    </ConfirmDialog>
  </section>
)
