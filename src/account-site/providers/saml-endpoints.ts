import { Router, urlencoded } from 'express'
import type { Ports } from '../../../schema/core/context.ts'
import { notFound } from '../../../schema/core/errors.ts'
import { findProvider } from '../../../schema/identity-providers/stored-provider.ts'
import type { StoredProvider } from '../../../schema/identity-providers/stored-provider.ts'
import { ProviderError } from '../../../schema/identity-providers/protocol.ts'
import { allow } from '../../http/allowed-methods.ts'
import { ErrorPage, providerRefused } from '../../web/error-page.tsx'
import { sendPage } from '../../web/send-page.tsx'

const path = '/sign-in/saml/:providerId'
/** A response of 256 kB, in base64 and percent-encoded. */
const bodyLimit = '600kb'

/** What the endpoints need of the service. */
export type SamlPorts = Pick<Ports, 'database' | 'now' | 'deriveSecret' | 'authUrl'>

/**
 * The endpoints of SAML: the assertion consumer service, and the metadata of this service. A provider posts its response from a page of its
 * own. The cookies of this site are not sent with it (`SameSite=Lax`), so it has no session and no CSRF token. The endpoint only
 * stores the response and sends the browser to the page that reads its cookie.
 */
export function createSamlEndpoints(ports: SamlPorts): Router {
  const router = Router({ caseSensitive: true, strict: true })

  async function samlProvider(providerId: string): Promise<StoredProvider> {
    const provider = await findProvider(ports, providerId)
    if (provider?.kind !== 'saml') throw notFound('no SAML provider has this identifier')
    return provider
  }

  router.all(path, allow('POST'))
  router.post(path, urlencoded({ extended: false, limit: bodyLimit, parameterLimit: 10 }), async (request, response) => {
    const provider = await samlProvider(request.params.providerId)
    try {
      const { receiveResponse } = await import('../../../schema/identity-providers/saml/receive.ts')
      const id = await receiveResponse(ports, provider, formValue(request.body, 'SAMLResponse'))
      response.redirect(303, `/sign-in/callback/${provider.id}?${new URLSearchParams({ state: id })}`)
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      sendPage(response, 400, ErrorPage(providerRefused(provider.name, error.message)))
    }
  })

  router.all(`${path}/metadata`, allow('GET'))
  router.get(`${path}/metadata`, async (request, response) => {
    const { id } = await samlProvider(request.params.providerId)
    const { serviceProviderMetadata } = await import('../../../schema/identity-providers/saml/service-provider.ts')
    response.type('application/samlmetadata+xml').send(serviceProviderMetadata(ports.authUrl, id))
  })
  return router
}

/** The value of a parameter that was sent once. */
function formValue(body: unknown, name: string): string | null {
  const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined
  return typeof value === 'string' ? value : null
}
