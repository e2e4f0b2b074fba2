import { beforeAll, describe, expect, test } from 'vitest'
import { githubClaims, useCiIssuers } from '../../support/identities/ci-issuer.ts'
import { createJob, expectRefusal, useProvider } from '../../support/identities/job.ts'
import type { Job } from '../../support/identities/job.ts'
import { useService } from '../../support/service/service.ts'

// ID tokens that their issuer has signed, but that are not for this identity, this service or this time.

const service = useService()
const issuers = useCiIssuers()
let job: Job
beforeAll(async () => {
  job = await createJob(service, issuers)
  await useProvider(job)
})

const now = () => Math.floor(service.clock.now().getTime() / 1000)
const without = (claim: string) => ({ [claim]: undefined })

/** What is changed in a valid ID token, and the claim that the refusal names. */
const rows: [attack: string, changes: () => object, claim: string][] = [
  ['of another issuer', () => ({ iss: `${issuers.origin()}/other` }), 'iss'],
  ['of an issuer with a slash at the end', () => ({ iss: `${job.issuer.url}/` }), 'iss'],
  ['of an issuer in upper case', () => ({ iss: job.issuer.url.replace('http', 'HTTP') }), 'iss'],
  ['without an issuer', () => without('iss'), 'iss'],
  ['of a list of issuers', () => ({ iss: [job.issuer.url] }), 'iss'],
  ['for another audience', () => ({ aud: 'https://other.example.com' }), 'aud'],
  ['for the audience that GitHub sets by default', () => ({ aud: 'https://github.com/octo-org' }), 'aud'],
  ['for a list of other audiences', () => ({ aud: ['https://a.example.com', 'https://b.example.com'] }), 'aud'],
  ['for an empty list of audiences', () => ({ aud: [] }), 'aud'],
  ['without an audience', () => without('aud'), 'aud'],
  ['for an audience with a slash at the end', () => ({ aud: `${service.url}/` }), 'aud'],
  ['for an audience that begins like ours', () => ({ aud: `${service.url}.example.com` }), 'aud'],
  ['for the token endpoint', () => ({ aud: `${service.url}/api/oauth/token` }), 'aud'],
  ['for an audience in an object', () => ({ aud: { 0: service.url } }), 'aud'],
  ['that has expired', () => ({ exp: now() - 61 }), 'exp'],
  ['that expired long ago', () => ({ iat: now() - 90_000, exp: now() - 86_400 }), 'exp'],
  ['that is valid for two hours', () => ({ exp: now() + 7200 }), 'exp'],
  ['that is valid for ever', () => ({ exp: 1e300 }), 'exp'],
  ['with an expiry in milliseconds', () => ({ exp: (now() + 600) * 1000 }), 'exp'],
  ['without an expiry', () => without('exp'), 'exp'],
  ['with a text as expiry', () => ({ exp: String(now() + 600) }), 'exp'],
  ['with null as expiry', () => ({ exp: null }), 'exp'],
  ['that is not valid yet', () => ({ nbf: now() + 90 }), 'nbf'],
  ['with a text as begin', () => ({ nbf: 'now' }), 'nbf'],
  ['without its time of issuance', () => without('iat'), 'iat'],
  ['that was issued in the future', () => ({ iat: now() + 90 }), 'iat'],
  ['with a text as time of issuance', () => ({ iat: 'now' }), 'iat'],
  ['without an identifier', () => without('jti'), 'jti'],
  ['with an empty identifier', () => ({ jti: '' }), 'jti'],
  ['with a number as identifier', () => ({ jti: 1 }), 'jti'],
  ['of another repository with the same name', () => ({ repository_id: '75' }), 'repository_id'],
  [
    'of a repository of another owner',
    () => ({ repository: 'evil/octo-repo', repository_owner: 'evil', repository_id: '9' }),
    'repository_id',
  ],
  ['of a pull request from a fork', () => ({ event_name: 'pull_request', ref: 'refs/pull/7/merge', ref_protected: 'false' }), 'event_name'],
  ['of a pull request, with all that is demanded', () => ({ event_name: 'pull_request' }), 'event_name'],
  ['of a workflow that a pull request started on the target', () => ({ event_name: 'pull_request_target' }), 'event_name'],
  ['of another environment', () => ({ environment: 'staging' }), 'environment'],
  ['of an environment that begins like it', () => ({ environment: 'production-eu' }), 'environment'],
  ['of no environment', () => without('environment'), 'environment'],
  ['of another branch', () => ({ ref: 'refs/heads/feature' }), 'ref'],
  ['of a tag with the name of the branch', () => ({ ref: 'refs/tags/main', ref_type: 'tag' }), 'ref'],
  ['of an unprotected branch', () => ({ ref_protected: 'false' }), 'ref_protected'],
  ['with a claim in a list', () => ({ environment: ['production'] }), 'environment'],
  ['with a claim in an object', () => ({ environment: { value: 'production' } }), 'environment'],
  ['with null as claim', () => ({ environment: null }), 'environment'],
  ['with true as claim', () => ({ environment: true }), 'environment'],
  ['with a claim in another case', () => ({ environment: 'Production' }), 'environment'],
  ['with a space after a claim', () => ({ environment: 'production ' }), 'environment'],
  ['with a space before a claim', () => ({ environment: ' production' }), 'environment'],
  ['with a line break after a claim', () => ({ environment: 'production\n' }), 'environment'],
  ['with NUL in a claim', () => ({ environment: 'production\0' }), 'environment'],
  ['with a Cyrillic letter in a claim', () => ({ environment: 'pr\u043eduction' }), 'environment'],
  ['with an invisible character in a claim', () => ({ environment: 'produc\u200btion' }), 'environment'],
  ['with full-width digits in a claim', () => ({ repository_id: '\uff17\uff14' }), 'repository_id'],
  ['with a number that has the same digits and a fraction', () => ({ repository_id: 74.5 }), 'repository_id'],
  ['with the name of a claim in another case', () => ({ environment: undefined, Environment: 'production' }), 'environment'],
]

describe('an ID token is refused and nothing changes:', () => {
  test.each(rows)('%s', async (_, changes, claim) => {
    const assertion = await job.issuer.sign(job.claims(changes()))
    await expectRefusal(service, () => job.exchange(assertion), { error: 'invalid_grant', description: new RegExp(`\\b${claim}\\b`) })
    // The same token without the change is accepted.
    expect((await job.exchange()).status).toBe(200)
  })

  test('the refusal never contains the expected value', async () => {
    const assertion = await job.issuer.sign(job.claims({ environment: 'staging' }))
    expect(JSON.stringify((await job.exchange(assertion)).body)).not.toMatch(/production|staging/)
  })
})

describe('an ID token is accepted:', () => {
  test.each<[what: string, changes: () => object]>([
    ['for several audiences', () => ({ aud: ['https://other.example.com', service.url] })],
    ['that expired 25 seconds ago', () => ({ exp: now() - 25 })],
    ['that is valid for an hour', () => ({ exp: now() + 3600 })],
    ['that was issued in 25 seconds', () => ({ iat: now() + 25, nbf: now() + 25 })],
    ['without a begin', () => without('nbf')],
    ['with a number as repository', () => ({ repository_id: 74 })],
    ['with a boolean', () => ({ ref_protected: true })],
    ['with unknown claims', () => ({ __proto__: { a: 1 }, constructor: 'x', extra: { deep: [1] } })],
  ])('%s', async (_, changes) => {
    const assertion = await job.issuer.sign(job.claims(changes()))
    const { status, body } = await job.exchange(assertion)
    expect([status, body.error_description]).toEqual([200, undefined])
  })
})

test('two numbers that JavaScript cannot distinguish are not equal', async () => {
  const other = await createJob(service, issuers, await issuers.create())
  const conditions = [
    { claim: 'sub', value: 'a' },
    { claim: 'number', value: '9007199254740992' },
  ]
  await service.database.prisma.workloadIdentity.update({ where: { id: other.id }, data: { conditions } })
  const payload = { ...githubClaims(other.issuer.url, service.url, service.clock.now()), sub: 'a', number: 2 ** 53 }
  const { body } = await other.exchange(await other.issuer.sign(payload))
  expect(body.error_description).toContain('number')
})

test('there are enough attacks', () => expect(rows.length).toBeGreaterThanOrEqual(50))
