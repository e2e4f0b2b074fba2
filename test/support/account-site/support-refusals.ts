import { expect } from 'vitest'
import type { Session, SupportSession, User } from '../../../prisma/generated/client/client.ts'
import { Browser } from '../browser/browser.ts'
import { readStoredText } from '../graphql/all-rows.ts'
import type { TestService } from '../service/service.ts'

// What must be refused on the pages that staff read in a support session, those of a team and those of an account.

/** Status and heading of a page. */
type ShownPage = [status: number | undefined, heading: string | undefined]

export interface RefusalRow<Scene> {
  shown: ShownPage
  /** Changes the scene, and returns the browser that opens the page. */
  prepare(scene: Scene): Promise<Browser>
}

/** What a scene of a team and one of an account have in common. */
interface SupportScene {
  staff: User
  browser: Browser
  session: SupportSession
  /** Start of the addresses of the pages. */
  start: string
}

const formHeaders = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' }

/**
 * Returns the rows that a team and an account have in common, and a function for rows of their own. `refused` is what is shown without a
 * support session. `firstPage` is the path after the start of the addresses of a page that staff open before they are refused another one.
 */
export function createSupportRefusals({ database: { prisma }, clock, url }: TestService, refused: ShownPage, firstPage: string) {
  const changeSessions = async ({ staff, browser }: SupportScene, data: Partial<Session>) => {
    await prisma.session.updateMany({ where: { userId: staff.id }, data })
    return browser
  }
  const changeUser = async ({ browser }: SupportScene, { id }: { id: string }, data: Partial<User>) => {
    await prisma.user.update({ where: { id }, data })
    return browser
  }
  const changeSupport = async ({ session, browser }: SupportScene, data: Partial<SupportSession>) => {
    await prisma.supportSession.update({ where: { id: session.id }, data })
    return browser
  }
  const confirm: ShownPage = [200, 'Confirm it’s you']

  const commonRows: Record<string, RefusalRow<SupportScene>> = {
    'no session': { shown: [200, 'Sign in'], prepare: () => Promise.resolve(new Browser(url)) },
    'staff after the support session was ended': {
      shown: refused,
      prepare: (scene) => changeSupport(scene, { endedAt: clock.now() }),
    },
    'staff after it expired': { shown: refused, prepare: (scene) => changeSupport(scene, { expiresAt: clock.now() }) },
    'a user who left the staff a moment ago': {
      shown: refused,
      async prepare(scene) {
        expect((await scene.browser.open(scene.start + firstPage)).status).toBe(200)
        return changeUser(scene, scene.staff, { staffRole: null })
      },
    },
    'staff whose session has not proved a second factor': {
      shown: [403, 'Two-factor authentication required'],
      prepare: (scene) => changeSessions(scene, { provedTwoFactor: false }),
    },
    'staff whose sign-in is not recent': {
      shown: confirm,
      prepare: (scene) => changeSessions(scene, { authenticatedAt: new Date(clock.now().getTime() - 16 * 60_000) }),
    },
    'staff whose account has no proof of its own in the session': {
      shown: confirm,
      prepare: (scene) => changeSessions(scene, { ownProof: false }),
    },
  }
  return { commonRows, changeUser }
}

/** Fails if one of the tokens opens the page at a path, as a bearer token. */
export async function expectNoBearerToken({ url }: TestService, path: string, tokens: readonly string[]): Promise<void> {
  for (const token of tokens) {
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` }, redirect: 'manual' })
    expect([response.status, response.headers.get('location')?.startsWith('/sign-in')]).toEqual([303, true])
  }
}

/** Fails unless the page at a path is open by GET, and HEAD and a form have the status of a refusal and change nothing. */
export async function expectOnlyGet(service: TestService, browser: Browser, path: string, body: string, refused: number): Promise<void> {
  const cookie = [...browser.cookies.values()].map(({ name, value }) => `${name}=${value}`).join('; ')
  const address = service.url + path
  expect((await fetch(address, { method: 'HEAD', headers: { cookie } })).status).toBe(refused)
  expect((await fetch(address, { headers: { cookie } })).status).toBe(200)
  const before = await readStoredText(service)
  const sent = await fetch(address, { method: 'POST', headers: { ...formHeaders, cookie, origin: service.url }, body })
  expect([sent.status, (await readStoredText(service)) === before]).toEqual([refused, true])
}

/** Fails unless each of the forms has the status of a refusal, and all together change nothing. */
export async function expectRefusedForms(
  service: TestService,
  browser: Browser,
  forms: readonly { path: string; form: string }[],
  refused: number,
): Promise<void> {
  const before = await readStoredText(service)
  const headers = { ...formHeaders, origin: service.url }
  for (const { path, form } of forms) {
    const page = await browser.open(path, { method: 'POST', headers, body: new URLSearchParams({ form }).toString() })
    expect([path, form, page.status]).toEqual([path, form, refused])
  }
  expect((await readStoredText(service)) === before).toBe(true)
}
