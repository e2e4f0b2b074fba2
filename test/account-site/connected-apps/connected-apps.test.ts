import { describe, expect, test } from 'vitest'
import { accessToken, createGrant } from '../../support/oauth/oauth-rows.ts'
import type { Page } from '../../support/browser/browser.ts'
import { createClient, createPerson } from '../../support/oauth/oauth.ts'
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

const rowsOf = ({ root }: Page) =>
  root.querySelectorAll('.rows tbody tr').map((row) => row.querySelectorAll('th, td').map((cell) => cell.text.replace(/\s+/g, ' ').trim()))

describe('a connected application', () => {
  test('is listed in a short row with its mark, name, team by name and last use, and its permissions folded', async () => {
    const { team, grant, page } = await connected()
    expect(heading(page)).toEqual([200, 'Connected apps'])
    const [row] = rowsOf(page)
    const permissions = '4 permissions Your teams: readTeam settings: readSign you inSee your name'
    expect(row?.slice(0, 4)).toEqual(['DDashboard', team.name, permissions, 'never'])
    expect(page.root.querySelector('.rows td details')?.hasAttribute('open')).toBe(false)
    expect(page.root.querySelector('.rows th[scope=row] a')?.getAttribute('href')).toBe(`/applications/${grant.id}`)
  })

  test('shows its publisher, team, permissions and declined permissions on its page', async () => {
    const { browser, team, path } = await connected()
    const page = await browser.open(path)
    expect(heading(page)).toEqual([200, 'Dashboard'])
    expect(contentOf(page)).toMatch(
      new RegExp(
        `Unknown publisher Not verified Team ${team.name} Connected .* Last used never Access ends .* You declined these permissions: See your email address `,
      ),
    )
  })

  test('for all teams, and for a team that the user cannot open at the moment, says so', async () => {
    const { browser, person, team } = await connected()
    await createGrant(database, person, { scopes: ['openid', 'teams'] })
    expect(rowsOf(await browser.open('/applications')).map(([, name]) => name)).toEqual(['All your teams', team.name])
    await prisma.team.update({ where: { id: team.id }, data: { twoFactorRequiredAt: new Date(0) } })
    expect(rowsOf(await browser.open('/applications')).map(([, name]) => name)).toEqual(['All your teams', team.slug])
  })

  test('is found by its name, and sorted by name and last use', async () => {
    const { browser, person } = await connected()
    const names = ['Ledger', 'Atlas'] as const
    for (const name of names) {
      const { id: oauthClientId } = await createClient(database, { name })
      await prisma.oAuthGrant.update({ where: { id: (await createGrant(database, person)).id }, data: { oauthClientId } })
    }
    const listed = async (query: string) => rowsOf(await browser.open(`/applications${query}`)).map(([name]) => name)
    expect(await listed('?sort=client')).toEqual(['AAtlas', 'DDashboard', 'LLedger'])
    expect(await listed('?search=ATL')).toEqual(['AAtlas'])
  })

  test('is removed from the list and loses access at once when its access is revoked, after the consequence in words', async () => {
    const { browser, page, team, path, token } = await connected()
    expect(page.root.querySelectorAll('.row-menu a').map((link) => [link.text, link.getAttribute('href')])).toEqual([
      ['Change permissions', path],
      ['Revoke access', expect.stringContaining('?confirm=revoke')],
    ])
    for (const start of [page, await browser.open(path)]) {
      const asked = await browser.openConfirmation(start, 'Revoke access')
      expect(contentOf(asked)).toContain(`Dashboard immediately loses access to your account and the team ${team.name} , on every device.`)
    }
    const after = await browser.press(page, 'Revoke access')
    expect([after.url.pathname, noticeOf(after)]).toEqual(['/applications', [200, 'The access of “Dashboard” was revoked.']])
    expect(contentOf(after)).toMatch(/No apps Apps that you allow to access your account appear here\.$/)
    expect((await account(token)).status).toBe(401)
  })

  test('loses unchecked scopes from the next request on', async () => {
    const { browser, grant, token, path } = await connected()
    const page = await browser.open(path)
    expect(heading(page)).toEqual([200, 'Dashboard'])
    const boxes = page.root.querySelectorAll('input[name=scopes]')
    expect(boxes.map((box) => [box.getAttribute('value'), box.hasAttribute('checked')])).toEqual([
      ['teams', true],
      ['acct:team:read', true],
      ['profile', true],
    ])
    const after = await browser.press(page, 'Save permissions', { scopes: ['teams'] })
    expect([after.url.pathname, noticeOf(after)]).toEqual([path, [200, 'The permissions of “Dashboard” were changed.']])
    expect((await account(token)).body.scopes.toSorted()).toEqual(['openid', 'teams'])
    expect(await stored(grant)).toEqual({
      scopes: ['openid', 'teams'],
      declinedScopes: ['email', 'profile', 'acct:team:read'],
      revokedAt: null,
    })
    const none = await browser.press(await browser.open(path), 'Save permissions', { scopes: [] })
    expect(noticeOf(none)[0]).toBe(200)
    expect(contentOf(await browser.open(path))).toContain('The app has no optional permissions.')
  })

  test('cannot gain scopes or lose required ones by a forged form', async () => {
    const { browser, grant, path } = await connected()
    const page = await browser.open(path)
    const before = await stored(grant)
    const added = await browser.press(page, 'Save permissions', { scopes: ['teams', 'email', 'flow:rules:read'] })
    expect([alertOf(added), heading(added)]).toEqual([
      [422, 'Choose at least one permission.'],
      [422, 'Dashboard'],
    ])
    const missing = await browser.press(page, 'Save permissions', { fixed: [], scopes: ['teams'] })
    const message = 'Choose at least one permission.'
    expect([alertOf(missing), missing.root.querySelector('#field-scopes-wrong')?.text]).toEqual([[422, message], message])
    expect(await stored(grant)).toEqual(before)
  })

  test('of another user is not found', async () => {
    const one = await connected()
    const { browser, path: own } = await connected()
    for (const path of [one.path, '/applications/x', '/applications/%00']) expect(heading(await browser.open(path))).toEqual(nothingHere)
    const asked = await browser.openConfirmation(await browser.open(own), 'Revoke access')
    const values = valuesOf(asked)
    values.set('id', one.grant.id)
    expect(heading(await browser.send(asked, own, values))).toEqual(nothingHere)
    expect((await account(one.token)).status).toBe(200)
  })
})
