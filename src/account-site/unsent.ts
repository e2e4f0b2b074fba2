import { DomainError } from '../../schema/errors.ts'
import type { RefusedForm, Visit } from './visit.ts'

// A form that came after its sign-in had grown old, kept sealed by the browser until the password was shown, so that
// nobody fills it in twice, or believes that it counted.

const name = 'unsent'
const seconds = 900
// Browsers keep four thousand characters of a cookie; sealed it is longer by half.
const mostCharacters = 2500

/** What is typed once and never shown again. */
const isSecret = (field: string) => /password|code/i.test(field)

interface Unsent {
  path: string
  userId: string | undefined
  form: string
  values: Record<string, unknown>
}

/** Keeps what was sent, but for secrets; what is too long is not kept. */
export function keepUnsent({ cookies, path, person }: Visit, form: string, sent: Record<string, unknown>): void {
  const values = Object.fromEntries(Object.entries(sent).filter(([field]) => field !== 'csrf' && !isSecret(field)))
  const text = JSON.stringify({ path, userId: person?.user.id, form, values } satisfies Unsent)
  if (text.length <= mostCharacters) cookies.set(name, text, seconds)
}

/** The form of this page that was kept for this person, to be looked through and sent once more; once. */
export function takeUnsent({ cookies, path, person }: Visit): RefusedForm | null {
  const text = cookies.get(name)
  if (text === undefined) return null
  const kept = JSON.parse(text) as Unsent
  if (kept.path !== path) return null
  cookies.clear(name)
  if (kept.userId !== person?.user.id) return null
  const error = new DomainError('recent_sign_in_required', 'This was not done yet. Look it through, and send it once more.')
  return { name: kept.form, values: kept.values, error }
}
