import { beforeAll, describe, expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import { createDraftUsers } from '../../support/oauth/clients/draft-users.ts'
import type { DraftUsers } from '../../support/oauth/clients/draft-users.ts'
import { authorizationUrl, createClient, signIn } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// Whether a browser is sent to a client that is not listed: docs/decisions/clients.md#drafts.

const service = useService()
const { database } = service
const app = 'https://app.example'

let people: DraftUsers
beforeAll(async () => void (people = await createDraftUsers(service)))

type Visitor = 'no user' | 'outsider' | 'staff' | 'member' | 'owner'
async function browserOf(visitor: Visitor): Promise<Browser> {
  const browser = new Browser(service.url)
  if (visitor !== 'no user') await signIn(browser, await browser.open('/sign-in'), people.users[visitor])
  return browser
}
const register = (state: 'draft' | 'submitted' | 'rejected' | 'listed') =>
  createClient(database, { ownerTeamId: people.team.id, state, redirectUris: [`${app}/callback`], postLogoutRedirectUris: [`${app}/bye`] })

const requests = {
  'a scope that is not registered': { changes: { scope: 'openid acct:team:write' }, error: 'invalid_scope' },
  'no code challenge': { changes: { code_challenge: undefined, code_challenge_method: undefined }, error: 'invalid_request' },
  'prompt=none': { changes: { prompt: 'none' }, error: null },
  'another response type': { changes: { response_type: 'token' }, error: 'unsupported_response_type' },
  'response_mode=form_post and a wrong scope': {
    changes: { scope: 'acct:team:write', response_mode: 'form_post' },
    error: 'invalid_scope',
  },
}

describe.each(Object.entries(requests))('an authorization request with %s', (_, { changes, error }) => {
  test.each([
    ['no user', 'draft', false],
    ['outsider', 'draft', false],
    ['staff', 'submitted', false],
    ['outsider', 'rejected', false],
    ['member', 'draft', true],
    ['owner', 'rejected', true],
    ['no user', 'listed', true],
  ] as const)('of %s, for a client that is %s, is redirected: %s', async (visitor, state, isRedirected) => {
    const page = await (await browserOf(visitor)).open(authorizationUrl(service, await register(state), changes).url)
    const leadsToApp = page.url.origin === app || (page.root.querySelector('form')?.getAttribute('action') ?? '').startsWith(app)
    expect(leadsToApp).toBe(isRedirected)
    if (isRedirected) return
    expect([page.status, page.url.origin]).toEqual([400, service.url])
    if (error) expect(page.text).toContain(error)
    expect(page.root.toString()).not.toContain(app)
  })
})

describe('a sign-out with an address to return to', () => {
  test.each([
    ['no user', 'draft', false],
    ['outsider', 'draft', false],
    ['outsider', 'rejected', false],
    ['member', 'submitted', true],
    ['outsider', 'listed', true],
  ] as const)('of %s, for a client that is %s, is redirected: %s', async (visitor, state, isRedirected) => {
    const { clientId } = await register(state)
    const browser = await browserOf(visitor)
    const query = new URLSearchParams({ client_id: clientId, post_logout_redirect_uri: `${app}/bye` })
    const page = await browser.open(`/login/oauth/logout?${query}`)
    const form = page.root.querySelector('form')
    const done =
      visitor === 'no user'
        ? await browser.send(
            page,
            form?.getAttribute('action') ?? '',
            new URLSearchParams({ xsrf: form?.querySelector('input')?.getAttribute('value') ?? '', logout: 'yes' }),
          )
        : await browser.press(page, 'Sign out')
    expect(done.url.origin).toBe(isRedirected ? app : service.url)
    if (!isRedirected) expect(done.text).toContain('signed out')
  })
})
