import { z } from 'zod'
import { invitationRules } from '../../schema/invitations/rules.ts'
import { route } from '../route.ts'

export const invitationRoutes = [
  route({
    operationId: 'v1.teams.invitations.store',
    tool: 'create_invitation',
    method: 'post',
    path: '/v1/teams/{teamSlug}/invitations',
    tag: 'Invitations',
    summary: 'Invite a member',
    description: 'Sends an expiring team invitation to an email address. Inviting it again renews its pending invitation.',
    body: z.object({
      email: invitationRules.email,
      role: invitationRules.role,
      accessible_app_ids: invitationRules.accessibleAppIds.optional(),
    }),
    example: { email: 'new.member@acme.example', role: 'member', accessible_app_ids: null },
    document: `mutation ($teamSlug: String!, $email: String!, $role: Role!, $accessibleAppIds: [Application!]) {
      inviteMember(input: { team: $teamSlug, email: $email, role: $role, accessibleAppIds: $accessibleAppIds }) { invitation { id: invitationId } }
    }`,
    response: { kind: 'empty' },
  }),
]
