import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { IdentityProvider } from '../../../prisma/generated/client/client.ts'
import { expectAccessible, expectFits, expectFitsResized, sizes } from '../browser/tab.ts'
import type { Tab } from '../browser/tab.ts'
import { expectTargetsForFingers } from '../browser/targets.ts'
import { isFull } from '../service/full.ts'
import { createTeam, unique } from '../data/team.ts'
import type { TestService } from '../service/service.ts'
import { expectCustomerWords } from '../words/page-words.ts'
import { startOrganization } from './organization.ts'
import type { Organization } from './organization.ts'
import { addDomain, addProvider } from './team-provider.ts'

// A team in a real browser, whose members sign in at the provider of their organization.

const phone = ['on a phone', { viewport: sizes.phone }] as const
const noScripts = ['without JavaScript', { viewport: sizes.desktop, javaScriptEnabled: false }] as const
const others = [
  ['with JavaScript', { viewport: sizes.desktop }],
  ['on a phone without JavaScript', { viewport: sizes.phone, javaScriptEnabled: false }],
] as const

/** The ways in which people look at the pages. Outside of the full suite, those in which most can fail. */
export const looks = [phone, noScripts, ...(isFull ? others : [])]

/** Starts the provider of an organization, and creates its team with the verified domain of its addresses. */
export async function createOrganizationTeam({ database, url }: TestService, data: Partial<IdentityProvider> = {}) {
  const organization = await startOrganization()
  const team = await createTeam(database)
  const domain = `${unique('acme')}.example`
  await addDomain(database, team, domain)
  const provider = await addProvider(database, team, organization, { name: 'Acme ID', jitRole: 'member', ...data })
  organization.register(`${url}/sign-in/callback/${provider.id}`)
  const email = `ada@${domain}`
  organization.person = { sub: unique('person'), name: 'Ada Lovelace', email }
  return { organization, team, domain, provider, email }
}

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
export const link = (page: Page, name: string) => page.getByRole('main').getByRole('link', { name, exact: true })

/** Waits for a page of the service with this heading, which fits the window and has words that customers know. Axe and the observer of shifts need scripts. */
export async function expectPage({ page, hasScripts }: Tab, title: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
  if (hasScripts) {
    await expectFits(page)
    await expectAccessible(page)
  } else await expectFitsResized(page)
  expectCustomerWords(await page.content(), new URL(page.url()).pathname)
  if (page.viewportSize()?.width === sizes.phone.width) await expectTargetsForFingers(page)
}

/** Answers on the page of the provider. */
export async function logIn({ page }: Pick<Tab, 'page'>, answer: 'Log in' | 'Cancel' = 'Log in'): Promise<void> {
  await page.getByRole('heading', { name: 'Organization login' }).waitFor()
  await button(page, answer).click()
}

/** Expects no complaint but about the requests to the provider. */
export const expectNoComplaints = ({ complaints }: Tab, ...others: readonly Pick<Organization, 'issuer'>[]) =>
  expect(complaints.filter((complaint) => !others.some(({ issuer }) => complaint.startsWith(`requested ${issuer}/`)))).toEqual([])
