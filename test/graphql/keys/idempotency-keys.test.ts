import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createOwnedTeam } from '../../support/data/team.ts'
import { someConditions } from '../../support/identities/identity.ts'
import { createIssuer } from '../../support/identity-providers/issuer.ts'
import { executeAs, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database, clock } = service
const day = 24 * 3_600_000

let issuer: string
beforeAll(async () => {
  issuer = await createIssuer()
})

async function createScene() {
  const { team, owner } = await createOwnedTeam(database)
  return { team: team.slug, owner, session: await sessionOf(service, owner) }
}
let scene: Awaited<ReturnType<typeof createScene>>
beforeEach(async () => {
  scene = await createScene()
})

interface Creation {
  mutation: string
  /** Whether the object belongs to the user instead of the team. */
  isOfUser?: boolean
  /** The selection of the payload, in which the identifier has the alias `id`. */
  payload: string
  input: () => object
  /** Another valid value of one member. */
  other: object
  /** An invalid value of one member. */
  invalid: object
  /** Deletes the object as its owner can. Absent for tokens, which remain as revoked ones. */
  remove?: string
  /** The name of the object in messages, and whether it has a value that is shown only once. */
  what: string
  shown?: string
}
const trust = { issuer: 'https://ci.example.com', conditions: someConditions, scopes: ['acct:team:read'] }
const creations: Creation[] = [
  {
    mutation: 'createWorkloadIdentity',
    payload: 'object: identity { id: identityId name }',
    input: () => ({ name: 'Deploys', ...trust }),
    other: { name: 'Builds' },
    invalid: { name: ' ' },
    remove: 'mutation ($id: ID!) { deleteWorkloadIdentity(input: { id: $id }) { identity { name } } }',
    what: 'workload identity',
  },
  {
    mutation: 'createIdentityProvider',
    payload: 'object: identityProvider { id: providerId name redirectUri }',
    input: () => ({ kind: 'OIDC', name: 'Acme', issuer, clientId: 'client-1', clientSecret: 's3cret' }),
    other: { clientSecret: 'another' },
    invalid: { name: ' ' },
    remove: 'mutation ($id: ID!) { deleteIdentityProvider(input: { id: $id }) { identityProvider { name } } }',
    what: 'identity provider',
  },
  {
    mutation: 'createWebhook',
    payload: 'object: webhook { id: webhookId url } secret',
    input: () => ({ url: 'https://hooks.example.com/acme' }),
    other: { types: ['TEAM_UPDATED'] },
    invalid: { url: 'ftp://hooks.example.com' },
    remove: 'mutation ($id: ID!) { deleteWebhook(input: { id: $id }) { webhook { url } } }',
    what: 'webhook',
    shown: 'secret',
  },
  {
    mutation: 'createTeamToken',
    payload: 'object: token { id: tokenId name } value',
    input: () => ({ name: 'CI', scopes: ['acct:team:read'] }),
    other: { name: 'Deploys' },
    invalid: { name: ' ' },
    what: 'token',
    shown: 'value',
  },
  {
    mutation: 'createPersonalToken',
    payload: 'object: token { id: tokenId name } value',
    isOfUser: true,
    // As a form does it, which counts the days until the expiry from the time of the request.
    input: () => ({ name: 'CI', scopes: ['teams'], expiresAt: new Date(clock.now().getTime() + 30 * day).toISOString() }),
    other: { name: 'Deploys' },
    invalid: { name: ' ' },
    what: 'token',
    shown: 'value',
  },
]
const documentOf = ({ mutation, payload }: Creation) => {
  const type = `${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input`
  return `mutation ($input: ${type}!) { result: ${mutation}(input: $input) { ${payload} } }`
}
const create = (creation: Creation, { team, session }: typeof scene, idempotencyKey: string, changes: object = {}) =>
  executeAs(service, session, documentOf(creation), {
    input: { ...(!creation.isOfUser && { team }), ...creation.input(), idempotencyKey, ...changes },
  })

describe.each(creations)('the idempotency key of $mutation', (creation) => {
  const { what, remove, shown } = creation

  test('does not become the identifier, so that two teams with the same key get two objects', async () => {
    const key = randomUUID()
    const other = await createScene()
    const [first, second] = [await create(creation, scene, key), await create(creation, other, key)]
    const ids = [first, second].map(({ data }) => data.result.object.id)
    expect(new Set([key, ...ids]).size).toBe(3)
  })

  test('makes one object of a request that is sent four times at once', async () => {
    const key = randomUUID()
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => create(creation, scene, key)))
    const objects = outcomes.flatMap(({ data }) => data?.result?.object ?? [])
    expect(new Set(objects.map(({ id }) => id)).size).toBe(1)
    expect(objects.length).toBe(shown === undefined ? 4 : 1)
    const message = `The ${what} was already created, and its ${shown} is not shown again.`
    for (const { refusal } of outcomes) if (refusal) expect(refusal.details.errors).toEqual({ idempotencyKey: [message] })
  })

  test('is refused for another request, and accepted by another mutation', async () => {
    const key = randomUUID()
    await create(creation, scene, key)
    clock.advance(1)
    const { refusal } = await create(creation, scene, key, creation.other)
    expect(refusal?.details.errors).toEqual({
      idempotencyKey: [`The ${what} was already created, with other values.`],
    })
    const another = creations[(creations.indexOf(creation) + 1) % creations.length]
    if (another) expect((await create(another, scene, key)).refusal).toBeNull()
  })

  test('of a request that was refused can be used again', async () => {
    const key = randomUUID()
    const { refusal } = await create(creation, scene, key, creation.invalid)
    expect(refusal).not.toBeNull()
    expect((await create(creation, scene, key)).refusal).toBeNull()
  })

  test('is forgotten after a day', async () => {
    const key = randomUUID()
    const first = (await create(creation, scene, key)).data.result.object.id
    clock.advance(day)
    scene.session = await sessionOf(service, scene.owner)
    const { data } = await create(creation, scene, key)
    expect(data.result.object.id).not.toBe(first)
  })

  test.each(['x', '', '\0', randomUUID().toUpperCase()])('must be a UUID, not %j', async (key) => {
    expect(Object.keys((await create(creation, scene, key)).refusal?.details.errors ?? {})).toEqual(['idempotencyKey'])
  })

  if (remove === undefined) return

  test('brings no deleted object back, neither in its team nor in another one', async () => {
    const key = randomUUID()
    const { id } = (await create(creation, scene, key)).data.result.object
    expect((await executeAs(service, scene.session, remove, { id })).refusal).toBeNull()
    const again = await create(creation, scene, key)
    const message =
      shown === undefined
        ? `The ${what} was already created, and deleted since.`
        : `The ${what} was already created, and its ${shown} is not shown again.`
    expect(again.refusal?.details.errors).toEqual({ idempotencyKey: [message] })
    const other = await createScene()
    for (const chosen of [key, id]) expect((await create(creation, other, chosen)).data.result.object.id).not.toBe(id)
  })
})
