import { text as readText } from 'node:stream/consumers'
import { command, UsageError } from './command.ts'
import type { Command } from './command.ts'
import { allPages, asOperator } from './context.ts'
import { table } from './output.ts'

interface User {
  id: string
  name: string
  email: string
  email_verified: boolean
  disabled_at: Date | null
  created_at: Date
}
const members = 'id name email email_verified: emailVerified disabled_at: disabledAt created_at: createdAt'

export const userCreate = command({
  name: 'user create',
  about: 'Creates an account.',
  options: {
    email: { value: 'EMAIL', required: true, about: 'e-mail address' },
    name: { value: 'NAME', required: true, about: 'name that others see' },
    'password-stdin': { about: 'read the password from standard input; without it nobody can sign in with one' },
    verified: { about: 'the address is known to be theirs' },
  },
  run: async ({ options: { email, name, 'password-stdin': withPassword, verified: emailVerified } }) => {
    const password = withPassword ? await readPassword() : undefined
    return asOperator(async (ask) => {
      const { createUser } = await ask<{ createUser: { user: User } }>(
        `mutation ($input: CreateUserInput!) { createUser(input: $input) { user { ${members} } } }`,
        { input: { email, name, password, emailVerified } },
      )
      return { value: createUser.user, text: `Created user ${createUser.user.email}.` }
    })
  },
})

/** One line: `echo` and files end it with a line break that is not part of the password. */
async function readPassword(): Promise<string> {
  const password = (await readText(process.stdin)).replace(/\r?\n$/, '')
  if (password === '') throw new UsageError('standard input holds no password')
  return password
}

export const userList = command({
  name: 'user list',
  about: 'Lists all accounts by e-mail address.',
  run: () =>
    asOperator(async (ask) => {
      const users = await allPages(async (page) => {
        const data = await ask<{ users: { nodes: User[]; lastPage: number } }>(
          `query ($page: Int!) { users(page: $page, perPage: 100) { nodes { ${members} } lastPage } }`,
          { page },
        )
        return data.users
      })
      const rows = users.map(({ email, name, email_verified, disabled_at }) => [email, name, email_verified ? 'yes' : 'no', disabled_at])
      return { value: { data: users }, text: table(['email', 'name', 'verified', 'disabled'], rows) }
    }),
})

export const userDisable = change(
  'disable',
  'disableUser',
  'Disables an account; its credentials open nothing from the next request on.',
  'Disabled',
)
export const userEnable = change('enable', 'enableUser', 'Enables a disabled account again.', 'Enabled')
export const userDelete = change(
  'delete',
  'deleteUser',
  'Deletes an account with its memberships and personal tokens; refused for the last owner of a team.',
  'Deleted',
)
export const userResetSecondFactor = change(
  'reset-second-factor',
  'resetSecondFactor',
  'Turns the second factor off for somebody who lost it and every recovery code; they are told by mail.',
  'Turned the second factor off for',
)

function change(verb: string, mutation: string, about: string, done: string): Command {
  return command({
    name: `user ${verb}`,
    about,
    positionals: { email: { about: 'e-mail address of the account' } },
    run: ({ positionals: { email } }) =>
      asOperator(async (ask) => {
        const { payload } = await ask<{ payload: { user: User } }>(
          `mutation ($input: UserInput!) { payload: ${mutation}(input: $input) { user { ${members} } } }`,
          { input: { email } },
        )
        return { value: payload.user, text: `${done} user ${payload.user.email}.` }
      }),
  })
}
