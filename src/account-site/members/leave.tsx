import { z } from 'zod'
import { ConfirmDialog } from '../../web/components/confirm-dialog.tsx'
import { quoteName } from '../../web/display-name.ts'
import { form } from '../framework/form.ts'
import { LeaveTeamDocument } from '../generated/operations.ts'

export const leave = form({
  fields: z.object({}),
  document: LeaveTeamDocument,
  variables: (_, ctx) => ({ input: { team: ctx.param('team') } }),
  notice: (_, { team }) => `You left the team ${quoteName(team?.team.name ?? '')}.`,
  onSuccess: () => '/',
})

/** The link to the form with which a user leaves the team. */
export const LeaveTeam = ({ summary }: { summary: string }) => (
  <ConfirmDialog summary={summary} form="leave" button="Leave the team">
    You, your personal tokens and your connected apps lose access to the team immediately. Only an owner can invite you again.
  </ConfirmDialog>
)
