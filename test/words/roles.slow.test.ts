import { expect, test } from 'vitest'
import { openAs } from '../support/account-site/page-content.ts'
import { everyPage } from '../support/account-site/every-page.ts'
import { names, seedSite } from '../support/account-site/seed.ts'
import { createPerson } from '../support/oauth/oauth.ts'
import { useService } from '../support/service/service.ts'
import { join } from '../support/data/team.ts'
import { expectCustomerWords } from '../support/words/page-words.ts'

// What members without the rights of an owner read, and those without a team. The pages of an owner are read in every-page.slow.test.ts.

const service = useService()

test('the pages of members, of billing members and of people without a team have words that customers know', async () => {
  const { team, parameters } = await seedSite(service, names.plain)
  for (const role of ['member', 'billing', null] as const) {
    const person = await createPerson(service.database, { name: 'Jo New' })
    if (role) await join(service.database, team, person, role)
    const { browser } = await openAs(service, person, '/security')
    let shown = 0
    for (const { path, isPublic } of everyPage(parameters)) {
      if (isPublic) continue
      const page = await browser.open(path)
      if (page.status === 200) shown++
      expectCustomerWords(page.root.toString(), `${role} ${path} ${page.status}`)
    }
    expect(shown).toBeGreaterThan(10)
  }
})
