import { mutate } from '../http/mutate.ts'
import type { TestService } from '../service/service.ts'

export interface OperationResult {
  data: any
  /** Code and errors by field of the first refusal, if any. */
  refusal: { code: string; errors?: Record<string, string[]> } | null
}

/** Sends an operation to the GraphQL endpoint and returns its data and its first refusal. */
export async function executeOperation(
  service: TestService,
  token: string,
  source: string,
  variables: Record<string, unknown> = {},
): Promise<OperationResult> {
  const { data, refusal } = await mutate(service, token, source, variables)
  if (!refusal) return { data, refusal: null }
  const { code, errors = {} } = refusal
  return { data, refusal: { code, ...(Object.keys(errors).length > 0 && { errors }) } }
}

const invitationFields = 'invitation { id: invitationId email role accessibleAppIds status expiresAt answeredAt }'
export const accept = `mutation ($token: String!) { acceptInvitation(input: { token: $token }) { ${invitationFields} team { slug } } }`
export const decline = `mutation ($token: String!) { declineInvitation(input: { token: $token }) { ${invitationFields} } }`
export const resend = `mutation ($id: ID!) { resendInvitation(input: { id: $id }) { ${invitationFields} } }`
export const revoke = `mutation ($id: ID!) { revokeInvitation(input: { id: $id }) { ${invitationFields} } }`
