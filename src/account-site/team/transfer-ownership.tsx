import { z } from 'zod'
import { ConfirmDialog } from '../../web/components/confirm-dialog.tsx'
import { Field, Select } from '../../web/components/forms/field.tsx'
import { FieldGroup } from '../../web/components/forms/field-group.tsx'
import { text } from '../framework/field-types.ts'
import { form } from '../framework/form.ts'
import { TransferOwnershipDocument } from '../generated/operations.ts'
import { roleNames } from '../labels.ts'

const roles = ['MEMBER', 'BILLING'] as const

/** Makes another member an owner, and gives the user another role. */
export const transfer = form({
  fields: z.object({ newOwner: text, role: z.enum(roles).catch('MEMBER') }),
  document: TransferOwnershipDocument,
  variables: (fields, ctx) => ({ input: { team: ctx.param('team'), ...fields } }),
  notice: (_, __, { newOwner, role }) => `${newOwner.trim()} is now an owner. Your role is now ${roleNames[role]}.`,
  renewsSession: true,
  onSuccess: (_, ctx) => `/teams/${ctx.param('team')}/members`,
})

export const TransferSection = () => (
  <FieldGroup id="ownership" title="Transfer ownership" about="Make another member an owner, and take another role yourself." isDangerous>
    <ConfirmDialog
      summary="Transfer ownership…"
      form="transfer"
      button="Transfer ownership"
      fields={
        <>
          <Field
            name="newOwner"
            label="Email address of the new owner"
            noun="the email address of a member"
            inputMode="email"
            autocomplete="off"
            hint="A member of this team."
          />
          <Select
            name="role"
            label="Your new role"
            options={roles.map((value) => ({ value, label: roleNames[value] }))}
            selected="MEMBER"
          />
        </>
      }
    >
      The member becomes an owner, and you get another role. Only an owner can undo this. You both receive an email.
    </ConfirmDialog>
  </FieldGroup>
)
