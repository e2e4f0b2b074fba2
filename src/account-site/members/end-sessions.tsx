import { z } from 'zod'
import { Name } from '../../web/components/address.tsx'
import { ConfirmDialog } from '../../web/components/confirm-dialog.tsx'
import { isolateName } from '../../web/display-name.ts'
import { form } from '../framework/form.ts'
import type { PageContext } from '../framework/page-context.ts'
import { EndMemberSessionsDocument } from '../generated/operations.ts'
import { sessionsPath } from '../security/sessions.tsx'
import type { Member } from './member-facts.tsx'

export const endSessions = form({
  fields: z.object({}),
  document: EndMemberSessionsDocument,
  variables: (_, ctx) => ({ input: { team: ctx.param('team'), userId: ctx.param('userId') } }),
  notice: ({ endMemberSessions: { member } }) => `The sessions of ${isolateName(member.name)} in the team were ended.`,
})

/** The button with which an owner ends the sessions of another member in the team. Owners end their own on the page of their sessions. */
export const SessionsSection = ({ member: { id, name }, ctx }: { member: Pick<Member, 'id' | 'name'>; ctx: PageContext }) => (
  <section id="sessions">
    <h2>Sessions</h2>
    {id === ctx.person?.user.id ? (
      <p>
        <a href={sessionsPath}>See and end your own sessions</a>
      </p>
    ) : (
      <>
        <p>
          If a device of this member was lost or stolen, end the sessions of the member in this team. The member then has to sign in again
          to open the team. You cannot see in which browsers a member is signed in.
        </p>
        <ConfirmDialog summary="End sessions…" form="end-sessions" button="End sessions">
          <Name>{name}</Name> has to sign in again, in each browser, to open this team. Their account and their other teams stay open.
          Personal tokens and connected apps keep their access until you revoke it.
        </ConfirmDialog>
      </>
    )}
  </section>
)
