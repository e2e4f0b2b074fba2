import { expect, test } from 'vitest'
import { useCiIssuers } from '../../support/identities/ci-issuer.ts'
import { jwtBearerGrant } from '../../support/identities/identity.ts'
import { createJob } from '../../support/identities/job.ts'
import type { Job } from '../../support/identities/job.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const issuers = useCiIssuers()

/** The response to a new assertion, without the members that differ each time. With an unknown parameter, oidc-provider responds. */
async function responseTo({ id, issuer, claims }: Job, fields: Record<string, string>) {
  const assertion = await issuer.sign(claims())
  const body = new URLSearchParams({ grant_type: jwtBearerGrant, client_id: id, assertion, ...fields })
  const response = await fetch(new URL('/api/oauth/token', service.url), { method: 'POST', body })
  const { access_token: token, ...rest }: Record<string, unknown> = await response.json()
  const headers = Object.fromEntries(response.headers)
  for (const name of ['date', 'x-request-id', 'content-length']) delete headers[name]
  const [stored] = await service.database.prisma.oidcModel.findMany({
    where: { kind: 'ClientCredentials' },
    orderBy: { expiresAt: 'desc' },
    take: 1,
  })
  const { iat, exp, ...payload } = Object(stored?.payload)
  return { status: response.status, headers, token: String(token).length, body: rest, payload, seconds: exp - iat }
}

test.each<Record<string, string>>([{}, { scope: 'acct:team:read' }, { scope: 'acct:team:members:read acct:team:read' }])(
  'the response to the usual request with %j is that of oidc-provider',
  async (fields) => {
    const job = await createJob(service, issuers)
    const direct = await responseTo(job, fields)
    service.clock.advance(1000)
    expect(direct).toEqual(await responseTo(job, { ...fields, unknown: '1' }))
    expect([direct.status, direct.seconds]).toEqual([200, 900])
  },
)
