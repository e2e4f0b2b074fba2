import { createServer } from 'node:http'
import type { RequestListener, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import { text as textOf } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** The identity provider of an organization: oidc-provider, with a page on which a person signs in. */
export interface Organization {
  issuer: string
  clientId: string
  clientSecret: string
  /** The person who uses the page. */
  person: { sub: string; name?: string; email?: string; groups?: string[] }
  /** The parameters of the last request at which the page was shown. */
  requested: Record<string, unknown>
  /** Registers the service, as an administrator does. */
  register(redirectUri: string): void
}

const html = `<!doctype html><html lang="en"><title>Organization</title><h1>Organization login</h1>
<form method="post"><button name="answer" value="login" autofocus>Log in</button><button name="answer" value="cancel">Cancel</button></form>`

/** Starts the provider for the duration of a test. It listens first: its redirect URIs are known only when its issuer was entered. */
export async function startOrganization(): Promise<Organization> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  // Without characters that Basic authentication encodes (RFC 6749 §2.3.1).
  const client = { clientId: 'service', clientSecret: 'secretOfTheServiceAtTheProvider1' }
  const organization: Organization = {
    issuer,
    ...client,
    person: { sub: 'ada' },
    requested: {},
    register: (redirectUri) => void server.removeAllListeners('request').on('request', listenerOf(organization, redirectUri)),
  }
  return organization
}

function listenerOf(organization: Organization, redirectUri: string): RequestListener {
  const { issuer, clientId, clientSecret } = organization
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'], profile: ['name'] },
    pkce: { required: () => true },
    cookies: { keys: ['key of a test'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ ...organization.person, sub: accountId, email_verified: true }) }),
  })
  const answer = provider.callback()
  // An interaction can be finished once: a user who goes back to its page sees an error.
  const refuse = (response: ServerResponse) => response.writeHead(400).end('This page has expired.')
  return (request, response) =>
    void (request.url?.startsWith('/interaction/')
      ? interact(provider, organization, request, response).catch(() => refuse(response))
      : answer(request, response))
}

/** Shows the page, and continues when its form was sent. Agrees to everything the service asks for. */
async function interact(
  provider: Provider,
  organization: Organization,
  ...[request, response]: Parameters<RequestListener>
): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response)
  if (prompt.name === 'consent') {
    const grant = new provider.Grant({ accountId: session?.accountId ?? '', clientId: String(params['client_id']) })
    grant.addOIDCScope(String(params['scope']))
    return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
  }
  organization.requested = params
  if (request.method !== 'POST') return void response.writeHead(200, { 'content-type': 'text/html' }).end(html)
  const isCancelled = (await textOf(request)).includes('cancel')
  const result = isCancelled
    ? { error: 'access_denied', error_description: 'The person canceled it.' }
    : { login: { accountId: organization.person.sub } }
  return provider.interactionFinished(request, response, result)
}
