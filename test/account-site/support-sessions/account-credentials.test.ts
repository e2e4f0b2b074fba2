import { describe, expect, test } from 'vitest'
import { scopesOfAnyKind } from '../../../schema/core/scopes.ts'
import { heading, openAs } from '../../support/account-site/page-content.ts'
import { createAccountScene, openAsStaff } from '../../support/account-site/support-reader.ts'
import { createSupportRefusals, expectNoBearerToken, expectOnlyGet } from '../../support/account-site/support-refusals.ts'
import type { RefusalRow } from '../../support/account-site/support-refusals.ts'
import { createSupportSession } from '../../support/data/support-session.ts'
import { createTeam, join, personalToken } from '../../support/data/team.ts'
import { accessToken, createGrant } from '../../support/oauth/oauth-rows.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// What must not be enough to read a page of an account in a support session: nothing is read, and no entry is written.

const service = useService()
const { database, clock } = service
const { prisma } = database
type Scene = Awaited<ReturnType<typeof createAccountScene>>
const missing: [number, string] = [404, 'Page not found']
const { commonRows, changeUser } = createSupportRefusals(service, missing, '/account')
const openAsUser = async (user: { email: string }) => (await openAs(service, user, '/account')).browser

const rows: Record<string, RefusalRow<Scene>> = {
  ...commonRows,
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
  'staff after the account was disabled': {
    shown: missing,
    prepare: (scene) => changeUser(scene, scene.user, { disabledAt: clock.now() }),
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
    await expectNoBearerToken(service, `${start}/account/notifications`, tokens)
  })

  test('is open by GET alone: HEAD and a form are refused', async () => {
    const { start, browser } = await createAccountScene(service)
    const body = 'form=save&name=Evil&timezone=&dateFormat=DAY_MONTH_YEAR'
    await expectOnlyGet(service, browser, `${start}/account`, body, 404)
  })
})

test('an address without an account is not found, without an error', async () => {
  const { browser } = await openAsStaff(service)
  for (const id of ['x%00', '%F0%9F%98%80', "'", 'ffffffff-ffff-4fff-bfff-ffffffffffff'])
    expect([id, (await browser.open(`/staff/users/${id}/pages/security`)).status]).toEqual([id, 404])
})
