import { z } from 'zod'
import { OutgoingError } from '../../../core/outgoing/outgoing.ts'
import { ProviderError, RefusedPersonError, UnusableProviderError } from '../../protocol.ts'
import type { Protocol, ProtocolPorts } from '../../protocol.ts'
import { readPerson } from '../assertion.ts'
import { errorInResponse, tokenEndpointError } from '../oidc/provider-errors.ts'
import type { SocialClient } from '../../../core/social-clients.ts'

interface GithubClient extends SocialClient {
  redirectUri: string
}

const limits = { timeoutMilliseconds: 5000, maxBytes: 256 * 1024 }
const tokenResponse = z.object({
  access_token: z.string().nullish(),
  error: z.string().nullish(),
  error_description: z.string().nullish(),
})
const person = z.object({ id: z.int(), login: z.string(), name: z.string().nullish() })
const addresses = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))

/** Sign-in through GitHub, which is an OAuth server but not an OpenID provider (https://docs.github.com/apps/oauth-apps). */
export const github: Protocol<GithubClient> = {
  requestUrl(_, { clientId, redirectUri, origin = 'https://github.com' }, { id, loginHint, forceAuthentication }) {
    // GitHub does not state whether a user authenticated again.
    if (forceAuthentication) throw new RefusedPersonError('The identity provider cannot ask you to sign in again.')
    const parameters = { client_id: clientId, redirect_uri: redirectUri, scope: 'read:user user:email', state: id }
    const query = new URLSearchParams({ ...parameters, ...(loginHint !== null && { login: loginHint }) })
    return Promise.resolve(`${origin}/login/oauth/authorize?${query}`)
  },
  async verify(ports, { clientId, clientSecret, redirectUri, origin }, _, response) {
    const error = response.get('error')
    if (error !== null) throw errorInResponse(error, response.get('error_description'))
    const code = response.get('code')
    if (code === null) throw new ProviderError('The identity provider did not send a code.')
    const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret, code, redirect_uri: redirectUri })
    const url = `${origin ?? 'https://github.com'}/login/oauth/access_token`
    const token = await read(ports, tokenResponse, url, {}, body.toString())
    if (token.error != null) throw tokenEndpointError(token.error, token.error_description)
    if (token.access_token == null) throw new ProviderError('The identity provider did not send an access token.')
    const authorization = { authorization: `Bearer ${token.access_token}` }
    const api = origin ?? 'https://api.github.com'
    const [{ id, login, name }, emails] = await Promise.all([
      read(ports, person, `${api}/user`, authorization),
      readAddresses(ports, `${api}/user/emails`, authorization),
    ])
    const primary = emails.find((each) => each.primary && each.verified)
    // A login can be changed and then used by another user; the number cannot.
    return readPerson({ sub: String(id), login, name, nickname: login, email: primary?.email, email_verified: primary !== undefined }, null)
  },
}

/** Returns the user's addresses; none if the app may not read them: 404 without the scope, 403 without the permission of a GitHub App. */
async function readAddresses(
  ports: ProtocolPorts,
  url: string,
  authorization: Readonly<Record<string, string>>,
): Promise<z.output<typeof addresses>> {
  try {
    return await read(ports, addresses, url, authorization)
  } catch (error) {
    if (error instanceof UnexpectedStatus && (error.status === 403 || error.status === 404)) return []
    throw error
  }
}

class UnexpectedStatus extends UnusableProviderError {
  readonly status: number

  constructor(status: number) {
    super(`The identity provider responded with the status ${status}.`)
    this.status = status
  }
}

async function read<Schema extends z.ZodType>(
  { outgoing }: ProtocolPorts,
  schema: Schema,
  url: string,
  headers: Readonly<Record<string, string>>,
  form?: string,
): Promise<z.output<Schema>> {
  const all = {
    accept: 'application/json',
    ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
    ...headers,
  }
  try {
    const request = {
      url,
      headers: all,
      ...limits,
      method: form === undefined ? 'GET' : 'POST',
      ...(form !== undefined && { body: form }),
    } as const
    const { status, body } = await outgoing.send(request)
    if (status !== 200) throw new UnexpectedStatus(status)
    return schema.parse(JSON.parse(body))
  } catch (error) {
    if (error instanceof ProviderError) throw error
    if (error instanceof OutgoingError)
      throw new UnusableProviderError(`The identity provider cannot be reached. ${error.message}`, { cause: error })
    throw new UnusableProviderError('The response of the identity provider cannot be read.', { cause: error })
  }
}
