import packaged from '@sparticuz/chromium'
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'
import { afterAll } from 'vitest'

/** A real Chromium, out of an npm package; closed after the tests of the file. */
export async function launchChromium(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: await packaged.executablePath(),
    args: [...packaged.args, '--no-sandbox'],
    headless: true,
  })
  afterAll(() => browser.close())
  return browser
}
