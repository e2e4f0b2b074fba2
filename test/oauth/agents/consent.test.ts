import { expect, test } from 'vitest'
import { teamToken } from '../../support/data/team.ts'
import { hasCode } from '../../support/oauth/consent-page.ts'
import { authorizationUrl, createPerson, signIn } from '../../support/oauth/oauth.ts'
import { Browser } from '../../support/browser/browser.ts'
import { agentScopes, createAgentScene } from '../../support/agents/agent-scene.ts'
import { useProviders } from '../../support/identity-providers/provider.ts'
import { request } from '../../support/http/request.ts'
import { patchOf, scim } from '../../support/scim/directory.ts'
import { useService } from '../../support/service/service.ts'

// The grant that an identity provider gave is separate from that of a consent, and ends with the directory.

const service = useService()
const { database, clock } = service
const { prisma } = database
const providers = useProviders(() => clock.now())

test('an assertion replaces no consent, and a consent leaves the grant of the provider unchanged', async () => {
  const scene = await createAgentScene(service, providers, { client: { team: 'required' } })
  const { passwordHash } = await createPerson(database)
  await prisma.user.update({ where: { id: scene.member.id }, data: { passwordHash } })
  await scene.exchange()
  const [given] = await prisma.oAuthGrant.findMany({ where: { userId: scene.member.id } })
  const browser = new Browser(service.url)
  await signIn(browser, await browser.open('/sign-in'), scene.member)
  const silent = await browser.open(authorizationUrl(service, scene.client, { prompt: 'none', scope: 'acct:team:read' }).url)
  expect(silent.url.searchParams.get('error')).toBe('consent_required')
  const page = await browser.open(authorizationUrl(service, scene.client, { scope: 'openid acct:team:read' }).url)
  expect(hasCode(page)).toBe(false)
  expect(hasCode(await browser.press(page, 'Allow access'))).toBe(true)
  await scene.exchange()
  const grants = await prisma.oAuthGrant.findMany({ where: { userId: scene.member.id }, orderBy: { createdAt: 'asc' } })
  expect(grants).toMatchObject([
    { id: given?.id, providerId: scene.row.id },
    { providerId: null, scopes: expect.arrayContaining(['openid']) },
  ])
  expect(grants[0]?.scopes.toSorted()).toEqual(agentScopes.toSorted())
})

test('a member whom the directory deactivates is refused at the next request, and so is another assertion', async () => {
  const scene = await createAgentScene(service, providers)
  const { body } = await scene.exchange()
  const directory = await teamToken(database, scene.team, { scopes: ['acct:team:scim'] })
  const patch = patchOf({ op: 'replace', value: { active: false } })
  expect((await scim(service, directory, 'PATCH', `/Users/${scene.member.id}`, patch)).status).toBe(200)
  expect((await request(service, 'GET', '/api/v1/user', { token: body.access_token })).status).toBe(401)
  expect((await scene.exchange()).body).toEqual({
    error: 'invalid_grant',
    error_description: 'the person with the claim sub is not a member of the team',
  })
})
