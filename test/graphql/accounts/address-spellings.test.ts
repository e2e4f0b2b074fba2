import { describe, expect, test } from 'vitest'
import { normalizeEmail } from '../../../schema/core/validation.ts'
import { anonymous, executeAs, operator, sessionOf } from '../../support/service/in-process.ts'
import { createTestBrowser } from '../../support/service/test-browser.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam, unique } from '../../support/data/team.ts'
import { signUp } from '../../support/graphql/scenarios/account-scenarios.ts'
import { signIn } from '../../support/graphql/sign-in-operations.ts'

const service = useService()
const { prisma } = service.database
const password = 'correct horse battery'
const createUser = 'mutation ($input: CreateUserInput!) { createUser(input: $input) { user { email } } }'
const findUser = 'query ($email: String!) { user(email: $email) { email } }'

/** Every spelling of one address, for a local part that no other test uses. */
const spellingsOf = (name: string) => [
  `${name}-ü@münchen.example`,
  `${name}-u\u0308@mu\u0308nchen.example`,
  ` ${name.toUpperCase()}-Ü@MÜNCHEN.Example `,
  `${name}-ü@xn--mnchen-3ya.example`,
  `${name}-u\u0308@XN--MNCHEN-3YA.EXAMPLE`,
  `${name}-ü@ｍünchen。example`,
]

describe('an address that can be spelled in several ways', () => {
  test('is one account at sign-up, sign-in and the command line', async () => {
    const name = unique('ada')
    const stored = `${name}-ü@xn--mnchen-3ya.example`
    for (const email of spellingsOf(name))
      expect((await executeAs(service, anonymous, signUp, { input: { email, name: 'Ada', password } })).data.signUp.email).toBe(stored)
    expect(await prisma.user.count({ where: { email: { startsWith: name } } })).toBe(1)
    for (const email of spellingsOf(name)) {
      const browser = createTestBrowser()
      await executeAs(service, anonymous, signIn, { input: { email, password } }, undefined, browser)
      expect(browser.proofs.length).toBe(1)
      expect((await executeAs(service, operator, findUser, { email })).data.user.email).toBe(stored)
      const { refusal } = await executeAs(service, operator, createUser, { input: { email, name: 'Ada' } })
      expect(refusal?.details.errors).toEqual({ email: ['The email has already been taken.'] })
    }
  })

  test('is one invitation, which the account of any spelling can accept', async () => {
    const { team, owner } = await createOwnedTeam(service.database)
    const name = unique('guest')
    const invite = 'mutation ($input: InviteMemberInput!) { inviteMember(input: $input) { invitation { email } } }'
    for (const email of spellingsOf(name).slice(0, 5)) {
      const input = { team: team.slug, email, role: 'MEMBER' }
      const { data } = await executeAs(service, await sessionOf(service, owner), invite, { input })
      expect(data.inviteMember.invitation.email).toBe(`${name}-ü@xn--mnchen-3ya.example`)
    }
    expect(await prisma.invitation.count({ where: { teamId: team.id } })).toBe(1)
  })
})

test.each([
  ['ada@example.com', 'ada@example.com'],
  ['Ada@EXAMPLE.com ', 'ada@example.com'],
  ['a@ü.example/x', 'a@ü.example/x'],
  ['a@ü%41.example', 'a@ü%41.example'],
  ['a@ü.example:80', 'a@ü.example:80'],
  ['a@ü.example@b.example', 'a@ü.example@b.example'],
  ['a@xn--a.example', 'a@xn--a.example'],
  ['ü', 'ü'],
  ['', ''],
])('normalizing %j changes nothing but the spelling (%j)', (typed, expected) => {
  expect(normalizeEmail(typed)).toBe(expected)
  expect(normalizeEmail(expected)).toBe(expected)
})
