import type { TestService } from '../../service/service.ts'
import { authorize, createClient, createPerson, exchangeCode } from '../oauth.ts'
import type { AuthorizeOptions, ClientOptions } from '../oauth.ts'

/** Response body of the token endpoint for an invalid, expired, revoked or already used grant (RFC 6749 §5.2). */
export const invalidGrant = { error: 'invalid_grant', error_description: 'grant request is invalid' }

/** Creates a user and a client and runs the authorization code flow; `tokens` is the body of the token response. */
export async function connectClient(
  service: Pick<TestService, 'url' | 'database'>,
  options: ClientOptions = {},
  authorizeOptions: AuthorizeOptions = {},
) {
  const user = await createPerson(service.database)
  const client = await createClient(service.database, options)
  const authorization = await authorize(service, client, user, authorizeOptions)
  const { body: tokens } = await exchangeCode(service, client, authorization)
  return { user, client, authorization, browser: authorization.browser, tokens }
}
