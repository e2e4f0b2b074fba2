import { expect, test } from 'vitest'
import { heading } from '../../support/account-site/page-content.ts'
import { Browser } from '../../support/browser/browser.ts'
import { useSituations } from '../../support/identity-providers/situation.ts'
import { waitFor } from '../../support/service/wait.ts'
import { signInAtProvider } from '../../support/identity-providers/team-provider.ts'

const { service, prepare, provider } = useSituations()
const { prisma } = service.database

test('a sign-in to an account that an operator disabled is refused and changes nothing, whatever its groups are', async () => {
  const { key, team, subject, email, account } = await prepare('team', 'the team', 'verified')
  const userId = account?.id ?? ''
  const identity = await prisma.externalIdentity.create({ data: { providerId: key, subject, userId, email, lastSignInAt: new Date(0) } })
  await prisma.identityProvider.update({ where: { id: key }, data: { groupsClaim: 'groups' } })
  await prisma.groupRole.create({ data: { teamId: team.id, group: 'staff', role: 'member', allApplications: true, applications: [] } })
  await prisma.user.update({ where: { id: userId }, data: { disabledAt: service.clock.now() } })
  provider().claims = { sub: subject, email, groups: ['staff'] }
  const page = await signInAtProvider(new Browser(service.url), key)
  expect(heading(page)).toEqual([400, 'Sign-in failed'])
  expect(page.text).toContain('Your account is disabled.')
  expect(await prisma.externalIdentity.findUnique({ where: { id: identity.id } })).toEqual(identity)
  expect(await prisma.member.count({ where: { userId } })).toBe(0)
  await waitFor(() => prisma.failedSignIn.findFirst({ where: { userId, method: 'provider', reason: 'account_disabled', count: 1 } }))
})

test('a sign-in at the provider of a team does not undo the deletion of an account that its user created, and is recorded', async () => {
  const { key, subject, email, account } = await prepare('team', 'the team', 'verified')
  const userId = account?.id ?? ''
  await prisma.externalIdentity.create({ data: { providerId: key, subject, userId, email, lastSignInAt: new Date(0) } })
  const at = service.clock.now()
  await prisma.user.update({ where: { id: userId }, data: { disabledAt: at, deletionRequestedAt: at, createdByTeamId: null } })
  provider().claims = { sub: subject, email }
  expect((await signInAtProvider(new Browser(service.url), key)).text).toContain('To undo a scheduled deletion, sign in with your password')
  await waitFor(() => prisma.failedSignIn.findFirst({ where: { userId, method: 'provider', reason: 'deletion_pending', count: 1 } }))
})
