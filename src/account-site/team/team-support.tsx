import { form } from '../framework/form.ts'
import type { PageContext } from '../framework/page-context.ts'
import { OpenSupportSessionDocument } from '../generated/operations.ts'
import type { TeamSettingsQuery } from '../generated/operations.ts'
import { describeOpened, endSupport, getEnd, SupportAccessSection, supportFields } from '../support-access/support-section.tsx'

const pages = 'the pages of the team'

/** Lets staff read the pages of the team. */
export const openTeamSupport = form({
  fields: supportFields,
  document: OpenSupportSessionDocument,
  variables: (values, ctx) => ({ input: { team: ctx.param('team'), until: getEnd(values, ctx) } }),
  notice: describeOpened(pages),
})

export const endTeamSupport = endSupport(pages)

interface TeamSupportProps {
  session: NonNullable<TeamSettingsQuery['team']['supportSession']> | null
  ctx: PageContext
}

/** Whether staff can read the pages of the team, and until when. */
export const TeamSupportSection = ({ session, ctx }: TeamSupportProps) => (
  <SupportAccessSection
    session={session}
    pages={pages}
    seen="what an owner sees"
    open={openTeamSupport}
    log={
      <>
        The <a href={`/teams/${ctx.param('team')}/audit-trail?action=READ_IN_SUPPORT_SESSION`}>audit log</a> shows each page that they open.
      </>
    }
    ctx={ctx}
  />
)
