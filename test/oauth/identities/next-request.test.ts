import { describe, expect, test } from 'vitest'
import { graphql } from '../../support/http/graphql.ts'
import { request } from '../../support/http/request.ts'
import { useCiIssuers } from '../../support/identities/ci-issuer.ts'
import { createJob } from '../../support/identities/job.ts'
import type { Job } from '../../support/identities/job.ts'
import { executeAs, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

// What ends the access of a workload identity takes effect at the next request: its tokens are refused, and so are assertions, although
// the keys of the issuer are known.

const service = useService()
const { database, clock } = service
const { prisma } = database
const issuers = useCiIssuers()

async function change({ owner }: Job, document: string, variables: object): Promise<void> {
  const { refusal } = await executeAs(service, await sessionOf(service, owner), document, { ...variables })
  expect(refusal).toBeNull()
}
const update = (job: Job, changes: object) =>
  change(job, 'mutation ($input: UpdateWorkloadIdentityInput!) { updateWorkloadIdentity(input: $input) { identity { name } } }', {
    input: { id: job.id, ...changes },
  })
const repository = { claim: 'repository_id', value: '74' }

interface Cause {
  apply(job: Job, token: string): Promise<unknown>
  /** The error with which another assertion is refused; null if it is accepted. */
  next: string | null
}

const causes: Record<string, Cause> = {
  'the identity is deleted': {
    apply: (job) => change(job, 'mutation ($id: ID!) { deleteWorkloadIdentity(input: { id: $id }) { identity { name } } }', { id: job.id }),
    next: 'invalid_client',
  },
  'its access is revoked on the page of all access': {
    apply: ({ id }) => prisma.workloadIdentity.delete({ where: { id } }),
    next: 'invalid_client',
  },
  'an owner deletes the team': {
    apply: (job) =>
      change(job, 'mutation ($slug: String!) { deleteTeam(input: { team: $slug, confirmSlug: $slug }) { team { slug } } }', {
        slug: job.team.slug,
      }),
    next: 'invalid_client',
  },
  'the team is erased': { apply: ({ team: { id } }) => prisma.team.delete({ where: { id } }), next: 'invalid_client' },
  'the identity gets another issuer': {
    apply: async (job) => update(job, { issuer: (await issuers.create('/_services/token')).url }),
    next: 'invalid_grant',
  },
  'the identity gets other conditions': {
    apply: (job) => update(job, { conditions: [repository, { claim: 'environment', value: 'staging' }] }),
    next: 'invalid_grant',
  },
  'the identity gets fewer conditions': {
    apply: (job) => update(job, { conditions: [repository, { claim: 'environment', value: 'production' }] }),
    next: null,
  },
  'the job revokes its token': {
    apply: async ({ id }, token) => {
      const body = new URLSearchParams({ client_id: id, token })
      expect((await fetch(new URL('/api/oauth/revoke', service.url), { method: 'POST', body })).status).toBe(200)
    },
    next: null,
  },
  '15 minutes pass': { apply: async () => clock.advance(900_000), next: null },
}

describe.each(Object.entries(causes))('if %s', (_, { apply, next }) => {
  test('the next request with the token is refused', async () => {
    const job = await createJob(service, issuers)
    const token = String((await job.exchange()).body.access_token)
    const path = `/api/v1/teams/${job.team.slug}`
    expect((await request(service, 'GET', path, { token })).status).toBe(200)
    await apply(job, token)
    const { status, body } = await request(service, 'GET', path, { token })
    expect([status, body.code]).toEqual([401, 'unauthenticated'])
    expect((await graphql(service, token, '{ viewer { kind } }')).errors[0]?.extensions?.code).toBe('unauthenticated')
    const another = await job.exchange()
    expect([another.status < 500, another.body.error ?? null]).toEqual([true, next])
  })
})

test('a token keeps working when only the name changes, and lacks a scope as soon as the identity does', async () => {
  const job = await createJob(service, issuers)
  const token = String((await job.exchange()).body.access_token)
  const path = `/api/v1/teams/${job.team.slug}/members`
  await update(job, { name: 'Releases' })
  expect((await request(service, 'GET', path, { token })).status).toBe(200)
  await update(job, { scopes: ['acct:team:read'] })
  expect((await request(service, 'GET', path, { token })).body.code).toBe('insufficient_scope')
  await update(job, { scopes: ['acct:team:read', 'acct:team:members:read', 'acct:team:write'] })
  // It gets no more than it was issued with.
  expect((await request(service, 'PATCH', `/api/v1/teams/${job.team.slug}`, { token, body: { name: 'x' } })).body.code).toBe(
    'insufficient_scope',
  )
})

test('a restored team has its identities, whose tokens work again', async () => {
  const job = await createJob(service, issuers)
  await prisma.team.update({ where: { id: job.team.id }, data: { deletedAt: clock.now() } })
  expect((await job.exchange()).body.error).toBe('invalid_client')
  await prisma.team.update({ where: { id: job.team.id }, data: { deletedAt: null } })
  expect((await job.exchange()).status).toBe(200)
})

test('a change between the check of the assertion and the token ends in a refusal', async () => {
  const job = await createJob(service, issuers)
  await job.exchange()
  const { keys } = job.issuer
  clock.advance(600_001)
  // While the keys are read, the owner changes the conditions.
  job.issuer.keys = (response, incoming) =>
    void update(job, { conditions: [repository, { claim: 'environment', value: 'staging' }] }).then(() => keys(response, incoming))
  const { status, body } = await job.exchange()
  expect([status, body.error]).toEqual([400, 'invalid_grant'])
  expect(await prisma.oidcModel.count({ where: { kind: 'ClientCredentials', payload: { path: ['clientId'], equals: job.id } } })).toBe(1)
})

test('audit entries name the identity and how it authenticated, and it never makes an owner', async () => {
  const job = await createJob(service, issuers)
  await update(job, { scopes: ['acct:team:write', 'acct:team:invitations:write'] })
  const token = String((await job.exchange()).body.access_token)
  const path = `/api/v1/teams/${job.team.slug}`
  expect((await request(service, 'PATCH', path, { token, body: { name: 'Renamed' } })).status).toBe(200)
  const entry = await prisma.auditEntry.findFirstOrThrow({ where: { teamId: job.team.id, action: 'updateTeam' } })
  const { actorKind, authenticationMethod, actorName, credentialId } = entry
  expect([actorKind, authenticationMethod, actorName, credentialId]).toEqual(['team', 'workload_identity', 'Deploys', job.id])
  const invitation = { email: 'owner@example.test', role: 'owner' }
  expect((await request(service, 'POST', `${path}/invitations`, { token, body: invitation })).body.code).toBe('role_required')
})
