import { beforeAll, expect, test } from 'vitest'
import type { Team, User } from '../../../prisma/generated/client/client.ts'
import { useChromium } from '../../support/browser/chromium.ts'
import { orientations, printed } from '../../support/browser/printed.ts'
import { evaluateInPage, openTab, signInAt } from '../../support/browser/tab.ts'
import { createInvoice } from '../../support/data/invoices/invoice.ts'
import { createTeam, createUser, join, unique } from '../../support/data/team.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const chromium = useChromium()
const { database } = service

const count = 40
let team: Team
let email: string
let longInvoice: string
let member: User
beforeAll(async () => {
  team = await createTeam(database)
  const owner = await createPerson(database)
  email = owner.email
  await join(database, team, owner, 'owner')
  for (let index = 0; index < count; index++) {
    await createInvoice(database, team, { number: `N-${1000 + index}` })
  }
  // The font has a ligature for the letters “ff”.
  member = await createUser(database, { name: 'Grace Hopper', email: `${unique('office')}@example.test` })
  await join(database, team, member, 'member')
  const amounts = Array.from({ length: 60 }, (_, index) => 100_000 + index)
  longInvoice = (await createInvoice(database, team, { number: 'LONG', tax: 0n }, amounts)).id
})

/** Words of navigation and controls. */
const navigation = /Skiptocontent|Youraccount|Signout|Apply|APIreference|DownloadPDF|ExportasCSV|Totalsbymonth|Savechanges|Removefrom/

const pages = [
  ['/invoices', { portrait: 2, landscape: 2 }],
  ['/invoices/:invoice', { portrait: 4, landscape: 5 }],
] as const

test.each(pages)('the table of %s is printed as on screen, without navigation, on sheets of %j', async (path, sheets) => {
  for (const javaScriptEnabled of [true, false]) {
    const tab = await openTab(chromium, service, { javaScriptEnabled, colorScheme: 'dark' })
    await signInAt(tab, service, email)
    await tab.page.goto(`${service.url}/teams/${team.slug}${path.replace(':invoice', longInvoice)}`)
    const shown = await evaluateInPage(tab.page, ({ document }) => {
      const textOf = (element: any): string => element.innerText.replaceAll(/\s/g, '')
      const table = document.querySelector('main table')
      return {
        title: textOf(document.querySelector('h1')),
        titles: [...table.querySelectorAll('thead th:not(.select, .menu)')].map(textOf),
        rows: [...table.querySelectorAll('tbody tr')].map((row: any) =>
          [...row.querySelectorAll('th, td:not(.select, .menu)')].map(textOf),
        ),
      }
    })
    expect(shown.rows.length).toBeGreaterThan(count)
    for (const orientation of orientations) {
      const texts = await printed(tab.page, orientation)
      expect([path, orientation, texts.length]).toEqual([path, orientation, sheets[orientation]])
      const all = texts.join('\n')
      // A line with the team and the day, then the title.
      expect(texts[0]).toMatch(new RegExp(`^${team.name}\\d{1,2}[A-Z][a-z]+\\d{4}${shown.title}`))
      // Every sheet with rows repeats the titles, and each row is whole on one sheet, once and in its order.
      for (const cells of shown.rows) expect(texts.filter((text) => text.includes(cells.join('')))).toHaveLength(1)
      const positions = shown.rows.map((cells: string[]) => all.indexOf(cells.join('')))
      expect(positions).toEqual(positions.toSorted((one: number, other: number) => one - other))
      for (const text of texts)
        if (shown.rows.some((cells: string[]) => text.includes(cells.join('')))) expect(text).toContain(shown.titles[0])
      expect(all).not.toMatch(navigation)
    }
    await tab.page.context().close()
  }
})

test('the page of a member is printed on at most two sheets, with what it says of the member', async () => {
  const tab = await openTab(chromium, service)
  await signInAt(tab, service, email)
  await tab.page.goto(`${service.url}/teams/${team.slug}/members/${member.id}`)
  for (const orientation of orientations) {
    const texts = await printed(tab.page, orientation)
    expect(texts.length).toBeLessThanOrEqual(2)
    expect(texts[0]).toContain('GraceHopper')
    expect(texts[0]).toContain(member.email)
    expect(texts.join('\n')).not.toMatch(navigation)
  }
})

test('63 members are printed on at most three sheets, with the titles on each and without buttons, and say which page of the list it is', async () => {
  const large = await createTeam(database)
  const owner = await createPerson(database, { name: 'Member 0' })
  await join(database, large, owner, 'owner')
  for (let index = 1; index < 63; index++) await join(database, large, await createUser(database, { name: `Member ${index}` }), 'member')
  const tab = await openTab(chromium, service)
  await signInAt(tab, service, owner.email)
  const texts = []
  for (const page of [1, 2]) {
    await tab.page.goto(`${service.url}/teams/${large.slug}/members?page=${page}`)
    texts.push(...(await printed(tab.page, 'portrait')))
  }
  expect(texts.length).toBeLessThanOrEqual(3)
  for (const text of texts) expect(text).toMatch(/Name▲?RoleProducts/)
  expect(texts.join('\n').match(/Page\dof\dofthelist/g)).toEqual(['Page1of2ofthelist', 'Page2of2ofthelist'])
  expect(new Set(texts.join('\n').match(/Member\d+(?=\D)/g)).size).toBe(63)
  expect(texts.join('\n')).not.toMatch(/Invitepeople|CSV|Apply|Changeroleorproducts/)
})

test('the subtotal of an invoice is printed on the sheet of its total, whatever the number of its lines', async () => {
  const tab = await openTab(chromium, service)
  await signInAt(tab, service, email)
  await tab.page.goto(`${service.url}/teams/${team.slug}/invoices/${longInvoice}`)
  for (let lines = 60; lines > 36; lines--) {
    const texts = await printed(tab.page, 'portrait')
    const withTotal = texts.filter((text) => /Subtotal/.test(text) && /Total\D*[\d.,]+/.test(text.slice(text.indexOf('Subtotal') + 8)))
    expect([lines, withTotal.length]).toEqual([lines, 1])
    await evaluateInPage(tab.page, ({ document }) => document.querySelector('main table tbody tr:last-child').remove())
  }
})
