import { addressAtProvider } from '../identity-providers/team-provider.ts'
import type { Browser, Page } from '../browser/browser.ts'
import type { TestService } from '../service/service.ts'
import { contentFor, post, requestIdOf } from './provider.ts'
import type { SamlProvider } from './provider.ts'
import { signedResponse } from './response.ts'

/** Signs in through a SAML provider as a person whom it states, with the key of `provider`. Returns the page to which this leads. */
export async function signInWithSaml(
  service: TestService,
  provider: SamlProvider,
  person: { subject: string; email: string },
  browser: Browser,
): Promise<Page> {
  const sent = await browser.open(`/sign-in/start/${provider.id}?return_to=/account`)
  const { issuer } = await service.database.prisma.identityProvider.findUniqueOrThrow({ where: { id: provider.id } })
  const content = contentFor(service, { ...provider, issuer }, requestIdOf(addressAtProvider(sent)))
  const said = { ...content, nameId: person.subject, attributes: { mail: [person.email] } }
  const { headers } = await post(provider.acsUrl, signedResponse(said, provider.signer))
  return browser.open(headers.get('location') ?? '')
}
