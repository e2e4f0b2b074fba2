import type { Request } from 'playwright-core'
import { expect, test } from 'vitest'
import { useChromium } from '../support/browser/chromium.ts'
import { openTab, signInAt } from '../support/browser/tab.ts'
import { createPerson } from '../support/oauth/oauth.ts'
import { useService } from '../support/service/service.ts'
import { waitFor } from '../support/service/wait.ts'

// The tools for developers load large libraries. Only their bytes are limited, because times depend on the machine.

const service = useService()
const browser = useChromium()

test.each([
  ['/graphiql', ['graphiql.js', 'graphiql.css', 'worker-graphql.js', 'worker-editor.js']],
  ['/api/docs', ['standalone.js', 'openapi.json']],
])('%s loads at most 2 MB, compressed, and its libraries only once', { timeout: 120_000 }, async (path, files) => {
  const tab = await openTab(browser, service)
  const { page } = tab
  await signInAt(tab, service, (await createPerson(service.database)).email)
  const load = async () => {
    const finished: Request[] = []
    const add = (request: Request) => void finished.push(request)
    page.context().on('requestfinished', add)
    await page.goto(service.url + path)
    await waitFor(() => files.every((file) => finished.some((request) => request.url().endsWith(`/${file}`))))
    page.context().off('requestfinished', add)
    const sizes = await Promise.all(finished.map((request) => request.sizes()))
    return sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0)
  }
  const bytes = await load()
  expect([bytes > 500_000, bytes < 2_000_000], `${bytes} bytes`).toEqual([true, true])
  const again = await load()
  expect(again, `${again} bytes at the second visit`).toBeLessThan(300_000)
})
