import { z } from 'zod'
import { providerAssertion, ProviderError } from '../protocol.ts'
import type { ProviderAssertion } from '../protocol.ts'

/** What `sign_in_requests.answer` contains from the response until the browser returns: what was verified, or why it was refused. */
const storedAnswer = z.union([z.object({ assertion: providerAssertion }), z.object({ error: z.string() })])
export type StoredAnswer = z.output<typeof storedAnswer>

/** Returns what was verified when the response arrived. Throws a `ProviderError` if it was refused, or none arrived. */
export function readStoredAnswer(answer: unknown): ProviderAssertion {
  const stored = storedAnswer.safeParse(answer).data
  if (!stored) throw new ProviderError('The provider has not answered the request.')
  if ('error' in stored) throw new ProviderError(stored.error)
  return stored.assertion
}
