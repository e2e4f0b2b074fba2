import { expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import { everyPage, seedSite, names } from '../../support/account-site/seed.ts'
import { sessionOf } from '../../support/service/in-process.ts'
import { addPasskey } from '../../support/data/second-factor.ts'
import { useService } from '../../support/service/service.ts'
import { enter } from '../../support/account-site/page-content.ts'

const service = useService()

test('every action that cannot be undone requests confirmation and describes its consequences', async () => {
  const { person, parameters } = await seedSite(service, names.plain)
  await addPasskey({ service, principal: await sessionOf(service, person) })
  const browser = new Browser(service.url)
  await enter(browser, person)
  await service.database.prisma.user.update({ where: { id: person.id }, data: { totpSecret: new Uint8Array(64) } })
  const buttons: string[] = []
  for (const { path, isPublic } of everyPage(parameters)) {
    if (isPublic) continue
    const { root } = await browser.open(path)
    for (const button of root.querySelectorAll('main button.danger')) {
      const dialog = button.closest('details.confirm-dialog')
      expect([path, button.text, dialog?.hasAttribute('open')]).toEqual([path, button.text, false])
      expect(dialog?.querySelector('form > p, summary + p')?.text).toMatch(/\w\.$/)
      buttons.push(button.text)
    }
  }
  expect(new Set(buttons).size).toBeGreaterThan(6)
})
