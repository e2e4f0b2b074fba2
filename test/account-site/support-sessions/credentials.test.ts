import { describe, expect, test } from 'vitest'
import type { User } from '../../../prisma/generated/client/client.ts'
import { scopesOfAnyKind } from '../../../schema/core/scopes.ts'
import { heading, openAs } from '../../support/account-site/page-content.ts'
import { createSupportScene, openAsStaff } from '../../support/account-site/support-reader.ts'
import { Browser } from '../../support/browser/browser.ts'
import { createTeam, createUser, personalToken, teamToken } from '../../support/data/team.ts'
import { readStoredText } from '../../support/graphql/all-rows.ts'
import { accessToken, createGrant } from '../../support/oauth/oauth-rows.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// What must not be enough to read a page of a team in a support session: nothing is read, and no entry is written.

const service = useService()
const { database, clock } = service
const { prisma } = database
type Scene = Awaited<ReturnType<typeof createSupportScene>>
type Opened = [status: number | undefined, heading: string | undefined]
const forbidden: Opened = [403, 'You don’t have access']
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

const rows: Record<string, Row> = {
  'no session': { shown: [200, 'Sign in'], prepare: () => Promise.resolve(new Browser(service.url)) },
  'a user who is not staff': {
    shown: forbidden,
    prepare: async () => (await openAs(service, await createPerson(database), '/account')).browser,
  },
  'staff without a support session of the team': {
    shown: forbidden,
    async prepare({ browser, session }) {
      const other = await createTeam(database)
      await prisma.supportSession.update({ where: { id: session.id }, data: { teamId: other.id } })
      return browser
    },
  },
  'staff after an owner ended it': { shown: forbidden, prepare: (scene) => changeSupport(scene, { endedAt: clock.now() }) },
  'staff after it expired': { shown: forbidden, prepare: (scene) => changeSupport(scene, { expiresAt: clock.now() }) },
  'staff after the account of its opener was disabled': {
    shown: forbidden,
    prepare: (scene) => changeUser(scene, scene.owner, { disabledAt: clock.now() }),
  },
  'a user who left the staff a moment ago': {
    shown: forbidden,
    async prepare(scene) {
      expect((await scene.browser.open(`/teams/${scene.team.slug}`)).status).toBe(200)
      await prisma.auditEntry.count()
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
  'staff of a deleted team': {
    shown: forbidden,
    async prepare({ team, browser }) {
      await prisma.team.update({ where: { id: team.id }, data: { deletedAt: clock.now() } })
      return browser
    },
  },
}

describe('a page of the team', () => {
  test.each(Object.entries(rows))('is not open to %s', async (_, { shown, prepare }) => {
    const scene = await createSupportScene(service)
    const browser = await prepare(scene)
    const count = () => prisma.auditEntry.count({ where: { action: 'readInSupportSession', teamId: scene.team.id } })
    const before = await count()
    const page = await browser.open(`/teams/${scene.team.slug}/members`)
    expect(heading(page)).toEqual(shown)
    expect([await count(), page.text.includes(scene.owner.email)]).toEqual([before, false])
  })

  test('is not open to a token of staff or of the team, or to a client with every scope, as a bearer token', async () => {
    const { team, owner, staff } = await createSupportScene(service)
    const tokens = [
      await personalToken(database, staff, { scopes: [...scopesOfAnyKind, 'acct:staff:write', 'acct:staff:read'] }),
      await teamToken(database, team, { scopes: [...scopesOfAnyKind] }),
      await accessToken(database, await createGrant(database, owner, { team })),
    ]
    for (const token of tokens) {
      const response = await fetch(`${service.url}/teams/${team.slug}/members`, {
        headers: { authorization: `Bearer ${token}` },
        redirect: 'manual',
      })
      expect([response.status, response.headers.get('location')?.startsWith('/sign-in')]).toEqual([303, true])
    }
    const direct = await fetch(`${service.url}/api/v1/teams/${team.slug}/members`, { headers: { authorization: `Bearer ${tokens[0]}` } })
    expect(direct.status).toBe(403)
  })

  test('is open by GET alone: HEAD and a form are refused', async () => {
    const { team, browser } = await createSupportScene(service)
    const cookie = [...browser.cookies.values()].map(({ name, value }) => `${name}=${value}`).join('; ')
    const address = `${service.url}/teams/${team.slug}/settings`
    expect((await fetch(address, { method: 'HEAD', headers: { cookie } })).status).toBe(403)
    expect((await fetch(address, { headers: { cookie } })).status).toBe(200)
    const headers = { cookie, origin: service.url, 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' }
    const before = await readStoredText(service)
    const sent = await fetch(address, { method: 'POST', headers, body: 'form=update&name=Evil' })
    expect([sent.status, (await readStoredText(service)) === before]).toEqual([403, true])
  })
})

test('an address that is no slug is refused without an error', async () => {
  await createUser(database)
  const { browser } = await openAsStaff(service)
  for (const slug of ['x%00', '%F0%9F%98%80', "'", 'ACME']) expect((await browser.open(`/teams/${slug}/members`)).status).toBe(403)
})
