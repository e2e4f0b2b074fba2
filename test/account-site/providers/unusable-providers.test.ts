import { beforeEach, describe, expect, test } from 'vitest'
import { counters } from '../../../src/metrics/declarations.ts'
import { createMetrics } from '../../../src/metrics/metrics.ts'
import { Browser } from '../../support/browser/browser.ts'
import { json } from '../../support/identities/ci-issuer.ts'
import { personAtProvider } from '../../support/identity-providers/person-at-provider.ts'
import { useProviders } from '../../support/identity-providers/provider.ts'
import type { TestProvider } from '../../support/identity-providers/provider.ts'
import { useGithub } from '../../support/identity-providers/social.ts'
import { answerOf, signInAtProvider } from '../../support/identity-providers/team-provider.ts'
import { parseMetrics } from '../../support/metrics/prometheus-text.ts'
import { executeAs, operator } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

// What the operator learns of a sign-in that fails. What the person sees: refused-answers.slow.test.ts.

const client = { clientId: 'client-at-provider', clientSecret: 'secret-at-provider' }
const github = useGithub(client)
const socialProviders = { github: { ...client, origin: '' } }
const service = useService({ hostname: 'localhost', socialProviders })
const providers = useProviders(service.clock.now)
const metrics = createMetrics({ readsDatabase: false })

async function readCounts() {
  const samples = parseMetrics((await metrics.read()).text)
  const valueOf = (name: string, labels: Record<string, string>) =>
    samples.find((sample) => sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
      ?.value ?? 0
  const failuresOf = (kind: string) => valueOf(counters.providerFailures.name, { kind })
  return {
    failed: valueOf(counters.signIns.name, { method: 'provider', result: 'failed' }),
    unusable: { oidc: failuresOf('oidc'), github: failuresOf('github') },
  }
}

beforeEach(() => {
  service.providerFailures.length = 0
  socialProviders.github.origin = github.origin()
})

const closed = (response: { destroy(): unknown }) => void response.destroy()
const unusable: readonly [name: string, change: (provider: TestProvider) => unknown, reason: string][] = [
  ['whose metadata cannot be read, at the start', (p) => (p.metadata = closed), 'The metadata of the identity provider cannot be read.'],
  [
    'whose keys cannot be read',
    (p) => (p.keys = json({}, 503)),
    'The key set of the identity provider cannot be read. The response has the status 503.',
  ],
  ['that goes down during the sign-in', (p) => (p.token = closed), 'The identity provider cannot be reached.'],
  ['that fails', (p) => (p.token = json({}, 500)), 'The identity provider responded with the status 500.'],
  [
    'that refuses the client, without the description, which may contain the secret',
    (p) => (p.token = json({ error: 'invalid_client', error_description: `wrong secret ${p.clientSecret}` }, 401)),
    'The identity provider responded with invalid_client.',
  ],
]
const refused: readonly [name: string, change: (provider: TestProvider) => unknown][] = [
  ['the provider denies access', (p) => (p.response = ({ state = '' }) => ({ state, error: 'access_denied' }))],
  ['the browser claims that the client is refused', (p) => (p.response = ({ state = '' }) => ({ state, error: 'unauthorized_client' }))],
  ['the code is not valid', (p) => (p.token = json({ error: 'invalid_grant' }, 400))],
]

/** Signs in through a provider, as far as it leads. */
async function attempt(change: (provider: TestProvider) => unknown) {
  const { provider, row, team } = await personAtProvider(service, providers)
  change(provider)
  const browser = new Browser(service.url)
  const sent = await browser.open(`/sign-in/start/${row.id}`)
  const page = sent.status === 400 ? sent : await browser.open(await answerOf(sent))
  expect(page.status).toBe(400)
  return { row, team }
}

const storedFailure = ({ id }: { id: string }) =>
  service.database.prisma.identityProvider.findUniqueOrThrow({ where: { id }, select: { failedAt: true, failure: true } })

describe('a sign-in through a provider that cannot be used', () => {
  test.each(unusable)('%s, is counted, and one log line names the provider', async (_, change, reason) => {
    const before = await readCounts()
    const { row, team } = await attempt(change)
    expect(await readCounts()).toEqual({ failed: before.failed + 1, unusable: { ...before.unusable, oidc: before.unusable.oidc + 1 } })
    expect(service.providerFailures).toEqual([
      expect.objectContaining({ provider: row.id, kind: 'oidc', team: team.slug, reason: expect.stringContaining(reason), level: 40 }),
    ])
    expect(service.providerFailures[0]?.requestId).toBeTruthy()
    expect(await storedFailure(row)).toEqual({ failedAt: expect.any(Date), failure: expect.stringContaining(reason) })
  })

  test('of all teams is counted by its kind', async () => {
    github.status = 503
    const before = await readCounts()
    expect((await signInAtProvider(new Browser(service.url), 'github')).status).toBe(400)
    expect(await readCounts()).toEqual({ failed: before.failed + 1, unusable: { ...before.unusable, github: before.unusable.github + 1 } })
    expect(service.providerFailures).toEqual([expect.objectContaining({ provider: 'github', kind: 'github' })])
  })
})

test.each(refused)('a sign-in is counted as failed, without a log line and without a stored failure, if %s', async (_, change) => {
  const before = await readCounts()
  const { row } = await attempt(change)
  expect(await storedFailure(row)).toEqual({ failedAt: null, failure: null })
  expect(await readCounts()).toEqual({ ...before, failed: before.failed + 1 })
  expect(service.providerFailures).toEqual([])
})

describe('the last failure of a provider', () => {
  const startSignIn = async (id: string) => {
    expect((await new Browser(service.url).open(`/sign-in/start/${id}`)).status).toBe(400)
  }

  test('is stored once a minute', async () => {
    const { row } = await attempt((provider) => (provider.metadata = closed))
    const { failedAt } = await storedFailure(row)
    await startSignIn(row.id)
    expect(await storedFailure(row)).toMatchObject({ failedAt })
    service.clock.advance(61_000)
    await startSignIn(row.id)
    expect((await storedFailure(row)).failedAt?.getTime()).toBeGreaterThan((failedAt?.getTime() ?? 0) + 60_000)
  })

  test('is reset by another issuer, because it says nothing about the new one', async () => {
    const { row } = await attempt((provider) => (provider.metadata = closed))
    const other = await providers.create()
    const document = 'mutation ($input: UpdateIdentityProviderInput!) { updateIdentityProvider(input: $input) { __typename } }'
    const { refusal } = await executeAs(service, operator, document, { input: { id: row.id, issuer: other.issuer } })
    expect([refusal, await storedFailure(row)]).toEqual([null, { failedAt: null, failure: null }])
  })
})
