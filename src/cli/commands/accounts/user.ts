import { text as readText } from 'node:stream/consumers'
import { staffRoles } from '../../../../schema/core/staff/staff-role.ts'
import { command, UsageError } from '../../command.ts'
import type { Command } from '../../command.ts'
import { allPages, asOperator, toEnumName } from '../../context.ts'
import {
  CreateUserDocument,
  DeleteUserDocument,
  DisableUserDocument,
  EnableUserDocument,
  ResetSecondFactorDocument,
  UsersDocument,
  ExportUserDocument,
  SetStaffDocument,
} from '../../generated/operations.ts'
import { table } from '../../terminal/table.ts'
import { currentTerminal } from '../../terminal/terminal.ts'

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
      const { user } = (await execute(CreateUserDocument, { input: { email, name, password, emailVerified } })).payload
      return { value: user, text: `Created user ${user.email}.` }
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
      const users = await allPages(async (page) => (await execute(UsersDocument, { page })).users)
      const rows = users.map(({ email, name, email_verified, staff_role, disabled_at }) => [
        email,
        name,
        disabled_at,
        email_verified ? 'yes' : 'no',
        staff_role && staff_role.toLowerCase(),
      ])
      return { value: { data: users }, text: table(['email', 'name', 'disabled', 'verified', 'staff'], rows) }
    }),
})

export const userDisable = changeCommand('disable', DisableUserDocument, 'Disable a user account and reject its credentials', 'Disabled')
export const userEnable = changeCommand('enable', EnableUserDocument, 'Enable a disabled user account', 'Enabled')
export const userDelete = changeCommand(
  'delete',
  DeleteUserDocument,
  'Delete a user account with its memberships and personal tokens',
  'Deleted',
  {
    description: 'The last owner of a team cannot be deleted.',
    confirmation: ({ email }) => `Delete user ${email} with all memberships and personal tokens? This cannot be undone.`,
  },
)
export const userResetSecondFactor = changeCommand(
  'reset-second-factor',
  ResetSecondFactorDocument,
  'Turn off two-factor authentication for a user',
  'Turned off two-factor authentication for',
  { description: 'For a user who lost every method and recovery code. The user is informed by mail.' },
)

function changeCommand(
  verb: string,
  document: typeof DisableUserDocument,
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
        const { user } = (await execute(document, { input: { email } })).payload
        return { value: user, text: `${done} user ${user.email}.` }
      }),
  })
}

export const userExport = command({
  name: 'user export',
  summary: 'Write everything that is stored about a user',
  description: 'Prints one JSON document, for a user who requests a copy of their data. It contains no passwords and no token values.',
  positionals: { email: { stored: 'user', description: 'email address of the account' } },
  run: ({ positionals: { email } }) =>
    asOperator(async (execute) => {
      const { payload } = await execute(ExportUserDocument, { input: { email } })
      const value: object = JSON.parse(payload.data)
      return { value, text: JSON.stringify(value, null, 2) }
    }),
})

export const userStaff = command({
  name: 'user staff',
  summary: 'Add a user to the staff, or remove them',
  description: `A reader can read users, teams, clients, tokens and audit entries of all teams in GraphQL, with a session or a personal token
that has the scope acct:staff:read. Each read is in the audit log. support can also send emails again, end sessions, review apps and
restore teams; admin can also disable and enable users, apps, identity providers and webhooks, and revoke tokens. Both need the scope
acct:staff:write and state a reason, which the users concerned read. A change takes effect at the next request. --on and --off are older forms of --role reader and
--role none.`,
  positionals: { email: { stored: 'user', description: 'email address of the account' } },
  options: {
    role: { value: 'ROLE', values: [...staffRoles, 'none'], description: 'what the user can do; none: the user is not staff' },
    on: { description: 'the same as --role reader' },
    off: { description: 'the same as --role none' },
  },
  run: ({ positionals: { email }, options: { role, on, off } }) =>
    asOperator(async (execute) => {
      if ([role !== undefined, on, off].filter(Boolean).length !== 1) throw new UsageError('one of --role, --on and --off is required')
      const newRole = role ?? (on ? 'reader' : 'none')
      const input = { email, isStaff: newRole !== 'none', ...(newRole !== 'none' && { role: toEnumName(newRole) }) }
      const { user } = (await execute(SetStaffDocument, { input })).payload
      return {
        value: user,
        text: `User ${user.email} is ${user.staff_role ? `staff with the role ${user.staff_role.toLowerCase()}` : 'not staff'}.`,
      }
    }),
})
