import { describe, expect, test } from 'vitest'
import { createPerson, password } from '../../support/oauth/oauth.ts'
import { request } from '../../support/http/request.ts'
import type { Page } from '../../support/browser/browser.ts'
import { useService } from '../../support/service/service.ts'
import { personalToken } from '../../support/data/team.ts'
import { alertOf, contentOf, heading, noticeOf, openAs, tokenValueOn, valuesOf } from '../../support/account-site/page-content.ts'

const service = useService()
const { database, clock } = service
const { prisma } = database
const nothingHere = [404, 'Page not found']

const account = (token: string) => request(service, 'GET', '/api/v1/user', { token })

/** Opens the page of a token of a new user. */
async function withToken() {
  const person = await createPerson(database)
  const value = await personalToken(database, person)
  const { id } = await prisma.accessToken.findFirstOrThrow({ where: { userId: person.id } })
  const path = `/tokens/${id}`
  return { person, value, path, ...(await openAs(service, person, path)) }
}

describe('rotating a token', () => {
  test('creates a new value and keeps the old one for the chosen time', async () => {
    const { person, browser, page, value, path } = await withToken()
    const shown = await browser.press(page, 'Rotate token', { overlapSeconds: '3600' })
    const fresh = tokenValueOn(shown)
    expect([heading(shown), fresh.slice(0, 4), fresh === value]).toEqual([[200, 'Copy your token'], 'pat_', false])
    expect([(await account(value)).status, (await account(fresh)).status]).toEqual([200, 200])
    const again = await browser.press(page, 'Rotate token', { overlapSeconds: '3600' })
    expect(alertOf(again)).toEqual([422, 'The token was already rotated, and its new value is not shown again.'])
    expect(await prisma.accessToken.count({ where: { userId: person.id } })).toBe(1)
    const oldValue = new RegExp(`Value pat_…${fresh.slice(-4)} Old value pat_…${value.slice(-4)} ?, active until \\d.*`)
    const badges = (list: Page) => list.root.querySelectorAll('.rows .badge').map((badge) => badge.text)
    const list = await browser.open('/tokens')
    expect([badges(list), contentOf(list)]).toEqual([['Write access'], expect.stringMatching(/Old value active until \d/)])
    expect(contentOf(await browser.open(path))).toMatch(oldValue)
    clock.advance(3_600_000)
    expect([(await account(value)).status, (await account(fresh)).status]).toEqual([401, 200])
    expect(contentOf(await browser.open('/tokens?all=yes'))).not.toContain('Old value')
  })

  test('without overlap ends the old value at once, and a repeated submission is refused', async () => {
    const { browser, page, value } = await withToken()
    const fresh = tokenValueOn(await browser.press(page, 'Rotate token', { overlapSeconds: '0' }))
    expect([(await account(value)).status, (await account(fresh)).status]).toEqual([401, 200])
    expect(alertOf(await browser.press(page, 'Rotate token', { overlapSeconds: '0' }))[0]).toBe(422)
    expect((await account(fresh)).status).toBe(200)
  })

  test.each(['1', '', 'x', '-3600', '99999999999'])(
    'with an overlap of %j seconds is refused and changes nothing',
    async (overlapSeconds) => {
      const { browser, value, path } = await withToken()
      const refused = await browser.press(await browser.open(path), 'Rotate token', { overlapSeconds })
      expect(alertOf(refused)).toEqual([422, 'Choose when the old value expires.'])
      expect((await account(value)).status).toBe(200)
    },
  )

  test('requests the password when the sign-in is not recent', async () => {
    const { browser, value, path } = await withToken()
    clock.advance(16 * 60_000)
    const asked = await browser.press(await browser.open(path), 'Rotate token', { overlapSeconds: '604800' })
    expect([asked.url.pathname, heading(asked)]).toEqual(['/confirm', [200, 'Confirm it’s you']])
    expect((await account(value)).status).toBe(200)
    const back = await browser.press(asked, 'Continue', { Password: password })
    expect([back.url.pathname, alertOf(back)]).toEqual([path, [200, 'Your changes are not saved yet. Check them and submit again.']])
    expect(back.root.querySelector('[name=overlapSeconds] [selected], [name=overlapSeconds][checked]')?.getAttribute('value')).toBe(
      '604800',
    )
  })
})

describe('revoking a token', () => {
  test('requires confirmation but no recent sign-in, and takes effect at once', async () => {
    const { browser, value, path } = await withToken()
    clock.advance(60 * 60_000)
    const page = await browser.open(path)
    expect(page.root.querySelectorAll('a.confirm').map(({ text }) => text)).toEqual(['Revoke… test'])
    const after = await browser.press(page, 'Revoke token')
    expect([after.url.pathname, noticeOf(after)]).toEqual(['/tokens', [200, 'The token “test” was revoked.']])
    expect((await account(value)).status).toBe(401)
    expect(contentOf(after)).toContain('No tokens')
    expect(contentOf(await browser.open('/tokens?all=yes'))).toMatch(/ test pat_….* permissions .*Revoked/)
  })

  test('ends the value before its last rotation, too', async () => {
    const { browser, page, value, path } = await withToken()
    const fresh = tokenValueOn(await browser.press(page, 'Rotate token', { overlapSeconds: '604800' }))
    await browser.press(await browser.open(path), 'Revoke token')
    expect([(await account(value)).status, (await account(fresh)).status]).toEqual([401, 401])
    expect(contentOf(await browser.open('/tokens?all=yes'))).not.toContain('Old value')
  })

  test('of another user responds as for a token that does not exist', async () => {
    const { value, path } = await withToken()
    const { browser, path: own } = await withToken()
    for (const each of [path, '/tokens/x', '/tokens/%00', '/tokens/00000000-0000-4000-8000-000000000000'])
      expect(heading(await browser.open(each))).toEqual(nothingHere)
    // The CSRF token of one page is not valid on another.
    const values = valuesOf(await browser.open(own), 1)
    expect(heading(await browser.send(await browser.open(own), path, values))).toEqual([403, 'This form has expired'])
    expect((await account(value)).status).toBe(200)
  })
})
