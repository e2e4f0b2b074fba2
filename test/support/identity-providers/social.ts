import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll } from 'vitest'
import { json } from '../identities/ci-issuer.ts'

/** GitHub with one user, who is signed in there. A test changes what it answers. */
interface TestGithub {
  user: object
  emails: unknown
  /** The answer to the exchange of the code; null to issue a token. */
  token: object | null
  /** The status of `/user/emails`. */
  status: number
  origin(): string
}

/** Runs it during the tests of a file, with the endpoints of an OAuth app (https://docs.github.com/apps/oauth-apps). */
export function useGithub(client: { clientId: string; clientSecret: string }): TestGithub {
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname === '/login/oauth/authorize') {
      const address = new URL(searchParams.get('redirect_uri') ?? '')
      address.search = `${new URLSearchParams({ code: 'code-1', state: searchParams.get('state') ?? '' })}`
      return void response.writeHead(302, { location: address.href }).end()
    }
    if (pathname === '/login/oauth/access_token') {
      const body = new URLSearchParams(await text(request))
      const isValid = body.get('client_secret') === client.clientSecret && body.get('code') === 'code-1'
      return json(github.token ?? (isValid ? { access_token: 'token-1' } : { error: 'bad_verification_code' }))(response, request)
    }
    if (request.headers.authorization !== 'Bearer token-1') return json({ message: 'Bad credentials' }, 401)(response, request)
    if (pathname === '/user') return json(github.user)(response, request)
    return json(github.emails, github.status)(response, request)
  })
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const github: TestGithub = {
    user: {},
    emails: [],
    token: null,
    status: 200,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
    origin: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  }
  return github
}
