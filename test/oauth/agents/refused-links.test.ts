import { beforeAll, describe, expect, test } from 'vitest'
import { createAgentScene, createUnlinkedMember } from '../../support/agents/agent-scene.ts'
import type { AgentScene } from '../../support/agents/agent-scene.ts'
import { expectRefusal } from '../../support/identities/job.ts'
import { useProviders } from '../../support/identity-providers/provider.ts'
import { createKey, createProof } from '../../support/oauth/dpop.ts'
import { executeAs, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

// A request that is refused links no account, although the assertion and the team would allow it.

const service = useService()
const { database, clock, url } = service
const { prisma } = database
const providers = useProviders(() => clock.now())

// oidc-provider creates its signing keys for the first request.
beforeAll(async () => void (await (await createAgentScene(service, providers)).exchange()))

/** A team that lets its provider link accounts by the address, and a member without a linked identity. */
async function createLinkingScene() {
  const scene = await createAgentScene(service, providers, { provider: { linksAgentsByAddress: true } })
  const user = await createUnlinkedMember(service, scene)
  const sign = (changes: object = {}) => scene.sign({ sub: 'new', email: user.email, ...changes })
  const countLinks = () => prisma.externalIdentity.count({ where: { userId: user.id } })
  return { scene, user, sign, countLinks }
}

const proofOfAnotherKey = () =>
  createProof(createKey(), { token: '', method: 'POST', url: `${url}/api/oauth/token`, now: clock.now() }, { ath: undefined })

type Send = (scene: AgentScene, sign: (changes?: object) => Promise<string>) => ReturnType<AgentScene['exchange']>
const refusals: [reason: string, error: string, send: Send][] = [
  ['a scope that nobody allows', 'invalid_scope', async ({ exchange }, sign) => exchange(await sign(), { scope: 'teams' })],
  ['an assertion without a scope that all allow', 'invalid_scope', async ({ exchange }, sign) => exchange(await sign({ scope: 'teams' }))],
  [
    'a resource of another service',
    'invalid_target',
    async ({ exchange }, sign) => exchange(await sign(), { resource: 'https://other.example/api' }),
  ],
  [
    'a resource that the assertion lacks',
    'invalid_target',
    async ({ exchange }, sign) => exchange(await sign({ resource: `${url}/mcp` }), { resource: `${url}/api` }),
  ],
  [
    'a key in the claim cnf of which there is no proof',
    'invalid_grant',
    async ({ exchange }, sign) => exchange(await sign({ cnf: { jkt: createKey().thumbprint } })),
  ],
]

describe('a member is not linked by a request that is refused for', () => {
  test.each(refusals)('%s', async (_, error, send) => {
    const { scene, sign, countLinks } = await createLinkingScene()
    const mails = service.mails.length
    await expectRefusal(service, () => send(scene, sign), { error, description: /./ })
    expect(await countLinks()).toBe(0)
    expect(service.mails.slice(mails)).toEqual([])
  })

  test('the proof of another key than that of the claim cnf', async () => {
    const { scene, sign, countLinks } = await createLinkingScene()
    const mails = service.mails.length
    const assertion = await sign({ cnf: { jkt: createKey().thumbprint } })
    const { status, body } = await scene.exchange(assertion, {}, { dpop: await proofOfAnotherKey() })
    expect([status, body.error]).toEqual([400, 'invalid_grant'])
    expect(await countLinks()).toBe(0)
    expect(service.mails.slice(mails)).toEqual([])
  })

  test('two-factor authentication that the member lacks, which does not use the assertion up', async () => {
    const { scene, sign } = await createLinkingScene()
    const { id } = scene.team
    await prisma.team.update({ where: { id }, data: { twoFactorRequiredAt: clock.now() } })
    const assertion = await sign()
    await expectRefusal(service, () => scene.exchange(assertion), { error: 'invalid_grant', description: /two-factor/ })
    await prisma.team.update({ where: { id }, data: { twoFactorRequiredAt: null } })
    expect((await scene.exchange(assertion)).status).toBe(200)
  })

  test('scopes that the member has all removed from the grant', async () => {
    const { scene, user, sign } = await createLinkingScene()
    expect((await scene.exchange(await sign())).status).toBe(200)
    await prisma.oAuthGrant.updateMany({ where: { userId: user.id }, data: { scopes: [], declinedScopes: ['acct:team:read'] } })
    await prisma.externalIdentity.deleteMany({ where: { userId: user.id } })
    const assertion = await sign()
    const attempt = () => scene.exchange(assertion, { scope: 'acct:team:read' })
    await expectRefusal(service, attempt, { error: 'invalid_grant', description: /./ })
    // It is not used up.
    expect((await scene.exchange(assertion, { scope: 'acct:team:members:read' })).status).toBe(200)
  })
})

test('an assertion that is sent again does not link a member who unlinked the identity', async () => {
  const { scene, user, sign, countLinks } = await createLinkingScene()
  const assertion = await sign()
  expect((await scene.exchange(assertion)).status).toBe(200)
  const { id } = await prisma.externalIdentity.findFirstOrThrow({ where: { userId: user.id } })
  const session = await sessionOf(service, user)
  const unlink = 'mutation ($id: ID!) { unlinkIdentity(input: { id: $id }) { __typename } }'
  expect((await executeAs(service, session, unlink, { id })).refusal).toBeNull()
  expect(await countLinks()).toBe(0)
  const mails = service.mails.length
  await expectRefusal(service, () => scene.exchange(assertion), { error: 'invalid_grant', description: /\bjti\b/ })
  expect(await countLinks()).toBe(0)
  expect(service.mails.slice(mails)).toEqual([])
})

test('a refused request does not count as a sign-in of a linked member', async () => {
  const { scene, user, sign } = await createLinkingScene()
  await scene.exchange(await sign())
  const readLink = () => prisma.externalIdentity.findFirstOrThrow({ where: { userId: user.id } })
  const before = await readLink()
  clock.advance(1000)
  await expectRefusal(service, async () => scene.exchange(await sign(), { scope: 'teams' }), { error: 'invalid_scope', description: /./ })
  expect(await readLink()).toEqual(before)
})

test('one assertion that is sent in parallel links a member once', async () => {
  const { scene, sign, countLinks } = await createLinkingScene()
  const assertion = await sign()
  const results = await Promise.all(Array.from({ length: 6 }, () => scene.exchange(assertion)))
  expect(results.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400, 400, 400, 400])
  expect(await countLinks()).toBe(1)
})
