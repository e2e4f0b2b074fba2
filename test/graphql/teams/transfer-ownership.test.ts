import { describe, expect, test } from 'vitest'
import type { User } from '../../../prisma/generated/client/client.ts'
import { executeAs, operator, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam, createUser, join } from '../../support/data/team.ts'

const service = useService()
const { database, mails } = service
const { prisma } = database
const document = `mutation ($team: String!, $newOwner: String!, $role: Role!) {
  transferOwnership(input: { team: $team, newOwner: $newOwner, role: $role }) { team { slug } }
}`

async function createScene() {
  const { team, owner } = await createOwnedTeam(database)
  const heir = await createUser(database, { name: 'Ben' })
  await join(database, team, heir, 'member', ['flow'])
  const transfer = async (newOwner: string, role = 'MEMBER', caller: User = owner) =>
    (await executeAs(service, await sessionOf(service, caller), document, { team: team.slug, newOwner, role })).refusal
  const roles = async () =>
    Object.fromEntries((await prisma.member.findMany({ where: { teamId: team.id } })).map(({ userId, role }) => [userId, role]))
  return { team, owner, heir, transfer, roles }
}

describe('transferOwnership', () => {
  test.each(['MEMBER', 'BILLING'])('makes the member an owner and the caller %s, and notifies both', async (role) => {
    const { owner, heir, transfer, roles } = await createScene()
    mails.length = 0
    expect(await transfer(` ${heir.email.toUpperCase()} `, role)).toBeNull()
    expect(await roles()).toEqual({ [owner.id]: role.toLowerCase(), [heir.id]: 'owner' })
    expect(mails.map((mail) => 'userId' in mail && [mail.kind, mail.userId])).toEqual([
      ['ownership-transferred', heir.id],
      ['ownership-transferred', owner.id],
    ])
  })

  test('leaves other owners as they are, and an owner can take over alone', async () => {
    const { team, owner, heir, transfer, roles } = await createScene()
    const third = await createUser(database)
    await join(database, team, third, 'owner')
    expect(await transfer(third.email)).toBeNull()
    expect(await roles()).toEqual({ [owner.id]: 'member', [heir.id]: 'member', [third.id]: 'owner' })
  })

  test.each<[string, (scene: Awaited<ReturnType<typeof createScene>>) => Promise<string> | string, string]>([
    ['someone without membership', async () => (await createUser(database)).email, 'No member of the team has this email address.'],
    ['the caller', ({ owner }) => owner.email, 'Choose another member: you are an owner already.'],
    [
      'a member whose account is disabled',
      async ({ heir: { id, email } }) => {
        await prisma.user.update({ where: { id }, data: { disabledAt: new Date() } })
        return email
      },
      'The account of this member is disabled.',
    ],
    [
      'a member with an unverified address',
      async ({ heir: { id, email } }) => {
        await prisma.user.update({ where: { id }, data: { emailVerified: false } })
        return email
      },
      'This member has not verified their email address.',
    ],
    [
      'a member without the two-factor authentication that the team requires',
      async ({ team: { id }, heir }) => {
        await prisma.team.update({ where: { id }, data: { twoFactorRequiredAt: service.clock.now() } })
        return heir.email
      },
      'This member has not turned on two-factor authentication, which the team requires.',
    ],
  ])('is refused for %s and changes nothing', async (_, newOwnerOf, message) => {
    const scene = await createScene()
    const newOwner = await newOwnerOf(scene)
    mails.length = 0
    expect((await scene.transfer(newOwner))?.details.errors).toEqual({ newOwner: [message] })
    expect([await scene.roles(), mails]).toEqual([{ [scene.owner.id]: 'owner', [scene.heir.id]: 'member' }, []])
  })

  test('is refused if the caller is to stay an owner', async () => {
    const { heir, transfer } = await createScene()
    expect((await transfer(heir.email, 'OWNER'))?.code).toBe('validation_failed')
  })

  test('is refused for the operator, who has no role in the team', async () => {
    const { team, heir } = await createScene()
    const { refusal } = await executeAs(service, operator, document, { team: team.slug, newOwner: heir.email, role: 'MEMBER' })
    expect(refusal?.code).toBe('role_required')
  })

  test('succeeds once when an owner transfers to two members at the same time', async () => {
    for (let round = 0; round < 10; round++) {
      const { team, heir, transfer, roles } = await createScene()
      const other = await createUser(database)
      await join(database, team, other, 'member')
      const outcomes = await Promise.all([transfer(heir.email), transfer(other.email)])
      expect(outcomes.map((refusal) => refusal?.code ?? 'done').toSorted()).toEqual(['done', 'role_required'])
      expect(Object.values(await roles()).toSorted()).toEqual(['member', 'member', 'owner'])
    }
  })

  test('keeps an owner when two owners transfer to each other at the same time', async () => {
    for (let round = 0; round < 10; round++) {
      const { team, owner, heir, transfer, roles } = await createScene()
      await prisma.member.update({ where: { teamId_userId: { teamId: team.id, userId: heir.id } }, data: { role: 'owner' } })
      expect(await Promise.all([transfer(heir.email), transfer(owner.email, 'MEMBER', heir)])).toEqual([null, null])
      expect(Object.values(await roles()).toSorted()).toEqual(['member', 'owner'])
    }
  })
})
