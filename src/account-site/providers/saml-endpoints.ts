import { Router, urlencoded } from 'express'
import type { AccountAttemptLimits } from '../../../schema/core/attempts/attempt-limit.ts'
import type { Ports } from '../../../schema/core/ports.ts'
import { notFound } from '../../../schema/core/errors.ts'
import { findProvider } from '../../../schema/identity-providers/stored-provider.ts'
import type { StoredProvider } from '../../../schema/identity-providers/stored-provider.ts'
import { ProviderError } from '../../../schema/identity-providers/protocol.ts'
import { clientNetwork } from '../../auth/client-network.ts'
import { allow } from '../../http/allowed-methods.ts'
import { ErrorPage, providerRefused } from '../../web/error-page.tsx'
import { sendPage } from '../../web/send-page.tsx'

const path = '/sign-in/saml/:providerId'
/** Limit for a response of 256 kB, in base64 and percent-encoded. */
const bodyLimit = '600kb'

/** Parts of the service that the endpoints need. */
export interface SamlPorts extends Pick<Ports, 'database' | 'now' | 'deriveSecret' | 'authUrl'> {
  attemptLimits: Pick<AccountAttemptLimits, 'signInAddress'>
}

/**
 * The endpoints of SAML: the assertion consumer service, and the metadata of this service. A provider posts its response from its own page.
 * Browsers do not send the cookies of this site with it (`SameSite=Lax`), so there is no session and no CSRF token. The endpoint only
 * stores the response and redirects the browser to the page that reads its cookie. Anyone can send a response: each counts as an attempt of
 * the client address, before it is read, until it matches a request.
 */
export function createSamlEndpoints(ports: SamlPorts): Router {
  const router = Router({ caseSensitive: true, strict: true })

  async function samlProvider(providerId: string): Promise<StoredProvider> {
    const provider = await findProvider(ports, providerId)
    if (provider?.kind !== 'saml') throw notFound('no SAML provider has this identifier')
    return provider
  }

  const { signInAddress } = ports.attemptLimits

  router.all(path, allow('POST'))
  router.post(path, async (request, _, next) => {
    await signInAddress.attempt(clientNetwork(request.ip))
    next()
  })
  router.post(path, urlencoded({ extended: false, limit: bodyLimit, parameterLimit: 10 }), async (request, response) => {
    const provider = await samlProvider(request.params.providerId)
    try {
      const { receiveResponse } = await import('../../../schema/identity-providers/saml/receive.ts')
      const id = await receiveResponse(ports, provider, formValue(request.body, 'SAMLResponse'))
      await signInAddress.refund(clientNetwork(request.ip))
      response.redirect(303, `/sign-in/callback/${provider.id}?${new URLSearchParams({ state: id })}`)
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      sendPage(response, 400, ErrorPage(providerRefused(provider.name, error.message)))
    }
  })

  router.all(`${path}/metadata`, allow('GET'))
  router.get(`${path}/metadata`, async (request, response) => {
    const { id } = await samlProvider(request.params.providerId)
    const { serviceProviderMetadata } = await import('../../../schema/identity-providers/saml/saml.ts')
    response.type('application/samlmetadata+xml').send(serviceProviderMetadata(ports.authUrl, id))
  })
  return router
}

/** Returns the value of a parameter that was sent once. */
function formValue(body: unknown, name: string): string | null {
  const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined
  return typeof value === 'string' ? value : null
}
