import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { password } from '../oauth/oauth.ts'
import type { Chromium } from './chromium.ts'
import { isFull } from '../service/full.ts'
import type { TestService } from '../service/service.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export const sizes = { phone: { width: 320, height: 640 }, desktop: { width: 1280, height: 800 } } as const

/** A tab in its own browser profile, which records forbidden behaviour of pages. */
export interface Tab {
  page: Page
  /** Whether pages can run scripts. */
  hasScripts: boolean
  /** Errors of the browser, including Content-Security-Policy violations, dialogs, and requests to third parties. */
  complaints: string[]
  /** Compressed size in bytes of the last page and everything that it loaded. */
  weight(): number
}

export async function openTab(browser: Chromium, { url }: Pick<TestService, 'url'>, options: BrowserContextOptions = {}): Promise<Tab> {
  const context = await browser.newContext({ viewport: sizes.desktop, ...options })
  const page = await context.newPage()
  const complaints: string[] = []
  let bytes = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest()) bytes = 0
    if (!request.url().startsWith(`${url}/`) && !request.url().startsWith('data:')) complaints.push(`requested ${request.url()}`)
  })
  page.on('response', async (response) => {
    const body = await response.body().catch(() => Buffer.alloc(0))
    bytes += gzipSync(body).length
  })
  page.on('pageerror', (error) => complaints.push(`uncaught error: ${error.message}`))
  page.on('console', (message) => {
    // Chromium also logs an error for every page with an error status, which is expected.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) complaints.push(message.text())
  })
  page.on('dialog', (dialog) => {
    complaints.push(`a script opened a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  return { page, hasScripts: options.javaScriptEnabled !== false, complaints, weight: () => bytes }
}

/** Signs in with the form of the sign-in page, which asks for the address first if a team has an identity provider. */
export async function signInAt({ page }: Tab, { url }: Pick<TestService, 'url'>, email: string): Promise<void> {
  await page.goto(`${url}/sign-in`)
  await page.getByLabel('Email address').fill(email)
  const next = page.getByRole('button', { name: 'Continue', exact: true })
  if (await next.isVisible()) await next.click()
  const field = page.getByLabel('Password')
  await field.waitFor({ state: 'attached' })
  // Folded for an address of a team with an identity provider.
  if (!(await field.isVisible())) await page.getByText('Use a password').click()
  await field.fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL((address) => address.pathname !== '/sign-in')
}

/** Expects no violations of axe-core's rules, or of the given rules only. */
export async function expectAccessible(page: Page, rules?: readonly string[]): Promise<void> {
  // Evaluated by the debugger, because the page's Content-Security-Policy blocks a script element.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe)
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) }
  const violations = await evaluateInPage(
    page,
    async ({ axe, document }, options) => {
      const { violations } = await axe.run(document, options)
      return violations.map(({ id, nodes }: any) => `${id}: ${nodes.map(({ html }: any) => html).join(' ')}`)
    },
    options,
  )
  expect(violations, page.url()).toEqual([])
}

/**
 * Expects an accessible page, in the full suite in both themes. Only the colours differ, so the dark theme is checked
 * for contrast only.
 */
export async function expectAccessibleInBothThemes(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' })
  await expectAccessible(page)
  if (!isFull) return
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page, ['color-contrast', 'link-in-text-block'])
}

/** Expects a page with one heading that fits the width of the window, whose content did not shift since it loaded. */
export async function expectFits(page: Page): Promise<void> {
  const shifts = await evaluateInPage(
    page,
    ({ PerformanceObserver, requestAnimationFrame }) =>
      new Promise<unknown[]>((resolve) => {
        const shifts: unknown[] = []
        const observer = new PerformanceObserver((list: any) => {
          for (const { node, previousRect, currentRect } of list.getEntries().flatMap(({ sources }: any) => sources)) {
            shifts.push({ element: (node?.outerHTML ?? node?.data)?.slice(0, 120), from: previousRect.toJSON(), to: currentRect.toJSON() })
          }
        })
        observer.observe({ type: 'layout-shift', buffered: true })
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(shifts)))
      }),
  )
  expect({ url: page.url(), shifts }).toEqual({ url: page.url(), shifts: [] })
  await expectFitsResized(page)
}

/** The same for a page whose window got a new size, which shifts its content. */
export async function expectFitsResized(page: Page): Promise<void> {
  const layout = await evaluateInPage(page, ({ document }) => {
    const root = document.documentElement
    const isWide = (element: any) => element.getBoundingClientRect().right > root.clientWidth && element.checkVisibility()
    const tooWide = root.scrollWidth > root.clientWidth ? [...root.querySelectorAll('main *, header *')].filter(isWide) : []
    return {
      overflow: root.scrollWidth - root.clientWidth,
      tooWide: tooWide.slice(-5).map(({ outerHTML }) => outerHTML.slice(0, 200)),
      headings: root.querySelectorAll('h1').length,
    }
  })
  expect(layout, page.url()).toEqual({ overflow: 0, tooWide: [], headings: 1 })
}

/** Runs a function in the page. `window` is untyped, because the project does not include the DOM types. */
export async function evaluateInPage<Result>(
  page: Page,
  run: (window: any, argument: any) => Result | Promise<Result>,
  argument?: unknown,
): Promise<Result> {
  const window = await page.evaluateHandle<any>('window')
  return window.evaluate(run, argument)
}
