import { describe, expect, test } from 'vitest'
import type { StaffRole } from '../../../prisma/generated/client/enums.ts'
import { createUser } from '../../support/data/team.ts'
import { createStaff, staffToken } from '../../support/graphql/staff/staff.ts'
import { graphql } from '../../support/http/graphql.ts'
import { executeAs, operator } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service
const { prisma } = database

const document = 'mutation ($input: SetStaffInput!) { setStaff(input: $input) { user { isStaff staffRole } } }'
const set = async (email: string, input: object) => executeAs(service, operator, document, { input: { email, ...input } })
const columnsOf = (id: string) => prisma.user.findUniqueOrThrow({ where: { id }, select: { staff: true, staffRole: true } })

describe('setStaff', () => {
  test('gives each role, READER by default, and takes it away', async () => {
    const { id, email } = await createUser(database)
    const steps: [object, StaffRole | null][] = [
      [{ isStaff: true }, 'reader'],
      [{ isStaff: true, role: 'ADMIN' }, 'admin'],
      [{ isStaff: true, role: 'SUPPORT' }, 'support'],
      [{ isStaff: true }, 'reader'],
      [{ isStaff: false }, null],
    ]
    for (const [input, staffRole] of steps) {
      const { data } = await set(email, input)
      expect(data.setStaff.user).toEqual({ isStaff: staffRole !== null, staffRole: staffRole?.toUpperCase() ?? null })
      expect(await columnsOf(id)).toEqual({ staff: staffRole !== null, staffRole })
    }
  })

  test('refuses a role for a user who is not staff', async () => {
    const { id, email } = await createUser(database)
    const { refusal } = await set(email, { isStaff: false, role: 'ADMIN' })
    expect(refusal?.details?.errors).toEqual({ role: ['The role field must be absent for a user who is not staff.'] })
    expect(await columnsOf(id)).toEqual({ staff: false, staffRole: null })
  })
})

test('viewer.staffRole is the current role of the user, at the next request', async () => {
  const user = await createStaff(database, { staffRole: 'support' })
  const token = await staffToken(database, user)
  const read = async () => (await graphql(service, token, '{ viewer { isStaff staffRole } }')).data.viewer
  expect(await read()).toEqual({ isStaff: true, staffRole: 'SUPPORT' })
  await set(user.email, { isStaff: true, role: 'ADMIN' })
  expect(await read()).toEqual({ isStaff: true, staffRole: 'ADMIN' })
  await set(user.email, { isStaff: false })
  expect(await read()).toEqual({ isStaff: false, staffRole: null })
})

test('a user who was staff before there were roles is a reader', async () => {
  const user = await createStaff(database)
  const token = await staffToken(database, user)
  await prisma.$executeRaw`ALTER TABLE users DISABLE TRIGGER users_staff_role`
  await prisma.$executeRaw`UPDATE users SET staff_role = NULL WHERE id = ${user.id}::uuid`
  await prisma.$executeRaw`ALTER TABLE users ENABLE TRIGGER users_staff_role`
  expect(await columnsOf(user.id)).toEqual({ staff: true, staffRole: null })
  expect((await graphql(service, token, '{ viewer { staffRole scopes } }')).data.viewer).toEqual({
    staffRole: 'READER',
    scopes: ['acct:staff:read'],
  })
  const { data } = await graphql(service, token, `{ staff { user(id: "${user.id}") { staffRole } } }`)
  expect(data.staff.user).toEqual({ staffRole: 'READER' })
  await prisma.$executeRaw`UPDATE users SET name = name, staff = staff WHERE id = ${user.id}::uuid`
  expect((await set(user.email, { isStaff: true })).data.setStaff.user).toEqual({ isStaff: true, staffRole: 'READER' })
})

// During an upgrade, processes without roles write the column `staff` alone.
describe('a version without roles', () => {
  test('makes a user a reader', async () => {
    const { id } = await createUser(database)
    await prisma.$executeRaw`UPDATE users SET staff = true WHERE id = ${id}::uuid`
    expect(await columnsOf(id)).toEqual({ staff: true, staffRole: 'reader' })
    await prisma.$executeRaw`UPDATE users SET staff = true WHERE id = ${id}::uuid`
    expect(await columnsOf(id)).toEqual({ staff: true, staffRole: 'reader' })
  })

  test('takes away every role, which does not return', async () => {
    const { id } = await createStaff(database, { staffRole: 'admin' })
    await prisma.$executeRaw`UPDATE users SET staff = false WHERE id = ${id}::uuid`
    expect(await columnsOf(id)).toEqual({ staff: false, staffRole: null })
    await prisma.$executeRaw`UPDATE users SET staff = true WHERE id = ${id}::uuid`
    expect(await columnsOf(id)).toEqual({ staff: true, staffRole: 'reader' })
  })

  test('does not lower the role of a user whom it makes staff again', async () => {
    const { id } = await createStaff(database, { staffRole: 'admin' })
    await prisma.$executeRaw`UPDATE users SET staff = true WHERE id = ${id}::uuid`
    expect(await columnsOf(id)).toEqual({ staff: true, staffRole: 'admin' })
  })
})
