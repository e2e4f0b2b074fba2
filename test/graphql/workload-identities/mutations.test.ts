import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { createOwnedTeam, createUser, join } from '../../support/data/team.ts'
import { executeAs, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'
import { createIdentity, someConditions } from '../../support/identities/identity.ts'
import { readAllRows } from '../../support/graphql/all-rows.ts'

const service = useService()
const { database } = service
const fields = 'identityId name issuer conditions { claim value } scopes createdBy { userId } lastUsedAt'
const create = `mutation ($input: CreateWorkloadIdentityInput!) { createWorkloadIdentity(input: $input) { identity { ${fields} } } }`
const update = `mutation ($input: UpdateWorkloadIdentityInput!) { updateWorkloadIdentity(input: $input) { identity { ${fields} } } }`
const remove = 'mutation ($id: ID!) { deleteWorkloadIdentity(input: { id: $id }) { identity { name } } }'
const listed = `query ($team: String!) { team(slug: $team) { workloadIdentities { id ${fields} } } }`
const valid = { name: 'Deploys', issuer: 'https://ci.example.com', conditions: someConditions, scopes: ['acct:team:read'] }

async function createScene() {
  const { team, owner } = await createOwnedTeam(database)
  return { team, owner, session: await sessionOf(service, owner) }
}
let scene: Awaited<ReturnType<typeof createScene>>
beforeEach(async () => {
  scene = await createScene()
})

test('a workload identity is created, listed, found by both identifiers, changed and deleted', async () => {
  const { team, owner, session } = scene
  const { data } = await executeAs(service, session, create, { input: { team: team.slug, ...valid } })
  const { identity } = data.createWorkloadIdentity
  expect(identity).toEqual({ identityId: expect.any(String), ...valid, createdBy: { userId: owner.id }, lastUsedAt: null })
  const [entry] = (await executeAs(service, session, listed, { team: team.slug })).data.team.workloadIdentities
  expect(entry).toEqual({ id: expect.any(String), ...identity })
  const one = `query ($team: String!, $id: ID!) { team(slug: $team) { workloadIdentity(id: $id) { ${fields} } } }`
  for (const id of [identity.identityId, entry.id])
    expect((await executeAs(service, session, one, { team: team.slug, id })).data.team.workloadIdentity).toEqual(identity)
  const changes = { name: 'CI', scopes: ['teams', 'teams'], conditions: [...someConditions, { claim: 'run', value: '1' }] }
  const changed = await executeAs(service, session, update, { input: { id: entry.id, ...changes } })
  expect(changed.data.updateWorkloadIdentity.identity).toEqual({ ...identity, ...changes, scopes: ['teams'] })
  await executeAs(service, session, remove, { id: identity.identityId })
  expect((await executeAs(service, session, listed, { team: team.slug })).data.team.workloadIdentities).toEqual([])
  expect((await executeAs(service, session, remove, { id: identity.identityId })).refusal?.code).toBe('not_found')
})

const claims = (...names: string[]) => names.map((claim) => ({ claim, value: '1' }))
const github = 'https://token.actions.githubusercontent.com'
const repository = { claim: 'repository_id', value: '74' }
const environment = { claim: 'environment', value: 'production' }
const isProtected = { claim: 'ref_protected', value: 'true' }
const project = { claim: 'project_id', value: '22' }

describe('an invalid identity is refused, and nothing changes:', () => {
  test.each<[what: string, input: object, field: string, message: string]>([
    ['no condition', { conditions: [] }, 'conditions', 'at least 2 items'],
    ['one condition', { conditions: claims('sub') }, 'conditions', 'at least 2 items'],
    ['eleven conditions', { conditions: claims('sub', ...Object.keys([...Array(10)])) }, 'conditions', 'more than 10 items'],
    ['a claim twice', { conditions: claims('sub', 'a', 'a') }, 'conditions', 'a claim twice'],
    ['no identifier', { conditions: claims('repository', 'environment') }, 'conditions', 'never changes'],
    ['a name that only ends like an identifier', { conditions: claims('paid', 'ref') }, 'conditions', 'never changes'],
    ['an empty claim', { conditions: [...claims('sub'), { claim: '', value: '1' }] }, 'conditions.1.claim', 'required'],
    ['an empty value', { conditions: [...claims('sub'), { claim: 'a', value: '' }] }, 'conditions.1.value', 'required'],
    ['a long value', { conditions: [...claims('sub'), { claim: 'a', value: 'x'.repeat(256) }] }, 'conditions.1.value', '255 characters'],
    ['a line break', { conditions: [...claims('sub'), { claim: 'a', value: 'x\ny' }] }, 'conditions.1.value', 'line breaks'],
    ['NUL', { conditions: [...claims('sub'), { claim: 'a', value: 'x\0' }] }, 'conditions.1.value', 'cannot be stored'],
    ...['iss', 'aud', 'exp', 'nbf', 'iat', 'jti'].map((claim): [string, object, string, string] => [
      `the claim ${claim}`,
      { conditions: claims('sub', claim) },
      'conditions.1.claim',
      'checked in every token',
    ]),
    ['no scope', { scopes: [] }, 'scopes', 'at least 1 item'],
    ['an unknown scope', { scopes: ['acct:team:all'] }, 'scopes.0', 'invalid'],
    ['a scope of users', { scopes: ['openid'] }, 'scopes.0', 'invalid'],
    ['a scope of staff', { scopes: ['acct:staff:read'] }, 'scopes.0', 'invalid'],
    ['an issuer without https', { issuer: 'http://ci.example.com' }, 'issuer', 'https URL'],
    ['an issuer on a private address', { issuer: 'https://10.0.0.1' }, 'issuer', 'public internet'],
    ['an issuer on a local name', { issuer: 'https://ci.internal' }, 'issuer', 'public internet'],
    ['an issuer with a password', { issuer: 'https://a:b@ci.example.com' }, 'issuer', 'user information'],
    ['an issuer with a fragment', { issuer: 'https://ci.example.com/#a' }, 'issuer', 'fragment'],
    ['an issuer with a query', { issuer: 'https://ci.example.com/?a' }, 'issuer', 'without a query'],
    ['an issuer with a space', { issuer: 'https://ci.example.com/ ' }, 'issuer', 'without a query'],
    ['a long issuer', { issuer: `https://ci.example.com/${'x'.repeat(255)}` }, 'issuer', '255 characters'],
    ['a name without a visible character', { name: '\u200b' }, 'name', 'visible'],
    ['GitHub by names alone', { issuer: github, conditions: [...claims('sub', 'repository'), environment] }, 'conditions', 'repository_id'],
    [
      'GitHub with the name as id',
      { issuer: github, conditions: [{ ...repository, value: 'a/b' }, environment] },
      'conditions',
      'a number',
    ],
    ['GitHub with any branch', { issuer: github, conditions: [repository, ...claims('sub')] }, 'conditions', 'environment'],
    ['GitHub with an unprotected ref', { issuer: github, conditions: [repository, ...claims('ref')] }, 'conditions', 'ref_protected'],
    ['GitHub Server', { issuer: 'https://git.example.com/_services/token', conditions: claims('sub', 'a') }, 'conditions', 'GitHub'],
    ['GitHub of an enterprise', { issuer: `${github}/acme`, conditions: claims('sub', 'a') }, 'conditions', 'GitHub'],
    ['GitLab by names alone', { issuer: 'https://gitlab.com', conditions: [...claims('sub'), isProtected] }, 'conditions', 'project_id'],
    ['GitLab with any branch', { issuer: 'https://gitlab.com', conditions: [project, environment] }, 'conditions', 'ref_protected'],
  ])('%s', async (_, input, field, message) => {
    const { team, session } = scene
    const id = await createIdentity(service, team)
    const before = await readAllRows(service)
    const created = await executeAs(service, session, create, { input: { team: team.slug, ...valid, ...input } })
    const updated = await executeAs(service, session, update, { input: { id, ...input } })
    for (const { refusal } of [created, updated])
      expect([refusal?.code, refusal?.details.errors?.[field]?.join()]).toEqual(['validation_failed', expect.stringContaining(message)])
    expect(await readAllRows(service)).toEqual(before)
  })
})

test.each([
  ['GitHub with an environment', github, [repository, environment]],
  ['GitHub with a protected ref', github, [repository, isProtected, { claim: 'ref', value: 'refs/heads/main' }]],
  ['GitLab with a protected ref', 'https://gitlab.com', [project, isProtected]],
  ['another issuer with an immutable id', 'https://ci.example.com/', claims('workspaceUuid', 'branch')],
])('%s is accepted', async (_, issuer, conditions) => {
  const { data } = await executeAs(service, scene.session, create, { input: { team: scene.team.slug, ...valid, issuer, conditions } })
  expect(data.createWorkloadIdentity.identity).toMatchObject({ issuer, conditions })
})

test('a team can have 50, also if the last two are created at once, and a repeated request returns the last one', async () => {
  const { team, session } = scene
  const data = Array.from({ length: 49 }, () => ({ ...valid, conditions: [], teamId: team.id }))
  await database.prisma.workloadIdentity.createMany({ data })
  const attempts = Array.from({ length: 2 }, async () => {
    const input = { team: team.slug, ...valid, idempotencyKey: randomUUID() }
    const { data, refusal } = await executeAs(service, session, create, { input })
    const again = await executeAs(service, session, create, { input })
    expect([again.data?.createWorkloadIdentity, again.refusal?.message]).toEqual([data?.createWorkloadIdentity, refusal?.message])
    return refusal?.code ?? 'created'
  })
  expect((await Promise.all(attempts)).toSorted()).toEqual(['created', 'validation_failed'])
  expect(await database.prisma.workloadIdentity.count({ where: { teamId: team.id } })).toBe(50)
})

test('those of another team do not exist, and a member sees and changes none', async () => {
  const { team, session } = scene
  const other = await createScene()
  const id = await createIdentity(service, other.team)
  for (const [document, variables] of [
    [update, { input: { id, name: 'x' } }],
    [remove, { id }],
  ] as const)
    expect((await executeAs(service, session, document, variables)).refusal?.code).toBe('not_found')
  const member = await createUser(database)
  await join(database, team, member, 'member')
  const own = await createIdentity(service, team)
  const ofMember = await sessionOf(service, member)
  expect((await executeAs(service, ofMember, listed, { team: team.slug })).refusal?.code).toBe('role_required')
  for (const [document, variables] of [
    [update, { input: { id: own, name: 'x' } }],
    [remove, { id: own }],
  ] as const)
    expect((await executeAs(service, ofMember, document, variables)).refusal?.code).toBe('role_required')
})
