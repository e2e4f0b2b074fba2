import { SAML } from '@node-saml/node-saml'
import { UnusableProviderError } from '../protocol.ts'
import type { Protocol } from '../protocol.ts'
import type { StoredProvider } from '../stored-provider.ts'
import { optionsOf } from './service-provider.ts'
import { readStoredAnswer } from './stored-answer.ts'

/** SAML 2.0: requests by the HTTP-Redirect binding, not signed; responses by the HTTP-POST binding, which `receive.ts` verifies. */
export const saml: Protocol<StoredProvider> = {
  async requestUrl({ authUrl }, provider, { id, forceAuthentication, loginHint }) {
    const { ssoUrl, certificates } = provider
    if (ssoUrl === null || certificates.length === 0) throw new UnusableProviderError('The provider has no metadata.')
    const client = new SAML({
      ...optionsOf(authUrl, provider.id),
      idpCert: certificates,
      entryPoint: ssoUrl,
      generateUniqueId: () => id,
      forceAuthn: forceAuthentication,
      // The provider decides how users authenticate: a request for a password would exclude its passkeys.
      disableRequestedAuthnContext: true,
      // Not part of SAML, but read by Entra ID and AD FS.
      additionalAuthorizeParams: loginHint === null ? {} : { login_hint: loginHint },
    })
    return client.getAuthorizeUrlAsync('', undefined, {})
  },
  verify: async (_ports, _provider, request) => readStoredAnswer(request.answer),
}
