import { beforeAll, describe, expect, test } from 'vitest'
import type { Team, User } from '../../../prisma/generated/client/client.ts'
import { encodePicture } from '../../../schema/pictures/encode-picture.ts'
import { newPictureId } from '../../../schema/pictures/stored-picture.ts'
import { useChromium } from '../../support/browser/chromium.ts'
import { evaluateInPage, expectAccessible, expectFits, openTab, signInAt, sizes } from '../../support/browser/tab.ts'
import { imageBytes } from '../../support/data/pictures.ts'
import { createTeam, createUser, join } from '../../support/data/team.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { prisma } = service.database
const chromium = useChromium()

describe('a team whose 50 members all have pictures', () => {
  let team: Team
  let owner: User
  beforeAll(async () => {
    team = await createTeam(service.database)
    owner = await createPerson(service.database, { name: 'Olga' })
    await join(service.database, team, owner, 'owner')
    const others = await Promise.all(Array.from({ length: 49 }, () => createUser(service.database)))
    for (const member of others) await join(service.database, team, member, 'member')
    for (const { id: userId } of [owner, ...others]) {
      const { large, small } = await encodePicture(await imageBytes('jpeg'), 'cover')
      const files = { large: new Uint8Array(large), small: new Uint8Array(small) }
      const { id: pictureId } = await prisma.picture.create({ data: { id: newPictureId(), userId, ...files } })
      await prisma.user.update({ where: { id: userId }, data: { pictureId } })
    }
  })

  test.each(Object.entries(sizes))('has a list of members that loads less than 65 kB on a %s', async (_, viewport) => {
    const tab = await openTab(chromium, service, { viewport })
    await signInAt(tab, service, owner.email)
    await tab.page.waitForLoadState('networkidle')
    await tab.page.goto(`${service.url}/teams/${team.slug}/members?size=50`)
    await tab.page.mouse.wheel(0, 20_000)
    await tab.page.waitForLoadState('networkidle')
    const shown = await evaluateInPage(
      tab.page,
      ({ document }) =>
        [...document.querySelectorAll('main img.avatar')].filter(({ complete, naturalWidth }: any) => complete && naturalWidth === 64)
          .length,
    )
    expect([shown, tab.complaints]).toEqual([50, []])
    expect(tab.weight()).toBeLessThan(65_000)
    await expectFits(tab.page)
    await expectAccessible(tab.page)
  })
})

test('a picture is chosen, saved and removed in a browser, also without JavaScript', async () => {
  const user = await createPerson(service.database)
  const file = { name: 'me.jpg', mimeType: 'image/jpeg', buffer: await imageBytes('jpeg') }
  for (const javaScriptEnabled of [true, false]) {
    const tab = await openTab(chromium, service, { javaScriptEnabled })
    await signInAt(tab, service, user.email)
    await tab.page.goto(`${service.url}/account`)
    await tab.page.getByLabel('Picture', { exact: true }).setInputFiles(file)
    await tab.page.getByRole('button', { name: 'Save' }).click()
    await tab.page.getByText('Your profile was saved.').waitFor()
    await tab.page.getByRole('button', { name: 'Remove picture' }).waitFor()
    expect(await tab.page.locator('main img.avatar').evaluate((image: any) => image.naturalWidth)).toBe(256)

    await tab.page.getByLabel('Picture', { exact: true }).setInputFiles({ ...file, name: 'me.png', buffer: Buffer.from('text') })
    await tab.page.getByRole('button', { name: 'Save' }).click()
    await tab.page.getByText('Picture must be a JPEG, PNG or WebP file.').waitFor()

    await tab.page.getByRole('button', { name: 'Remove picture' }).click()
    await tab.page.getByText('Your picture was removed.').waitFor()
    expect(await tab.page.locator('main img.avatar').count()).toBe(0)
    expect(tab.complaints).toEqual([])
  }
})

test('a file that is too large is refused, and the fields before and after it keep what was entered', async () => {
  const user = await createPerson(service.database)
  const { page, ...tab } = await openTab(chromium, service, { javaScriptEnabled: false })
  await signInAt({ page, ...tab }, service, user.email)
  await page.goto(`${service.url}/account`)
  await page.getByLabel('Name', { exact: true }).fill('Ada New')
  await page.getByLabel('Time zone').fill('Europe/Berlin')
  await page.getByLabel('Date format').selectOption('YEAR_MONTH_DAY')
  const buffer = Buffer.concat([await imageBytes('jpeg'), Buffer.alloc(6_000_000)])
  await page.getByLabel('Picture', { exact: true }).setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Picture must be a file of at most 5 MB.').waitFor()
  const values = ['Name', 'Time zone', 'Date format'].map((label) => page.getByLabel(label, { exact: true }).inputValue())
  expect(await Promise.all(values)).toEqual(['Ada New', 'Europe/Berlin', 'YEAR_MONTH_DAY'])
})
