import packaged from '@sparticuz/chromium'
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'
import { afterAll } from 'vitest'

/** A real Chromium, out of an npm package; closed after the tests of the file. */
export async function launchChromium(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: await packaged.executablePath(),
    // Not the package's own, which set the rules of the web aside and put every tab in one process.
    args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
    headless: true,
  })
  afterAll(() => browser.close())
  return browser
}
