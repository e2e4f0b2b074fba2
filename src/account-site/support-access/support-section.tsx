import type { ComponentChildren } from 'preact'
import { z } from 'zod'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Choices } from '../../web/components/forms/choices.tsx'
import { FieldGroup } from '../../web/components/forms/field-group.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { DateTime } from '../../web/components/time.tsx'
import { text } from '../framework/field-types.ts'
import { form } from '../framework/form.ts'
import type { PageForm } from '../framework/form.ts'
import type { PageContext } from '../framework/page-context.ts'
import { EndSupportSessionDocument } from '../generated/operations.ts'
import type { SupportSessionPartsFragment } from '../generated/operations.ts'
import { counted } from '../labels.ts'

// The section "Support access" of a team and of an account. Their pages have the forms `open-support` and `end-support`.

/** Times that owners and users can choose, in hours. */
const durations = ['1', '4', '8', '24'] as const

export const supportFields = z.object({ hours: z.enum(durations) })
type Values = z.output<typeof supportFields>

/** Returns when a support session ends that is opened now, RFC 3339. */
export const getEnd = ({ hours }: Values, { site }: PageContext): string =>
  new Date(site.now().getTime() + Number(hours) * 3_600_000).toISOString()

/** Returns the notice after a support session was opened. `pages` are words such as “the pages of the team”. */
export const describeOpened =
  (pages: string) =>
  (_: unknown, { site }: PageContext, { hours }: Values): string =>
    `Staff of ${site.brand.name} can read ${pages} for ${counted(Number(hours), 'hour', 'hours')}.`

/** Ends the access of staff. */
export const endSupport = (pages: string) =>
  form({
    fields: z.object({ id: text }),
    document: EndSupportSessionDocument,
    variables: (input) => ({ input }),
    notice: (_, { site }) => `Staff of ${site.brand.name} can no longer read ${pages}.`,
  })

interface SupportAccessProps {
  session: (SupportSessionPartsFragment & { openedBy?: { name: string } | null }) | null
  pages: string
  /** Words for what staff see, such as “what an owner sees”. */
  seen: string
  /** The form that opens a support session. */
  open: PageForm
  /** Where each page is that staff open. */
  log: ComponentChildren
  ctx: PageContext
  /** Further content of the section. */
  children?: ComponentChildren
}

/** Whether staff can read the pages, and until when. */
export const SupportAccessSection = ({ session, pages, seen, open, log, ctx, children }: SupportAccessProps) => {
  const product = ctx.site.brand.name
  const mayOpen = ctx.isAllowed(open.requirements)
  return (
    <FieldGroup
      id="support-access"
      title="Support access"
      about={
        <>
          <p>
            To get help, you can open {pages} to staff of {product}. They see {seen}, but can change nothing and download nothing.
          </p>
          <p>{log}</p>
        </>
      }
    >
      {session ? (
        <>
          <p>
            Staff of {product} can read {pages} until{' '}
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
          {mayOpen && (
            <Form name="end-support" hidden={{ id: session.supportSessionId }}>
              <Buttons>
                <Button kind="second">End access now</Button>
              </Buttons>
            </Form>
          )}
        </>
      ) : (
        <p>
          Staff of {product} cannot read {pages}.
        </p>
      )}
      {mayOpen && !session && (
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
      {children}
    </FieldGroup>
  )
}
