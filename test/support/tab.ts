import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { password } from './oauth.ts'
import type { TestService } from './service.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export const sizes = { phone: { width: 320, height: 640 }, desktop: { width: 1280, height: 800 } } as const

/** A tab of a browser profile of its own that notes what no page of ours may do. */
export interface Tab {
  page: Page
  /** Complaints of the browser, of the Content-Security-Policy among them, and requests to third parties. */
  complaints: string[]
  /** Bytes of the page last loaded with all that it loads, compressed as a proxy would. */
  weight(): number
}

export async function openTab(browser: Browser, { url }: Pick<TestService, 'url'>, options: BrowserContextOptions = {}): Promise<Tab> {
  const context = await browser.newContext({ viewport: sizes.desktop, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  const complaints: string[] = []
  let bytes = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest()) bytes = 0
    if (!request.url().startsWith(`${url}/`) && !request.url().startsWith('data:')) complaints.push(`asked ${request.url()}`)
  })
  page.on('response', async (response) => {
    const body = await response.body().catch(() => Buffer.alloc(0))
    bytes += gzipSync(body).length
  })
  page.on('pageerror', (error) => complaints.push(`threw ${error.message}`))
  page.on('console', (message) => {
    // The status of a page that is meant to be an error is told here too.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) complaints.push(message.text())
  })
  page.on('dialog', (dialog) => {
    complaints.push(`a script of somebody's said ${dialog.message()}`)
    void dialog.dismiss()
  })
  return { page, complaints, weight: () => bytes }
}

/** Signs in by hand, at the sign-in page. */
export async function signInAt({ page }: Tab, { url }: Pick<TestService, 'url'>, email: string): Promise<void> {
  await page.goto(`${url}/sign-in`)
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL((address) => address.pathname !== '/sign-in')
}

/** The shown page has no violation that axe-core knows of, of these rules alone where some are named. */
export async function expectAccessible(page: Page, rules?: readonly string[]): Promise<void> {
  // Evaluated from outside: as a script of the page its policy would refuse it, as it should.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe)
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) }
  const violations = await page.evaluate(async (options) => {
    const { violations } = await (globalThis as any).axe.run((globalThis as any).document, options)
    return violations.map(({ id, nodes }: any) => `${id}: ${nodes.map(({ html }: any) => html).join(' ')}`)
  }, options)
  expect(violations, page.url()).toEqual([])
}

/** The same in light and in dark, which are told apart by colours alone. */
export async function expectAccessibleInAnyLight(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' })
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page, ['color-contrast', 'link-in-text-block'])
}

/** The shown page is whole: nothing beside the window, nothing moved while it was drawn. */
export async function expectWhole(page: Page): Promise<void> {
  const measured = await page.evaluate(async () => {
    const { document, PerformanceObserver, requestAnimationFrame } = globalThis as any
    const shifts = await new Promise<number>((resolve) => {
      let count = 0
      new PerformanceObserver((list: any) => (count += list.getEntries().length)).observe({ type: 'layout-shift', buffered: true })
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(count)))
    })
    const root = document.documentElement
    return { beside: root.scrollWidth - root.clientWidth, shifts, headings: root.querySelectorAll('h1').length }
  })
  expect(measured, page.url()).toEqual({ beside: 0, shifts: 0, headings: 1 })
}
