import { expect, test } from 'vitest'
import { useChromium } from '../../support/browser/chromium.ts'
import { evaluateInPage, openTab, signInAt } from '../../support/browser/tab.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const chromium = useChromium()

test('the products of a team are cards on phones, and no text is cut off', async () => {
  const { prisma } = service.database
  const team = await createTeam(service.database)
  const owner = await createPerson(service.database)
  await join(service.database, team, owner, 'owner')
  await prisma.connectedApp.create({
    data: { teamId: team.id, connectedAt: new Date(), application: 'cert', name: 'Certificates', status: 'suspended' },
  })
  const tab = await openTab(chromium, service, { viewport: { width: 375, height: 800 } })
  await signInAt(tab, service, owner.email)
  await tab.page.goto(`${service.url}/teams/${team.slug}/apps`)
  const cut = await evaluateInPage(tab.page, ({ document }) => {
    const { width } = document.querySelector('main section').getBoundingClientRect()
    return [...document.querySelectorAll('main section *')].filter((each: any) => each.getBoundingClientRect().right > width + 40).length
  })
  expect(cut).toBe(0)
  await tab.page.getByText('Suspended').waitFor()
  expect(tab.complaints).toEqual([])
})
