import { selectionScript } from '../../web/components/lists/selection-panel.tsx'
import { FieldGroup } from '../../web/components/forms/field-group.tsx'
import { page } from '../framework/page.ts'
import { MembersDocument } from '../generated/operations.ts'
import { isFiltered } from '../table/address.ts'
import { DataTable } from '../table/data-table.tsx'
import type { PageContext } from '../framework/page-context.ts'
import { resendInvitation, revoke, sendInvitations } from '../invitations/forms.ts'
import { FileLink } from '../table/file-link.tsx'
import { maxExported } from '../table/read-all.ts'
import { ChangeSelected, changeSelected } from './change-selected.tsx'
import { leave, LeaveTeam } from './leave.tsx'
import { mayChangeMembers, membersTable, personVariables, showsRequiredSignIn } from './members-table.tsx'

/** The members of a team and its pending invitations, and the form to leave it. */
export const members = page({
  path: '/teams/:team/members',
  title: 'Members',
  nav: { group: 'people', icon: 'people', order: 0 },
  document: MembersDocument,
  variables(ctx) {
    const variables = personVariables(ctx)
    const { state, hasTwoFactor, hasRequiredSignIn } = variables
    // These filters leave only members.
    const mayBeInvited = state === null && hasTwoFactor === null && hasRequiredSignIn === null
    return { ...variables, countsInvited: mayChangeMembers(ctx) && mayBeInvited }
  },
  scripts: [selectionScript],
  forms: { leave, 'change-selected': changeSelected, resend: resendInvitation, revoke },
  view: ({ team: { people, invited } }, ctx) => (
    <>
      <DataTable
        table={membersTable}
        ctx={ctx}
        list={people}
        count={formatCount(people.total, invited?.total ?? 0, ctx)}
        actions={<Actions total={people.total} ctx={ctx} />}
      >
        {mayChangeMembers(ctx) && <ChangeSelected requiresSignIn={showsRequiredSignIn(ctx)} />}
      </DataTable>
      {!ctx.supportSession && <LeaveSection />}
    </>
  ),
})

/** Returns a text such as `58 members, 3 invited`. */
function formatCount(total: number, invited: number, { query }: PageContext): string {
  const isLimited = isFiltered(membersTable, query)
  const isOfInvited = query.get('state') === 'INVITED'
  const members = isOfInvited ? 0 : total - invited
  const parts = [
    !isOfInvited && `${members === 0 ? 'No' : members.toLocaleString('en')} ${members === 1 ? 'member' : 'members'}`,
    (isOfInvited || invited > 0) && `${(isOfInvited ? total : invited).toLocaleString('en')} invited`,
  ].filter(Boolean)
  return `${parts.join(', ')}${isLimited ? ' found' : ''}`
}

const Actions = ({ total, ctx }: { total: number; ctx: PageContext }) => (
  <p class="actions">
    {total > 0 && <FileLink extension="csv" verb="Export as" label="CSV" noun="rows" total={total} limit={maxExported} ctx={ctx} />}
    {ctx.isAllowed(sendInvitations.requirements) && (
      <a class="button" href={`/teams/${ctx.param('team')}/invitations/new`}>
        Invite people
      </a>
    )}
  </p>
)

const LeaveSection = () => (
  <FieldGroup id="leave" title="Leave the team" about="You lose access to the team and its products immediately." isDangerous>
    <LeaveTeam summary="Leave…" />
  </FieldGroup>
)
