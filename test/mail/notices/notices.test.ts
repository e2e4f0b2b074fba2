import { describe, expect, test } from 'vitest'
import type { NoticeKind } from '../../../schema/core/notices/notices.ts'
import { sentBy } from '../../support/mail/sent.ts'
import { notices } from '../../../src/mail/templates/notice-mail.ts'
import { scenarios } from '../../support/graphql/scenarios/mutation-scenarios.ts'
import { createScenarioContext } from '../../support/graphql/scenarios/scenario.ts'
import { createUser } from '../../support/data/team.ts'
import { executeAs, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

// The mails about changes: which action sends which, to whom, and what it says.

const service = useService()
const { database } = service
const { mailsOf, messageOf } = sentBy(service)

const toRole =
  'mutation ($team: String!, $id: ID!) { updateMember(input: { team: $team, userId: $id, role: BILLING }) { member { id: userId } } }'
const changesRole: typeof scenarios = {
  ...scenarios,
  updateRole: {
    document: toRole,
    prepare: ({ team, member, principal }) => ({ principal, variables: { team: team.slug, id: member.id } }),
  },
  addKeys: ofApp('jwksUri: "https://app.example/keys"'),
  letActAlone: ofApp('grantTypes: ["authorization_code", "refresh_token", "client_credentials"]'),
}

/** An update of an app of the team that changes these members. */
function ofApp(members: string): (typeof scenarios)[string] {
  const { prepare } = scenarios['updateTeamClient'] ?? { prepare: () => expect.unreachable() }
  return {
    document: `mutation ($id: ID!) { updateTeamClient(input: { clientId: $id, ${members} }) { client { name } } }`,
    async prepare(context) {
      const scenario = await prepare(context)
      const where = { clientId: String(scenario.variables?.['id']) }
      await database.prisma.oAuthClient.update({ where, data: { grantTypes: ['authorization_code', 'refresh_token'] } })
      return scenario
    },
  }
}

type Recipient = 'owner' | 'member'

/** For each mutation of an owner or a member: the notice that it sends, and to whom; null for none. */
const sent: [mutation: string, kind: NoticeKind | null, recipient: Recipient, text: string][] = [
  ['changePassword', 'password-changed', 'owner', 'All other browsers were signed out.'],
  ['confirmTotp', 'second-factor-on', 'owner', 'now uses two-factor authentication'],
  ['moveTotp', 'authenticator-moved', 'owner', 'Those of the previous app no longer work.'],
  ['requirePasskey', 'second-factor-on', 'owner', 'now uses two-factor authentication'],
  ['disableSecondFactor', 'second-factor-off', 'owner', 'no longer uses two-factor authentication'],
  ['resetSecondFactor', 'second-factor-off', 'owner', ', by an operator of this service.'],
  ['regenerateRecoveryCodes', 'recovery-codes-created', 'owner', 'The previous ones no longer work.'],
  ['registerPasskey', 'passkey-added', 'owner', 'The passkey “Laptop” can now be used to sign in'],
  ['deletePasskey', 'passkey-removed', 'owner', 'The passkey “Laptop” can no longer be used to sign in'],
  ['unlinkIdentity', 'identity-unlinked', 'owner', 'An account at GitHub can no longer be used to sign in'],
  ['createPersonalToken', 'personal-token-created', 'owner', 'The personal token “Laptop” was created. It has access to your account'],
  ['createTeamToken', 'team-token-created', 'owner', 'You created the token “CI” of the team “Acme”.'],
  ['createWorkloadIdentity', 'workload-identity-created', 'owner', 'You created the workload identity “CI” of the team “Acme”.'],
  ['deleteWorkloadIdentity', null, 'owner', ''],
  ['createInitialAccessToken', 'initial-access-token-created', 'owner', 'You created the initial access token “iat_…'],
  ['deleteInitialAccessToken', null, 'owner', ''],
  ['openSupportSession', 'support-session-opened', 'owner', 'You opened the pages of the team “Acme” to staff of'],
  ['openAccountSupportSession', 'account-support-opened', 'owner', 'The pages of your account were opened to staff of'],
  ['endSupportSession', null, 'owner', ''],
  ['createIdentityProvider', 'identity-provider', 'owner', 'You created the identity provider “Acme” of the team “Acme”.'],
  ['updateIdentityProvider', 'identity-provider', 'owner', 'You changed the identity provider “Okta” of the team “Acme”.'],
  ['deleteIdentityProvider', 'identity-provider', 'owner', 'No one can sign in through it anymore.'],
  ['disableIdentityProvider', 'identity-provider', 'owner', 'An operator of this service disabled the identity provider “Acme”'],
  ['enableIdentityProvider', 'identity-provider', 'owner', 'Members can sign in through it again.'],
  ['setAgentAssertions', 'identity-provider', 'owner', 'It can now give the selected agents access to the team'],
  ['createTeamClient', 'app-registered', 'owner', 'You registered the app “Own” for the team “Acme”.'],
  ['rotateTeamClientSecret', 'app-secret-created', 'owner', 'You created a new secret for the app “Planner'],
  ['updateTeamClient', null, 'owner', ''],
  ['addKeys', 'app-credentials-added', 'owner', 'You changed the keys of the app “Planner'],
  ['letActAlone', 'app-credentials-added', 'owner', 'without a user.'],
  ['approveClient', 'app-reviewed', 'owner', 'was approved. Everyone can now connect it.'],
  ['rejectClient', 'app-reviewed', 'owner', 'was rejected. Only members of the team can connect it. Reason: No'],
  ['deleteTeamClient', null, 'owner', ''],
  ['updateRole', 'role-changed', 'member', 'Ada changed your role in the team “Acme” to billing.'],
  ['setTwoFactorRequirement', 'two-factor-required', 'member', ', by Ada.'],
  ['remindOfTwoFactor', 'two-factor-required', 'member', 'An owner of the team “Acme” asks you to turn on two-factor authentication.'],
  ['remindOfRequiredSignIn', 'sign-in-required', 'member', 'The team “Acme” requires you to sign in through Okta from'],
  ['restoreTeam', 'team-restored', 'owner', 'You restored the deleted team “Acme”.'],
  ['removeMember', 'removed-from-team', 'member', 'Ada removed you from the team “Acme”.'],
  ['endMemberSessions', 'sessions-ended-in-team', 'member', 'Ada ended your sessions in the team “Acme”.'],
  ['acceptInvitation', 'invitation-accepted', 'owner', 'accepted your invitation to the team “Acme”.'],
  ['deleteAccount', 'account-deleted', 'member', ' is scheduled for deletion on '],
  ['updateMember', null, 'member', ''],
  ['leaveTeam', null, 'member', ''],
  ['renamePasskey', null, 'owner', ''],
  ['declineInvitation', null, 'owner', ''],
  ['revokeToken', null, 'owner', ''],
  ['updateTeam', null, 'owner', ''],
]

describe.each(sent)('%s', (name, kind, recipient, text) => {
  const { document, prepare } = changesRole[name] ?? { document: '', prepare: () => expect.unreachable() }

  test(`sends ${kind ?? 'no notice'}, once, in plain text and HTML, and nothing when it is refused`, async () => {
    const context = await createScenarioContext(service)
    const { principal, variables } = await prepare(context)
    const outsider = await sessionOf(service, await createUser(database))
    const refused = await mailsOf(() => executeAs(service, { ...outsider, authenticationMethod: 'oauth' }, document, variables))
    expect(refused).toEqual([])
    const mails = await mailsOf(() => executeAs(service, principal, document, variables))
    expect(mails.map((mail) => mail.kind)).toEqual(kind ? [kind] : [])
    if (!kind) return
    const { to, subject, text: plain, html } = await messageOf(mails[0])
    expect(to).toBe(context[recipient].email)
    const secrets = Object.values(variables ?? {}).filter((value) => typeof value === 'string' && value.length > 60)
    const htmlText = html.replace(/<[^>]+>/g, ' ').replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    for (const content of [plain, htmlText.replace(/\s+/g, ' ')]) {
      expect(content).toContain(text)
      expect(content).toMatch(/This happened on .*UTC/)
      // Of someone else's browser nothing is disclosed.
      const isOwn = principal.kind === 'user' && principal.user.id === context[recipient].id
      expect(content.includes(', in Firefox on Linux (IP address 192.0.2.1).')).toBe(isOwn)
      expect(content).toContain(`${service.url}/`)
      for (const secret of secrets) expect(content).not.toContain(secret)
    }
    expect([html.includes(`<title>${subject}</title>`), subject.includes('\n')]).toEqual([true, false])
  })
})

test('a notice states the time in the time zone and the date format of its recipient', async () => {
  const { id } = await createUser(database, { timezone: 'Asia/Kolkata', dateFormat: 'month_day_year' })
  const { text } = await messageOf({ kind: 'password-changed', userId: id, at: '2026-11-28T20:30:00.000Z', data: {} })
  expect(text).toContain('This happened on Nov 29, 2026, 2:00 AM GMT+5:30.')
})

test('the request of a new email address sends the link to the new address and a notice to the current one', async () => {
  const context = await createScenarioContext(service)
  const { document, prepare } = scenarios['requestEmailChange'] ?? { document: '', prepare: () => expect.unreachable() }
  const { principal, variables } = await prepare(context)
  const mails = await mailsOf(() => executeAs(service, principal, document, variables))
  expect(mails.map(({ kind }) => kind)).toEqual(['change-email', 'email-change-requested'])
  const { to, text } = await messageOf(mails[1])
  expect([to, text.includes('Someone requested a new email address')]).toEqual([context.owner.email, true])
  expect(text).not.toContain(JSON.stringify(variables).match(/[\w.-]+@example\.test/)?.[0])
})

test('a team token is announced to every owner of the team, with an unverified address to none', async () => {
  const context = await createScenarioContext(service)
  const { prisma } = database
  await prisma.member.updateMany({ where: { teamId: context.team.id }, data: { role: 'owner' } })
  const third = await createUser(database, { emailVerified: false })
  await prisma.member.create({ data: { teamId: context.team.id, userId: third.id, role: 'owner' } })
  const { document = '' } = scenarios['createTeamToken'] ?? {}
  const mails = await mailsOf(() => executeAs(service, context.principal, document, { team: context.team.slug }))
  const recipients = await Promise.all(mails.map(async (mail) => (await messageOf(mail)).to))
  expect(recipients.toSorted()).toEqual([context.owner.email, context.member.email].toSorted())
  const [own, other] = await Promise.all(
    ['owner', 'member'].map(async (who) => {
      const { email } = context[who as Recipient]
      return (await messageOf(mails[recipients.indexOf(email)])).text
    }),
  )
  // The browser is shown to its user, and the name to others.
  expect([
    own?.includes('192.0.2.1'),
    other?.includes('192.0.2.1'),
    other?.includes('Ada created the token “CI” of the team “Acme”.'),
  ]).toEqual([true, false, true])
})

test('every notice is tested', () => {
  const tested = sent.map(([, kind]) => kind)
  const elsewhere = [
    'recovery-code-used',
    'new-device',
    'device-trusted',
    'authenticator-added',
    'app-connected',
    'email-change-requested',
    'email-changed',
    'ownership-transferred',
    'account-restored',
    'identity-linked',
    'sign-in-required',
    'sign-in-not-required',
    'owner-access',
    'linked-provider-changed',
    'domain-missing',
    'domain-lost',
    'address-moved',
    'webhook-failing',
    'webhook-disabled',
    // test/graphql/staff/acts/acts.test.ts
    'act-of-staff',
  ]
  expect(new Set([...tested, ...elsewhere].filter(Boolean))).toEqual(new Set(Object.keys(notices)))
})
