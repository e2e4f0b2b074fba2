import { expect, test } from 'vitest'
import { useChromium } from '../../support/browser/chromium.ts'
import { evaluateInPage, expectFits, openTab, signInAt } from '../../support/browser/tab.ts'
import { createTeam, join, unique } from '../../support/data/team.ts'
import { openConsent } from '../../support/oauth/consent-page.ts'
import { createGrant } from '../../support/oauth/oauth-rows.ts'
import { authorizationUrl, createClient, createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service
const { prisma } = database
const browser = useChromium()

test('an app has the same mark, in a colour of its own, on the sign-in, consent and connected-apps pages', async () => {
  const { browser: withoutScripts, client, page, user } = await openConsent(service, { name: 'Ledger' })
  const markOf = ({ root }: typeof page) => {
    const mark = root.querySelector('main .app-mark')
    return [mark?.querySelector('rect')?.getAttribute('fill'), mark?.text]
  }
  const mark = markOf(page)
  expect(mark).toEqual([expect.stringMatching(/^oklch\(/), 'L'])
  await createGrant(database, user)
  await prisma.oAuthGrant.updateMany({ where: { userId: user.id }, data: { oauthClientId: client.id } })
  expect(markOf(await withoutScripts.open('/applications'))).toEqual(mark)
  withoutScripts.cookies.clear()
  const signIn = await withoutScripts.open(authorizationUrl(service, client).url)
  expect([signIn.root.querySelector('h1')?.text, ...markOf(signIn)]).toEqual(['Sign in', ...mark])
  // Another app with the same name looks different.
  const other = await createClient(database, { name: 'Ledger' })
  expect(markOf(await withoutScripts.open(authorizationUrl(service, other).url))).not.toEqual(mark)
})

test('every mark has a contrast of at least 4.5 with its letters, which are the same in both themes', async () => {
  const person = await createPerson(database)
  for (let count = 0; count < 40; count++) await createGrant(database, person)
  const tab = await openTab(browser, service, { colorScheme: 'dark' })
  await signInAt(tab, service, person.email)
  await tab.page.goto(`${service.url}/applications`)
  const contrasts = await evaluateInPage(tab.page, ({ document }) => {
    const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
    const luminanceOf = (color: string) => {
      context.fillStyle = color
      context.fillRect(0, 0, 1, 1)
      const [red, green, blue] = [...context.getImageData(0, 0, 1, 1).data].map((part) =>
        part <= 10 ? part / 3294 : ((part / 255 + 0.055) / 1.055) ** 2.4,
      )
      return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
    }
    return [...document.querySelectorAll('.app-mark')].map((mark: any) => {
      const [rect, text] = [mark.querySelector('rect'), mark.querySelector('text')].map((part) => luminanceOf(part.getAttribute('fill')))
      return ((text ?? 0) + 0.05) / ((rect ?? 0) + 0.05)
    })
  })
  expect(contrasts).toHaveLength(40)
  expect(Math.min(...contrasts)).toBeGreaterThan(4.5)
  await tab.page.context().close()
})

test.each([320, 390])(
  'the consent page shows the whole team select on a window of %i pixels, with a long team name and a long app name',
  async (width) => {
    const person = await createPerson(database)
    const name = 'Ladies who launch rockets on long weekends, GmbH & Co. KG'
    for (const each of [name, 'Acme'])
      await join(database, await createTeam(database, { name: each, slug: unique('t'.repeat(40)) }), person, 'owner')
    const client = await createClient(database, { name: 'Invoice Archive for Very Careful Accountants', team: 'required' })
    const tab = await openTab(browser, service, { viewport: { width, height: 800 } })
    const { page } = tab
    await signInAt(tab, service, person.email)
    await page.goto(authorizationUrl(service, client).url.href)
    await page.getByRole('heading', { level: 1, name: `Allow ${client.name} to access your account?` }).waitFor()
    const select = page.getByLabel('Team', { exact: true })
    const options = await select.locator('option').allInnerTexts()
    await select.selectOption({ index: options.findIndex((text) => text.startsWith('Ladies')) })
    const shown = await select.evaluate((element: any) => {
      const { left, right } = element.getBoundingClientRect()
      const parent = element.parentElement.getBoundingClientRect()
      const { textOverflow } = element.ownerDocument.defaultView.getComputedStyle(element)
      return { insets: [left - parent.left, parent.right - right], textOverflow }
    })
    expect(shown).toEqual({ insets: [0, 0], textOverflow: 'ellipsis' })
    await expectFits(page)
    await page.context().close()
  },
)
