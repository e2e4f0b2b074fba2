import { describe, expect, test } from 'vitest'
import { createPerson, password } from '../support/oauth.ts'
import { request } from '../support/request.ts'
import { startService } from '../support/service.ts'
import { personalToken } from '../support/team.ts'
import { alertOf, contentOf, heading, noticeOf, openAs, tokenValueOn, valuesOf } from './shown.ts'

const service = await startService()
const { database, clock } = service
const { prisma } = database
const nothingHere = [404, 'There is nothing here']

const account = (token: string) => request(service, 'GET', '/api/v1/user', { token })

/** A person with a token, at its page. */
async function withToken() {
  const person = await createPerson(database)
  const value = await personalToken(database, person)
  const { id } = await prisma.accessToken.findFirstOrThrow({ where: { userId: person.id } })
  const path = `/tokens/${id}`
  return { person, value, path, ...(await openAs(service, person, path)) }
}

describe('replacing the value', () => {
  test('gives another, while the old one works for as long as was chosen', async () => {
    const { person, browser, page, value, path } = await withToken()
    const shown = await browser.press(page, 'Create a new value', { overlapSeconds: '3600' })
    const fresh = tokenValueOn(shown)
    expect([heading(shown), fresh.slice(0, 4), fresh === value]).toEqual([[200, 'Copy the token now'], 'pat_', false])
    expect([(await account(value)).status, (await account(fresh)).status]).toEqual([200, 200])
    const again = await browser.press(page, 'Create a new value', { overlapSeconds: '3600' })
    expect(alertOf(again)).toEqual([422, 'This was sent before: the token exists already, and its value is not shown again.'])
    expect(await prisma.accessToken.count({ where: { userId: person.id } })).toBe(2)
    const badges = async (path: string) => (await browser.open(path)).root.querySelectorAll('.badge').map((badge) => badge.text)
    expect(await badges('/tokens')).toEqual(['Works', 'Rotated, works until it expires'])
    // It has its successor: it can be ended early, and no second one be made of it.
    const replaced = await browser.open(path)
    expect(replaced.root.querySelectorAll('main button').map(({ text }) => text)).toEqual(['Yes, revoke it'])
    clock.advance(3_600_000)
    expect([(await account(value)).status, (await account(fresh)).status]).toEqual([401, 200])
    expect(await badges('/tokens?all')).toEqual(['Works', 'Rotated'])
    const old = await browser.open(path)
    expect([heading(old), old.root.querySelectorAll('main form').length]).toEqual([[200, 'Personal token'], 0])
  })

  test('without overlap ends the old one at once, and sent again finds nothing', async () => {
    const { browser, page, value } = await withToken()
    const fresh = tokenValueOn(await browser.press(page, 'Create a new value', { overlapSeconds: '0' }))
    expect([(await account(value)).status, (await account(fresh)).status]).toEqual([401, 200])
    expect(heading(await browser.press(page, 'Create a new value', { overlapSeconds: '0' }))).toEqual(nothingHere)
  })

  test.each(['1', '', 'x', '-3600', '99999999999'])('for %j seconds is refused and changes nothing', async (overlapSeconds) => {
    const { browser, value, path } = await withToken()
    const refused = await browser.press(await browser.open(path), 'Create a new value', { overlapSeconds })
    expect(alertOf(refused)).toEqual([422, 'The selected overlap seconds is invalid.'])
    expect((await account(value)).status).toBe(200)
  })

  test('needs a recent sign-in, and asks for the password where it was long ago', async () => {
    const { browser, value, path } = await withToken()
    clock.advance(16 * 60_000)
    const asked = await browser.press(await browser.open(path), 'Create a new value', { overlapSeconds: '604800' })
    expect([asked.url.pathname, heading(asked)]).toEqual(['/confirm', [200, 'Is it you?']])
    expect((await account(value)).status).toBe(200)
    const back = await browser.press(asked, 'Continue', { Password: password })
    expect([back.url.pathname, alertOf(back)]).toEqual([path, [200, 'This was not done yet. Look it through, and send it once more.']])
    expect(back.root.querySelector('[name=overlapSeconds] [selected], [name=overlapSeconds][checked]')?.getAttribute('value')).toBe(
      '604800',
    )
  })
})

describe('revoking', () => {
  test('takes a step of its own, works long after signing in, and counts at once', async () => {
    const { browser, value, path } = await withToken()
    clock.advance(60 * 60_000)
    const page = await browser.open(path)
    const step = page.root.querySelectorAll('details').find((details) => details.querySelector('summary')?.text === 'Revoke this token')
    expect([step?.hasAttribute('open'), step?.querySelector('button')?.text]).toEqual([false, 'Yes, revoke it'])
    const after = await browser.press(page, 'Yes, revoke it')
    expect([after.url.pathname, noticeOf(after)]).toEqual(['/tokens', [200, 'The token is revoked. It opens nothing any more.']])
    expect((await account(value)).status).toBe(401)
    expect(contentOf(after)).toContain('You have no personal token that works.')
    expect(contentOf(await browser.open('/tokens?all'))).toMatch(/test Revoked .* Revoked .* UTC Only those that work$/)
  })

  test('of another’s token, or of none, is refused as if there were nothing', async () => {
    const { value, path } = await withToken()
    const { browser, path: own } = await withToken()
    for (const each of [path, '/tokens/x', '/tokens/%00', '/tokens/00000000-0000-4000-8000-000000000000'])
      expect(heading(await browser.open(each))).toEqual(nothingHere)
    // The seal of one page is not that of another.
    const values = valuesOf(await browser.open(own), 1)
    expect(heading(await browser.send(await browser.open(own), path, values))).toEqual([403, 'This form has expired'])
    expect((await account(value)).status).toBe(200)
  })
})
