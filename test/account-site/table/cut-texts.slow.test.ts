import { beforeAll, expect, test } from 'vitest'
import type { Team, User } from '../../../prisma/generated/client/client.ts'
import { useChromium } from '../../support/browser/chromium.ts'
import { evaluateInPage, openTab, signInAt } from '../../support/browser/tab.ts'
import { createInvoice } from '../../support/data/invoices/invoice.ts'
import { createTeam, createUser, join, personalToken, teamToken } from '../../support/data/team.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service
const chromium = useChromium()
let team: Team
let owner: User
beforeAll(async () => {
  team = await createTeam(database)
  owner = await createPerson(database, { name: 'Olga' })
  await join(database, team, owner, 'owner')
  const member = await createUser(database, { name: 'Freya Castellanos-Fernández' })
  await join(database, team, member, 'member')
  await teamToken(database, team, { name: 'Member sync from the directory' })
  await personalToken(database, member)
  await createInvoice(database, team, {})
})

async function openList(path: string, width: number) {
  const tab = await openTab(chromium, service, { viewport: { width, height: 800 } })
  await signInAt(tab, service, owner.email)
  await tab.page.goto(`${service.url}/teams/${team.slug}${path}`)
  return tab
}

test('names of tokens and the ends that tell them apart are shown in full on a desk', async () => {
  const { page } = await openList('/access', 1280)
  const texts = await evaluateInPage(page, ({ document, getComputedStyle }) =>
    [...document.querySelectorAll('.rows .named, .rows .named *')].map((each: any) => [
      getComputedStyle(each).textOverflow,
      each.scrollWidth > each.clientWidth && each.clientWidth > 0,
    ]),
  )
  expect([texts.length > 6, texts.filter(([overflow, isCut]) => overflow !== 'clip' || isCut)]).toEqual([true, []])
})

test.each([1280, 390])('sentences of the audit log are shown in full at %i pixels', async (width) => {
  const after = { role: 'member', provider: 'The identity provider of all companies in the group of Northwind Traders' }
  const name = 'Freya Castellanos-Fernández of the department for customer relations'
  const entry = {
    at: service.clock.now(),
    action: 'joinThroughProvider',
    actorKind: 'user',
    authenticationMethod: 'session',
    requestId: 'x',
  }
  const data = { ...entry, teamId: team.id, subject: owner.id, subjectName: name, actorName: name, after }
  await database.prisma.auditEntry.create({ data })
  const { page } = await openList('/audit-trail', width)
  const sentences = await evaluateInPage(page, ({ document, getComputedStyle }) =>
    [...document.querySelectorAll('.rows .sentence, .rows td:has(> .sentence)')].map((each: any) => [
      getComputedStyle(each).textOverflow,
      each.scrollWidth > each.clientWidth && each.clientWidth > 0,
    ]),
  )
  expect([sentences.length > 1, sentences.filter(([overflow, isCut]) => overflow !== 'clip' || isCut)]).toEqual([true, []])
})

test.each(['/members', '/access', '/invoices', '/audit-trail', '/tokens', '/invitations'])(
  '%s shows what can be searched',
  async (path) => {
    const { page } = await openList(path, 1280)
    const search = page.getByRole('searchbox')
    if ((await search.count()) === 0) return
    const isCut = await search.evaluate((field: HTMLInputElement) => {
      field.value = field.placeholder
      return field.scrollWidth > field.clientWidth
    })
    expect(isCut).toBe(false)
  },
)

test.each(['/members', '/access'])('the checkbox that selects all rows of %s shows its label on a phone', async (path) => {
  const { page } = await openList(path, 390)
  const box = await page.getByText('Select all on this page').boundingBox()
  expect([box && box.width > 100, box && box.height > 10]).toEqual([true, true])
})
