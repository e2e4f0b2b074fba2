import { beforeAll, describe, expect, test } from 'vitest'
import type { Principal } from '../../../schema/core/context.ts'
import { anonymous, executeAs, operator, sessionOf } from '../../support/service/in-process.ts'
import { lastLink } from '../../support/mail/links.ts'
import { useService } from '../../support/service/service.ts'
import { createUser, unique } from '../../support/data/team.ts'
import { changePassword, requestPasswordReset, resetPassword, signUp } from '../../support/graphql/account-scenarios.ts'

// Every operation that sets a password. Import, which has the same rules, is tested in test/cli/data-transfer/import-refusals.test.ts.

const service = useService()
const { prisma } = service.database
const createUserDocument = 'mutation ($input: CreateUserInput!) { createUser(input: $input) { user { id } } }'
const owner = { name: 'Ada Moreau', email: 'ada.moreau@acme.example' }

/** Sets a password of a user of that name and address by each operation. Returns the messages at the field of the password. */
async function refusalsOf(password: string) {
  const email = `${unique('ada.moreau-')}@acme.example`
  const newcomer = { ...owner, email: `${unique('ada.moreau-')}@acme.example` }
  const user = await createUser(service.database, { name: owner.name, email })
  await executeAs(service, anonymous, requestPasswordReset, { input: { email } })
  const token = await lastLink(service, user.id)
  const before = await prisma.user.findMany({ orderBy: { id: 'asc' } })
  const attempts: [Principal, string, Record<string, unknown>][] = [
    [anonymous, signUp, { ...newcomer, password }],
    [operator, createUserDocument, { ...newcomer, email: `x${newcomer.email}`, password }],
    [anonymous, resetPassword, { token, password }],
    [await sessionOf(service, user), changePassword, { newPassword: password }],
  ]
  const messages = []
  for (const [principal, document, input] of attempts) {
    const { refusal } = await executeAs(service, principal, document, { input })
    messages.push(refusal && Object.values(refusal.details.errors ?? {}).join())
  }
  if (messages.every(Boolean)) expect(await prisma.user.findMany({ orderBy: { id: 'asc' } })).toEqual(before)
  return messages
}
const atEach = (message: (field: string) => string) => [
  message('password'),
  message('password'),
  message('password'),
  message('new password'),
]

describe('every operation that sets a password', () => {
  beforeAll(() => createUser(service.database, owner))

  test.each([
    'password',
    'password1',
    '12345678',
    'qwertyuiop',
    'PassWord',
    'QWERTYUIOP',
    'ｐａｓｓｗｏｒｄ',
    'trustno1',
    '98765432',
    'aaaaaaaa',
  ])('refuses the common password %s', async (password) => {
    expect(await refusalsOf(password)).toEqual(
      atEach((field) => `The ${field} field is one of the most common passwords. Choose another one.`),
    )
  })

  test.each([
    'Ada Moreau',
    'moreau-ada',
    'AdaMoreau1984!',
    'ada.moreau@acme.example',
    'acme-ada-acme',
    'Team-Accounts',
    'accounts.example',
    'ａｄａｍｏｒｅａｕ',
  ])('refuses %s, which consists of words of the user or of the service', async (password) => {
    const reason = 'must not consist of your name, your email address or the name of this service. Choose another one.'
    expect(await refusalsOf(password)).toEqual(atEach((field) => `The ${field} field ${reason}`))
  })

  test.each([
    ['1234567', 'must be at least 8 characters.'],
    ['🔑'.repeat(7), 'must be at least 8 characters.'],
    ['x'.repeat(129), 'must not be greater than 128 characters.'],
  ])('refuses a password of the wrong length (%s)', async (password, reason) => {
    expect(await refusalsOf(password)).toEqual(atEach((field) => `The ${field} field ${reason}`))
  })

  test.each(['ada likes oatmeal', '84619375', 'nopqabcd', '🔑🦊🌵🎈🧊🪁🥝🧭', 'x'.repeat(128), '🔑'.repeat(128), ' leading and trailing '])(
    'accepts %s: there are no rules about kinds of characters',
    async (password) => {
      expect(await refusalsOf(password)).toEqual([null, null, null, null])
    },
  )
})
