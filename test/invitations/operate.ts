import { randomUUID } from 'node:crypto'
import { GraphQLError, parse } from 'graphql'
import type { InvitationMail } from '../../schema/context.ts'
import { DomainError } from '../../schema/errors.ts'
import { execute } from '../../schema/execute.ts'
import { invitationSecret } from '../../schema/invitation-link.ts'
import { secretDeriver } from '../../src/app.ts'
import { createAuthenticate } from '../../src/authenticate.ts'
import { secretKey } from '../support/pace.ts'
import type { TestService } from '../support/service.ts'

export interface Outcome {
  data: any
  /** Code and errors by field of the first refusal; null where there is none. */
  refusal: { code: string; errors?: Record<string, string[]> } | null
}

/** Executes an operation with a credential, as `POST /graphql` does. */
export async function operate(
  { database, clock, mails }: TestService,
  token: string,
  source: string,
  variables: object = {},
): Promise<Outcome> {
  const authenticate = createAuthenticate({ database, now: clock.now, noteUse: () => {} })
  const context = {
    database,
    now: clock.now,
    sendMail: async (_: unknown, mail: InvitationMail) => void mails.push(mail),
    deriveSecret: secretDeriver(secretKey),
    invitationDays: 7,
    principal: await authenticate(token),
    requestId: randomUUID(),
  }
  const { data, errors } = await execute(parse(source), { ...variables }, context)
  const [error] = errors ?? []
  const cause = error instanceof GraphQLError ? (error.originalError ?? error) : error
  if (!cause) return { data, refusal: null }
  if (!(cause instanceof DomainError)) throw cause
  const { code, details } = cause
  return { data, refusal: { code, ...(details.errors && { errors: details.errors }) } }
}

const invitationFields = 'invitation { id email role accessibleAppIds status expiresAt answeredAt }'
export const accept = `mutation ($token: String!) { acceptInvitation(input: { token: $token }) { ${invitationFields} team { slug } } }`
export const decline = `mutation ($token: String!) { declineInvitation(input: { token: $token }) { ${invitationFields} } }`
export const resend = `mutation ($id: ID!) { resendInvitation(input: { id: $id }) { ${invitationFields} } }`
export const revoke = `mutation ($id: ID!) { revokeInvitation(input: { id: $id }) { ${invitationFields} } }`

/** The secret of the link in the last mail put in the outbox for an invitation. */
export function lastSecret({ mails }: TestService, invitationId: string): string {
  const mail = mails.findLast((each) => each.invitationId === invitationId)
  if (!mail) throw new Error('no mail')
  return invitationSecret({ deriveSecret: secretDeriver(secretKey) }, Buffer.from(mail.nonce, 'base64url'))
}
