import { expect, test } from 'vitest'
import { parseSamlMetadata } from '../../../schema/identity-providers/saml/metadata.ts'
import { saml } from '../../../schema/identity-providers/saml/saml.ts'
import { findProvider } from '../../../schema/identity-providers/stored-provider.ts'
import { Browser } from '../../support/browser/browser.ts'
import { canIssueCertificates } from '../../support/postgres/certificates.ts'
import { createSamlProvider, requestOf } from '../../support/saml/provider.ts'
import { createSigner } from '../../support/saml/signer.ts'
import { hasSimpleSamlPhp, startSimpleSamlPhp } from '../../support/saml/simplesamlphp.ts'
import { anonymous, contextOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()

test.runIf(hasSimpleSamlPhp && canIssueCertificates)('SimpleSAMLphp signs a person in by its metadata', async () => {
  const signer = createSigner()
  const program = await startSimpleSamlPhp(signer)
  const { prisma } = service.database
  const { id, acsUrl } = await createSamlProvider(service, [signer], { groupsClaim: 'groups' })
  const read = parseSamlMetadata(await program.metadata(), { now: service.clock.now, outgoing: service.outgoing })
  expect(read).toEqual({
    issuer: `${program.origin}/saml2/idp/metadata.php`,
    ssoUrl: `${program.origin}/saml2/idp/SSOService.php`,
    certificates: [signer.certificate],
  })
  await prisma.identityProvider.update({ where: { id }, data: read })
  program.trust(`${acsUrl}/metadata`, acsUrl)
  const ports = { ...contextOf(service, anonymous), authUrl: service.url }
  const stored = await findProvider(ports, id)
  if (!stored) throw new Error('no provider')

  const browser = new Browser(program.origin)
  const signIn = async (purpose: 'sign_in' | 'confirm') => {
    const requestId = await requestOf(service, { id, issuer: read.issuer, signer, acsUrl }, { purpose })
    const request = {
      id: requestId,
      createdAt: service.clock.now(),
      forceAuthentication: purpose === 'confirm',
      loginHint: null,
      storedResponse: null,
    }
    const first = await browser.open(await saml.requestUrl(ports, stored, request))
    const asksForPassword = first.root.querySelector('input[type=password]') !== null
    const page = asksForPassword ? await browser.press(first, 'Login', { Username: 'ada', Password: 'lovelace' }) : first
    const form = page.root.querySelector('form')
    const SAMLResponse = form?.querySelector('input[name=SAMLResponse]')?.getAttribute('value') ?? ''
    expect(form?.getAttribute('action')).toBe(acsUrl)
    const { status } = await fetch(acsUrl, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ SAMLResponse }) })
    expect(status).toBe(303)
    const { answer } = await prisma.signInRequest.findUniqueOrThrow({ where: { id: requestId } })
    return { asksForPassword, answer }
  }
  const assertion = { subject: 'ada', email: 'ada@example.com', name: 'Ada Lovelace', groups: ['staff', 'board'] }
  expect(await signIn('sign_in')).toMatchObject({ asksForPassword: true, answer: { assertion } })
  expect(await signIn('sign_in')).toMatchObject({ asksForPassword: false, answer: { assertion } })
  expect(await signIn('confirm')).toMatchObject({ asksForPassword: true, answer: { assertion } })
})
