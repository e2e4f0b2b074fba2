import { z } from 'zod'
import { normalizeEmail } from '../../../schema/core/validation.ts'
import { returnOf, returnParameter } from '../../web/return-address.ts'
import { secondFactorAt } from '../../web/page-paths.ts'
import type { PageContext } from '../framework/page-context.ts'

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

/** The page for a user who opens the sign-in page, but has signed in already, perhaps in another tab; undefined to show the page. */
export async function pageOfSignedIn(ctx: PageContext): Promise<string | undefined> {
  const { person, query, request, response, site } = ctx
  if (!person || request.method === 'POST') return undefined
  if (!query.has(returnParameter)) return '/'
  const returnAddress = returnOf(ctx)
  return (await site.continuesInteraction(request, response, returnAddress)) ? returnAddress : undefined
}

/**
 * The page for a user who submits the sign-in form, but has signed in to the same account since it was shown. Returns undefined if the
 * client requests a sign-in of its own.
 */
export async function pageOfSignedInSince(ctx: PageContext): Promise<string | undefined> {
  const { person, request, response, site } = ctx
  if (!person || submittedAddress(request.body) !== person.user.email) return undefined
  const returnAddress = returnOf(ctx)
  const isInteraction = (await site.requestingClient(returnAddress)) !== null
  return !isInteraction || (await site.continuesInteraction(request, response, returnAddress)) ? returnAddress : undefined
}

const signInForm = z.object({ email: z.string().transform(normalizeEmail) })
const submittedAddress = (body: unknown) => signInForm.safeParse(body).data?.email
