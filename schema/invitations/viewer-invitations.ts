import { builder } from '../builder/builder.ts'
import { withDates } from '../builder/with-dates.ts'
import { requirePerson } from '../core/team-access/team-access.ts'
import { defineList } from '../lists/list.ts'
import { wholeListFields } from '../lists/whole-list-fields.ts'
import { ViewerType } from '../viewer/viewer.ts'
import { respondToInvitations } from './answer-rules.ts'
import { InvitationTermsType } from './invitation-terms.ts'
import type { InvitationTerms } from './invitation-terms.ts'
import { invitationColumns, invitationInstants } from './invitation-list.ts'
import type { InvitationRow } from './invitation-list.ts'

type TermsRow = InvitationRow & Pick<InvitationTerms, 'team' | 'invitedBy'>

/** The invitations to the verified email address of a user. The index on the address finds them. */
const invitationsOfUser = defineList<TermsRow, InvitationTerms, 'sent', { pending: true }>({
  name: 'invitations of a user',
  rows: (user) => `FROM users me JOIN invitations r ON r.email = me.email JOIN teams t ON t.id = r.team_id AND t.deleted_at IS NULL
    LEFT JOIN users i ON i.id = r.invited_by_id WHERE me.id = ${user} AND me.email_verified`,
  id: 'r.id',
  columns: `${invitationColumns}, json_build_object('name', t.name, 'logoId', t.logo_id) AS team,
    CASE WHEN i.id IS NOT NULL THEN json_build_object('name', i.name) END AS "invitedBy"`,
  orders: { sent: { keys: [['r.sent_at', 'timestamptz']] } },
  filters: { pending: ({ now }) => `r.status = 'pending' AND r.expires_at > ${now}` },
  toNode: (row) => withDates(row, invitationInstants),
})

const most = 50

builder.objectFields(ViewerType, (t) =>
  wholeListFields(t, 'invitations', {
    description:
      'The pending invitations to the verified email address of the user, newest first. `acceptInvitation` and `declineInvitation` answer them ' +
      `by \`id\`. \`invitations\` returns at most ${most}.`,
    type: InvitationTermsType,
    requires: respondToInvitations,
    list: invitationsOfUser,
    owner: (context) => requirePerson(context).user.id,
    query: { filters: { pending: true }, orderBy: { field: 'sent', direction: 'desc' } },
    most,
  }),
)
