import { z } from 'zod'
import { UserType } from '../../accounts/user.ts'
import { builder } from '../../builder/builder.ts'
import { enumType } from '../../builder/enum-type.ts'
import { listComplexity, pageArguments, pageType, slice } from '../../builder/pagination.ts'
import { notFound } from '../../core/errors.ts'
import { outboxStates } from '../../core/mails/outbox-mails.ts'
import type { OutboxState } from '../../core/mails/outbox-mails.ts'
import { isIdentifier, normalizeEmail, parse, text } from '../../core/validation.ts'
import { parseUserId } from '../../teams/person.ts'
import { TeamType } from '../../teams/team.ts'
import { searchCost, StaffType } from '../staff.ts'
import { findTeamById } from '../staff-teams.ts'
import { findUserById } from '../users.ts'
import { countedMails, readMail, readMails } from './read-mails.ts'
import type { StaffMail } from './read-mails.ts'

const MailStateType = enumType('MailState', 'The state of an email in the outbox.', {
  pending: 'It waits for its first or next attempt, or is being sent.',
  sent: 'The mail server accepted it.',
  dropped: 'It was out of date when it was to be sent, for example because its link was replaced.',
  failed: 'The mail server rejected it permanently, or all attempts failed.',
} satisfies Record<OutboxState, string>)

const StaffMailType = builder.objectRef<StaffMail>('StaffMail').implement({
  description: 'An email of the outbox, for staff, without its content and its links. Emails that were sent or failed stay for two weeks.',
  fields: (t) => ({
    mailId: t.exposeID('id', { description: 'The identifier of the email in the outbox.' }),
    kind: t.exposeString('kind', { description: 'The kind of the email, such as `verify-email`.' }),
    recipient: t.exposeString('recipient', {
      nullable: true,
      description: 'The email address of the recipient; null if the object that the email is about no longer exists.',
    }),
    state: t.expose('state', { type: MailStateType, description: 'The state.' }),
    isRetryable: t.exposeBoolean('isRetryable', { description: 'Whether `retryMail` can send it again.' }),
    attempts: t.exposeInt('attempts', { description: 'Number of attempts to send it.' }),
    nextAttemptAt: t.expose('nextAttemptAt', { type: 'DateTime', nullable: true, description: 'When the next attempt is, or null.' }),
    lastError: t.exposeString('lastError', {
      nullable: true,
      description: 'The error of the last attempt, without the secrets of links, or why the email was dropped; otherwise null.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the email was requested.' }),
    endedAt: t.expose('endedAt', { type: 'DateTime', nullable: true, description: 'When it was sent or dropped or failed, or null.' }),
    user: t.field({
      type: UserType,
      nullable: true,
      description: 'The user with the account that the email goes to; null for a recipient without one.',
      resolve: ({ userId }, _, context) => (userId === null ? null : findUserById(context, userId)),
    }),
    team: t.field({
      type: TeamType,
      nullable: true,
      description: 'The team that invites, or that was deleted; null for other emails.',
      resolve: ({ teamId }, _, context) => (teamId === null ? null : findTeamById(context, teamId)),
    }),
  }),
})

const searchRules = z.object({ search: text.trim().max(254).nullish() })

builder.objectFields(StaffType, (t) => ({
  mails: t.field({
    description:
      `The emails of the outbox, newest first. \`total\` counts at most ${countedMails}, and further emails are found with a filter.` +
      `\n\nCosts ${searchCost} besides the selected fields.`,
    type: pageType('StaffMailPage', StaffMailType),
    complexity: (args) => ({ ...listComplexity(args), field: searchCost }),
    args: {
      state: t.arg({ type: MailStateType, description: 'Only emails in this state.' }),
      search: t.arg.string({
        description: 'Only emails to this email address, or to the user with this email address, identifier or global id.',
      }),
      ...pageArguments,
    },
    resolve: async (_, { state, ...args }, { database }) => {
      const { search } = parse(searchRules, args)
      const { page, perPage, offset } = slice(args)
      const userId = search ? parseUserId(search) : null
      const recipient = search ? { userId, address: userId === null ? normalizeEmail(search) : null } : null
      return { ...(await readMails(database.pool, state ? [state] : outboxStates, recipient, { perPage, offset })), page, perPage }
    },
  }),
  mail: t.field({
    description: 'One email of the outbox.',
    type: StaffMailType,
    args: { id: t.arg.id({ required: true, description: 'The identifier of the email.' }) },
    resolve: async (_, { id }, { database }) => {
      const mail = isIdentifier(id) ? await readMail(database.pool, id) : null
      if (!mail) throw notFound()
      return mail
    },
  }),
}))
