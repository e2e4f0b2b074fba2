import { z } from 'zod'
import { normalizeEmail } from '../../../schema/core/validation.ts'
import { returnOf } from '../../web/return-address.ts'
import { anotherAccountParameter, isInteractionPath, secondFactorAt } from '../../web/page-paths.ts'
import type { PageContext } from '../framework/page-context.ts'
import { findRequestingClient } from './requesting-client.ts'

interface SignInStep {
  isSignedIn: boolean
}

/** The page after a sign-in step: the second factor if the account requires one, else this address. */
export const pageAfter = ({ isSignedIn }: SignInStep, returnAddress: string): string =>
  isSignedIn ? returnAddress : secondFactorAt(returnAddress)

/** The same with the return address of the page. Says if the sign-in undid the deletion of the account. */
export const nextPage = (step: SignInStep & { isRestored?: boolean }, ctx: PageContext) => ({
  path: pageAfter(step, returnOf(ctx)),
  notice: step.isRestored ? 'Your account will not be deleted: you signed in.' : undefined,
})

/**
 * The page to which the sign-in page leads without a sign-in; undefined to show it. A user who has signed in, perhaps in another tab, goes on,
 * unless a client demands another sign-in or the user wants another account. An interaction that does not wait for a sign-in in this browser
 * leads to its own page, which says what is wrong.
 */
export async function pageWithoutSignIn(ctx: PageContext): Promise<string | undefined> {
  const { person, query, request } = ctx
  if (request.method === 'POST') return undefined
  const returnAddress = returnOf(ctx)
  const client = await findRequestingClient(ctx, returnAddress)
  if (client) return client.isSignedIn ? returnAddress : undefined
  if (isInteractionPath(returnAddress)) return returnAddress
  return person && !query.has(anotherAccountParameter) ? returnAddress : undefined
}

/**
 * The page for a user who submits the sign-in form, but has signed in to the same account since it was shown. Returns undefined if the
 * client requests a sign-in of its own.
 */
export async function pageOfSignedInSince(ctx: PageContext): Promise<string | undefined> {
  const { person, request } = ctx
  if (!person || submittedAddress(request.body) !== person.user.email) return undefined
  const client = await findRequestingClient(ctx)
  return !client || client.isSignedIn ? returnOf(ctx) : undefined
}

const signInForm = z.object({ email: z.string().transform(normalizeEmail) })
const submittedAddress = (body: unknown) => signInForm.safeParse(body).data?.email
