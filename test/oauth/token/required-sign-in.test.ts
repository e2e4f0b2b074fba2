import { describe, expect, test } from 'vitest'
import type { IdentityProvider, Team } from '../../../prisma/generated/client/client.ts'
import type { Scope } from '../../../schema/core/scopes.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { createProvider, signInThrough } from '../../support/domains/required-sign-in.ts'
import { createDomain } from '../../support/domains/domain.ts'
import { request } from '../../support/http/request.ts'
import { allowForm, grantsOf, openConsent, teamOptionsOf } from '../../support/oauth/consent-page.ts'
import { authorizationUrl, authorize, createClient, createPerson, exchangeCode, post, refresh } from '../../support/oauth/oauth.ts'
import type { ClientOptions } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// Grants of a user without the sign-in through its provider that a team requires: docs/decisions/required-sign-in.md.

const service = useService()
const { database, clock } = service
const { prisma } = database
const day = 86_400_000
const invalidGrant = { status: 400, body: { error: 'invalid_grant' } }

/** Makes a team require sign-in of the users with an address at this domain. */
async function requireOf(team: Team, domain: string): Promise<IdentityProvider> {
  const provider = await createProvider(service, team)
  await createDomain(database, team, { domain })
  await prisma.team.update({ where: { id: team.id }, data: { signInProviderId: provider.id, signInRequiredAt: clock.now() } })
  return provider
}
const domainOf = (email: string) => email.slice(email.indexOf('@') + 1)

/** An owner of the team and of another one, who authorizes a client for the team. */
async function authorized(options: ClientOptions = {}) {
  const user = await createPerson(database)
  const email = `${user.id}@${user.id}.example`
  await prisma.user.update({ where: { id: user.id }, data: { email } })
  const [team, other] = [await createTeam(database), await createTeam(database)]
  for (const each of [team, other]) await join(database, each, user, 'owner')
  const optionalScopes: Scope[] = ['offline_access', 'teams', 'acct:team:members:read']
  const client = await createClient(database, { team: 'required', optionalScopes, ...options })
  const choices = { ...(client.team === 'none' ? {} : { team: team.slug }), scope: optionalScopes }
  const scope = ['openid', ...optionalScopes].join(' ')
  const begin = () => authorize(service, client, { ...user, email }, { choices, changes: { scope } })
  return { user: { ...user, email }, team, other, client, begin }
}

test('a grant for the team is refused at the token endpoint, and works again after the sign-in and until it is too long ago', async () => {
  const { user, team, client, begin } = await authorized()
  const [first, unused] = [await begin(), await begin()]
  const { body } = await exchangeCode(service, client, first)
  const provider = await requireOf(team, domainOf(user.email))
  expect(await refresh(service, client, body.refresh_token)).toMatchObject(invalidGrant)
  expect(await exchangeCode(service, client, unused)).toMatchObject(invalidGrant)
  const introspected = await post(service, '/api/oauth/introspect', client, { token: body.access_token })
  expect(introspected.body).toMatchObject({ active: true, team: null })
  await signInThrough(service, provider, user)
  const renewed = await refresh(service, client, body.refresh_token)
  expect([renewed.status, renewed.body.team]).toEqual([200, team.slug])
  const again = await post(service, '/api/oauth/introspect', client, { token: renewed.body.access_token })
  expect(again.body).toMatchObject({ active: true, team: team.slug })
  await signInThrough(service, provider, user, new Date(clock.now().getTime() - 30 * day - 1000))
  expect(await refresh(service, client, renewed.body.refresh_token)).toMatchObject(invalidGrant)
})

test('a grant for all teams keeps those that do not require it', async () => {
  const { user, team, other, client, begin } = await authorized({ team: 'none' })
  const { body: tokens } = await exchangeCode(service, client, await begin())
  await requireOf(team, domainOf(user.email))
  const renewed = await refresh(service, client, tokens.refresh_token)
  const { body } = await request(service, 'GET', '/api/v1/teams', { token: renewed.body.access_token })
  expect(body.data.map(({ slug }: Team) => slug)).toEqual([other.slug])
})

test('prompt=none does not continue with a grant for the team', async () => {
  const { user, team, client, begin } = await authorized()
  const { browser, ...authorization } = await begin()
  await exchangeCode(service, client, authorization)
  await requireOf(team, domainOf(user.email))
  const { url } = authorizationUrl(service, client, { prompt: 'none', scope: 'openid teams' })
  expect((await browser.open(url)).url.searchParams.get('error')).toMatch(/consent_required|interaction_required/)
})

describe('the consent page', () => {
  test('does not offer the team, leads to the sign-in, and refuses the team in a form that was shown before', async () => {
    const { user, teams, browser, page, reopen } = await openConsent(service, { team: 'required' })
    const [team, other] = teams
    const provider = await requireOf(team, domainOf(user.email))
    const { action, values } = allowForm(page)
    values.set('team', team.slug)
    const stale = await browser.send(page, action, values)
    expect([stale.status, teamOptionsOf(stale)]).toEqual([409, [other.slug]])
    expect(await grantsOf(database, user.id)).toEqual([])
    const opened = await reopen()
    expect(opened.text).toContain(`You cannot choose ${team.name}: sign-in through its identity provider is required there.`)
    const link = opened.root.querySelectorAll('a').find(({ text }) => text === 'Sign in')
    expect(link?.getAttribute('href')).toMatch(new RegExp(`^/sign-in/${team.slug}\\?return_to=%2F`))
    await signInThrough(service, provider, user)
    expect(teamOptionsOf(await reopen())).toContain(team.slug)
  })
})
