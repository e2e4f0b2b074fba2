import type { UserPrincipal } from '../../../schema/core/principals.ts'
import { graphql } from '../http/graphql.ts'
import { executeAs } from '../service/in-process.ts'
import type { TestService } from '../service/service.ts'

/** Sends a document with a credential and returns the code of its refusal, or undefined. */
export type Send = (document: string, variables: object) => Promise<string | undefined>

/** Returns functions that create a `Send` for a token or a session. */
export const sendsWith = (service: TestService) => ({
  byToken:
    (token: string): Send =>
    async (document, variables) => {
      const { data, errors } = await graphql(service, token, document, { ...variables })
      const [payload] = Object.values<object | null>(data ?? {})
      // The reason is in a part of the payload that the document does not select.
      const isRefusedInPayload = payload !== null && payload !== undefined && Object.values(payload).includes(null)
      return errors[0]?.extensions?.code ?? (isRefusedInPayload ? 'not_found' : undefined)
    },
  bySession:
    (session: UserPrincipal): Send =>
    async (document, variables) =>
      (await executeAs(service, session, document, { ...variables })).refusal?.code,
})
