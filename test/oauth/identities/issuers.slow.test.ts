import type { ServerResponse } from 'node:http'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { createIssuerKeys } from '../../../schema/workload-identities/assertions/issuer-keys.ts'
import { createOutgoingRequests } from '../../../src/outgoing/outgoing-requests.ts'
import { startDnsServer } from '../../support/http/dns-server.ts'
import { createKey, githubSuffix, json, useCiIssuers } from '../../support/identities/ci-issuer.ts'
import type { CiIssuer } from '../../support/identities/ci-issuer.ts'
import { createJob, expectRefusal, useProvider } from '../../support/identities/job.ts'
import { useService } from '../../support/service/service.ts'

// Issuers that do not answer as OpenID Connect Discovery describes it.

const service = useService()
const { clock } = service
const issuers = useCiIssuers()
beforeAll(async () => useProvider(await createJob(service, issuers)))

const redirect = (to: string) => (response: ServerResponse) => void response.writeHead(302, { location: to }).end()

/** What is wrong with an issuer, and what the refusal says. */
const rows: [fault: string, arrange: (issuer: CiIssuer) => unknown, description: RegExp][] = [
  ['that closes the connection', (of) => (of.metadata = (response) => response.destroy()), /connection was closed/],
  ['that answers 500', (of) => (of.metadata = json({}, 500)), /status 500/],
  ['that answers 404', (of) => (of.metadata = json({}, 404)), /status 404/],
  ['whose metadata is not JSON', (of) => (of.metadata = (response) => response.end('<html>')), /metadata .* not JSON/],
  ['whose metadata is a list', (of) => (of.metadata = json([])), /metadata .* no jwks_uri/],
  ['whose metadata has no jwks_uri', (of) => (of.metadata = json({ issuer: of.url })), /metadata .* no jwks_uri/],
  ['whose jwks_uri is a number', (of) => (of.metadata = json({ issuer: of.url, jwks_uri: 1 })), /metadata .* no jwks_uri/],
  [
    'whose metadata is that of another issuer',
    (of) => (of.metadata = json({ issuer: `${of.url}/`, jwks_uri: `${of.url}/jwks` })),
    /another issuer/,
  ],
  [
    'whose metadata has 10 MB',
    (of) => (of.metadata = json({ issuer: of.url, jwks_uri: `${of.url}/jwks`, a: 'x'.repeat(10_000_000) })),
    /256 kB/,
  ],
  [
    'whose metadata redirects',
    async (of) => {
      const to = await issuers.create()
      to.metadata = json({ issuer: of.url, jwks_uri: `${of.url}/jwks` })
      of.metadata = redirect(`${to.url}/.well-known/openid-configuration`)
    },
    /status 302/,
  ],
  ['whose key set redirects', (of) => (of.keys = redirect(`${of.url}/jwks?again`)), /key set .* status 302/],
  ['whose key set has 10 MB', (of) => (of.keys = json({ keys: [of.key.publicJwk, { x: 'x'.repeat(10_000_000) }] })), /256 kB/],
  ['whose key set answers 500', (of) => (of.keys = json({}, 500)), /key set .* status 500/],
  ['whose key set is not JSON', (of) => (of.keys = (response) => response.end('keys')), /key set .* not JSON/],
  ['whose key set is a list', (of) => (of.keys = json([of.key.publicJwk])), /not a JSON Web Key Set/],
  ['whose key set is empty', (of) => (of.keys = json({ keys: [] })), /no usable key/],
  [
    'whose keys are shared secrets',
    (of) => (of.keys = json({ keys: [{ kty: 'oct', kid: 'key-1', k: 'c2VjcmV0' }] })),
    /private or symmetric/,
  ],
  ['whose keys are for encryption', (of) => (of.keys = json({ keys: [{ ...of.key.publicJwk, use: 'enc' }] })), /no usable key/],
  ['whose keys are numbers', (of) => (of.keys = json({ keys: [1, null, 'x', []] })), /not a JSON Web Key Set/],
  ['whose key is malformed', (of) => (of.keys = json({ keys: [{ ...of.key.publicJwk, n: '!!' }] })), /no usable key/],
  ['whose key has no modulus', (of) => (of.keys = json({ keys: [{ ...of.key.publicJwk, n: 'A', e: 'A' }] })), /no usable key/],
  ['whose key has 512 bits', (of) => (of.keys = json({ keys: [{ ...of.key.publicJwk, n: 'A'.repeat(86) }] })), /no usable key/],
  ['whose key has 100,000 bits', (of) => (of.keys = json({ keys: [{ ...of.key.publicJwk, n: 'A'.repeat(17_000) }] })), /no usable key/],
  [
    'whose keys are on a private address',
    (of) => (of.metadata = json({ issuer: of.url, jwks_uri: 'https://10.0.0.1/jwks' })),
    /public internet/,
  ],
  [
    'whose keys are at the metadata of a cloud',
    (of) => (of.metadata = json({ issuer: of.url, jwks_uri: 'http://169.254.169.254/' })),
    /https URL/,
  ],
  ['whose keys are in a file', (of) => (of.metadata = json({ issuer: of.url, jwks_uri: 'file:///etc/passwd' })), /https URL/],
  ['whose keys are at an unused port', (of) => (of.metadata = json({ issuer: of.url, jwks_uri: 'http://127.0.0.1:9/jwks' })), /refused/],
  [
    'whose keys are those of another issuer with the same kid',
    async (of) => {
      const other = await issuers.create()
      of.keys = json({ keys: [other.key.publicJwk] })
    },
    /signature/,
  ],
]

describe('an ID token is refused, nothing changes, and the repaired issuer works after ten minutes, of an issuer', () => {
  test.each(rows)('%s', async (_, arrange, description) => {
    const job = await createJob(service, issuers, await issuers.create(githubSuffix))
    const { metadata, keys } = job.issuer
    await arrange(job.issuer)
    await expectRefusal(service, () => job.exchange(), { error: 'invalid_grant', description })
    Object.assign(job.issuer, { metadata, keys })
    clock.advance(600_001)
    expect((await job.exchange()).status).toBe(200)
  })

  test('that sends a byte a second', { timeout: 20_000 }, async () => {
    const job = await createJob(service, issuers)
    job.issuer.metadata = (response) => {
      const timer = setInterval(() => response.write(' '), 1000)
      response.on('close', () => clearInterval(timer))
    }
    await expectRefusal(service, () => job.exchange(), { error: 'invalid_grant', description: /within 5 seconds/ })
  })
})

test('a failure is remembered for seconds, and simultaneous requests ask the issuer once', async () => {
  const job = await createJob(service, issuers)
  const { metadata } = job.issuer
  job.issuer.metadata = json({}, 503)
  await Promise.all(Array.from({ length: 5 }, () => job.exchange()))
  await job.exchange()
  expect(job.issuer.requests).toHaveLength(1)
  job.issuer.metadata = metadata
  clock.advance(5001)
  const results = await Promise.all(Array.from({ length: 5 }, () => job.exchange()))
  expect(results.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect(job.issuer.requests.slice(1)).toEqual(['/.well-known/openid-configuration', '/jwks'])
})

test('a name that has a private address by now is not connected to', async () => {
  let connections = 0
  const listener = createServer((socket) => {
    connections++
    socket.destroy()
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = listener.address() as AddressInfo
  await using dns = await startDnsServer(() => ['127.0.0.1'])
  const outgoing = createOutgoingRequests({ outgoingAllowedHosts: [], dnsServers: [dns.address] })
  const issuer = `https://ci.example.com:${port}`
  // When the identity was created, the name had a public address.
  expect(outgoing.brokenRule(issuer)).toBeNull()
  await expect(createIssuerKeys({ outgoing, now: clock.now }).find(issuer, 'key-1')).rejects.toThrow('has no public address')
  expect([connections, dns.queries.length > 0]).toEqual([0, true])
  await outgoing.close()
  listener.close()
})

describe('keys of issuers', () => {
  test('a new key works within a minute, and a removed one ten minutes later at the latest', async () => {
    const job = await createJob(service, issuers)
    const old = job.issuer.key
    expect((await job.exchange()).status).toBe(200)
    job.issuer.key = await createKey('ES256', 'key-2')
    // Right after the keys were read, an unknown one is not asked for again.
    expect((await job.exchange()).body.error_description).toMatch(/no such key/)
    clock.advance(60_001)
    expect((await job.exchange()).status).toBe(200)
    const ofOld = async () => job.exchange(await job.issuer.sign(job.claims(), {}, old))
    expect((await ofOld()).body.error_description).toMatch(/no such key/)
    job.issuer.key = old
    clock.advance(60_001)
    expect((await job.exchange()).status).toBe(200)
    job.issuer.keys = json({ keys: [(await createKey()).publicJwk] })
    clock.advance(599_000)
    expect((await ofOld()).status).toBe(200)
    clock.advance(2000)
    expect((await ofOld()).body.error_description).toMatch(/signature/)
  })

  test('are not used beyond ten minutes while the issuer fails', async () => {
    const job = await createJob(service, issuers)
    expect((await job.exchange()).status).toBe(200)
    job.issuer.metadata = json({}, 500)
    clock.advance(590_000)
    expect((await job.exchange()).status).toBe(200)
    clock.advance(11_000)
    expect((await job.exchange()).body.error_description).toMatch(/status 500/)
  })

  test('of two issuers with one kid are kept apart', async () => {
    const [one, two] = [await createJob(service, issuers), await createJob(service, issuers)]
    expect([(await one.exchange()).status, (await two.exchange()).status]).toEqual([200, 200])
    const ofTwo = await two.issuer.sign(one.claims())
    expect((await one.exchange(ofTwo)).body.error_description).toMatch(/signature/)
  })

  test('unknown ones make the issuer answer once a minute at most', async () => {
    const job = await createJob(service, issuers)
    await job.exchange()
    for (let index = 0; index < 20; index++) await job.exchange(await job.issuer.sign(job.claims(), { kid: `unknown-${index}` }))
    expect(job.issuer.requests).toHaveLength(2)
  })
})
