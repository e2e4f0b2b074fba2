import { randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { estimate } from '../../../schema/accounts/passwords/guessable-password.ts'
import { repetitions } from '../../support/service/full.ts'
import type { Principal } from '../../../schema/core/principals.ts'
import { anonymous, executeAs, operator, sessionOf } from '../../support/service/in-process.ts'
import { lastLink } from '../../support/mail/links.ts'
import { useService } from '../../support/service/service.ts'
import { createUser } from '../../support/data/team.ts'
import { changePassword, requestPasswordReset, resetPassword, signUp } from '../../support/graphql/scenarios/account-scenarios.ts'

// Every operation that sets a password. Import, which has the same rules, is tested in test/cli/data-transfer/import-refusals.test.ts.

const service = useService()
const { prisma } = service.database
const createUserDocument = 'mutation ($input: CreateUserInput!) { createUser(input: $input) { user { id: userId } } }'
const owner = { name: 'Ada Moreau', email: 'ada.moreau@acme.example' }

/** Digits only: letters would be another word of which a password can be made, such as `aa` of `aaaaaaaa`. */
const ownEmail = () => `ada.moreau-${randomInt(1e12)}@acme.example`

/** Sets a password of a user of that name and address by each operation. Returns the messages at the field of the password. */
async function refusalsOf(password: string) {
  const email = ownEmail()
  const newcomer = { ...owner, email: ownEmail() }
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
    '84619375',
    'nopqabcd',
    'P@ssw0rd2024!',
    'x'.repeat(128),
    '🔑'.repeat(128),
  ])('refuses %s, which is easy to guess', async (password) => {
    expect(await refusalsOf(password)).toEqual(
      atEach((field) => `The ${field} field is easy to guess. Choose a longer one, for example several unrelated words.`),
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
    'NimbusLedger2026!',
    'ａｄａｍｏｒｅａｕ',
    'Adam0reau!',
    'AdaMoreau2024',
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

  test.each([
    'ada likes oatmeal',
    '🔑🦊🌵🎈🧊🪁🥝🧭',
    ' leading and trailing ',
    'correct horse battery staple '.repeat(4),
    'vZdlX1hdcSnbvrOF',
    // Eight random characters.
    'xk7vq2mz',
    'R4p#wZ9!',
  ])('accepts %s: there are no rules about kinds of characters', async (password) => {
    expect(await refusalsOf(password)).toEqual([null, null, null, null])
  })
})

test.each(['w2@signup.example', 'W2@Signup.Example!', 'w2@signup.example-w2@signup.example'])(
  'an address that is hardly made of words is no password of its owner: %s',
  async (password) => {
    const input = { name: 'W', email: 'w2@signup.example', password }
    const { refusal } = await executeAs(service, anonymous, signUp, { input })
    expect(refusal?.details.errors).toEqual({
      password: ['The password field must not consist of your name, your email address or the name of this service. Choose another one.'],
    })
  },
)

// The list of SecLists, most common first. The short form tries every fiftieth.
test('none of the 10,000 most common passwords is accepted', async () => {
  const list = (await readFile(path.join(import.meta.dirname, 'common-passwords.txt'), 'utf8')).trim().split('\n')
  expect(list.length).toBe(10_000)
  const step = repetitions({ short: 50, full: 1 })
  const tried = list.filter((_, index) => index % step === 0)
  expect(tried.filter((password) => estimate(password, []).weakness === null)).toEqual([])
}, 120_000)
