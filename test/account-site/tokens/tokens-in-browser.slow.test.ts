import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { useChromium } from '../../support/browser/chromium.ts'
import { createPerson, password } from '../../support/oauth/oauth.ts'
import { request } from '../../support/http/request.ts'
import { useService } from '../../support/service/service.ts'
import { evaluateInPage, expectAccessible, expectFits, openTab, signInAt, sizes } from '../../support/browser/tab.ts'

const service = useService()
const { database } = service
const browser = useChromium()
const account = (token: string) => request(service, 'GET', '/api/v1/user', { token })

/** Presses Tab until the element with this accessible name has the focus. */
async function tabTo(page: Page, name: RegExp | string) {
  for (let steps = 0; steps < 60; steps++) {
    await page.keyboard.press('Tab')
    const label: string = await evaluateInPage(page, ({ document }) => {
      const element = document.activeElement
      return element.labels?.[0]?.innerText ?? element.innerText
    })
    if (typeof name === 'string' ? label.trim() === name : name.test(label)) return
  }
  throw new Error(`Tab does not reach ${String(name)}`)
}

describe('a personal token in a real browser', () => {
  test('can be created with the keyboard and copied with the button', async () => {
    const person = await createPerson(database)
    const tab = await openTab(browser, service, { permissions: ['clipboard-read', 'clipboard-write'] })
    const { page, complaints } = tab
    await page.goto(`${service.url}/tokens/new`)
    await tabTo(page, 'Email address')
    await page.keyboard.type(person.email)
    await tabTo(page, 'Password')
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Create a personal token' }).waitFor()
    await tabTo(page, 'Name')
    await page.keyboard.type('Backups')
    await tabTo(page, /^See your teams and their names/)
    await page.keyboard.press('Space')
    await tabTo(page, /^30 days/)
    await page.keyboard.press('ArrowDown')
    await tabTo(page, 'Create token')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Copy your token' }).waitFor()
    await expectFits(page)
    expect(page.url()).toBe(`${service.url}/tokens/new`)
    await tabTo(page, 'Copy')
    await page.keyboard.press('Enter')
    await page.getByText('Copied.').waitFor()
    const copied = await evaluateInPage(page, ({ navigator }) => navigator.clipboard.readText())
    expect([(await account(copied)).body.scopes, complaints]).toEqual([['teams'], []])
    await expectAccessible(page)
    const { expiresAt, createdAt } = await database.prisma.accessToken.findFirstOrThrow({ where: { userId: person.id } })
    expect(Math.round(((expiresAt?.getTime() ?? 0) - createdAt.getTime()) / 86_400_000)).toBe(60)

    await page.reload()
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').innerText()).toBe('The token was already created, and its value is not shown again.')
    expect(await page.content()).not.toContain(copied)
    expect(await database.prisma.accessToken.count({ where: { userId: person.id } })).toBe(1)
    await page.context().close()
  })

  test('can be selected with one tap on a phone without JavaScript, and revoked after a confirmation', async () => {
    const person = await createPerson(database)
    const tab = await openTab(browser, service, { viewport: sizes.phone, javaScriptEnabled: false })
    const { page } = tab
    await signInAt(tab, service, person.email)
    await page.goto(`${service.url}/tokens/new`)
    await page.getByLabel('Name', { exact: true }).fill('Backups')
    await page.getByLabel('See your teams and their names').check()
    await page.getByRole('button', { name: 'Create token' }).click()
    const value = page.locator('#value')
    expect(await page.getByRole('button', { name: 'Copy' }).isVisible()).toBe(false)
    // One tap selects the whole value, and it fits the window.
    expect(await value.evaluate((element: any) => element.ownerDocument.defaultView.getComputedStyle(element).userSelect)).toBe('all')
    const box = await value.boundingBox()
    expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(sizes.phone.width)
    const token = await value.innerText()
    expect((await account(token)).status).toBe(200)

    await page.getByRole('link', { name: 'Done' }).click()
    await page.getByRole('link', { name: 'Backups' }).click()
    const confirmButton = page.getByRole('button', { name: 'Revoke token' })
    expect(await confirmButton.isVisible()).toBe(false)
    await page.getByText('Revoke…').click()
    await confirmButton.click()
    expect(await page.getByRole('status').innerText()).toBe('The token “Backups” was revoked.')
    expect((await account(token)).status).toBe(401)
    await page.context().close()
  })
})
