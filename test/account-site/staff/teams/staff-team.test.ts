import { beforeAll, describe, expect, test } from 'vitest'
import type { StaffRole } from '../../../../prisma/generated/client/enums.ts'
import { alertOf, contentOf, heading, noticeOf } from '../../../support/account-site/page-content.ts'
import { names, seedSite } from '../../../support/account-site/seed.ts'
import { openAsStaff } from '../../../support/account-site/staff-browser.ts'
import { createTeam, createUser, join } from '../../../support/data/team.ts'
import { createDomain } from '../../../support/domains/domain.ts'
import { createFailingWebhook } from '../../../support/graphql/staff/team-state.ts'
import { useService } from '../../../support/service/service.ts'

const service = useService()
const { database, clock } = service
const { prisma } = database
let seeded: Awaited<ReturnType<typeof seedSite>>
let webhookId: string
beforeAll(async () => {
  seeded = await seedSite(service, names.plain)
  await createDomain(database, seeded.team, { domain: 'acme.example' })
  webhookId = (await createFailingWebhook(service, seeded.team)).id
})
const pathOf = ({ slug }: { slug: string }) => `/staff/teams/${slug}`

const actsOn = async (role: StaffRole, team: { slug: string }) => {
  const { page } = await openAsStaff(service, role, pathOf(team))
  return new Set(page.root.querySelectorAll('main a.confirm').map((link) => link.childNodes[0]?.text))
}

test('the page of a team shows its state, with links to its members and apps, and no secret', async () => {
  const { team, other, parameters } = seeded
  const failure = 'The key set of the identity provider cannot be read.'
  await prisma.identityProvider.updateMany({ where: { teamId: team.id }, data: { failedAt: clock.now(), failure } })
  const { browser } = await openAsStaff(service, 'admin')
  service.statements.length = 0
  const page = await browser.open(pathOf(team))
  expect(service.statements.filter((text) => !text.includes('AS u(id, at)')).length).toBeLessThanOrEqual(8)
  expect(heading(page)).toEqual([200, names.plain])
  const content = contentOf(page)
  for (const text of [
    `Slug ${team.slug} Created`,
    'Members 1 owner, 1 member Open invitations 1 Team tokens 2 Two-factor authentication Not required Sign-in through a provider Not required',
    `2 identity providers ${names.plain} Not tested OpenID Connect, idp.example.com No one could sign in on`,
    failure,
    'acme.example Checked just now Verified',
    'hooks.example.com Failing',
    'Last error: The endpoint responded with the status 503.',
    'Published Changes in review',
    '1 invitation that can be sent again',
    'renamed the team from',
  ])
    expect(content).toContain(text)
  for (const secret of ['secret-path', 'body-secret', 'long-path']) expect(page.text).not.toContain(secret)
  const links = page.root.querySelectorAll('main a').map((link) => link.getAttribute('href'))
  for (const link of [`/staff/users/${other.id}`, `/staff/clients/${parameters.client}`, `/staff/audit?team=${team.slug}`])
    expect(links).toContain(link)
})

describe('the acts on the page of a team', () => {
  test('are those of the role', async () => {
    const { team } = seeded
    const deleted = await createTeam(database, { deletedAt: clock.now() })
    expect([await actsOn('reader', team), await actsOn('reader', deleted)]).toEqual([new Set(), new Set()])
    expect([await actsOn('support', team), await actsOn('support', deleted)]).toEqual([new Set(['Send again…']), new Set(['Restore…'])])
    expect(await actsOn('admin', team)).toEqual(new Set(['Disable…', 'Send again…']))
  })

  test('are hidden for a team of the user, and refused', async () => {
    const { team } = seeded
    const { user, browser } = await openAsStaff(service, 'admin')
    const path = `${pathOf(team)}?confirm=disable-webhook:${webhookId}`
    const confirmation = await browser.open(path)
    await join(database, team, user, 'member')
    const refused = await browser.press(confirmation, 'Disable this webhook', { reason: 'Ticket 4711' })
    expect(alertOf(refused)[0]).toBe(403)
    expect((await prisma.webhook.findUniqueOrThrow({ where: { id: webhookId } })).disabledAt).toBeNull()
    const page = await browser.open(pathOf(team))
    expect([contentOf(page).includes('You are a member of this team'), page.root.querySelectorAll('main a.confirm')]).toEqual([true, []])
  })

  const attempt = async (slug: string, act: string, button: string, reason = 'Ticket 4711') => {
    const { user, browser } = await openAsStaff(service, 'admin')
    const page = await browser.press(await browser.open(`/staff/teams/${slug}?confirm=${act}`), button, { reason })
    const entries = await prisma.auditEntry.findMany({ where: { actorUserId: user.id, actorKind: 'staff' } })
    return { page, entries: entries.map(({ action, teamId, reason: stored }) => ({ action, teamId, reason: stored })) }
  }

  test('need a reason', async () => {
    const { page, entries } = await attempt(seeded.team.slug, `disable-webhook:${webhookId}`, 'Disable this webhook', ' ')
    expect([page.status, entries]).toEqual([422, []])
    expect(contentOf(page)).toContain('Reason')
  })

  test.each([
    ['disable-webhook', () => webhookId, 'Disable this webhook', 'The webhook was disabled.', 'updateWebhook'],
    ['enable-webhook', () => webhookId, 'Enable this webhook', 'The webhook was enabled.', 'updateWebhook'],
    ['disable-provider', () => seeded.parameters.provider, 'Disable this identity provider', 'was disabled.', 'disableIdentityProvider'],
    ['enable-provider', () => seeded.parameters.provider, 'Enable this identity provider', 'was enabled.', 'enableIdentityProvider'],
    ['resend', () => seeded.invitation.id, 'Send the invitation again', 'The invitation was sent again to', 'resendInvitation'],
  ])('%s is recorded with the reason, and says what was done', async (act, readId, button, notice, action) => {
    const { team } = seeded
    const { page, entries } = await attempt(team.slug, `${act}:${readId()}`, button)
    expect(noticeOf(page)).toEqual([200, expect.stringContaining(notice)])
    expect(entries).toEqual([{ action, teamId: team.id, reason: 'Ticket 4711' }])
  })

  test('restore a deleted team', async () => {
    const team = await createTeam(database, { name: 'Former', deletedAt: clock.now() })
    await prisma.$executeRaw`SELECT 1`
    await join(database, team, await createUser(database), 'owner')
    const { page, entries } = await attempt(team.slug, 'restore', 'Restore the team')
    expect(noticeOf(page)).toEqual([200, 'The team was restored.'])
    expect(entries).toEqual([{ action: 'restoreTeam', teamId: team.id, reason: 'Ticket 4711' }])
    expect(contentOf(page)).not.toContain('Deleted')
  })
})

test('the page of a team that does not exist is not found', async () => {
  const { page } = await openAsStaff(service, 'reader', '/staff/teams/no-such-team')
  expect(heading(page)).toEqual([404, 'Page not found'])
})
