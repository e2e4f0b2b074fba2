import { describe, expect, test } from 'vitest'
import { contentOf, heading } from '../../support/account-site/page-content.ts'
import type { Browser } from '../../support/browser/browser.ts'
import { hasCode, teamOptionsOf } from '../../support/oauth/consent-page.ts'
import { authorizationUrl, createClient, exchangeCode, password } from '../../support/oauth/oauth.ts'
import type { ClientOptions } from '../../support/oauth/oauth.ts'
import { useProviders } from '../../support/identity-providers/provider.ts'
import { createTwoTeamPerson, enterAtProvider } from '../../support/identity-providers/two-team-person.ts'
import { useService } from '../../support/service/service.ts'

// A client gets no more of an account than the session reaches (docs/decisions/identity-providers.md#how-far-a-sign-in-reaches).

const service = useService()
const { database } = service
const { prisma } = database
const providers = useProviders(service.clock.now)

/** Requests authorization for a client in a session that began at the provider of the first of two teams. */
async function prepare(options: ClientOptions = {}) {
  const scene = await createTwoTeamPerson(service, providers)
  const { browser } = await enterAtProvider(service, scene.row, `/teams/${scene.team.slug}`)
  const client = await createClient(database, options)
  const request = (changes = {}, within: Browser = browser) => within.open(authorizationUrl(service, client, changes).url)
  return { ...scene, browser, client, request }
}

describe('the consent page of a session that only the provider of a team vouches for', () => {
  test.each(['optional', 'required'] as const)('offers that team alone if the team of the client is %s', async (team) => {
    const scene = await prepare({ team })
    const page = await scene.request()
    expect(heading(page)).toEqual([200, 'Allow Example App to access your account?'])
    expect([teamOptionsOf(page).filter((value) => value !== ''), page.text.includes('Globex')]).toEqual([[scene.team.slug], false])
    expect(contentOf(page)).toContain('Show my other teams')
    const forged = await scene.browser.press(page, 'Allow access', { Team: '*' }).catch(() => null)
    expect(forged === null || !hasCode(forged)).toBe(true)
    const done = await scene.browser.press(page, 'Allow access', { Team: scene.team.slug })
    expect(hasCode(done)).toBe(true)
    expect(await prisma.oAuthGrant.findMany({ where: { userId: scene.person.id } })).toMatchObject([{ teamId: scene.team.id }])
  })

  test('offers all teams after the proof, to which it leads and from which it returns', async () => {
    const { request, browser, team, other } = await prepare({ team: 'optional' })
    const page = await request()
    const link =
      page.root
        .querySelectorAll('main a')
        .find(({ text }) => text === 'Show my other teams')
        ?.getAttribute('href') ?? ''
    const proved = await browser.press(await browser.open(link), 'Continue', { Password: password })
    expect(heading(proved)).toEqual([200, 'Allow Example App to access your account?'])
    expect(new Set(teamOptionsOf(proved))).toEqual(new Set(['', '*', team.slug, other.slug]))
  })

  test('asks for the proof first if grants of the client have no team', async () => {
    const { request, browser, person } = await prepare({ team: 'none' })
    const page = await request()
    expect([page.url.pathname, ...heading(page)]).toEqual(['/confirm/account', 200, 'Confirm it’s you'])
    expect(await prisma.oAuthGrant.count({ where: { userId: person.id } })).toBe(0)
    const proved = await browser.press(page, 'Continue', { Password: password })
    expect(heading(proved)).toEqual([200, 'Allow Example App to access your account?'])
    expect(hasCode(await browser.press(proved, 'Allow access'))).toBe(true)
  })

  test('gives no code of an existing grant that the session does not reach', async () => {
    const scene = await prepare({ team: 'optional' })
    const { request, client, person, other, browser, team } = scene
    const common = {
      userId: person.id,
      oauthClientId: client.id,
      scopes: ['openid', 'acct:team:read'],
      expiresAt: new Date(Date.now() + 1e9),
    }
    await prisma.oAuthGrant.create({ data: { ...common, teamId: null } })
    await prisma.oAuthGrant.create({ data: { ...common, teamId: other.id } })
    const silent = await request({ prompt: 'none', scope: 'openid acct:team:read' })
    expect(silent.url.searchParams.get('error')).toBe('consent_required')
    await prisma.oAuthGrant.create({ data: { ...common, teamId: team.id } })
    const { url, verifier } = authorizationUrl(service, client, { prompt: 'none', scope: 'openid acct:team:read' })
    const code = (await browser.open(url)).url.searchParams.get('code') ?? ''
    const { body } = await exchangeCode(service, client, { code, verifier })
    const teams = await fetch(`${service.url}/api/v1/teams`, { headers: { authorization: `Bearer ${body.access_token}` } })
    expect(((await teams.json()) as { data: { slug: string }[] }).data.map(({ slug }) => slug)).toEqual([team.slug])
  })

  test('asks nothing silently of a client without teams', async () => {
    const { request, client, person } = await prepare({ team: 'none' })
    const scopes = ['openid', 'acct:team:read']
    await prisma.oAuthGrant.create({
      data: { userId: person.id, oauthClientId: client.id, scopes, expiresAt: new Date(Date.now() + 1e9), teamId: null },
    })
    const silent = await request({ prompt: 'none', scope: scopes.join(' ') })
    expect(silent.url.searchParams.get('error')).toBe('login_required')
  })

  test('hides that the user is a member of the team of a draft', async () => {
    const scene = await prepare({ team: 'optional' })
    await prisma.oAuthClient.update({ where: { id: scene.client.id }, data: { state: 'draft', ownerTeamId: scene.other.id } })
    const page = await scene.request()
    expect([page.status, page.text.includes('Globex')]).toEqual([403, false])
  })
})
