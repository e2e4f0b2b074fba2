import { page } from '../framework/page.ts'
import { InvitationsDocument } from '../generated/operations.ts'
import { variablesOf } from '../table/address.ts'
import { DataTable } from '../table/data-table.tsx'
import { resend, revoke } from './forms.ts'
import { invitationsTable } from './invitations-table.tsx'

/** The invitations of a team. */
export const invitations = page({
  path: '/teams/:team/invitations',
  title: 'Invitations',
  nav: { section: 'team', icon: 'mail', order: 30 },
  document: InvitationsDocument,
  variables: (ctx) => ({ team: ctx.param('team'), ...variablesOf(invitationsTable, ctx.query) }),
  forms: { resend, revoke },
  view: ({ team: { invitations } }, ctx) => (
    <DataTable
      table={invitationsTable}
      ctx={ctx}
      list={invitations}
      actions={
        <a class="button" href={`${ctx.path}/new`}>
          Invite people
        </a>
      }
    />
  ),
})
