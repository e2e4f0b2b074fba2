import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Team, User } from '../../../prisma/generated/client/client.ts'
import { eraseDueAccounts } from '../../../schema/accounts/deletion/deletion.ts'
import { eventParts } from '../../../schema/events/catalogue.ts'
import { buildEvent } from '../../../schema/events/event.ts'
import { beginning, findFeedEvents } from '../../../schema/events/stream.ts'
import { anonymous, executeAs, operator } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam, createUser, join } from '../../support/data/team.ts'
import { requestPasswordReset, resetPassword } from '../../support/graphql/scenarios/account-scenarios.ts'
import { lastLink } from '../../support/mail/links.ts'
import { createGrant } from '../../support/oauth/oauth-rows.ts'
import { settled } from '../../support/data/settled.ts'

// Changes of members and grants that come with another change: each has the same events as if it were made on its own.

const service = useService()
const { database } = service

interface Present {
  team: Team
  member: User
}

const asOperator = async (mutation: string) => expect((await executeAs(service, operator, `mutation { ${mutation} }`)).refusal).toBeNull()

async function restoreWith({ team }: Present, owner: User) {
  await database.prisma.team.update({ where: { id: team.id }, data: { deletedAt: service.clock.now() } })
  await asOperator(`restoreTeam(input: { team: "${team.slug}", owner: "${owner.email}" }) { team { slug } }`)
}

const paths: readonly [what: string, act: (present: Present) => Promise<unknown>, events: readonly string[]][] = [
  [
    'a team that is restored with a new owner',
    async (present) => restoreWith(present, await createUser(database)),
    ['member.joined', 'team.restored'],
  ],
  [
    'a team that is restored with a member as owner',
    (present) => restoreWith(present, present.member),
    ['member.updated', 'team.restored'],
  ],
  [
    'a team that is restored with an owner as owner',
    async (present) => {
      await database.prisma.member.updateMany({ where: { userId: present.member.id }, data: { role: 'owner' } })
      await restoreWith(present, present.member)
    },
    ['team.restored'],
  ],
  ['an account that is disabled', ({ member }) => asOperator(`disableUser(input: { email: "${member.email}" }) { user { email } }`), []],
  [
    'an account that is deleted',
    ({ member }) => asOperator(`deleteUser(input: { email: "${member.email}" }) { user { email } }`),
    ['member.removed'],
  ],
  [
    'an account that is erased some days after its deletion',
    async ({ member }) => {
      const at = new Date(service.clock.now().getTime() - 86_400_000)
      await database.prisma.user.update({ where: { id: member.id }, data: { disabledAt: at, deletionRequestedAt: at } })
      await eraseDueAccounts(database.pool, service.clock.now())
    },
    ['member.removed'],
  ],
  [
    'an account whose unverified email address was proved by a new password',
    async ({ team, member: { id, email } }) => {
      await createGrant(database, await database.prisma.user.update({ where: { id }, data: { emailVerified: false } }), { team })
      await executeAs(service, anonymous, requestPasswordReset, { input: { email } })
      const token = await lastLink(service, id)
      const { refusal } = await executeAs(service, anonymous, resetPassword, { input: { token, password: randomUUID() } })
      expect(refusal).toBeNull()
    },
    ['grant.revoked'],
  ],
  [
    'an app that is deleted',
    async ({ team, member }) => {
      const { client } = await createGrant(database, member, { team })
      await asOperator(`deleteClient(input: { clientId: "${client.clientId}" }) { client { clientId } }`)
    },
    ['grant.revoked'],
  ],
]

test.each(paths)('%s', async (_, act, types) => {
  const { team } = await createOwnedTeam(database)
  const member = await createUser(database)
  await join(database, team, member, 'member', ['flow'])
  await act({ team, member })
  await settled(database.pool)
  const rows = await findFeedEvents(database.pool, team.id, beginning, eventParts, 100)
  expect(rows.map((row) => buildEvent(row).type).toSorted()).toEqual(types)
})
