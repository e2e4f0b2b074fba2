import { Name } from '../../web/components/address.tsx'
import { RelativeTime } from '../../web/components/time.tsx'
import { form } from '../framework/form.ts'
import type { PageContext } from '../framework/page-context.ts'
import { OpenAccountSupportSessionDocument } from '../generated/operations.ts'
import type { SecurityQuery } from '../generated/operations.ts'
import { describeOpened, endSupport, getEnd, SupportAccessSection, supportFields } from '../support-access/support-section.tsx'

const pages = 'the pages of your account'

/** Lets staff read the pages of the account of the user. */
export const openAccountSupport = form({
  fields: supportFields,
  document: OpenAccountSupportSessionDocument,
  variables: (values, ctx) => ({ input: { until: getEnd(values, ctx) } }),
  notice: describeOpened(pages),
})

export const endAccountSupport = endSupport(pages)

interface AccountSupportProps extends Pick<SecurityQuery['viewer'], 'supportSession' | 'supportReadings'> {
  ctx: PageContext
}

/** Whether staff can read the pages of the account, until when, and which pages they opened. */
export const AccountSupportSection = ({ supportSession, supportReadings, ctx }: AccountSupportProps) => (
  <SupportAccessSection
    session={supportSession}
    pages={pages}
    seen="what you see there"
    open={openAccountSupport}
    log="Your teams stay closed to them. Each page that they open is listed here."
    ctx={ctx}
  >
    {supportReadings.length > 0 && (
      <>
        <p id="support-readings">Pages that staff opened:</p>
        <ul class="entries" aria-labelledby="support-readings">
          {supportReadings.map(({ at, staffName, path }) => (
            <li>
              <span>
                <Name>{staffName}</Name> opened <code>{path}</code>
              </span>
              <RelativeTime at={at} />
            </li>
          ))}
        </ul>
      </>
    )}
  </SupportAccessSection>
)
