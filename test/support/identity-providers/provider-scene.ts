import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { IdentityProvider } from '../../../prisma/generated/client/client.ts'
import { useChromium } from '../browser/chromium.ts'
import { pressEnterOn, typeInto } from '../browser/keyboard.ts'
import { expectAccessible, expectFits, expectFitsResized, openTab, signInAt, sizes } from '../browser/tab.ts'
import type { Tab } from '../browser/tab.ts'
import { expectTargetsForFingers } from '../browser/targets.ts'
import { isFull } from '../service/full.ts'
import { createTeam, unique } from '../data/team.ts'
import { useService } from '../service/service.ts'
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

/** Settings of the service of a scene. */
type SceneOptions = Omit<NonNullable<Parameters<typeof useService>[0]>, 'hostname'>

/** A service and a real browser, in which people sign in at the providers of organizations. */
export function useProviderScene(options: SceneOptions = {}) {
  const service = useService({ hostname: 'localhost', ...options })
  const browser = useChromium()
  const { database, clock, url } = service
  return {
    service,
    database,
    clock,
    url,
    prisma: database.prisma,
    createOrganizationTeam: (data?: Partial<IdentityProvider>) => createOrganizationTeam(service, data),
    openTab: async (look: BrowserContextOptions) => createSceneTab(service, await openTab(browser, service, look)),
  }
}

/** Starts the provider of an organization, and creates its team with the verified domain of its addresses. */
async function createOrganizationTeam({ database, url }: TestService, data: Partial<IdentityProvider> = {}) {
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

/** What people do and see in a tab. What leads to a page takes its heading, which is then expected. */
function createSceneTab(service: TestService, tab: Tab) {
  const expectIfNamed = (title?: string) => (title === undefined ? undefined : expectPage(tab, title))
  return {
    ...tab,
    async pressEnterOn(name: RegExp, title?: string) {
      await pressEnterOn(tab, name)
      await expectIfNamed(title)
    },
    button: (name: string) => button(tab.page, name),
    link: (name: string) => tab.page.getByRole('main').getByRole('link', { name, exact: true }),
    typeInto: (label: RegExp, text: string) => typeInto(tab, label, text),
    /** Opens a path of the service. */
    async goto(path: string, title?: string) {
      await tab.page.goto(service.url + path)
      await expectIfNamed(title)
    },
    /** Signs in with the password. */
    signIn: (email: string) => signInAt(tab, service, email),
    expectPage: (title: string) => expectPage(tab, title),
    /** Answers on the page of the provider. */
    async logIn(answer: 'Log in' | 'Cancel' = 'Log in', title?: string) {
      await tab.page.getByRole('heading', { name: 'Organization login' }).waitFor()
      await button(tab.page, answer).click()
      await expectIfNamed(title)
    },
    /** Expects no complaint but about the requests to the provider. */
    expectNoComplaints: (...others: readonly Pick<Organization, 'issuer'>[]) =>
      expect(tab.complaints.filter((complaint) => !others.some(({ issuer }) => complaint.startsWith(`requested ${issuer}/`)))).toEqual([]),
  }
}

export type SceneTab = ReturnType<typeof createSceneTab>

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Waits for a page of the service with this heading, which fits the window and has words that customers know. Axe and the observer of shifts need scripts. */
async function expectPage({ page, hasScripts }: Tab, title: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
  if (hasScripts) {
    await expectFits(page)
    await expectAccessible(page)
  } else await expectFitsResized(page)
  expectCustomerWords(await page.content(), new URL(page.url()).pathname)
  if (page.viewportSize()?.width === sizes.phone.width) await expectTargetsForFingers(page)
}
