import { command, UsageError } from '../../command.ts'
import { asOperator } from '../../context.ts'
import { SetSignInRequirementDocument } from '../../generated/operations.ts'
import type { SignInRequirementOutputFragment } from '../../generated/operations.ts'
import { wholeNumber } from '../../arguments/whole-number.ts'

const dayMilliseconds = 86_400_000

const textOf = ({ slug, sign_in_requirement: required }: SignInRequirementOutputFragment) =>
  required === null
    ? `Team ${slug} does not require sign-in.`
    : `Team ${slug} requires sign-in through ${required.provider.name} from ${new Date(required.from).toISOString()}.`

export const teamRequireSignIn = command({
  name: 'team require-sign-in',
  summary: 'Require sign-in through an identity provider in a team, or stop requiring it',
  description: `Members with an email address of a verified domain of the team, and those who have signed in there before, receive an email. Team
tokens keep working.`,
  positionals: { slug: { stored: 'team', description: 'slug of the team' } },
  options: {
    provider: { value: 'ID', stored: 'provider', description: 'identifier of the identity provider, as shown by provider list' },
    'grace-days': {
      value: 'DAYS',
      description: 'days until it is required; without the option a new requirement begins at once, and the time of the present one stays',
    },
    off: { description: 'require it no longer' },
  },
  run: ({ positionals: { slug }, options: { provider, 'grace-days': graceDays, off } }) =>
    asOperator(async (execute) => {
      if (off === (provider !== undefined)) throw new UsageError('one of --provider and --off is required')
      if (off && graceDays !== undefined) throw new UsageError('--grace-days needs --provider')
      const days = wholeNumber(graceDays, '--grace-days')
      const from = days === undefined ? undefined : new Date(Date.now() + days * dayMilliseconds).toISOString()
      const input = { team: slug, providerId: provider ?? null, from }
      const { payload } = await execute(SetSignInRequirementDocument, { input })
      return { value: payload.team, text: textOf(payload.team) }
    }),
})
