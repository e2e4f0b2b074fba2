import { describe, expect, test } from 'vitest'
import { canIssueCertificates } from '../../support/postgres/certificates.ts'
import { contentFor, createSamlProvider, post, requestOf, useSigners } from '../../support/saml/provider.ts'
import { signedResponse } from '../../support/saml/response.ts'
import { useService } from '../../support/service/service.ts'

const quota = 3
const service = useService({ rateLimitSignInAddress: quota })

describe.runIf(canIssueCertificates)('posts to the address of a SAML provider', () => {
  const signers = useSigners('own')

  test('are limited by client address, but for those that answer a request', async () => {
    const provider = await createSamlProvider(service, [signers.own])
    const answer = async () => {
      const id = await requestOf(service, provider)
      return post(provider.acsUrl, signedResponse(contentFor(service, provider, id), signers.own))
    }
    for (let count = 0; count <= quota; count++) expect((await answer()).status).toBe(303)
    const unknown = signedResponse(contentFor(service, provider, `_${'0'.repeat(32)}`), signers.own)
    for (let count = 0; count < quota; count++) expect((await post(provider.acsUrl, unknown)).status).toBe(400)
    const refused = await post(provider.acsUrl, unknown)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)])
    expect(await refused.text()).toContain('Try again')
    // Refused without being read: it is larger than any that is read.
    expect((await post(provider.acsUrl, 'x'.repeat(1_000_000))).status).toBe(429)
    expect((await answer()).status).toBe(429)
    service.clock.advance(16 * 60_000)
    await service.database.prisma.attemptCount.updateMany({ data: { expire: 0 } })
    expect((await answer()).status).toBe(303)
  })
})
