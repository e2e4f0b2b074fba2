import { expect, test } from 'vitest'
import { teamOfAddress } from '../../../schema/domains/verified.ts'
import { createTeam, unique } from '../../support/data/team.ts'
import { useService } from '../../support/service/service.ts'

const { database } = useService()
const { prisma, pool } = database

test('finds the team that verified the domain of an address, and no other', async () => {
  const [first, second] = [await createTeam(database), await createTeam(database)]
  const domain = `${unique('domain')}.example`
  const address = `ada@${domain}`
  await prisma.teamDomain.create({ data: { teamId: first.id, domain, value: 'one' } })
  expect(await teamOfAddress(pool, address)).toBeNull()
  await prisma.teamDomain.create({ data: { teamId: second.id, domain, value: 'two', verifiedAt: new Date() } })
  expect(await teamOfAddress(pool, address)).toEqual({ teamId: second.id })
  expect(await teamOfAddress(pool, `ada@www.${domain}`)).toBeNull()
  expect(await teamOfAddress(pool, `ada@${domain}@other.example`)).toBeNull()
  await prisma.team.update({ where: { id: second.id }, data: { deletedAt: new Date() } })
  expect(await teamOfAddress(pool, address)).toBeNull()
})
