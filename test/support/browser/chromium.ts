import packaged from '@sparticuz/chromium'
import { chromium } from 'playwright-core'
import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'

/** The part of Playwright's browser that tests use. Each context has its own cookies and cache. */
export type Chromium = Pick<Browser, 'newContext'>

/**
 * A real Chromium, from an npm package. All files of a worker share it, because its start takes a second; it ends with
 * the worker. The contexts of a file are closed after its tests.
 */
export function useChromium(): Chromium {
  const contexts: BrowserContext[] = []
  beforeAll(async () => {
    launched ??= launch()
    await launched
  })
  afterAll(() => Promise.all(contexts.splice(0).map((context) => context.close())))
  return {
    async newContext(options) {
      if (!launched) throw new Error('Chromium is available from beforeAll to afterAll.')
      const context = await (await launched).newContext(options)
      context.setDefaultTimeout(40_000)
      contexts.push(context)
      return context
    },
  }
}

let launched: Promise<Browser> | undefined

const launch = async () =>
  chromium.launch({
    executablePath: await packaged.executablePath(),
    // The package's default arguments disable web security and run every tab in one process.
    args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
    headless: true,
  })
