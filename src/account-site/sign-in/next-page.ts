import { z } from 'zod'
import { normalizeEmail } from '../../../schema/core/validation.ts'
import { readReturnAddress } from '../../web/return-address.ts'
import { anotherAccountParameter, isInteractionPath, secondFactorAt } from '../../web/page-paths.ts'
import type { PageContext } from '../framework/page-context.ts'
import { findRequestingClient } from './requesting-client.ts'

interface SignInStep {
  isSignedIn: boolean
}

/** Returns the page after a sign-in step: the second factor if the account requires one, otherwise this address. */
export const pageAfter = ({ isSignedIn }: SignInStep, returnAddress: string): string =>
  isSignedIn ? returnAddress : secondFactorAt(returnAddress)

/** Returns that page for the return address of the page. Adds a notice if the sign-in cancelled the deletion of the account. */
export const nextPage = (step: SignInStep & { isRestored?: boolean }, ctx: PageContext) => ({
  path: pageAfter(step, readReturnAddress(ctx)),
  notice: step.isRestored ? 'Your account will not be deleted: you signed in.' : undefined,
})

/** Returns the address of another sign-in page, which also leads a signed-in user to another account if this page does. */
export const keepAnother = ({ query }: PageContext, address: string): string =>
  query.has(anotherAccountParameter) ? `${address}&${anotherAccountParameter}=1` : address

/**
 * Returns the page to which the sign-in page redirects without a sign-in; undefined to show it. A user who has signed in, for example in
 * another tab, continues, unless a client demands another sign-in or the user wants another account. An interaction that does not wait for
 * a sign-in in this browser has its own page, which explains the error.
 */
export async function pageWithoutSignIn(ctx: PageContext): Promise<string | undefined> {
  const { person, query, request } = ctx
  if (request.method === 'POST') return undefined
  const returnAddress = readReturnAddress(ctx)
  const client = await findRequestingClient(ctx, returnAddress)
  if (client) return client.isSignedIn ? returnAddress : undefined
  if (isInteractionPath(returnAddress)) return returnAddress
  return person && !query.has(anotherAccountParameter) ? returnAddress : undefined
}

/**
 * Returns the page for a user who submits the sign-in form, but has signed in to the same account since it was shown. Returns undefined if
 * the client requests a separate sign-in.
 */
export async function pageOfSignedInSince(ctx: PageContext): Promise<string | undefined> {
  const { person, request } = ctx
  if (!person || submittedAddress(request.body) !== person.user.email) return undefined
  const client = await findRequestingClient(ctx)
  return !client || client.isSignedIn ? readReturnAddress(ctx) : undefined
}

const signInForm = z.object({ email: z.string().transform(normalizeEmail) })
const submittedAddress = (body: unknown) => signInForm.safeParse(body).data?.email
