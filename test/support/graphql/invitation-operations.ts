import { graphql } from '../http/graphql.ts'
import type { TestService } from '../service/service.ts'

export interface OperationResult {
  data: any
  /** Code and errors by field of the first error; null without errors. */
  refusal: { code: string; errors?: Record<string, string[]> } | null
}

/** Sends an operation to the GraphQL endpoint and returns its data and its first error. */
export async function executeOperation(
  service: TestService,
  token: string,
  source: string,
  variables: Record<string, unknown> = {},
): Promise<OperationResult> {
  const { data, errors } = await graphql(service, token, source, variables)
  const [error] = errors
  if (!error) return { data, refusal: null }
  if (!error.extensions) throw new Error(error.message)
  const { code, errors: fields } = error.extensions
  return { data, refusal: { code, ...(fields && { errors: fields }) } }
}

const invitationFields = 'invitation { id: invitationId email role accessibleAppIds status expiresAt answeredAt }'
export const accept = `mutation ($token: String!) { acceptInvitation(input: { token: $token }) { ${invitationFields} team { slug } } }`
export const decline = `mutation ($token: String!) { declineInvitation(input: { token: $token }) { ${invitationFields} } }`
export const resend = `mutation ($id: ID!) { resendInvitation(input: { id: $id }) { ${invitationFields} } }`
export const revoke = `mutation ($id: ID!) { revokeInvitation(input: { id: $id }) { ${invitationFields} } }`
