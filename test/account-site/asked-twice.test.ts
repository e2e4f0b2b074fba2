import { expect, test } from 'vitest'
import { Browser } from '../support/browser.ts'
import { everyPage, furnish, names } from '../support/furnished.ts'
import { sessionOf } from '../support/in-process.ts'
import { addPasskey } from '../support/second-factor.ts'
import { startService } from '../support/service.ts'
import { enter } from './shown.ts'

const service = await startService()

test('what cannot be undone is asked twice, and first says what is lost', async () => {
  const { person, parameters } = await furnish(service, names.plain)
  await addPasskey({ service, as: await sessionOf(service, person) })
  const browser = new Browser(service.url)
  await enter(browser, person)
  await service.database.prisma.user.update({ where: { id: person.id }, data: { totpSecret: new Uint8Array(64) } })
  const asked: string[] = []
  for (const { path, isForAnyone } of everyPage(parameters)) {
    if (isForAnyone) continue
    const { root } = await browser.open(path)
    for (const button of root.querySelectorAll('main button.danger')) {
      const step = button.closest('details.sure')
      expect([path, button.text, step?.hasAttribute('open')]).toEqual([path, button.text, false])
      expect(step?.querySelector('form > p')?.text).toMatch(/\w\.$/)
      asked.push(button.text)
    }
  }
  expect([...new Set(asked)].toSorted()).toEqual([
    'Leave the team',
    'Remove from the team',
    'Yes, cut it off',
    'Yes, delete it',
    'Yes, disconnect it',
    'Yes, revoke it',
    'Yes, turn it off',
  ])
})
