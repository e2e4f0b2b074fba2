import { describe, expect, test } from 'vitest'
import { alertOf, contentOf, heading, noticeOf } from '../../support/account-site/page-content.ts'
import { createPasskeyOwner } from '../../support/account-site/passkey-owner.ts'
import { usePasskey } from '../../support/account-site/passkey.ts'
import { Authenticator } from '../../support/browser/authenticator.ts'
import { unique } from '../../support/data/team.ts'
import { queryInSession } from '../../support/graphql/session-request.ts'
import { useProviders } from '../../support/identity-providers/provider.ts'
import { addProvider, signInAtProvider } from '../../support/identity-providers/team-provider.ts'
import { createTwoTeamPerson, enterAtProvider, reachedTeams } from '../../support/identity-providers/two-team-person.ts'
import { lastLink } from '../../support/mail/links.ts'
import { password } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'
import { secretKey } from '../../support/service/test-settings.ts'

// The provider of a team vouches for that team alone (docs/decisions/identity-providers.md#how-far-a-sign-in-reaches).

const service = useService({ hostname: 'localhost', secretKey })
const { database } = service
const { prisma } = database
const providers = useProviders(service.clock.now)
const prepare = () => createTwoTeamPerson(service, providers)

describe('a session that began at the provider of a team', () => {
  test('reaches that team and no other, on pages and in GraphQL', async () => {
    const { row, team, other } = await prepare()
    const { browser } = await enterAtProvider(service, row)
    expect(await reachedTeams(browser)).toEqual([team.slug])
    const page = await browser.open(`/teams/${team.slug}`)
    expect([page.status, page.text.includes(other.slug), page.text.includes('Globex')]).toEqual([200, false, false])
    expect(contentOf(page)).toContain(`You signed in through Acme login of ${team.name} . Show my other teams`)
    expect((await browser.open(`/teams/${other.slug}`)).status).toBe(403)
    const global = Buffer.from(`Team:${other.slug}`).toString('base64')
    const { data, errors } = await queryInSession(
      browser,
      `query ($id: ID!) { team(slug: "${team.slug}") { slug } node(id: $id) { id } }`,
      { id: global },
    )
    expect([data, errors?.map(({ extensions }) => extensions.code)]).toEqual([{ team: { slug: team.slug }, node: null }, ['not_found']])
    const refused = await queryInSession(browser, `{ team(slug: "${other.slug}") { slug } }`)
    expect(refused.errors?.[0]?.extensions.code).toBe('team_forbidden')
  })

  test.each([
    'mutation { createTeam(input: { slug: "new-team", name: "New" }) { team { slug } } }',
    'mutation { updateProfile(input: { name: "Eve" }) { user { name } } }',
    'mutation { requestEmailChange(input: { email: "eve@evil.example" }) { email } }',
    '{ viewer { sessions { id } } }',
    '{ viewer { totpProposal { secret } } }',
    '{ viewer { externalIdentities { id } } }',
    '{ deletedTeams { slug } }',
  ])('cannot use the account: %s', async (document) => {
    const { row, person } = await prepare()
    await prisma.user.update({ where: { id: person.id }, data: { staff: true } })
    const { browser } = await enterAtProvider(service, row)
    const { errors } = await queryInSession(browser, document)
    // A document that does not fit the schema has another code.
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['own_proof_required'])
    expect(await prisma.accessToken.count({ where: { userId: person.id } })).toBe(0)
  })

  test('gives staff no access to all teams', async () => {
    const { row, person } = await prepare()
    await prisma.user.update({ where: { id: person.id }, data: { staff: true } })
    const { browser } = await enterAtProvider(service, row)
    const { errors } = await queryInSession(browser, '{ staff { user(id: "x") { userId } } }')
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['not_found'])
  })

  test.each([
    '/security',
    '/tokens',
    '/account',
    '/account/teams',
    '/account/data',
    '/account/password',
    '/security/passkeys/new',
    '/applications',
  ])('is asked for a proof of the account at %s, and returns there', async (path) => {
    const { row, other } = await prepare()
    const { browser, page } = await enterAtProvider(service, row, path)
    expect([page.url.pathname, page.url.searchParams.get('return_to'), ...heading(page)]).toEqual([
      '/confirm/account',
      path,
      200,
      'Confirm it’s you',
    ])
    expect(page.text).not.toContain('Confirm with Acme login')
    const wrong = await browser.press(page, 'Continue', { Password: 'wrong password' })
    expect([alertOf(wrong), await reachedTeams(browser)]).toEqual([[422, 'The password is incorrect.'], [expect.any(String)]])
    const opened = await browser.press(page, 'Continue', { Password: password })
    expect([opened.status, opened.url.pathname]).toEqual([200, path])
    expect(await reachedTeams(browser)).toContain(other.slug)
    // Once a session.
    expect((await browser.open('/tokens')).url.pathname).toBe('/tokens')
  })

  test('reaches everything after a passkey', async () => {
    const { row, person, team, other } = await prepare()
    const authenticator = new Authenticator(service.url)
    await createPasskeyOwner(service, person, authenticator)
    const { browser, page } = await enterAtProvider(service, row, '/security')
    expect((await usePasskey(browser, page, authenticator)).url.pathname).toBe('/security')
    expect(await reachedTeams(browser)).toEqual([team.slug, other.slug].toSorted())
  })

  test('reaches a second team through its provider, and nothing else', async () => {
    const { row, person, team, other } = await prepare()
    const provider = await providers.create()
    const otherRow = await addProvider(database, other, provider)
    const subject = unique('subject')
    await prisma.externalIdentity.create({ data: { providerId: otherRow.id, subject, userId: person.id, lastSignInAt: new Date() } })
    provider.claims = { sub: subject }
    const { browser } = await enterAtProvider(service, row)
    await signInAtProvider(browser, otherRow.id, { return_to: `/teams/${other.slug}` })
    expect(await reachedTeams(browser)).toEqual([team.slug, other.slug].toSorted())
    expect((await browser.open('/tokens')).url.pathname).toBe('/confirm/account')
  })

  test('keeps reaching everything if it began with the password', async () => {
    const { row, person, team, other } = await prepare()
    const { browser } = await enterAtProvider(service, row, '/tokens')
    await browser.press(await browser.open('/tokens'), 'Continue', { Password: password })
    await signInAtProvider(browser, row.id, { return_to: '/' })
    expect(await reachedTeams(browser)).toEqual([team.slug, other.slug].toSorted())
    expect(await prisma.session.count({ where: { userId: person.id, ownProof: true } })).toBe(1)
  })
})

describe('an account without a password and a passkey', () => {
  async function prepareWithout() {
    const prepared = await prepare()
    await prisma.user.update({ where: { id: prepared.person.id }, data: { passwordHash: null } })
    return prepared
  }

  test('is proved by a link to its verified address, in the session that asked for it', async () => {
    const { row, person, team, other } = await prepareWithout()
    const { browser, page } = await enterAtProvider(service, row, '/tokens')
    expect(contentOf(page)).toContain(`We can send a link to ${person.email} instead.`)
    expect(contentOf(await browser.press(page, 'Send a link'))).toContain(`We sent a link to ${person.email} .`)
    const secret = await lastLink(service, person.id)
    // Another session of the provider gains nothing by it.
    const second = await enterAtProvider(service, row, '/tokens')
    const asked = await browser.open(`/links/${secret}`)
    expect([asked.url.pathname, ...heading(asked)]).toEqual(['/confirm/link', 200, 'Confirm it’s you'])
    expect(await reachedTeams(browser)).toEqual([team.slug])
    const opened = await browser.press(asked, 'Confirm it’s me')
    expect([opened.url.pathname, ...noticeOf(opened)]).toEqual([
      '/tokens',
      200,
      'Your other teams and your account are open in this browser now.',
    ])
    expect(await reachedTeams(browser)).toEqual([team.slug, other.slug].toSorted())
    expect(await reachedTeams(second.browser)).toEqual([team.slug])
    expect((await second.browser.open(`/links/${secret}`)).url.pathname).toBe('/link-ended')
  })

  test('gets no link if the address is not verified or it has another proof', async () => {
    const { row, person } = await prepareWithout()
    const { browser } = await enterAtProvider(service, row)
    await prisma.user.update({ where: { id: person.id }, data: { emailVerified: false } })
    const send = () => queryInSession(browser, 'mutation { requestAccountProof { email } }')
    // Only pages can ask for it.
    expect((await send()).errors?.map(({ extensions }) => extensions.code)).toEqual(['session_required'])
    expect(contentOf(await browser.open('/confirm/account'))).toContain('no password, passkey or verified email address')
    expect(await prisma.mailLink.count({ where: { userId: person.id } })).toBe(0)
  })
})

test('a sign-in that reaches one team does not undo the deletion of the account', async () => {
  const { row, person, team } = await prepare()
  const at = service.clock.now()
  await prisma.user.update({ where: { id: person.id }, data: { disabledAt: at, deletionRequestedAt: at } })
  const { page } = await enterAtProvider(service, row, `/teams/${team.slug}`)
  expect(page.text).toContain('To undo a scheduled deletion, sign in with your password or a passkey.')
  expect(await prisma.user.findUniqueOrThrow({ where: { id: person.id } })).toMatchObject({ deletionRequestedAt: at })
})

test('the page that confirms a sign-in names no provider of a team that the session does not reach', async () => {
  const { row, person, other } = await prepare()
  const hidden = await addProvider(database, other, await providers.create(), { name: 'Globex login' })
  await prisma.externalIdentity.create({ data: { providerId: hidden.id, subject: 'x', userId: person.id, lastSignInAt: new Date() } })
  const { browser } = await enterAtProvider(service, row)
  const page = await browser.open('/confirm')
  expect([page.text.includes('Globex'), page.text.includes('Confirm with Acme login')]).toEqual([false, true])
})
