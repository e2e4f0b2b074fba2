import { expect, test } from 'vitest'
import { sha256 } from '../../../schema/core/sha256.ts'
import { inTeam, rowsOf } from '../../support/account-site/team.ts'
import { unique } from '../../support/data/team.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { prisma } = service.database

test('invitations are found by address and status, and sorted', async () => {
  const { browser, team, address } = await inTeam(service, 'owner', '/invitations')
  const now = service.clock.now().getTime()
  const day = 86_400_000
  const add = (email: string, status: 'pending' | 'revoked', days: number) =>
    prisma.invitation.create({
      data: {
        teamId: team.id,
        email,
        status,
        role: 'member',
        tokenHash: sha256(unique('hash')),
        nonce: Buffer.from('x'),
        createdAt: new Date(now - 9 * day),
        sentAt: new Date(now + (days - 7) * day),
        expiresAt: new Date(now + days * day),
      },
    })
  await add('b_x@example.test', 'pending', 3)
  await add('c@example.test', 'pending', -1)
  await add('a@example.test', 'revoked', 2)
  const shown = async (query: string) => rowsOf(await browser.open(`${address}?${query}`)).map(([email]) => email?.[0])
  expect(await shown('')).toEqual(['b', 'a', 'c'])
  expect(await shown('sort=email')).toEqual(['a', 'b', 'c'])
  expect(await shown('sort=sent&status=PENDING')).toEqual(['b'])
  expect(await shown('status=EXPIRED')).toEqual(['c'])
  expect(await shown('search=_X%40EX')).toEqual(['b'])
  expect(await shown('status=NONE&sort=x&size=1')).toHaveLength(3)
})
