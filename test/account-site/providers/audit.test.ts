import { describe, expect, test } from 'vitest'
import { enter, sessionCookie } from '../../support/account-site/page-content.ts'
import { Browser } from '../../support/browser/browser.ts'
import { rows } from '../../support/identity-providers/decisions.ts'
import type { Decision } from '../../support/identity-providers/decisions.ts'
import { useSituations } from '../../support/identity-providers/situation.ts'
import type { Situation } from '../../support/identity-providers/situation.ts'
import { answerOf } from '../../support/identity-providers/team-provider.ts'
import { password } from '../../support/oauth/oauth.ts'

// The audit entries of accounts at identity providers: who did what, to which account, and no secret.

const { service, prepare, provider } = useSituations()
const { prisma } = service.database

/** Signs in at the provider of a situation, and returns the values that no entry may contain. */
async function signIn({ key }: Pick<Situation, 'key'>, browser: Browser) {
  const answer = await answerOf(await browser.open(`/sign-in/start/${key}`))
  let idToken = ''
  const issue = provider().idToken
  provider().idToken = async (claims) => (idToken = await issue(claims))
  const page = await browser.open(answer)
  provider().idToken = issue
  const secrets = [
    answer.searchParams.get('code'),
    answer.searchParams.get('state'),
    idToken,
    provider().clientSecret,
    password,
    sessionCookie(browser),
  ]
  return { page, secrets: secrets.filter((each) => each !== null && each !== undefined && each !== '') }
}

/** The entries that `work` writes, by action. Fails if one contains a secret that `work` returns. */
async function entriesOf(work: () => Promise<readonly unknown[]>) {
  const present = (await prisma.auditEntry.findMany({ select: { id: true } })).map(({ id }) => id)
  const secrets = await work()
  const entries = await prisma.auditEntry.findMany({ where: { id: { notIn: present } }, orderBy: { action: 'asc' } })
  const text = JSON.stringify(entries)
  for (const secret of secrets) expect(text).not.toContain(secret)
  return entries
}

/** The values of an entry of a user who signs in at a provider, and has no session yet. */
const byUser = (action: string, id: string, name: string, more: object) =>
  expect.objectContaining({
    action,
    actorKind: 'user',
    actorName: name,
    actorUserId: id,
    authenticationMethod: 'session',
    credentialId: null,
    subject: id,
    subjectName: name,
    ...more,
  })

const userIdOf = async ({ subject }: Situation) => (await prisma.externalIdentity.findFirst({ where: { subject } }))?.userId ?? ''

describe('a first sign-in', () => {
  test.each(rows)('at a provider (%s), domain of %s, account (%s) is audited: %s', async (kind, owner, account, decision) => {
    const situation = await prepare(kind, owner, account)
    const providerName = kind === 'team' ? 'Acme login' : 'Google'
    const entries = await entriesOf(async () => (await signIn(situation, new Browser(service.url))).secrets)
    const userId = await userIdOf(situation)
    const { email, team } = situation
    const existing = situation.account
    const name = decision === 'linked' ? (existing?.name ?? '') : 'Ada Lovelace'
    const created = (address: string | null) => [
      byUser('createAccountAtProvider', userId, name, {
        teamId: null,
        before: null,
        after: { email: address, name, provider: providerName },
      }),
    ]
    const joined =
      kind === 'team'
        ? [
            byUser('joinThroughProvider', userId, name, {
              teamId: team.id,
              after: { role: 'member', accessibleAppIds: null, provider: providerName },
            }),
          ]
        : []
    const expected: Record<Decision, unknown[]> = {
      new: [...created(email), ...joined],
      'new without address': [...created(null), ...joined],
      linked: [byUser('linkIdentity', userId, name, { teamId: null, before: null, after: { provider: providerName, email } })],
      proof: [],
      replaced: [
        ...created(email),
        ...joined,
        expect.objectContaining({
          action: 'replaceUnverifiedAccount',
          actorKind: 'anonymous',
          actorUserId: null,
          authenticationMethod: 'account_site',
          credentialId: null,
          teamId: null,
          subject: existing?.id,
          subjectName: existing?.name,
          before: { email, name: existing?.name },
          after: { replacedBy: userId },
        }),
      ],
    }
    expect(entries).toEqual(expected[decision])
  })
})

describe('an account that must be proved', () => {
  test('is audited as linked when it is proved', async () => {
    const situation = await prepare('team', 'the team', 'verified')
    const { account, email, team } = situation
    const browser = new Browser(service.url)
    const { page, secrets } = await signIn(situation, browser)
    const entries = await entriesOf(async () => {
      await browser.press(page, 'Link account', { Password: password })
      return [...secrets, sessionCookie(browser)]
    })
    const [id, name] = [account?.id ?? '', account?.name ?? '']
    expect(entries).toEqual([
      byUser('joinThroughProvider', id, name, { teamId: team.id }),
      byUser('linkIdentity', id, name, { teamId: null, before: null, after: { provider: 'Acme login', email } }),
    ])
  })

  test('is not concerned when the person continues with a new account', async () => {
    const situation = await prepare('social', 'nobody', 'verified')
    const browser = new Browser(service.url)
    const { page, secrets } = await signIn(situation, browser)
    const entries = await entriesOf(async () => {
      await browser.press(page, 'Continue with a new account')
      return [...secrets, sessionCookie(browser)]
    })
    const after = { email: null, name: 'Ada Lovelace', provider: 'Google' }
    expect(entries).toEqual([byUser('createAccountAtProvider', await userIdOf(situation), 'Ada Lovelace', { before: null, after })])
  })
})

describe('the security page', () => {
  test('leaves an entry of each identity that is linked or unlinked there, with the session', async () => {
    const situation = await prepare('social', 'nobody', 'verified')
    const { account, email } = situation
    const browser = new Browser(service.url)
    const page = await enter(browser, { email }, '/security/accounts')
    const session = await prisma.session.findFirstOrThrow({ where: { userId: account?.id ?? '' } })
    const own = (action: string, more: object) =>
      byUser(action, account?.id ?? '', account?.name ?? '', { teamId: null, credentialId: session.id, ...more })
    const linked = await entriesOf(async () => {
      const answer = await answerOf(await browser.press(page, 'Link Google'))
      await browser.open(answer)
      return [answer.searchParams.get('code'), answer.searchParams.get('state'), provider().clientSecret, sessionCookie(browser)]
    })
    expect(linked).toEqual([own('linkIdentity', { before: null, after: { provider: 'Google', email } })])
    const unlinked = await entriesOf(async () => {
      await browser.press(await browser.open('/security/accounts'), 'Remove Google')
      return [sessionCookie(browser)]
    })
    expect(unlinked).toEqual([own('unlinkIdentity', { before: { provider: 'Google', email }, after: null })])
  })
})

test('a later sign-in is not audited', async () => {
  const situation = await prepare('team', 'the team', 'none')
  await signIn(situation, new Browser(service.url))
  expect(await entriesOf(async () => (await signIn(situation, new Browser(service.url))).secrets)).toEqual([])
})
