import { text as readText } from 'node:stream/consumers'
import { command, UsageError } from '../../command.ts'
import type { Command } from '../../command.ts'
import { allPages, asOperator } from '../../context.ts'
import { table } from '../../terminal/table.ts'
import { currentTerminal } from '../../terminal/terminal.ts'

export interface User {
  id: string
  name: string
  email: string
  email_verified: boolean
  staff: boolean
  disabled_at: Date | null
  deletion_requested_at: Date | null
  created_at: Date
}
export const userFields =
  'id: userId name email email_verified: emailVerified staff: isStaff disabled_at: disabledAt deletion_requested_at: deletionRequestedAt created_at: createdAt'

export const userCreate = command({
  name: 'user create',
  summary: 'Create a user account',
  options: {
    email: { value: 'EMAIL', required: true, description: 'email address' },
    name: { value: 'NAME', required: true, description: 'display name' },
    'password-stdin': { description: 'read the password from standard input (default: no password)' },
    verified: { description: 'mark the email address as verified' },
  },
  run: async ({ options: { email, name, 'password-stdin': withPassword, verified: emailVerified } }) => {
    const password = withPassword ? await readPassword() : undefined
    return asOperator(async (execute) => {
      const { createUser } = await execute<{ createUser: { user: User } }>(
        `mutation ($input: CreateUserInput!) { createUser(input: $input) { user { ${userFields} } } }`,
        { input: { email, name, password, emailVerified } },
      )
      return { value: createUser.user, text: `Created user ${createUser.user.email}.` }
    })
  },
})

/** Removes the line break that `echo` and text files add. */
async function readPassword(): Promise<string> {
  const password = (await readText(currentTerminal().stdin)).replace(/\r?\n$/, '')
  if (password === '') throw new UsageError('standard input contains no password')
  return password
}

export const userList = command({
  name: 'user list',
  summary: 'List all user accounts',
  run: () =>
    asOperator(async (execute) => {
      const users = await allPages(async (page) => {
        const data = await execute<{ users: { nodes: User[]; lastPage: number } }>(
          `query ($page: Int!) { users(page: $page, perPage: 100) { nodes { ${userFields} } lastPage } }`,
          { page },
        )
        return data.users
      })
      const rows = users.map(({ email, name, email_verified, staff, disabled_at }) => [
        email,
        name,
        disabled_at,
        email_verified ? 'yes' : 'no',
        staff ? 'yes' : 'no',
      ])
      return { value: { data: users }, text: table(['email', 'name', 'disabled', 'verified', 'staff'], rows) }
    }),
})

export const userDisable = changeCommand('disable', 'disableUser', 'Disable a user account and reject its credentials', 'Disabled')
export const userEnable = changeCommand('enable', 'enableUser', 'Enable a disabled user account', 'Enabled')
export const userDelete = changeCommand(
  'delete',
  'deleteUser',
  'Delete a user account with its memberships and personal tokens',
  'Deleted',
  {
    description: 'The last owner of a team cannot be deleted.',
    confirmation: ({ email }) => `Delete user ${email} with all memberships and personal tokens? This cannot be undone.`,
  },
)
export const userResetSecondFactor = changeCommand(
  'reset-second-factor',
  'resetSecondFactor',
  'Turn off two-factor authentication for a user',
  'Turned off two-factor authentication for',
  { description: 'For a user who lost every method and recovery code. The user is informed by mail.' },
)

function changeCommand(
  verb: string,
  mutation: string,
  summary: string,
  done: string,
  more: { description?: string; confirmation?(positionals: { email: string }): string } = {},
): Command {
  return command({
    name: `user ${verb}`,
    summary,
    ...more,
    positionals: { email: { stored: 'user', description: 'email address of the account' } },
    run: ({ positionals: { email } }) =>
      asOperator(async (execute) => {
        const { payload } = await execute<{ payload: { user: User } }>(
          `mutation ($input: UserInput!) { payload: ${mutation}(input: $input) { user { ${userFields} } } }`,
          { input: { email } },
        )
        return { value: payload.user, text: `${done} user ${payload.user.email}.` }
      }),
  })
}
