import { expect, test } from 'vitest'
import { contentOf } from '../../support/account-site/page-content.ts'
import { Browser } from '../../support/browser/browser.ts'
import { useService } from '../../support/service/service.ts'

const service = useService({ brandSupport: 'help@example.test' })

test('an error page names the request and whom to write to', async () => {
  const page = await new Browser(service.url).open('/nowhere', { headers: { 'x-request-id': 'request-7' } })
  expect(page.root.querySelector('main a[href^=mailto]')?.getAttribute('href')).toBe('mailto:help@example.test')
  expect(contentOf(page)).toMatch(/write to help@example\.test and quote the request ID\. Request ID: request-7$/)
})
