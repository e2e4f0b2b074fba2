import { z } from 'zod'
import { invalid } from '../../../schema/core/errors.ts'
import { mailAddress } from '../../../schema/core/validation.ts'
import { quoteName } from '../../web/display-name.ts'
import { eachForm } from '../framework/each-form.ts'
import { text } from '../framework/field-types.ts'
import { form } from '../framework/form.ts'
import { siteOperation } from '../framework/operation.ts'
import { InviteMemberDocument, ResendInvitationDocument, RevokeInvitationDocument } from '../generated/operations.ts'
import { accessFields, buildAccessInput, requireProduct } from '../members/app-access-fields.tsx'

const idFields = z.object({ id: text })
const invite = siteOperation(InviteMemberDocument)

const addressesIn = (emails: string) => emails.split(/[\s,;]+/).filter(Boolean)

/** Sends an invitation to each of several addresses. If one of them is not an address, nothing is sent. */
export const sendInvitations = eachForm({
  fields: accessFields.extend({ emails: text }),
  requirements: invite.requirements,
  field: 'emails',
  none: 'Enter at least one email address.',
  listSubjects: ({ emails }) => addressesIn(emails),
  guard: async (fields) => {
    const wrong = addressesIn(fields.emails).filter((address) => !mailAddress.safeParse(address).success)
    if (wrong.length > 0) throw invalid({ emails: wrong.map((address) => `${quoteName(address)} is not an email address.`) })
    await requireProduct(fields)
  },
  async run(email, fields, ctx) {
    return (await invite.run({ input: { team: ctx.param('team'), email, ...buildAccessInput(fields) } }, ctx)).inviteMember.invitation.email
  },
  // The first page of the list shows the new invitations.
  to: (ctx) => `/teams/${ctx.param('team')}/invitations`,
  notice: (addresses, count) => `${count === 1 ? 'Invitation' : `${count} invitations`} sent to ${addresses}.`,
})

export const resendInvitation = form({
  fields: idFields,
  document: ResendInvitationDocument,
  variables: (input) => ({ input }),
  notice: ({ resendInvitation: { invitation } }) =>
    `The invitation to ${invitation.email} was sent again. The earlier link no longer works.`,
})

export const revoke = form({
  fields: idFields,
  document: RevokeInvitationDocument,
  variables: (input) => ({ input }),
  notice: ({ revokeInvitation: { invitation } }) => `The invitation to ${invitation.email} was revoked. Its link no longer works.`,
})
