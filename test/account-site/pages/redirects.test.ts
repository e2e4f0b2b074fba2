import { describe, expect, test } from 'vitest'
import { createTeam, join } from '../../support/data/team.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { openAs, signedIn } from '../../support/account-site/page-content.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database, url } = service

/** Status code and target of a response. */
async function targetOf(path: string, init: RequestInit = {}) {
  const { status, headers } = await fetch(`${url}${path}`, { ...init, redirect: 'manual' })
  return [status, headers.get('location')]
}

describe('a page for people who are not signed in', () => {
  test.each(['/sign-in', '/sign-up', '/sign-up/check-email', '/sign-in/second-factor', '/sign-in/no-such-team'])(
    'leads a user who is signed in from %s to the return address',
    async (path) => {
      const { browser } = await signedIn(service)
      const page = await browser.open(`${path}?return_to=%2Fsecurity%3Ffrom%3Dhere`)
      expect([page.status, page.url.pathname, page.url.search]).toEqual([200, '/security', '?from=here'])
      const foreign = await browser.open(`${path}?return_to=https%3A%2F%2Fevil.example%2F`)
      expect([foreign.url.origin, foreign.url.pathname]).toEqual([url, '/account/teams'])
    },
  )

  test('keeps the return address when the sign-up in this browser has expired', async () => {
    expect(await targetOf('/sign-up/check-email?return_to=%2Fsecurity')).toEqual([303, '/sign-up?return_to=%2Fsecurity'])
  })
})

describe('an address with the slug of a team in other letters', () => {
  test.each([
    ['/teams/Northwind', '/teams/northwind'],
    ['/teams/NORTHWIND/invoices?page=2&status=OPEN', '/teams/northwind/invoices?page=2&status=OPEN'],
    ['/teams/NorthWind/members/Ab-1', '/teams/northwind/members/Ab-1'],
    ['/teams/Northwind/members.csv', '/teams/northwind/members.csv'],
    ['/sign-in/Northwind', '/sign-in/northwind'],
    ['/sign-in/Northwind?return_to=%2Fteams%2FNorthwind', '/sign-in/northwind?return_to=%2Fteams%2FNorthwind'],
  ])('%s leads to %s, whether the team exists or not', async (from, to) => {
    expect(await targetOf(from)).toEqual([301, to])
    expect(await targetOf(from, { method: 'HEAD' })).toEqual([301, to])
  })

  test('leads a member to the page of the team', async () => {
    const user = await createPerson(database)
    const team = await createTeam(database)
    await join(database, team, user, 'owner')
    const { browser } = await openAs(service, user, '/security')
    const page = await browser.open(`/teams/${team.slug.toUpperCase()}/members?q=a`)
    expect([page.status, page.url.pathname, page.url.search]).toEqual([200, `/teams/${team.slug}/members`, '?q=a'])
  })

  test('is not redirected where forms are sent, where no slug is, and in the APIs', async () => {
    expect(await targetOf('/teams/Northwind', { method: 'POST' })).toEqual([303, '/sign-in?return_to=%2Fteams%2FNorthwind'])
    for (const path of ['/sign-in/start/AbC', '/Teams/northwind', '/teams', '/teams/%4Eorthwind', '/api/v1/teams/Northwind'])
      expect((await targetOf(path))[0]).not.toBe(301)
  })
})
