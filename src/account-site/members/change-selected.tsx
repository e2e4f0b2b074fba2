import { z } from 'zod'
import { Select } from '../../web/components/forms/field.tsx'
import { SelectionPanel } from '../../web/components/selection-panel.tsx'
import { eachForm, isConfirmed, selectedOf, selectionFields } from '../framework/each-form.ts'
import { siteOperation } from '../framework/operation.ts'
import { MemberDocument, RemindOfTwoFactorDocument, RemoveMemberDocument, UpdateMemberDocument } from '../generated/operations.ts'
import { roleNames } from '../labels.ts'

const removal = 'REMOVE'
const reminder = 'REMIND'
const member = siteOperation(MemberDocument)
const update = siteOperation(UpdateMemberDocument)
const remind = siteOperation(RemindOfTwoFactorDocument)
const remove = siteOperation(RemoveMemberDocument)

/** Gives the selected members another role, reminds them of two-factor authentication, or removes them. */
export const changeSelected = eachForm({
  fields: z.object({ ...selectionFields, action: z.enum(['MEMBER', 'BILLING', 'OWNER', reminder, removal]) }),
  requirements: [...update.requirements, ...remind.requirements, ...remove.requirements],
  field: 'selected',
  none: 'Select at least one member.',
  subjectsOf: selectedOf,
  needsConfirmation: (fields) => !isConfirmed(fields),
  async run(userId, { action }, ctx) {
    const ids = { team: ctx.param('team'), userId }
    if (action === reminder) return (await remind.run({ input: ids }, ctx)).remindOfTwoFactor.member.name
    if (action === removal) return (await remove.run({ input: ids }, ctx)).removeMember.member.name
    return (await update.run({ input: { ...ids, role: action } }, ctx)).updateMember.member.name
  },
  nameOf: (userId, ctx) =>
    member.run({ team: ctx.param('team'), userId }, ctx).then(
      ({ team }) => team.member.name,
      () => 'A former member',
    ),
  notice: (names, count, { action }) => {
    const verb = count === 1 ? 'was' : 'were'
    if (action === reminder) return `An email reminds ${names} to turn on two-factor authentication.`
    return action === removal
      ? `${names} ${verb} removed from the team.`
      : `${names} now ${count === 1 ? 'has' : 'have'} the role ${roleNames[action]}.`
  },
})

const actions = [
  { value: '', label: 'Choose an action' },
  ...(['MEMBER', 'BILLING', 'OWNER'] as const).map((role) => ({ value: role, label: `Change role to ${roleNames[role]}` })),
  { value: reminder, label: 'Remind of two-factor authentication' },
  { value: removal, label: 'Remove from the team' },
]

const membersOf = (count: number) => (count === 1 ? '1 member' : `${count} members`)

/** What to do with the selected members. */
export const ChangeSelected = () => (
  <SelectionPanel
    form="change-selected"
    actions={<Select name="action" label="Action" noun="an action" required options={actions} />}
    button="Continue"
    confirm={(count, action) =>
      action === reminder
        ? {
            text: 'They get an email that asks them to turn on two-factor authentication, at most once a day.',
            button: `Remind ${membersOf(count)}`,
            isDangerous: false,
          }
        : action === removal
          ? {
              text: 'They lose access to the team immediately, and so do their personal tokens and connected apps. Team tokens that they created remain.',
              button: `Remove ${membersOf(count)}`,
              isDangerous: true,
            }
          : {
              text: `They get the role ${roleName(action)} immediately.`,
              button: `Change the role of ${membersOf(count)}`,
              isDangerous: false,
            }
    }
  />
)

const roleName = (action: string) => Object.entries(roleNames).find(([role]) => role === action)?.[1] ?? ''
