import { beforeAll, describe, expect, test } from 'vitest'
import type { ClientState } from '../../../prisma/generated/client/enums.ts'
import { Browser } from '../../support/browser/browser.ts'
import type { Page } from '../../support/browser/browser.ts'
import { heading } from '../../support/account-site/page-content.ts'
import { createDeviceClient, deviceGrantType } from '../../support/oauth/device.ts'
import { createDraftUsers, isMember, relations } from '../../support/oauth/clients/draft-users.ts'
import type { DraftUsers, Relation } from '../../support/oauth/clients/draft-users.ts'
import { authorizationUrl, createClient, pkce, post, signIn } from '../../support/oauth/oauth.ts'
import type { TestClient } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// Who can connect a client: docs/decisions/clients.md#drafts.

const service = useService()
const { database } = service
const { prisma } = database

let people: DraftUsers
const browsers = new Map<Relation, Browser>()
beforeAll(async () => {
  people = await createDraftUsers(service)
  for (const relation of relations) {
    const browser = new Browser(service.url)
    await signIn(browser, await browser.open('/sign-in'), people.users[relation])
    browsers.set(relation, browser)
  }
})
const browserOf = (relation: Relation): Browser => {
  const browser = browsers.get(relation)
  if (!browser) throw new Error(`${relation} is not signed in`)
  return browser
}

const states = ['draft', 'submitted', 'rejected', 'listed'] as const satisfies ClientState[]
const register = (state: ClientState) => createClient(database, { name: 'Planner', ownerTeamId: people.team.id, state })
const canConnect = (relation: Relation, state: ClientState) => state === 'listed' || isMember(relation)
const banner = 'Planner is a draft of the team Makers. Only members of this team can connect it.'
const notPublished = 'This app is not published yet'

const rows = relations.flatMap((relation) =>
  states.map((state) => [relation, state, canConnect(relation, state) ? 'gets a code' : 'is refused'] as const),
)

async function push(client: TestClient) {
  const { challenge } = pkce()
  const fields = {
    client_id: client.clientId,
    redirect_uri: client.redirectUri,
    response_type: 'code',
    scope: 'openid',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }
  const { status, body } = await post(service, '/api/oauth/par', client, fields)
  expect(status).toBe(201)
  return `/login/oauth/authorize?${new URLSearchParams({ client_id: client.clientId, request_uri: body.request_uri })}`
}

/** Checks the page at which an authorization stops, and continues with consent where it is offered. */
async function finish(browser: Browser, page: Page, relation: Relation, state: ClientState): Promise<Page | null> {
  expect(page.url.origin).toBe(service.url)
  expect(page.text.includes(banner)).toBe(state !== 'listed' && isMember(relation))
  if (canConnect(relation, state)) return browser.press(page, 'Allow access')
  expect(heading(page)).toEqual([403, notPublished])
  // No text of the team is shown to those who have no reason to trust it.
  expect(page.root.querySelector('main')?.text).not.toMatch(/Planner|Makers/)
  return null
}

describe('an authorization request', () => {
  test.each(rows)('of the %s for a client that is %s %s', async (relation, state) => {
    const client = await register(state)
    const browser = browserOf(relation)
    const done = await finish(browser, await browser.open(authorizationUrl(service, client).url), relation, state)
    expect(done?.url.searchParams.has('code') ?? null).toBe(canConnect(relation, state) ? true : null)
    expect(await prisma.oAuthGrant.count({ where: { oauthClientId: client.id } })).toBe(done ? 1 : 0)
  })

  test.each(rows.filter(([relation]) => relation === 'outsider' || relation === 'member'))(
    'that was pushed, of the %s for a client that is %s %s',
    async (relation, state) => {
      const client = await register(state)
      const browser = browserOf(relation)
      const done = await finish(browser, await browser.open(await push(client)), relation, state)
      expect(done?.url.searchParams.has('code') ?? null).toBe(canConnect(relation, state) ? true : null)
    },
  )

  test('with prompt=none of a former member with a grant is refused', async () => {
    const client = await register('draft')
    const browser = browserOf('former member')
    const silent = () => browser.open(authorizationUrl(service, client, { prompt: 'none' }).url)
    await people.setFormer(true)
    await browser.press(await browser.open(authorizationUrl(service, client).url), 'Allow access')
    expect((await silent()).url.searchParams.has('code')).toBe(true)
    await people.setFormer(false)
    const refused = await silent()
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('access_denied')])
  })

  test('is refused if the user leaves the team, or the client is no longer listed, while the consent page is open', async () => {
    await people.setFormer(true)
    const browser = browserOf('former member')
    const draft = await register('draft')
    const page = await browser.open(authorizationUrl(service, draft).url)
    await people.setFormer(false)
    expect((await browser.press(page, 'Allow access')).status).toBe(403)
    const client = await register('listed')
    const listed = await browser.open(authorizationUrl(service, client).url)
    await prisma.oAuthClient.update({ where: { id: client.id }, data: { state: 'rejected' } })
    for (const button of ['Allow access', 'Deny']) expect((await browser.press(listed, button)).status).toBe(403)
    expect(await prisma.oAuthGrant.count({ where: { oauthClientId: { in: [draft.id, client.id] } } })).toBe(0)
  })

  test('of an outsider continues with another account', async () => {
    const client = await register('draft')
    const browser = new Browser(service.url)
    const refused = await signIn(browser, await browser.open(authorizationUrl(service, client).url), people.users.outsider)
    const page = await signIn(browser, await browser.press(refused, 'Use another account'), people.users.member)
    expect((await browser.press(page, 'Allow access')).url.searchParams.has('code')).toBe(true)
  })
})

describe('a device', () => {
  test.each(rows.filter(([relation]) => relation === 'outsider' || relation === 'billing'))(
    'of the %s with a client that is %s %s',
    async (relation, state) => {
      const client = await createDeviceClient(database, { name: 'Planner', ownerTeamId: people.team.id, state })
      const { body } = await post(service, '/api/oauth/device', client, { scope: 'openid' })
      const browser = browserOf(relation)
      const page = await browser.press(await browser.open('/login/device'), 'Continue', { Code: body.user_code })
      const done = await finish(browser, page, relation, state)
      const poll = await post(service, '/api/oauth/token', client, { grant_type: deviceGrantType, device_code: body.device_code })
      expect([done?.status, poll.body.error]).toEqual(canConnect(relation, state) ? [200, undefined] : [undefined, 'authorization_pending'])
    },
  )
})
