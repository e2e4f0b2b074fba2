import { command, UsageError } from '../../command.ts'
import { asOperator } from '../../context.ts'
import { SetTwoFactorRequirementDocument } from '../../generated/operations.ts'
import { wholeNumber } from '../../arguments/whole-number.ts'

export const teamRequireTwoFactor = command({
  name: 'team require-two-factor',
  summary: 'Require two-factor authentication in a team, or stop requiring it',
  description: `Members without it receive an email. When the grace period ends, they lose access to the team until they turn it on. Team
tokens keep working.`,
  positionals: { slug: { stored: 'team', description: 'slug of the team' } },
  options: {
    'grace-days': { value: 'DAYS', description: 'days until members without it lose access, 0 to 90' },
    off: { description: 'require it no longer' },
  },
  run: ({ positionals: { slug }, options: { 'grace-days': graceDays, off } }) =>
    asOperator(async (execute) => {
      if (off === (graceDays !== undefined)) throw new UsageError('one of --grace-days and --off is required')
      const input = { team: slug, graceDays: graceDays === undefined ? null : wholeNumber(graceDays, '--grace-days') }
      const { payload } = await execute(SetTwoFactorRequirementDocument, { input })
      const { team } = payload
      const since = team.two_factor_required_at
      const text =
        since === null
          ? 'does not require two-factor authentication'
          : `requires two-factor authentication from ${new Date(since).toISOString()}`
      return { value: team, text: `Team ${team.slug} ${text}.` }
    }),
})
