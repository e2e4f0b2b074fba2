import { DomainError } from '../../../schema/core/errors.ts'
import { isolateName } from '../../web/display-name.ts'
import { ownAddress } from '../../web/return-address.ts'
import { rememberMethod } from '../sign-in/last-method.ts'
import { pageAfter } from '../sign-in/next-page.ts'
import { FinishProviderSignInDocument } from '../generated/operations.ts'
import type { FinishProviderSignInInput } from '../generated/operations.ts'
import { saveNotice } from '../framework/notice.ts'
import { siteOperation } from '../framework/operation.ts'
import { page } from '../framework/page.ts'
import type { PageContext } from '../framework/page-context.ts'
import { linkAt } from './paths.ts'
import { getRefusalStatus, getRefusalTitle, SignInRefusal } from './refused-sign-in.tsx'
import type { RefusedSignIn } from './refused-sign-in.tsx'

const finish = siteOperation(FinishProviderSignInDocument)

const unknownProvider = 'This identity provider does not exist. It may have been deleted.'

/** Verifies the response of the provider; null if there is no such provider. */
async function finished(ctx: PageContext, input: FinishProviderSignInInput) {
  try {
    return (await finish.run({ input }, ctx)).finishProviderSignIn
  } catch (error) {
    if (error instanceof DomainError && error.code === 'not_found') return null
    throw error
  }
}

/** The redirect URI of a provider. It signs in, or says why it cannot. */
export const providerCallback = page({
  path: '/sign-in/callback/:provider',
  async load(ctx): Promise<RefusedSignIn | string> {
    const providerKey = ctx.param('provider')
    const query = ctx.query.toString()
    const result = await finished(ctx, { provider: providerKey, answer: query })
    if (!result) {
      // The requests of a provider are deleted with it, including the page from which the person came.
      return { providerKey, providerName: null, purpose: 'SIGN_IN', returnTo: '/', failure: 'PERSON', refusal: unknownProvider }
    }
    const { refusal, failure, proofRequest, purpose, providerName, isRestored } = result
    const returnTo = ownAddress(result.returnTo, ctx.site.authUrl)
    if (refusal !== null && failure !== null) return { providerKey, providerName, purpose, returnTo, failure, refusal }
    if (proofRequest !== null) return linkAt(proofRequest)
    // A sign-in at a public provider confirms the account in this session. Its identifier changes, so that a stolen one gains nothing.
    if (ctx.person?.signIns?.isLimited === true) await ctx.site.sessions.renew(ctx.request, ctx.response)
    if (purpose === 'SIGN_IN') rememberMethod(ctx.cookies, providerKey)
    if (isRestored) saveNotice(ctx, 'Your account will not be deleted: you signed in.')
    if (purpose === 'LINK') saveNotice(ctx, `You can now sign in through ${isolateName(providerName)}.`)
    return pageAfter(result, returnTo)
  },
  title: (refused) => getRefusalTitle(refused),
  isPublic: true,
  status: getRefusalStatus,
  view: SignInRefusal,
})
