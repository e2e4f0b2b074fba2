import { DomainError } from '../../../schema/core/errors.ts'
import { siteOperation } from '../framework/operation.ts'
import type { PageContext } from '../framework/page-context.ts'
import { SignInDocument } from '../generated/operations.ts'
import type { SignInInput } from '../generated/operations.ts'
import { pageAfter } from './next-page.ts'

const signIn = siteOperation(SignInDocument)

/**
 * Signs in with a password that the user has just chosen, as the sign-in page would. Returns the next page, which is the second factor if the
 * account requires one; null if the account has another password, or the limit of attempts is reached.
 */
export async function signInWithNewPassword(ctx: PageContext, input: SignInInput, returnAddress: string): Promise<string | null> {
  try {
    return pageAfter((await signIn.run({ input }, ctx)).signIn, returnAddress)
  } catch (error) {
    if (error instanceof DomainError && (error.code === 'validation_failed' || error.code === 'rate_limited')) return null
    throw error
  }
}
