import { describe, expect, test } from 'vitest'
import { createTeam, join, teamToken, unique } from '../../support/data/team.ts'
import { findPendingInvitation, invite } from '../../support/data/invitation.ts'
import { queryInSession } from '../../support/graphql/session-request.ts'
import { useProviders } from '../../support/identity-providers/provider.ts'
import { addProvider, answerOf, signInAtProvider } from '../../support/identity-providers/team-provider.ts'
import { createTwoTeamPerson, enterAtProvider, reachedTeams } from '../../support/identity-providers/two-team-person.ts'
import { hasCode } from '../../support/oauth/consent-page.ts'
import { authorizationUrl, createClient } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// An account that the provider of a team created (docs/decisions/identity-providers.md#how-far-a-sign-in-reaches).

const service = useService({ hostname: 'localhost' })
const { database } = service
const { prisma } = database
const providers = useProviders(service.clock.now)

/** Signs in at the provider of a team for the first time. `other` is another team. */
async function prepare() {
  const scene = await createTwoTeamPerson(service, providers)
  const { provider, row, team, person } = scene
  provider.claims = { sub: unique('subject'), email: `${unique('new')}@${person.email.split('@')[1]}`, name: 'New' }
  const entered = await enterAtProvider(service, row, '/tokens')
  return { ...scene, ...entered, user: await prisma.user.findFirstOrThrow({ where: { createdByTeamId: team.id } }) }
}

/** Sends a query with a token. */
async function queryWith(token: string, query: string) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const response = await fetch(`${service.url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the body of a GraphQL response
  return (await response.json()) as Awaited<ReturnType<typeof queryInSession>>
}

test('is open to a sign-in there as long as it belongs to no other team', async () => {
  const { browser, page, team, other, user } = await prepare()
  expect([page.url.pathname, await reachedTeams(browser)]).toEqual(['/tokens', [team.slug]])
  expect(page.text).not.toContain('Show my other teams')
  await join(database, other, user, 'member')
  expect((await browser.open('/tokens')).url.pathname).toBe('/confirm/account')
  expect(await reachedTeams(browser)).toEqual([team.slug])
})

test('is open again in a session for which both its teams vouch', async () => {
  const { browser, other, user } = await prepare()
  await join(database, other, user, 'member')
  const second = await providers.create()
  const row = await addProvider(database, other, second)
  const subject = unique('subject')
  await prisma.externalIdentity.create({ data: { providerId: row.id, subject, userId: user.id, lastSignInAt: new Date() } })
  second.claims = { sub: subject }
  expect((await signInAtProvider(browser, row.id, { return_to: '/tokens' })).url.pathname).toBe('/tokens')
})

test('is proved before it creates a team', async () => {
  const { browser, user } = await prepare()
  const page = await browser.open('/teams/new')
  const asked = await browser.press(page, 'Create team', { Name: 'Own', Slug: unique('own') })
  expect([asked.url.pathname, await prisma.member.count({ where: { userId: user.id } })]).toEqual(['/confirm/account', 1])
})

test('that is staff is not open, because staff can read every team', async () => {
  const { browser, user, other } = await prepare()
  await prisma.user.update({ where: { id: user.id }, data: { staff: true } })
  const { errors } = await queryInSession(browser, `{ staff { team(slug: "${other.slug}") { name } } }`)
  expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['not_found'])
  expect((await browser.open('/tokens')).url.pathname).toBe('/confirm/account')
})

describe('what was made before it joined another team', () => {
  test('a personal token does not reach that team, nor does one accept its invitation', async () => {
    const { browser, user, team, other } = await prepare()
    const input = { name: 'x', scopes: ['acct:team:read', 'acct:team:invitations:write'], expiresAt: new Date(Date.now() + 86_400_000) }
    const create = 'mutation ($input: CreatePersonalTokenInput!) { createPersonalToken(input: $input) { value } }'
    const { data } = await queryInSession(browser, create, { input })
    const token: string = data.createPersonalToken.value
    await invite(service, other.slug, await teamToken(database, other), { email: user.email, role: 'member' })
    const { id } = await findPendingInvitation(service, user.email)
    const accepted = await queryWith(token, `mutation { acceptInvitation(input: { id: "${id}" }) { team { slug } } }`)
    expect(accepted.errors?.map(({ extensions }) => extensions.code)).toEqual(['session_required'])
    await join(database, other, user, 'owner')
    expect((await queryWith(token, '{ viewer { teamSlugs } }')).data.viewer.teamSlugs).toEqual([team.slug])
    // Later memberships are made with a proof, and the token is known to the user.
    const third = await createTeam(database)
    await join(database, third, user, 'member')
    expect((await queryWith(token, '{ viewer { teamSlugs } }')).data.viewer.teamSlugs).toEqual([team.slug, third.slug].toSorted())
  })

  test('a grant for all teams does not reach that team', async () => {
    const { browser, user, other } = await prepare()
    const client = await createClient(database, { team: 'optional' })
    const page = await browser.open(authorizationUrl(service, client, { scope: 'openid acct:team:read' }).url)
    expect(hasCode(await browser.press(page, 'Allow access', { Team: '*' }))).toBe(true)
    await join(database, other, user, 'owner')
    expect(await prisma.oAuthGrant.findMany({ where: { userId: user.id } })).toMatchObject([{ teamId: null, revokedTeamIds: [other.id] }])
  })

  test('a connection that began is refused', async () => {
    const { browser, user, team, other } = await prepare()
    const second = await providers.create()
    const row = await addProvider(database, team, second, { name: 'Second' })
    second.claims = { sub: unique('subject') }
    const answer = await answerOf(await browser.press(await browser.open('/security/accounts'), 'Link Second'))
    await join(database, other, user, 'member')
    expect((await browser.open(answer)).text).toContain('Confirm your account first')
    expect(await prisma.externalIdentity.count({ where: { userId: user.id, providerId: row.id } })).toBe(0)
  })

  test('a consent page for the whole account asks for the proof', async () => {
    const { browser, user, other } = await prepare()
    const client = await createClient(database, { team: 'none' })
    const page = await browser.open(authorizationUrl(service, client).url)
    await join(database, other, user, 'member')
    const asked = await browser.press(page, 'Allow access')
    expect([asked.url.pathname, await prisma.oAuthGrant.count({ where: { userId: user.id } })]).toEqual(['/confirm/account', 0])
  })
})
