import { z } from 'zod'
import { ConfirmDialog } from '../../web/components/confirm-dialog.tsx'
import { form } from '../framework/form.ts'
import { selectionScript } from '../../web/components/selection-panel.tsx'
import { page } from '../framework/page.ts'
import { LeaveTeamDocument, MembersDocument } from '../generated/operations.ts'
import { variablesOf } from '../table/address.ts'
import { DataTable } from '../table/data-table.tsx'
import type { PageContext } from '../framework/page-context.ts'
import { resend, revoke, sendInvitations } from '../invitations/forms.ts'
import { ChangeSelected, changeSelected } from './change-selected.tsx'
import { membersTable } from './members-table.tsx'
import { quoteName } from '../../web/display-name.ts'

const leave = form({
  fields: z.object({}),
  document: LeaveTeamDocument,
  variables: (_, ctx) => ({ input: { team: ctx.param('team') } }),
  notice: (_, { team }) => `You left the team ${quoteName(team?.team.name ?? '')}.`,
  onSuccess: () => '/',
})

/** The members of a team and its pending invitations, and the form to leave it. */
export const members = page({
  path: '/teams/:team/members',
  title: 'Members',
  nav: { section: 'team', label: 'Members', icon: 'people', order: 20 },
  document: MembersDocument,
  variables: (ctx) => ({ team: ctx.param('team'), ...variablesOf(membersTable, ctx.query) }),
  scripts: [selectionScript],
  forms: { leave, 'change-selected': changeSelected, resend, revoke },
  view: ({ team: { people } }, ctx) => (
    <>
      <DataTable
        table={membersTable}
        ctx={ctx}
        list={people}
        actions={ctx.isAllowed(sendInvitations.requirements) && <InviteLink ctx={ctx} />}
      >
        {ctx.isAllowed(changeSelected.requirements) && <ChangeSelected />}
      </DataTable>
      <LeaveSection />
    </>
  ),
})

const InviteLink = ({ ctx }: { ctx: PageContext }) => (
  <a class="button" href={`/teams/${ctx.param('team')}/invitations`}>
    Invite people
  </a>
)

const LeaveSection = () => (
  <section>
    <h2>Leave the team</h2>
    <ConfirmDialog summary="Leave…" form="leave" button="Leave the team">
      You, your personal tokens and your connected apps lose access to the team immediately. Only an owner can invite you again.
    </ConfirmDialog>
  </section>
)
