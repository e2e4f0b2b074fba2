import { describe, expect, test } from 'vitest'
import { placeholderAddress } from '../../../schema/core/mails/placeholder-address.ts'
import { createOwnedTeam, createUser } from '../../support/data/team.ts'
import { signUp } from '../../support/graphql/scenarios/account-scenarios.ts'
import { createDirectory, verifyDomain } from '../../support/scim/directory.ts'
import { anonymous, executeAs, operator, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

// docs/decisions/identity-providers.md#identity-and-linking: the placeholder of an account without an address belongs to that account alone.

const service = useService()
const { prisma } = service.database
const name = 'Ada'
const message = 'The email field must be an email address that can receive mail.'
const create = 'mutation ($input: CreateUserInput!) { createUser(input: $input) { user { email } } }'
const invite = 'mutation ($input: InviteMemberInput!) { inviteMember(input: $input) { invitation { email } } }'
const changeEmail = 'mutation ($input: RequestEmailChangeInput!) { requestEmailChange(input: $input) { email } }'
const errorsOf = async (...parameters: Parameters<typeof executeAs>) => (await executeAs(...parameters)).refusal?.details.errors

/** An account without an address, and one whose identifier is known to others, such as members of its team. */
async function createAccounts() {
  const owned = await createOwnedTeam(service.database)
  const bare = await createUser(service.database)
  await prisma.user.update({ where: { id: bare.id }, data: { email: placeholderAddress(bare.id), emailVerified: false } })
  return { ...owned, bare, addresses: [placeholderAddress(bare.id), placeholderAddress(owned.owner.id), 'ada@example.invalid'] }
}

describe('an address in .invalid', () => {
  test.each([
    ['as it is', (email: string) => email],
    ['in upper case', (email: string) => ` ${email.toUpperCase()} `],
    ['in full width', (email: string) => email.replaceAll('.', '。').replace('invalid', 'ｉnvalid')],
  ])('%s, is refused for new accounts, invitations and changes of the address', async (_, spell) => {
    const { team, owner, addresses } = await createAccounts()
    const session = await sessionOf(service, owner)
    const before = [await prisma.user.count(), service.mails.length]
    for (const email of addresses.map(spell)) {
      const refusals = [
        await errorsOf(service, operator, create, { input: { email, name, emailVerified: true } }),
        await errorsOf(service, anonymous, signUp, { input: { email, name, password: 'correct horse battery' } }),
        await errorsOf(service, session, invite, { input: { team: team.slug, email, role: 'MEMBER' } }),
        await errorsOf(service, session, changeEmail, { input: { email } }),
      ]
      expect(refusals).toEqual(refusals.map(() => ({ email: [message] })))
    }
    expect([await prisma.user.count(), service.mails.length]).toEqual(before)
    expect(await prisma.invitation.count({ where: { teamId: team.id } })).toBe(0)
  })

  test('is no address for a directory, whatever domain its team has verified', async () => {
    const { bare, addresses } = await createAccounts()
    const { team, send } = await createDirectory(service)
    for (const domain of ['no-address.invalid', 'example.invalid']) await verifyDomain(service, team, domain)
    for (const userName of addresses)
      expect(await send('POST', '/Users', { userName })).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
    expect(await prisma.user.findUnique({ where: { id: bare.id } })).not.toBeNull()
    expect(await prisma.member.count({ where: { teamId: team.id } })).toBe(1)
  })
})

test('an account that is replaced needs no placeholder that another account could have', async () => {
  const { domain, provision } = await createDirectory(service)
  const old = await createUser(service.database, { email: `ada@${domain}`, emailVerified: false })
  const other = await createUser(service.database, { email: placeholderAddress(old.id), emailVerified: false })
  const { id } = await provision('ada')
  expect([id === old.id, await prisma.user.findUnique({ where: { id: old.id } })]).toEqual([false, null])
  expect(await prisma.user.findUnique({ where: { id: other.id } })).toEqual(other)
})
