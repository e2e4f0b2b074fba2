import { statement } from '../../../prisma/statement/statement.ts'
import { accountPolicies, digestAttemptKey } from '../../core/attempts/attempt-key.ts'
import type { Context } from '../../core/context.ts'
import { normalizeEmail } from '../../core/validation.ts'
import { builder } from '../../builder/builder.ts'
import { enumType } from '../../builder/enum-type.ts'

type SignInStep = 'first' | 'second_factor'

interface FailedAttempts {
  step: SignInStep
  attempts: number
  endsAt: Date
}

const SignInStepType = enumType('SignInStep', 'A step of a sign-in.', {
  first: 'The password, or a code that was emailed.',
  second_factor: 'The code or passkey after the password.',
} satisfies Record<SignInStep, string>)

export const FailedAttemptsType = builder.objectRef<FailedAttempts>('StaffFailedAttempts').implement({
  description:
    'Failed attempts to sign in to an account in the current window, in browsers in which it has not signed in before. Beyond a limit, ' +
    'further attempts are refused until the window ends.',
  fields: (t) => ({
    step: t.expose('step', { type: SignInStepType, description: 'What was wrong.' }),
    attempts: t.exposeInt('attempts', { description: 'How many attempts there were, including those that were refused.' }),
    endsAt: t.expose('endsAt', { type: 'DateTime', description: 'When the window ends.' }),
  }),
})

const selectCounts = statement<{ key: string; points: number; expire: number }, [keys: string[], nowMilliseconds: number]>(
  'attempt_counts_of_account',
  'SELECT key, points, expire FROM attempt_counts WHERE key = ANY ($1) AND expire > $2 AND points > 0 ORDER BY key DESC',
)

/**
 * Reads the counts of failed attempts of an account. A successful sign-in deletes them. Other browsers have a count for each browser, whose
 * identifier only the browser has.
 */
export async function readFailedAttempts(context: Context, { id, email }: { id: string; email: string }): Promise<FailedAttempts[]> {
  const steps = new Map<string, SignInStep>([
    [`${accountPolicies.signInAccount}:${digestAttemptKey(context, [normalizeEmail(email)])}`, 'first'],
    [`${accountPolicies.secondFactor}:${digestAttemptKey(context, [id])}`, 'second_factor'],
  ])
  const counts = await selectCounts(context.database.pool, [...steps.keys()], context.now().getTime())
  return counts.flatMap(({ key, points, expire }) => {
    const step = steps.get(key)
    return step === undefined ? [] : [{ step, attempts: points, endsAt: new Date(expire) }]
  })
}
