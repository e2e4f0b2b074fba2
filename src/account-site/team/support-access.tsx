import { z } from 'zod'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Choices } from '../../web/components/forms/choices.tsx'
import { FieldGroup } from '../../web/components/forms/field-group.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { DateTime } from '../../web/components/time.tsx'
import { text } from '../framework/field-types.ts'
import { form } from '../framework/form.ts'
import type { PageContext } from '../framework/page-context.ts'
import { EndSupportSessionDocument, OpenSupportSessionDocument } from '../generated/operations.ts'
import type { TeamSettingsQuery } from '../generated/operations.ts'
import { counted } from '../labels.ts'

/** Times that owners can choose, in hours. */
const durations = ['1', '4', '8', '24'] as const

/** Lets staff read the pages of the team. */
export const openSupport = form({
  fields: z.object({ hours: z.enum(durations) }),
  document: OpenSupportSessionDocument,
  variables: ({ hours }, ctx) => ({
    input: { team: ctx.param('team'), until: new Date(ctx.site.now().getTime() + Number(hours) * 3_600_000).toISOString() },
  }),
  notice: (_, { site }, { hours }) =>
    `Staff of ${site.brand.name} can read the pages of the team for ${counted(Number(hours), 'hour', 'hours')}.`,
})

/** Ends the access of staff. */
export const endSupport = form({
  fields: z.object({ id: text }),
  document: EndSupportSessionDocument,
  variables: (input) => ({ input }),
  notice: (_, { site }) => `Staff of ${site.brand.name} can no longer read the pages of the team.`,
})

type Session = NonNullable<TeamSettingsQuery['team']['supportSession']>

/** Whether staff can read the pages of the team, and until when. */
export const SupportAccessSection = ({ session, ctx }: { session: Session | null; ctx: PageContext }) => {
  const product = ctx.site.brand.name
  const isOwner = ctx.isAllowed(openSupport.requirements)
  return (
    <FieldGroup
      id="support-access"
      title="Support access"
      about={
        <>
          <p>
            To get help, you can open the pages of the team to staff of {product}. They see what an owner sees, but can change nothing and
            download nothing.
          </p>
          <p>
            The <a href={`/teams/${ctx.param('team')}/audit-trail?action=READ_IN_SUPPORT_SESSION`}>audit log</a> shows each page that they
            open.
          </p>
        </>
      }
    >
      {session ? (
        <>
          <p>
            Staff of {product} can read the pages of the team until{' '}
            <strong>
              <DateTime at={session.expiresAt} />
            </strong>
            .{' '}
            {session.openedBy && (
              <>
                Opened by <bdi>{session.openedBy.name}</bdi>.
              </>
            )}
          </p>
          {ctx.isAllowed(endSupport.requirements) && (
            <Form name="end-support" hidden={{ id: session.supportSessionId }}>
              <Buttons>
                <Button kind="second">End access now</Button>
              </Buttons>
            </Form>
          )}
        </>
      ) : (
        <p>Staff of {product} cannot read the pages of the team.</p>
      )}
      {isOwner && !session && (
        <Form name="open-support">
          <Choices
            name="hours"
            legend="Open the pages for"
            noun="for how long"
            type="radio"
            options={durations.map((value) => ({ value, label: counted(Number(value), 'hour', 'hours') }))}
            checked={['1']}
            isCompact
          />
          <Buttons>
            <Button kind="second">Open support access</Button>
          </Buttons>
        </Form>
      )}
    </FieldGroup>
  )
}
