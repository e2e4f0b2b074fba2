import { z } from 'zod'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Choices } from '../../web/components/forms/choices.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { hasAddress } from '../../../schema/core/mails/placeholder-address.ts'
import { StrongAddress } from '../../web/components/address.tsx'
import { emailPath, notificationsPath } from '../../web/page-paths.ts'
import { list } from '../framework/field-types.ts'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { NotificationsDocument, UpdateNotificationsDocument } from '../generated/operations.ts'
import type { NotificationKind, NotificationTopic } from '../generated/operations.ts'

const topics: Record<NotificationTopic, string> = { TEAMS: 'Teams', INVOICES: 'Invoices', TOKENS: 'Tokens', WEBHOOKS: 'Webhooks' }
const isTopic = (name: string): name is NotificationTopic => Object.hasOwn(topics, name)

/** The page on which users choose the mails that they receive. Mails about security cannot be switched off. */
export const notifications = page({
  path: notificationsPath,
  title: 'Notifications',
  nav: { group: 'account', icon: 'bell', order: 25 },
  document: NotificationsDocument,
  forms: {
    save: form({
      // `shown` lists the kinds on the page, so that a kind of a later version stays on.
      fields: z.object({ on: list, shown: list }),
      document: UpdateNotificationsDocument,
      variables: ({ on, shown }) => ({
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- GraphQL refuses any other text
        input: { off: shown.flatMap((kinds) => kinds.split(',')).filter((kind) => !on.includes(kind)) as NotificationKind[] },
      }),
      notice: 'Your notifications were saved.',
    }),
  },
  view: ({ viewer }, { person }) => (
    <>
      <p>
        {hasAddress(person?.user.email ?? '') ? (
          <>
            We send emails to <StrongAddress>{person?.user.email ?? ''}</StrongAddress>. <a href={emailPath}>Change</a>
          </>
        ) : (
          <>
            We cannot send you emails: your account has no email address. <a href={emailPath}>Add one</a>
          </>
        )}
      </p>
      <Form name="save" hidden={{ shown: viewer.notifications.map(({ kind }) => kind).join(',') }}>
        {Object.keys(topics)
          .filter(isTopic)
          .map((topic) => {
            const kinds = viewer.notifications.filter((each) => each.topic === topic)
            return (
              <Choices
                name="on"
                id={`on-${topic.toLowerCase()}`}
                legend={topics[topic]}
                type="checkbox"
                options={kinds.map(({ kind, label, about }) => ({ value: kind, label, hint: about === `${label}.` ? undefined : about }))}
                checked={kinds.flatMap(({ kind, isOn }) => (isOn ? [kind] : []))}
              />
            )
          })}
        <p class="hint">
          Emails about the security of your account and your teams, such as those about sign-ins, passwords and new tokens, are always sent.
        </p>
        <Buttons>
          <Button>Save</Button>
        </Buttons>
      </Form>
    </>
  ),
})
