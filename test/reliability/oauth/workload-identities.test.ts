import { beforeAll, describe, expect, test } from 'vitest'
import { presets } from '../../../schema/workload-identities/presets.ts'
import { createOwnedTeam } from '../../support/data/team.ts'
import { request } from '../../support/http/request.ts'
import { githubClaims, useCiIssuers } from '../../support/identities/ci-issuer.ts'
import type { CiIssuer } from '../../support/identities/ci-issuer.ts'
import { createIdentity, exchangeAssertion } from '../../support/identities/identity.ts'
import { usePair } from '../../support/processes/service-pair.ts'
import { executeAs, operator } from '../../support/service/in-process.ts'

// Workload identities at two processes, both of which keep the keys of issuers.

const pair = usePair({ OUTGOING_ALLOWED_HOSTS: '127.0.0.1' })
const issuers = useCiIssuers()
const outside = { database: pair.database, clock: { now: () => new Date(), advance: () => {} }, mails: [] }
let issuer: CiIssuer
beforeAll(async () => {
  issuer = await issuers.create()
})

const sign = () => issuer.sign(githubClaims(issuer.url, pair.url))
const conditions = presets.github.listConditions({ projectId: '74', environment: 'production' })
const slots = [0, 1] as const
const exchange = (id: string, assertion: string) => exchangeAssertion(pair, { client_id: id, assertion })

async function createJob() {
  const { team, owner } = await createOwnedTeam(pair.database)
  const id = await createIdentity(outside, team, { issuer: issuer.url, conditions })
  const tokens: string[] = []
  for (const slot of slots) {
    await pair.useOnly(slot)
    tokens.push(String((await exchange(id, await sign())).body.access_token))
  }
  return { team, owner, id, tokens }
}

async function execute(document: string, variables: object): Promise<void> {
  expect((await executeAs(outside, operator, document, { ...variables })).refusal).toBeNull()
}
const update = (input: object) =>
  execute('mutation ($input: UpdateWorkloadIdentityInput!) { updateWorkloadIdentity(input: $input) { identity { name } } }', { input })

const causes: [cause: string, apply: (job: Awaited<ReturnType<typeof createJob>>) => Promise<void>, next: string | null][] = [
  [
    'the identity is deleted',
    ({ id }) => execute('mutation ($id: ID!) { deleteWorkloadIdentity(input: { id: $id }) { identity { name } } }', { id }),
    'invalid_client',
  ],
  [
    'the identity gets other conditions',
    ({ id }) => update({ id, conditions: ['sub', 'environment'].map((claim) => ({ claim, value: 'other' })) }),
    'invalid_grant',
  ],
  ['the identity gets another issuer', ({ id }) => update({ id, issuer: `${issuers.origin()}/other` }), 'invalid_grant'],
  [
    'the team is deleted',
    ({ team: { slug } }) =>
      execute('mutation ($slug: String!) { deleteTeam(input: { team: $slug, confirmSlug: $slug }) { team { slug } } }', { slug }),
    'invalid_client',
  ],
]

test('an assertion is accepted once, however many requests bring it to both processes at once', async () => {
  const { team } = await createOwnedTeam(pair.database)
  const id = await createIdentity(outside, team, { issuer: issuer.url, conditions })
  const assertion = await sign()
  const results = await Promise.all(Array.from({ length: 20 }, () => exchange(id, assertion)))
  expect(results.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array(19).fill(400)])
})

describe.each(causes)('if %s', (_, apply, next) => {
  test('both processes refuse its tokens and assertions at the next request', async () => {
    const job = await createJob()
    const statuses = () =>
      Promise.all(job.tokens.map(async (token) => (await request(pair, 'GET', `/api/v1/teams/${job.team.slug}`, { token })).status))
    for (const slot of slots) {
      await pair.useOnly(slot)
      expect(await statuses()).toEqual([200, 200])
    }
    await apply(job)
    for (const slot of slots) {
      await pair.useOnly(slot)
      expect(await statuses()).toEqual([401, 401])
      expect((await exchange(job.id, await sign())).body.error).toBe(next)
    }
  })
})
