import { describe, expect, test } from 'vitest'
import type { Role } from '../../../prisma/generated/client/enums.ts'
import { enter } from '../../support/account-site/page-content.ts'
import { Browser } from '../../support/browser/browser.ts'
import { join, personalToken } from '../../support/data/team.ts'
import { createProvider, requireSignIn, signInThrough } from '../../support/domains/required-sign-in.ts'
import type { RequiringTeam } from '../../support/domains/required-sign-in.ts'
import { queryInSession } from '../../support/graphql/session-request.ts'
import { graphql } from '../../support/http/graphql.ts'
import { request } from '../../support/http/request.ts'
import { teamCredentials } from '../../support/oauth/clients/machines.ts'
import { accessToken, createGrant } from '../../support/oauth/oauth-rows.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { executeAs, operator } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

// Who can open a team that requires sign-in through its provider, with which credential: docs/decisions/required-sign-in.md.

const service = useService()
const { database, clock } = service
const { prisma } = database
const day = 86_400_000

/** How a member has signed in. `provider` is the required one. */
const signIns = ['never', 'elsewhere', 'through another provider', 'long ago', 'through the provider', 'with a passkey'] as const
type SignIn = (typeof signIns)[number]

/** A member of the team with a session in a browser, a personal token, and a token of a client. */
async function createMember({ team, provider, ...requiring }: RequiringTeam, role: Role, email: string, signIn: SignIn) {
  const user = await createPerson(database, { email })
  await join(database, team, user, role)
  const browser = new Browser(service.url)
  await enter(browser, user)
  const ofUser = { where: { userId: user.id } }
  const other = await createProvider({ ...service }, team, { name: 'Other' })
  const providerIds = { elsewhere: [], 'through another provider': [other.id], never: [], 'with a passkey': [] }
  await prisma.session.updateMany({
    ...ofUser,
    data: {
      providerIds: signIn in providerIds ? (providerIds[signIn as keyof typeof providerIds] ?? []) : [provider.id],
      ownerAccessTeamIds: signIn === 'with a passkey' ? [team.id] : [],
    },
  })
  // The user is signed in through the provider in another browser.
  if (signIn === 'elsewhere' || signIn === 'through the provider') await signInThrough(service, provider, user)
  if (signIn === 'long ago') await signInThrough(service, provider, user, new Date(clock.now().getTime() - 30 * day - 1000))
  if (signIn === 'through another provider') await signInThrough(service, other, user)
  const grants = [await createGrant(database, user, { team }), await createGrant(database, user)]
  const [ofTeam = '', ofAll = ''] = await Promise.all(grants.map((grant) => accessToken(database, grant)))
  return { ...requiring, team, user, browser, tokens: [await personalToken(database, user), ofTeam, ofAll] }
}

/** Whether each interface lets a member open the team: the tokens at REST and GraphQL, and the session on pages and at GraphQL. */
async function accessOf({ team: { slug }, browser, tokens }: Awaited<ReturnType<typeof createMember>>) {
  const document = `{ team(slug: "${slug}") { members { total } } }`
  const byToken = await Promise.all(
    tokens.flatMap((token) => [
      request(service, 'GET', `/api/v1/teams/${slug}/members`, { token }).then(({ body }) => body.code ?? 'open'),
      graphql(service, token, document).then(({ errors }) => errors[0]?.extensions?.code ?? 'open'),
    ]),
  )
  const { errors } = await queryInSession(browser, document)
  const page = await browser.open(`/teams/${slug}/members`)
  return {
    tokens: [...new Set(byToken)],
    session: [
      ...new Set([
        errors?.[0]?.extensions.code ?? 'open',
        page.status === 200 ? 'open' : page.text.includes('Continue to') && 'sign_in_required',
      ]),
    ],
  }
}

const refused = ['sign_in_required']
const open = ['open']

describe('a member whose address is in a verified domain', () => {
  test.each<[SignIn, { session: string[]; tokens: string[] }]>([
    ['never', { session: refused, tokens: refused }],
    ['elsewhere', { session: refused, tokens: open }],
    ['through another provider', { session: refused, tokens: refused }],
    ['long ago', { session: refused, tokens: refused }],
    ['through the provider', { session: open, tokens: open }],
    // The row exists for owners only; a member with it has no access.
    ['with a passkey', { session: refused, tokens: refused }],
  ])('who has signed in %s', async (signIn, expected) => {
    const requiring = await requireSignIn(service)
    expect(await accessOf(await createMember(requiring, 'member', requiring.address(), signIn))).toEqual(expected)
  })
})

describe('an owner whose address is in a verified domain', () => {
  test.each<[SignIn, { session: string[]; tokens: string[] }]>([
    ['never', { session: refused, tokens: refused }],
    ['through the provider', { session: open, tokens: open }],
    ['with a passkey', { session: open, tokens: refused }],
  ])('who has signed in %s', async (signIn, expected) => {
    const requiring = await requireSignIn(service)
    expect(await accessOf(await createMember(requiring, 'owner', requiring.address(), signIn))).toEqual(expected)
  })
})

describe('a guest', () => {
  test('with an address of another domain is not concerned, not even of a subdomain', async () => {
    const requiring = await requireSignIn(service)
    for (const email of ['guest@example.test', `guest@mail.${requiring.domain}`])
      expect(await accessOf(await createMember(requiring, 'member', email, 'never'))).toEqual({ session: open, tokens: open })
  })

  test('who has signed in through the provider before is concerned, so that another address does not end it', async () => {
    const requiring = await requireSignIn(service)
    const member = await createMember(requiring, 'member', requiring.address(), 'long ago')
    await prisma.user.update({ where: { id: member.user.id }, data: { email: `${member.user.id}@example.test` } })
    expect(await accessOf(member)).toEqual({ session: refused, tokens: refused })
  })
})

test('team tokens, clients and workload identities of the team and the operator are not concerned', async () => {
  const { team } = await requireSignIn(service)
  for (const create of teamCredentials) {
    const { body } = await request(service, 'GET', `/api/v1/teams/${team.slug}/members`, { token: await create(database, team) })
    expect(body.code).toBeUndefined()
  }
  expect((await executeAs(service, operator, `{ team(slug: "${team.slug}") { members { total } } }`)).refusal).toBeNull()
})

describe('the requirement', () => {
  test('applies from its time on, and is over as soon as it is lifted', async () => {
    const requiring = await requireSignIn(service)
    const where = { id: requiring.team.id }
    await prisma.team.update({ where, data: { signInRequiredAt: new Date(clock.now().getTime() + 60_000) } })
    const member = await createMember(requiring, 'member', requiring.address(), 'never')
    expect(await accessOf(member)).toEqual({ session: open, tokens: open })
    clock.advance(60_000)
    expect(await accessOf(member)).toEqual({ session: refused, tokens: refused })
    await prisma.team.update({ where, data: { signInProviderId: null, signInRequiredAt: null } })
    expect(await accessOf(member)).toEqual({ session: open, tokens: open })
  })

  test('is met for 30 days by a sign-in, and again by the next one', async () => {
    const requiring = await requireSignIn(service)
    const member = await createMember(requiring, 'member', requiring.address(), 'through the provider')
    const last = (days: number) =>
      signInThrough(service, requiring.provider, member.user, new Date(clock.now().getTime() - days * day + 1000))
    await last(30)
    expect(await accessOf(member)).toEqual({ session: open, tokens: open })
    clock.advance(2000)
    expect(await accessOf(member)).toEqual({ session: refused, tokens: refused })
    await last(0)
    expect(await accessOf(member)).toEqual({ session: open, tokens: open })
  })

  test('names the provider, hides the team in lists, and leaves other teams open', async () => {
    const requiring = await requireSignIn(service)
    const member = await createMember(requiring, 'owner', requiring.address(), 'never')
    const { slug } = requiring.team
    const [token = ''] = member.tokens
    const patch = await request(service, 'PATCH', `/api/v1/teams/${slug}`, { token, body: { name: 'Evil' } })
    const message = 'This team requires sign-in through Okta.'
    expect([patch.status, patch.body]).toEqual([403, { message, code: 'sign_in_required', request_id: expect.any(String) }])
    expect((await request(service, 'GET', '/api/v1/teams', { token })).body.data).toEqual([])
    expect((await graphql(service, token, '{ viewer { teamSlugs } }')).data).toEqual({ viewer: { teamSlugs: [] } })
    const can = `{ viewer { can(field: "Mutation.updateTeam", team: "${slug}") { isAllowed reason } } }`
    expect((await graphql(service, token, can)).data.viewer.can).toEqual({ isAllowed: false, reason: 'SIGN_IN_REQUIRED' })
    expect((await graphql(service, token, `subscription { teamEvents(team: "${slug}") { subject } }`)).errors).not.toEqual([])
  })
})
