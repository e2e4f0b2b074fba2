import { ownAddress } from '../../web/return-address.ts'
import { pageAfter } from '../sign-in/next-page.ts'
import { FinishProviderSignInDocument } from '../generated/operations.ts'
import { saveNotice } from '../framework/notice.ts'
import { siteOperation } from '../framework/operation.ts'
import { page } from '../framework/page.ts'
import { linkAt } from './paths.ts'
import { keepRefusal, RefusalOf, titleOfRefusal } from './refused-sign-in.tsx'

const finish = siteOperation(FinishProviderSignInDocument)

/** The redirect URI of a provider. It signs in, or says why not. */
export const providerCallback = page({
  path: '/sign-in/callback/:provider',
  title: titleOfRefusal,
  isPublic: true,
  async redirectBefore(ctx) {
    const providerKey = ctx.param('provider')
    const answer = ctx.query.toString()
    const { finishProviderSignIn: result } = await finish.run({ input: { provider: providerKey, answer } }, ctx)
    const { refusal, proofRequest, purpose, providerName, isRestored } = result
    const returnTo = ownAddress(result.returnTo, ctx.site.authUrl)
    if (refusal !== null) {
      keepRefusal(ctx, { providerKey, providerName, purpose, returnTo, refusal })
      return undefined
    }
    if (proofRequest !== null) return linkAt(proofRequest)
    if (isRestored) saveNotice(ctx, 'Your account will not be deleted: you signed in.')
    if (purpose === 'LINK') saveNotice(ctx, `You can now sign in through ${providerName}.`)
    return pageAfter(result, returnTo)
  },
  view: (_, ctx) => <RefusalOf ctx={ctx} />,
})
