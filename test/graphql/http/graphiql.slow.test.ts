import type { BrowserContextOptions } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { openAs } from '../../support/account-site/page-content.ts'
import { useChromium } from '../../support/browser/chromium.ts'
import { evaluateInPage, expectFits, openTab } from '../../support/browser/tab.ts'
import { createOwnedTeam, join } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { createPerson, password } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database, url } = service
const browser = useChromium()

describe('GraphiQL', () => {
  /** Opens GraphiQL alone. */
  async function openGraphiql(user: { email: string } | null, options?: BrowserContextOptions) {
    const page = await (await browser.newContext(options)).newPage()
    if (user) {
      await page.goto(`${url}/sign-in`)
      await page.getByLabel('Email address').fill(user.email)
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.waitForURL((address) => address.pathname !== '/sign-in')
    }
    await page.goto(`${url}/graphql/graphiql`)
    await page.waitForSelector('.graphiql-container')
    return page
  }

  test('is below the header of the service, runs queries after the sign-in to which it leads, and keeps the query in the address', async () => {
    const user = await createPerson(database)
    const { page, complaints } = await openTab(browser, service)
    await page.goto(`${url}/graphql?query=${encodeURIComponent('{ viewer { kind } }')}`)
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('Email address').fill(user.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(`${url}/graphiql?**`)
    await expectFits(page)
    const excess = ({ document: { documentElement: root } }: any) => root.scrollHeight - root.clientHeight
    expect(await evaluateInPage(page, excess)).toBe(0)
    expect(await page.locator('header .person').isVisible()).toBe(true)
    const frame = page.frameLocator('iframe')
    await frame.getByLabel(/^Execute query/).click()
    await expect.poll(() => frame.locator('.result-window').innerText()).toMatch(/"kind":\s"SESSION"/)
    expect(new URL(page.url()).searchParams.get('query')).toBe('{ viewer { kind } }')
    await frame.getByRole('link').first().click()
    await expect.poll(() => new URL(page.url()).searchParams.get('query')).toMatch(/^# /)
    expect(complaints.filter((complaint) => !complaint.includes('graphiql.js'))).toEqual([])
  })

  test('leaves the content security policy of its page as that of others, and may only be framed by our own pages', async () => {
    const { browser: own, page } = await openAs(service, await createPerson(database), '/graphiql')
    const policy = page.headers.get('content-security-policy')
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; .*frame-src 'self'; .*frame-ancestors 'none'/)
    const frame = await own.open('/graphql/graphiql')
    expect(frame.headers.get('content-security-policy')).toMatch(/frame-ancestors 'self'$/)
  })

  test('shows the signed-in user and executes queries as that user', async () => {
    const user = await createPerson(database)
    const page = await openGraphiql(user)
    expect(await page.title()).toBe(`GraphiQL, signed in as ${user.email}`)
    await page.getByLabel(/^Execute query/).click()
    await expect.poll(() => page.locator('.result-window').innerText()).toMatch(/"kind":\s"SESSION"/)
  })

  test('keeps a history of queries, also after a reload, but not the credential', async () => {
    const { token } = await createOwnedTeam(database)
    const page = await openGraphiql(null)
    await page.getByRole('button', { name: 'Headers' }).click()
    await page.locator('.graphiql-editor-tool .monaco-editor:visible .view-lines').click()
    await page.keyboard.press('End')
    for (const _ of '" }') await page.keyboard.press('ArrowLeft')
    await page.keyboard.insertText(token)
    await page.getByLabel(/^Execute query/).click()
    await expect.poll(() => page.locator('.result-window').innerText()).toMatch(/"kind":\s"PERSONAL_TOKEN"/)
    await page.reload()
    await page.getByRole('button', { name: 'Show History' }).click()
    await expect.poll(() => page.locator('.graphiql-history-items').innerText()).toContain('Start')
    expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain(token)
  })

  test('shows the response below the query on a phone, and below the open history', async () => {
    const page = await openGraphiql(null, { viewport: { width: 390, height: 844 } })
    await page.getByRole('button', { name: 'Show History' }).click()
    const panels = ['.graphiql-history', '.graphiql-editors', '.graphiql-response']
    const boxes = await Promise.all(panels.map((panel) => page.locator(panel).boundingBox()))
    expect(boxes.map((box) => box && box.width > 250 && box.x + box.width <= 390)).toEqual([true, true, true])
    expect(boxes.map((box) => box?.y).toSorted((one, other) => Number(one) - Number(other))).toEqual(boxes.map((box) => box?.y))
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })

  test('shows the events of a subscription to the signed-in user', async () => {
    const user = await createPerson(database)
    const { team, token } = await createOwnedTeam(database)
    await join(database, team, user, 'owner')
    const page = await openGraphiql(user)
    const subscription = `subscription { teamEvents(team: "${team.slug}") { actionName } }`
    await page.goto(`${url}/graphql/graphiql?${new URLSearchParams({ query: subscription })}`)
    const answered = page.waitForResponse((response) => response.request().headers().accept === 'text/event-stream')
    await page.getByLabel(/^Execute query/).click()
    expect((await answered).status()).toBe(200)
    await graphql(service, token, `mutation { updateTeam(input: { team: "${team.slug}", name: "Renamed" }) { team { name } } }`)
    await expect.poll(() => page.locator('.result-window').innerText()).toMatch(/"actionName":\s"updateTeam"/)
  })

  test('shows the unauthenticated error to a visitor without a session', async () => {
    const page = await openGraphiql(null)
    expect(await page.title()).toBe('GraphiQL')
    await page.getByLabel(/^Execute query/).click()
    await expect.poll(() => page.locator('.result-window').innerText()).toContain('"unauthenticated"')
  })
})
