import { describe, expect, test } from 'vitest'
import type { User } from '../../../prisma/generated/client/client.ts'
import { scopesOfAnyKind } from '../../../schema/core/scopes.ts'
import { heading, openAs } from '../../support/account-site/page-content.ts'
import { createAccountScene, openAsStaff } from '../../support/account-site/support-reader.ts'
import { Browser } from '../../support/browser/browser.ts'
import { createSupportSession } from '../../support/data/support-session.ts'
import { createTeam, join, personalToken } from '../../support/data/team.ts'
import { readStoredText } from '../../support/graphql/all-rows.ts'
import { accessToken, createGrant } from '../../support/oauth/oauth-rows.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// What must not be enough to read a page of an account in a support session: nothing is read, and no entry is written.

const service = useService()
const { database, clock } = service
const { prisma } = database
type Scene = Awaited<ReturnType<typeof createAccountScene>>
type Opened = [status: number | undefined, heading: string | undefined]
const missing: Opened = [404, 'Page not found']
const confirm: Opened = [200, 'Confirm it’s you']

interface Row {
  shown: Opened
  /** Changes the scene, and returns the browser that opens the page. */
  prepare(scene: Scene): Promise<Browser>
}

const changeSessions = async ({ staff, browser }: Scene, data: object) => {
  await prisma.session.updateMany({ where: { userId: staff.id }, data })
  return browser
}
const changeUser = async ({ browser }: Scene, { id }: { id: string }, data: Partial<User>) => {
  await prisma.user.update({ where: { id }, data })
  return browser
}
const changeSupport = async ({ session, browser }: Scene, data: object) => {
  await prisma.supportSession.update({ where: { id: session.id }, data })
  return browser
}
const openAsUser = async (user: { email: string }) => (await openAs(service, user, '/account')).browser

const rows: Record<string, Row> = {
  'no session': { shown: [200, 'Sign in'], prepare: () => Promise.resolve(new Browser(service.url)) },
  'another user': { shown: missing, prepare: async () => openAsUser(await createPerson(database)) },
  'the user': { shown: missing, prepare: ({ user }) => openAsUser(user) },
  'an owner of a team of the user': {
    shown: missing,
    async prepare({ user }) {
      const [team, owner] = [await createTeam(database), await createPerson(database)]
      await join(database, team, user, 'member')
      await join(database, team, owner, 'owner')
      return openAsUser(owner)
    },
  },
  'staff without a support session of the account': {
    shown: missing,
    async prepare({ browser, session }) {
      const other = await createPerson(database)
      await prisma.supportSession.update({ where: { id: session.id }, data: { userId: other.id, openedById: other.id } })
      return browser
    },
  },
  'staff with a support session of a team of the user': {
    shown: missing,
    async prepare({ browser, user, session }) {
      const team = await createTeam(database)
      await join(database, team, user, 'owner')
      await createSupportSession(database, team, user, { now: clock.now() })
      await prisma.supportSession.delete({ where: { id: session.id } })
      return browser
    },
  },
  'staff after the user ended it': { shown: missing, prepare: (scene) => changeSupport(scene, { endedAt: clock.now() }) },
  'staff after it expired': { shown: missing, prepare: (scene) => changeSupport(scene, { expiresAt: clock.now() }) },
  'staff after the account was disabled': {
    shown: missing,
    prepare: (scene) => changeUser(scene, scene.user, { disabledAt: clock.now() }),
  },
  'a user who left the staff a moment ago': {
    shown: missing,
    async prepare(scene) {
      expect((await scene.browser.open(`${scene.start}/account`)).status).toBe(200)
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

describe('a page of the account', () => {
  test.each(Object.entries(rows))('is not open to %s', async (_, { shown, prepare }) => {
    const scene = await createAccountScene(service)
    const browser = await prepare(scene)
    const count = () => prisma.auditEntry.count({ where: { action: 'readInSupportSession', subject: scene.user.id } })
    const before = await count()
    const page = await browser.open(`${scene.start}/account/notifications`)
    expect(heading(page)).toEqual(shown)
    expect([await count(), page.root.querySelector('main')?.text.includes(scene.user.email)]).toEqual([before, false])
  })

  test('is not open to a token of staff or of the user, or to a client with every scope, as a bearer token', async () => {
    const { user, staff, start } = await createAccountScene(service)
    const team = await createTeam(database)
    await join(database, team, user, 'owner')
    const tokens = [
      await personalToken(database, staff, { scopes: [...scopesOfAnyKind] }),
      await personalToken(database, user, { scopes: [...scopesOfAnyKind] }),
      await accessToken(database, await createGrant(database, user, { team })),
    ]
    for (const token of tokens) {
      const response = await fetch(`${service.url}${start}/account/notifications`, {
        headers: { authorization: `Bearer ${token}` },
        redirect: 'manual',
      })
      expect([response.status, response.headers.get('location')?.startsWith('/sign-in')]).toEqual([303, true])
    }
  })

  test('is open by GET alone: HEAD and a form are refused', async () => {
    const { start, browser } = await createAccountScene(service)
    const cookie = [...browser.cookies.values()].map(({ name, value }) => `${name}=${value}`).join('; ')
    const address = `${service.url}${start}/account`
    expect((await fetch(address, { method: 'HEAD', headers: { cookie } })).status).toBe(404)
    expect((await fetch(address, { headers: { cookie } })).status).toBe(200)
    const headers = { cookie, origin: service.url, 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' }
    const before = await readStoredText(service)
    const sent = await fetch(address, { method: 'POST', headers, body: 'form=save&name=Evil&timezone=&dateFormat=DAY_MONTH_YEAR' })
    expect([sent.status, (await readStoredText(service)) === before]).toEqual([404, true])
  })
})

test('an address without an account is not found, without an error', async () => {
  const { browser } = await openAsStaff(service)
  for (const id of ['x%00', '%F0%9F%98%80', "'", 'ffffffff-ffff-4fff-bfff-ffffffffffff'])
    expect([id, (await browser.open(`/staff/users/${id}/pages/security`)).status]).toEqual([id, 404])
})
