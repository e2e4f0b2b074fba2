import { z } from 'zod'
import { isolateName } from '../../../web/display-name.ts'
import { text } from '../../framework/field-types.ts'
import { form } from '../../framework/form.ts'
import {
  StaffDisableProviderDocument,
  StaffEnableProviderDocument,
  StaffResendInvitationDocument,
  StaffRestoreTeamDocument,
  StaffUpdateWebhookDocument,
} from '../../generated/operations.ts'
import { reasonFields } from '../act.tsx'

const fields = z.object(reasonFields)
const fieldsOfObject = fields.extend({ id: text })

const setWebhook = (enabled: boolean) =>
  form({
    fields: fieldsOfObject,
    document: StaffUpdateWebhookDocument,
    variables: (input) => ({ input: { ...input, enabled } }),
    notice: `The webhook was ${enabled ? 'enabled' : 'disabled'}.`,
  })

/** What staff can do on the page of a team. The schema checks the role, and that the team is not one of the actor. */
export const teamActs = {
  restore: form({
    fields,
    document: StaffRestoreTeamDocument,
    variables: ({ reason }, ctx) => ({ input: { team: ctx.param('slug'), reason } }),
    notice: 'The team was restored.',
  }),
  resend: form({
    fields: fieldsOfObject,
    document: StaffResendInvitationDocument,
    variables: (input) => ({ input }),
    notice: ({ resendInvitation: { invitation } }) => `The invitation was sent again to ${isolateName(invitation.email)}.`,
  }),
  'disable-webhook': setWebhook(false),
  'enable-webhook': setWebhook(true),
  'disable-provider': form({
    fields: fieldsOfObject,
    document: StaffDisableProviderDocument,
    variables: (input) => ({ input }),
    notice: ({ disableIdentityProvider: { identityProvider } }) => `${isolateName(identityProvider.name)} was disabled.`,
  }),
  'enable-provider': form({
    fields: fieldsOfObject,
    document: StaffEnableProviderDocument,
    variables: (input) => ({ input }),
    notice: ({ enableIdentityProvider: { identityProvider } }) => `${isolateName(identityProvider.name)} was enabled.`,
  }),
}
