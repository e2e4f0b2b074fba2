import { statement } from '../../prisma/statement/statement.ts'
import { updateRows } from '../../prisma/statement/write-row.ts'
import { builder } from '../builder/builder.ts'
import { enumType } from '../builder/enum-type.ts'
import { payloadType } from '../builder/payload-type.ts'
import { change, difference } from '../core/audit/audit.ts'
import { lockCaller } from '../core/database/locks.ts'
import { mailTopics, optionalMails } from '../core/mails/mail-choices.ts'
import type { OptionalMail } from '../core/mails/mail-choices.ts'
import { sessionOnly } from '../core/requires.ts'
import { requirePerson } from '../core/team-access/team-access.ts'
import { ViewerType } from '../viewer/viewer.ts'

const NotificationKindType = builder.enumType('NotificationKind', {
  description: 'A kind of email that users can switch off. Emails about the security of an account or a team are always sent.',
  values: Object.fromEntries(
    optionalMails.map(({ kind, about }) => [kind.replaceAll('-', '_').toUpperCase(), { value: kind, description: about }]),
  ),
})
const NotificationTopicType = enumType('NotificationTopic', 'What a kind of email is about.', mailTopics)

type Notification = OptionalMail & { isOn: boolean }

const NotificationType = builder.objectRef<Notification>('Notification').implement({
  description: 'A kind of email that the user can switch off.',
  fields: (t) => ({
    kind: t.expose('kind', { type: NotificationKindType, description: 'The kind of email.' }),
    topic: t.expose('topic', { type: NotificationTopicType, description: 'What it is about.' }),
    label: t.exposeString('label', { description: 'What it is about, in a few words.' }),
    about: t.exposeString('about', { description: 'When it is sent, as a sentence for people.' }),
    isOn: t.exposeBoolean('isOn', { description: 'Whether the user gets it.' }),
  }),
})

const listNotifications = (muted: readonly string[]): Notification[] =>
  optionalMails.map((mail) => ({ ...mail, isOn: !muted.includes(mail.kind) }))

const selectMutedMails = statement<{ muted: string[] }, [userId: string]>(
  'muted_mails',
  'SELECT to_json(muted_mails) AS muted FROM users WHERE id = $1',
)

builder.objectField(ViewerType, 'notifications', (t) =>
  t.field({
    description: 'The kinds of email that the signed-in user can switch off. For account-site sessions.',
    type: [NotificationType],
    requires: sessionOnly,
    async resolve(_, __, context) {
      const [row] = await selectMutedMails(context.database.pool, requirePerson(context).user.id)
      return listNotifications(row?.muted ?? [])
    },
  }),
)

const UpdateNotificationsInput = builder.inputType('UpdateNotificationsInput', {
  fields: (t) => ({
    off: t.field({
      type: [NotificationKindType],
      required: true,
      description: 'The kinds of email that the user does not get. All others are on.',
    }),
  }),
})

const NotificationsPayload = payloadType<{ notifications: Notification[] }>('NotificationsPayload', {
  description: 'The kinds of email after the change.',
  fields: (t) => ({ notifications: t.expose('notifications', { type: [NotificationType], description: 'The kinds of email.' }) }),
})

builder.mutationField('updateNotifications', (t) =>
  t.field({
    description: 'Chooses which emails the signed-in user gets, of those that can be switched off.',
    type: NotificationsPayload,
    requires: sessionOnly,
    args: { input: t.arg({ type: UpdateNotificationsInput, required: true }) },
    resolve: (_, { input }, context, info) =>
      change(context, info, async (transaction) => {
        const { id, mutedMails } = await lockCaller(transaction, requirePerson(context).user.id)
        // The order is fixed, so that the same choice is never a change.
        const off = optionalMails.map(({ kind }) => kind).filter((kind) => input.off.includes(kind))
        const changed = difference({ off: mutedMails }, { off })
        if (!changed.isUnchanged) transaction.defer(updateRows(transaction, 'users', { id }, { mutedMails: off, updatedAt: context.now() }))
        return { result: { notifications: listNotifications(off) }, subject: id, ...changed }
      }),
  }),
)
