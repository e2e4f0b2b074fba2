import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Team } from '../../../prisma/generated/client/client.ts'
import { useChromium } from '../../support/browser/chromium.ts'
import { expectAccessibleInBothThemes, expectFits, openTab, signInAt, sizes } from '../../support/browser/tab.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { authorizationUrl, createClient, createPerson } from '../../support/oauth/oauth.ts'
import type { ClientOptions } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// What an app asks a user who has connected it before: docs/decisions/oauth.md#teams.

const service = useService()
const { database } = service
const browser = useChromium()

const callback = 'https://app.example/callback'

/** Signs a member of teams in, and returns how a client requests authorization in this browser. */
async function prepare(teamCount: number, options: ClientOptions = {}) {
  const user = await createPerson(database)
  const teams: Team[] = []
  for (let count = 0; count < teamCount; count++) teams.push(await createTeam(database, { name: `Team ${count}` }))
  for (const team of teams) await join(database, team, user, 'owner')
  const client = await createClient(database, { name: 'Ledger', team: 'required', ...options })
  const tab = await openTab(browser, service, { viewport: sizes.phone })
  await signInAt(tab, service, user.email)
  const { page } = tab
  /** Opens the authorization endpoint, and returns where the browser stops: at the consent page or at the app, which does not exist. */
  const request = async (changes: Record<string, string> = {}) => {
    const stop = Promise.race([
      leaveForApp(page),
      page
        .getByRole('button', { name: 'Allow access' })
        .waitFor()
        .then(() => 'consent'),
    ])
    await page.goto(authorizationUrl(service, client, changes).url.href).catch(() => null)
    return stop
  }
  const allow = async () => {
    const left = leaveForApp(page)
    await page.getByRole('button', { name: 'Allow access' }).click()
    return left
  }
  return { client, teams, page, request, allow, select: page.getByLabel('Team', { exact: true }) }
}

const leaveForApp = async (page: Page) => {
  const request = await page.waitForRequest((each) => each.url().startsWith(callback))
  return new URL(request.url()).searchParams.has('code') ? 'code' : 'error'
}

describe('a user with one team', () => {
  test('is asked once, and again for more scopes or with prompt=consent', async () => {
    const { page, teams, request, allow, select } = await prepare(1)
    expect(await request()).toBe('consent')
    expect(await select.inputValue()).toBe(teams[0]?.slug)
    expect(await allow()).toBe('code')
    expect(await request()).toBe('code')
    expect(await request({ scope: 'openid' })).toBe('code')
    expect(await request({ scope: 'openid email acct:team:read' })).toBe('consent')
    expect(await page.getByText('Granted before').count()).toBe(1)
    expect(await allow()).toBe('code')
    expect(await request({ prompt: 'consent' })).toBe('consent')
    await expectFits(page)
    await expectAccessibleInBothThemes(page)
  })
})

describe('a user with three teams', () => {
  test('chooses a team once, and allows the same access again with one click', async () => {
    const { page, teams, request, allow, select } = await prepare(3)
    expect(await request()).toBe('consent')
    expect(await select.inputValue()).toBe('')
    await select.selectOption(teams[1]?.slug ?? '')
    expect(await allow()).toBe('code')
    expect(await request()).toBe('consent')
    expect(await select.inputValue()).toBe(teams[1]?.slug)
    await page.getByText('It already has access to Team 1.').waitFor()
    await expectFits(page)
    expect(await allow()).toBe('code')
  })

  test('sees one notice about an app that is a draft and has no verified publisher', async () => {
    const { client, teams, page, request } = await prepare(3)
    await database.prisma.oAuthClient.update({ where: { id: client.id }, data: { state: 'draft', ownerTeamId: teams[0]?.id ?? '' } })
    expect(await request()).toBe('consent')
    expect(await page.locator('main .caution:visible').count()).toBe(1)
    await expectFits(page)
  })
})
