import { expect, test } from 'vitest'
import { json, useCiIssuers } from '../../support/identities/ci-issuer.ts'
import type { CiIssuer } from '../../support/identities/ci-issuer.ts'
import { createJob } from '../../support/identities/job.ts'
import { useService } from '../../support/service/service.ts'

// Metadata of an issuer that is wrong, until its administrator corrects it.

const service = useService()
const issuers = useCiIssuers()

test.each<[string, (issuer: CiIssuer) => object]>([
  ['is that of another issuer', ({ url }) => ({ issuer: `${url}/`, jwks_uri: `${url}/jwks` })],
  ['names a key set that does not exist', ({ url }) => ({ issuer: url, jwks_uri: `${url}/missing` })],
])('metadata that %s is used for seconds only', async (_, wrong) => {
  const job = await createJob(service, issuers)
  const { metadata } = job.issuer
  job.issuer.metadata = json(wrong(job.issuer))
  expect((await job.exchange()).status).toBe(400)
  job.issuer.metadata = metadata
  service.clock.advance(5001)
  expect((await job.exchange()).status).toBe(200)
})
