import { describe, expect, test } from 'vitest'
import type { User } from '../../../../prisma/generated/client/client.ts'
import type { UserPrincipal } from '../../../../schema/core/principals.ts'
import { personalToken } from '../../../support/data/team.ts'
import { createStaff } from '../../../support/graphql/staff/staff.ts'
import { executeAs, operator, sessionOf } from '../../../support/service/in-process.ts'
import { useService } from '../../../support/service/service.ts'

// A token with the scope to act as staff needs the same proofs as the acts, because the token acts without them.

const service = useService()
const { database, clock } = service
const { prisma } = database

type Caller = UserPrincipal | typeof operator
const creation = `mutation ($input: CreatePersonalTokenInput!) { createPersonalToken(input: $input) { value token { scopes } } }`
const create = (caller: Caller, scopes: string[], user?: User) => {
  const expiresAt = new Date(clock.now().getTime() + 86_400_000).toISOString()
  return executeAs(service, caller, creation, { input: { name: 'Helper', scopes, expiresAt, ...(user && { user: user.email }) } })
}
const rotation = 'mutation ($id: ID!) { rotateToken(input: { id: $id }) { value } }'
const rotate = async (caller: Caller, user: User) => {
  const { id } = await prisma.accessToken.findFirstOrThrow({ where: { userId: user.id } })
  return executeAs(service, caller, rotation, { id })
}
const tokensOf = ({ id: userId }: User) => prisma.accessToken.findMany({ where: { userId } })

const signIns = { providerIds: [], ownerAccessTeamIds: [], endedTeamIds: [], vouchedTeamIds: [], hasOwnProof: false, isLimited: false }
const unproved: [string, Partial<UserPrincipal>, string][] = [
  ['without a second factor', { provedTwoFactor: false }, 'two_factor_required'],
  ['of an account that only the provider of its team vouches for', { signIns }, 'own_proof_required'],
]

describe.each(unproved)('a session of staff %s', (_, changes, code) => {
  const start = async () => {
    const user = await createStaff(database, { staffRole: 'admin' })
    return { user, session: { ...(await sessionOf(service, user)), ...changes } }
  }

  test('cannot create a token that can act as staff', async () => {
    const { user, session } = await start()
    const { refusal } = await create(session, ['teams', 'acct:staff:write'])
    expect([refusal?.code, await tokensOf(user)]).toEqual([code, []])
  })

  test('cannot rotate a token that can act as staff', async () => {
    const { user, session } = await start()
    await personalToken(database, user, { scopes: ['acct:staff:write'] })
    const before = await tokensOf(user)
    const { refusal } = await rotate(session, user)
    expect([refusal?.code, await tokensOf(user)]).toEqual([code, before])
  })

  test('can create and rotate a token that cannot act as staff', async () => {
    const { user, session } = await start()
    expect((await create(session, ['teams', 'acct:staff:read'])).refusal).toBeNull()
    expect((await rotate(session, user)).refusal).toBeNull()
  })
})

test('a session of staff with both proofs, and an operator, can create and rotate a token that can act as staff', async () => {
  for (const isOperator of [false, true]) {
    const user = await createStaff(database, { staffRole: 'support' })
    const caller = isOperator ? operator : await sessionOf(service, user)
    expect((await create(caller, ['acct:staff:write'], isOperator ? user : undefined)).refusal).toBeNull()
    expect((await rotate(caller, user)).refusal).toBeNull()
  }
})
