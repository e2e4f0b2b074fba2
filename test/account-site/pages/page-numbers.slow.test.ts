import { expect, test } from 'vitest'
import { enter } from '../../support/account-site/page-content.ts'
import { everyPage } from '../../support/account-site/every-page.ts'
import { names, seedSite } from '../../support/account-site/seed.ts'
import { Browser } from '../../support/browser/browser.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()

test('every list links back to its last page from a page number beyond it', async () => {
  const { person, parameters } = await seedSite(service, names.plain)
  const browser = new Browser(service.url)
  await enter(browser, person)
  const lists: string[] = []
  for (const { path, isPublic } of everyPage(parameters)) {
    const { root } = isPublic ? { root: null } : await browser.open(`${path}?page=99&size=10`)
    if (!root?.querySelector('.empty')?.text.startsWith('There is nothing on this page.')) continue
    lists.push(path)
    const links = root.querySelectorAll('.pages a')
    expect([path, ...links.map(({ text }) => text.trim())]).toEqual([path, 'Go to the last page'])
    const last = await browser.open(links[0]?.getAttribute('href')?.replaceAll('&amp;', '&') ?? '')
    expect([path, last.url.search, last.root.querySelector('.empty')]).toEqual([path, '?page=1&size=10', null])
  }
  expect(lists.length).toBeGreaterThanOrEqual(8)
})
