import { describe, expect, test } from 'vitest'
import { accessToken, createGrant } from '../../support/oauth/oauth-rows.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { request } from '../../support/http/request.ts'
import { useService } from '../../support/service/service.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { alertOf, contentOf, heading, noticeOf, openAs, valuesOf } from '../../support/account-site/page-content.ts'

const service = useService()
const { database } = service
const { prisma } = database
const nothingHere = [404, 'Page not found']

/** Creates a user with a connected application and opens the page of applications. */
async function connected() {
  const person = await createPerson(database)
  const team = await createTeam(database)
  await join(database, team, person, 'owner')
  const grant = await createGrant(database, person, {
    team,
    scopes: ['openid', 'profile', 'teams', 'acct:team:read'],
    declinedScopes: ['email'],
  })
  const token = await accessToken(database, grant)
  return { person, team, grant, token, path: `/applications/${grant.id}`, ...(await openAs(service, person, '/applications')) }
}
const account = (token: string) => request(service, 'GET', '/api/v1/user', { token })
const stored = ({ id }: { id: string }) =>
  prisma.oAuthGrant.findUniqueOrThrow({ where: { id }, select: { scopes: true, declinedScopes: true, revokedAt: true } })

describe('a connected application', () => {
  test('is listed with scopes, declined scopes, team, creation and last use', async () => {
    const { team, page } = await connected()
    expect(heading(page)).toEqual([200, 'Connected apps'])
    expect(contentOf(page)).toMatch(
      new RegExp(
        `D Dashboard Unknown publisher Not verified Access to the team ${team.slug} . Permissions: See your teams and their names See the team’s name, time zone and avatar Sign you in See your name Declined: See your email address Connected .* Last used never Change permissions of Dashboard Revoke access Dashboard$`,
      ),
    )
  })

  test('is removed from the page and loses access at once when disconnected', async () => {
    const { browser, page, token } = await connected()
    const after = await browser.press(page, 'Revoke access')
    expect([after.url.pathname, noticeOf(after)]).toEqual(['/applications', [200, 'The access of “Dashboard” was revoked.']])
    expect(contentOf(after)).toMatch(/No apps are connected\. Apps that you allow to access your account appear here\.$/)
    expect((await account(token)).status).toBe(401)
  })

  test('loses unchecked scopes from the next request on', async () => {
    const { browser, grant, token, path } = await connected()
    const page = await browser.open(path)
    expect(heading(page)).toEqual([200, 'App permissions'])
    const boxes = page.root.querySelectorAll('input[name=scopes]')
    expect(boxes.map((box) => [box.getAttribute('value'), box.hasAttribute('checked')])).toEqual([
      ['teams', true],
      ['acct:team:read', true],
      ['profile', true],
    ])
    const after = await browser.press(page, 'Save', { scopes: ['teams'] })
    expect([after.url.pathname, noticeOf(after)]).toEqual(['/applications', [200, 'The permissions of “Dashboard” were changed.']])
    expect((await account(token)).body.scopes.toSorted()).toEqual(['openid', 'teams'])
    expect(await stored(grant)).toEqual({
      scopes: ['openid', 'teams'],
      declinedScopes: ['email', 'profile', 'acct:team:read'],
      revokedAt: null,
    })
    const none = await browser.press(await browser.open(path), 'Save', { scopes: [] })
    expect(noticeOf(none)[0]).toBe(200)
    expect(contentOf(await browser.open(path))).toContain('The app has no optional permissions.')
  })

  test('cannot gain scopes or lose required ones by a forged form', async () => {
    const { browser, grant, path } = await connected()
    const page = await browser.open(path)
    const before = await stored(grant)
    const added = await browser.press(page, 'Save', { scopes: ['teams', 'email', 'flow:rules:read'] })
    expect([alertOf(added), heading(added)]).toEqual([
      [422, 'Choose at least one permission.'],
      [422, 'App permissions'],
    ])
    const missing = await browser.press(page, 'Save', { fixed: [], scopes: ['teams'] })
    const message = 'Choose at least one permission.'
    expect([alertOf(missing), missing.root.querySelector('#field-scopes-wrong')?.text]).toEqual([[422, message], message])
    expect(await stored(grant)).toEqual(before)
  })

  test('of another user is not found', async () => {
    const one = await connected()
    const { browser, page } = await connected()
    for (const path of [one.path, '/applications/x', '/applications/%00']) expect(heading(await browser.open(path))).toEqual(nothingHere)
    const values = valuesOf(await browser.openConfirmation(page, 'Revoke access'))
    values.set('id', one.grant.id)
    expect(heading(await browser.send(page, '/applications', values))).toEqual(nothingHere)
    expect((await account(one.token)).status).toBe(200)
  })
})
