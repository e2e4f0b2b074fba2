import { command, UsageError } from '../../command.ts'
import { asOperator } from '../../context.ts'
import { SetStaffDocument } from '../../generated/operations.ts'

export const userStaff = command({
  name: 'user staff',
  summary: 'Add a user to the staff, or remove them',
  description: `Staff can read users, teams, clients, tokens and audit entries of all teams in GraphQL, with a session or a personal token that
has the scope acct:staff:read. Each read is in the audit log. --off takes effect at the next request.`,
  positionals: { email: { stored: 'user', description: 'email address of the account' } },
  options: { on: { description: 'make the user staff' }, off: { description: 'end it' } },
  run: ({ positionals: { email }, options: { on, off } }) =>
    asOperator(async (execute) => {
      if (on === off) throw new UsageError('one of --on and --off is required')
      const { user } = (await execute(SetStaffDocument, { input: { email, isStaff: on } })).payload
      return { value: user, text: `User ${user.email} is ${user.staff ? 'staff' : 'not staff'}.` }
    }),
})
