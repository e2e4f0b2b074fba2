import { describe, expect, test } from 'vitest'
import { scopesOfAnyKind } from '../../../schema/core/scopes.ts'
import { heading, openAs } from '../../support/account-site/page-content.ts'
import { createSupportScene, openAsStaff } from '../../support/account-site/support-reader.ts'
import { createSupportRefusals, expectNoBearerToken, expectOnlyGet } from '../../support/account-site/support-refusals.ts'
import type { RefusalRow } from '../../support/account-site/support-refusals.ts'
import { createTeam, createUser, personalToken, teamToken } from '../../support/data/team.ts'
import { accessToken, createGrant } from '../../support/oauth/oauth-rows.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// What must not be enough to read a page of a team in a support session: nothing is read, and no entry is written.

const service = useService()
const { database, clock } = service
const { prisma } = database
type Scene = Awaited<ReturnType<typeof createSupportScene>>
const forbidden: [number, string] = [403, 'You don’t have access']
const { commonRows, changeUser } = createSupportRefusals(service, forbidden, '')

const rows: Record<string, RefusalRow<Scene>> = {
  ...commonRows,
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
  'staff after the account of its opener was disabled': {
    shown: forbidden,
    prepare: (scene) => changeUser(scene, scene.owner, { disabledAt: clock.now() }),
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
    await expectNoBearerToken(service, `/teams/${team.slug}/members`, tokens)
    const direct = await fetch(`${service.url}/api/v1/teams/${team.slug}/members`, { headers: { authorization: `Bearer ${tokens[0]}` } })
    expect(direct.status).toBe(403)
  })

  test('is open by GET alone: HEAD and a form are refused', async () => {
    const { start, browser } = await createSupportScene(service)
    await expectOnlyGet(service, browser, `${start}/settings`, 'form=update&name=Evil', 403)
  })
})

test('an address that is no slug is refused without an error', async () => {
  await createUser(database)
  const { browser } = await openAsStaff(service)
  for (const slug of ['x%00', '%F0%9F%98%80', "'", 'ACME']) expect((await browser.open(`/teams/${slug}/members`)).status).toBe(403)
})
