import { SAML, ValidateInResponseTo } from '@node-saml/node-saml'
import { ProviderError } from '../protocol.ts'
import { requireOneAssertion } from './response.ts'
import type { UnverifiedResponse } from './response.ts'
import { optionsOf } from './service-provider.ts'
import { childrenOf, isNamed, parseXml } from './xml.ts'

/** The trusted part of a provider. */
interface Signers {
  id: string
  certificates: readonly string[]
}

/**
 * Verifies the signature of the assertion in a response, and that of the response if it has one. Returns the assertion as it was signed:
 * what node-saml canonicalized and verified, parsed anew, so that nothing outside the signature is ever read. Throws a `ProviderError`.
 */
export async function verifySignatures(response: UnverifiedResponse, signers: Signers, authUrl: string): Promise<Element> {
  requireOneAssertion(response.root)
  const isResponseSigned = childrenOf(response.root, 'signature', 'Signature').length > 0
  const saml = new SAML({
    ...optionsOf(authUrl, signers.id),
    idpCert: [...signers.certificates],
    // A signature that is there must be valid.
    wantAuthnResponseSigned: isResponseSigned,
    // Times, audience and request are checked by `check-assertion.ts`: with the clock of the service, and with messages that name what is wrong.
    acceptedClockSkewMs: -1,
    audience: false,
    validateInResponseTo: ValidateInResponseTo.never,
  })
  const SAMLResponse = Buffer.from(response.xml).toString('base64')
  const xml = await saml.validatePostResponseAsync({ SAMLResponse }).then(({ profile }) => profile?.getAssertionXml?.(), refuse)
  const assertion = xml ? parseXml(xml) : null
  if (!assertion || !isNamed(assertion, 'assertion', 'Assertion')) return refuse()
  return assertion
}

/** Its errors are plain ones, whatever the cause. The form of the response is accepted, so that the signature remains. */
function refuse(cause?: unknown): never {
  throw new ProviderError(
    'The signature is not valid: the response was changed, or signed with a certificate that is not in the settings of the provider.',
    { cause },
  )
}
