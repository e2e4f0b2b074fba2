import { expect, test } from 'vitest'
import { sha256 } from '../../../schema/core/sha256.ts'
import { useService } from '../../support/service/service.ts'
import { unique } from '../../support/data/team.ts'
import { inTeam, rowsOf } from '../../support/account-site/team.ts'

const service = useService()
const { database, clock } = service
const day = 86_400_000

test('the invitations page offers to resend an expired invitation only if no newer one exists, even on another page', async () => {
  const { browser, team, person, address } = await inTeam(service, 'owner', '/invitations')
  const buildInvitation = (email: string) => ({
    teamId: team.id,
    email,
    role: 'member' as const,
    tokenHash: sha256(unique('hash')),
    nonce: Buffer.from('x'),
    invitedById: person.id,
    createdAt: clock.now(),
    sentAt: clock.now(),
    expiresAt: new Date(clock.now().getTime() + day),
  })
  await database.prisma.invitation.createMany({ data: ['ada@example.test', 'bea@example.test'].map(buildInvitation) })
  clock.advance(2 * day)
  const others = Array.from({ length: 49 }, (_, index) => `guest-${index}@example.test`)
  await database.prisma.invitation.createMany({ data: others.map(buildInvitation) })
  await browser.press(await browser.open(`${address}/new`), 'Send invitations', { 'Email addresses': 'ada@example.test' })
  const rows = rowsOf(await browser.open(`${address}?page=2`))
  expect(Object.fromEntries(rows.map(([email, , , , , actions]) => [email, actions]))).toEqual({
    'ada@example.test': '',
    'bea@example.test': '⋯ Send again: bea@example.test',
  })
})
