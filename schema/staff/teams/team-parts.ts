import { builder } from '../../builder/builder.ts'
import { RoleType } from '../../members/role.ts'
import { WebhookDisabledReasonType, WebhookStateType, getWebhookState } from '../../webhooks/webhook.ts'
import type { StoredMemberCount, StoredOpenInvitation, StoredWebhookState } from './state-query.ts'

export const StaffMemberCountType = builder.objectRef<StoredMemberCount>('StaffMemberCount').implement({
  description: 'The number of members of a team with a role.',
  fields: (t) => ({
    role: t.expose('role', { type: RoleType, description: 'The role.' }),
    count: t.exposeInt('count', { description: 'The number of members.' }),
  }),
})

export const StaffInvitationType = builder.objectRef<StoredOpenInvitation>('StaffInvitation').implement({
  description: 'An invitation that can be sent again, for staff.',
  fields: (t) => ({
    invitationId: t.exposeID('id', { describedBy: 'Invitation.id' }),
    email: t.exposeString('email', { describedBy: 'Invitation.email' }),
    role: t.expose('role', { type: RoleType, describedBy: 'Invitation.role' }),
    sentAt: t.expose('sentAt', { type: 'DateTime', describedBy: 'Invitation.sentAt' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', describedBy: 'Invitation.expiresAt' }),
  }),
})

const describeFailure = ({ status, error }: NonNullable<StoredWebhookState['lastFailure']>) =>
  error ?? (status === null ? 'There was no response.' : `The endpoint responded with the status ${status}.`)

export const StaffWebhookType = builder.objectRef<StoredWebhookState>('StaffWebhook').implement({
  description: 'The state of a webhook of a team, for staff. The path of its URL, which can be a secret, is never returned.',
  fields: (t) => ({
    webhookId: t.exposeID('id', { describedBy: 'Webhook.id' }),
    host: t.string({ description: 'The host of its URL.', resolve: ({ url }) => new URL(url).host }),
    description: t.exposeString('description', { describedBy: 'Webhook.description' }),
    state: t.field({
      type: WebhookStateType,
      description: 'Whether it works.',
      resolve: getWebhookState,
    }),
    disabledAt: t.expose('disabledAt', { type: 'DateTime', nullable: true, describedBy: 'Webhook.disabledAt' }),
    disabledReason: t.expose('disabledReason', { type: WebhookDisabledReasonType, nullable: true, describedBy: 'Webhook.disabledReason' }),
    failingSince: t.expose('failingSince', { type: 'DateTime', nullable: true, describedBy: 'Webhook.failingSince' }),
    lastError: t.string({
      nullable: true,
      description: 'Why the last attempt failed, or null if the last one succeeded. The content of the response is never returned.',
      resolve: ({ lastFailure }) => lastFailure && describeFailure(lastFailure),
    }),
  }),
})
