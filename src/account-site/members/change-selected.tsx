import { z } from 'zod'
import { Select } from '../../web/components/forms/field.tsx'
import { SelectionPanel } from '../../web/components/lists/selection-panel.tsx'
import { eachForm, isConfirmed, listSelected, selectionFields } from '../framework/each-form.ts'
import { siteOperation } from '../framework/operation.ts'
import type { PageContext } from '../framework/page-context.ts'
import {
  MemberDocument,
  RemindOfRequiredSignInDocument,
  RemindOfTwoFactorDocument,
  RemoveMemberDocument,
  UpdateMemberDocument,
} from '../generated/operations.ts'
import { roleNames } from '../labels.ts'

const removal = 'REMOVE'
const remindOfTwoFactor = siteOperation(RemindOfTwoFactorDocument)
const remindOfSignIn = siteOperation(RemindOfRequiredSignInDocument)

interface MemberIds {
  team: string
  userId: string
}

/** Emails that ask members to take an action, at most once a day. Each function returns the name of the member. */
const reminders = {
  REMIND: {
    label: 'Remind of two-factor authentication',
    about: 'to turn on two-factor authentication',
    send: async (input: MemberIds, ctx: PageContext) => (await remindOfTwoFactor.run({ input }, ctx)).remindOfTwoFactor.member.name,
  },
  REMIND_SIGN_IN: {
    label: 'Remind of the required sign-in',
    about: 'to sign in through the identity provider',
    send: async (input: MemberIds, ctx: PageContext) => (await remindOfSignIn.run({ input }, ctx)).remindOfRequiredSignIn.member.name,
  },
} as const
type Reminder = keyof typeof reminders
const isReminder = (action: string): action is Reminder => Object.hasOwn(reminders, action)
const member = siteOperation(MemberDocument)
const update = siteOperation(UpdateMemberDocument)
const remove = siteOperation(RemoveMemberDocument)

/** Changes the role of the selected members, reminds them, or removes them. */
export const changeSelected = eachForm({
  fields: z.object({ ...selectionFields, action: z.enum(['MEMBER', 'BILLING', 'OWNER', 'REMIND', 'REMIND_SIGN_IN', removal]) }),
  requirements: [...update.requirements, ...remindOfTwoFactor.requirements, ...remindOfSignIn.requirements, ...remove.requirements],
  field: 'selected',
  none: 'Select at least one member.',
  listSubjects: listSelected,
  needsConfirmation: (fields) => !isConfirmed(fields),
  async run(userId, { action }, ctx) {
    const ids = { team: ctx.param('team'), userId }
    if (isReminder(action)) return reminders[action].send(ids, ctx)
    if (action === removal) return (await remove.run({ input: ids }, ctx)).removeMember.member.name
    return (await update.run({ input: { ...ids, role: action } }, ctx)).updateMember.member.name
  },
  getName: (userId, ctx) =>
    member.run({ team: ctx.param('team'), userId }, ctx).then(
      ({ team }) => team.member.name,
      () => 'A former member',
    ),
  notice: (names, count, { action }) => {
    const verb = count === 1 ? 'was' : 'were'
    if (isReminder(action)) return `An email reminds ${names} ${reminders[action].about}.`
    return action === removal
      ? `${names} ${verb} removed from the team.`
      : `${names} now ${count === 1 ? 'has' : 'have'} the role ${roleNames[action]}.`
  },
})

const actions = (requiresSignIn: boolean) => [
  { value: '', label: 'Choose an action' },
  ...(['MEMBER', 'BILLING', 'OWNER'] as const).map((role) => ({ value: role, label: `Change role to ${roleNames[role]}` })),
  { value: 'REMIND', label: reminders.REMIND.label },
  ...(requiresSignIn ? [{ value: 'REMIND_SIGN_IN', label: reminders.REMIND_SIGN_IN.label }] : []),
  { value: removal, label: 'Remove from the team' },
]

const formatMemberCount = (count: number) => (count === 1 ? '1 member' : `${count} members`)

/** Options for the selected members. */
export const ChangeSelected = ({ requiresSignIn }: { requiresSignIn: boolean }) => (
  <SelectionPanel
    form="change-selected"
    actions={<Select name="action" label="Action" noun="an action" required options={actions(requiresSignIn)} />}
    button="Continue"
    confirm={(count, action) =>
      isReminder(action)
        ? {
            text: `They get an email that asks them ${reminders[action].about}, at most once a day.`,
            button: `Remind ${formatMemberCount(count)}`,
            isDangerous: false,
          }
        : action === removal
          ? {
              text: 'They lose access to the team immediately, and so do their personal tokens and connected apps. Team tokens that they created remain.',
              button: `Remove ${formatMemberCount(count)}`,
              isDangerous: true,
            }
          : {
              text: `They get the role ${roleName(action)} immediately.`,
              button: `Change the role of ${formatMemberCount(count)}`,
              isDangerous: false,
            }
    }
  />
)

const roleName = (action: string) => Object.entries(roleNames).find(([role]) => role === action)?.[1] ?? ''
