import { z } from 'zod'
import type { SignInRequest } from '../../../prisma/generated/client/client.ts'
import { builder } from '../../builder/builder.ts'
import type { SignInPurpose } from '../../../prisma/generated/client/enums.ts'
import { payloadType } from '../../builder/payload-type.ts'
import type { Context } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import { observe } from '../../core/observation/observation.ts'
import { accountSiteOnly } from '../../core/requires.ts'
import { parse, text } from '../../core/validation.ts'
import { ProviderError, RefusedPersonError } from '../protocol.ts'
import type { FailureKind } from '../protocol.ts'
import { disabledMessage, SignInPurposeType } from './begin.ts'
import { bindProtocol } from './protocols.ts'
import { findSignInProvider } from './sign-in-provider.ts'
import { buildOutcome } from './outcome.ts'
import { recordFailure, SignInFailureType } from './record-failure.ts'
import type { Outcome } from './outcome.ts'
import { findOwnRequest, buildProtocolRequest, takeRequest } from './requests.ts'

interface FinishedSignIn extends Outcome {
  providerName: string
  purpose: SignInPurpose
  returnTo: string
  refusal: string | null
  failure: FailureKind | null
}

const FinishProviderSignInPayload = payloadType<FinishedSignIn>('FinishProviderSignInPayload', {
  description: 'The result of a sign-in at an identity provider. For the account site.',
  fields: (t) => ({
    providerName: t.exposeString('providerName', { description: 'The name of the provider.' }),
    purpose: t.expose('purpose', { type: SignInPurposeType, description: 'Why the person was sent there.' }),
    returnTo: t.exposeString('returnTo', { description: 'The page to which the user returns.' }),
    refusal: t.exposeString('refusal', { description: 'Why the sign-in was refused; otherwise null.', nullable: true }),
    failure: t.expose('failure', { type: SignInFailureType, description: 'What failed; null if nothing did.', nullable: true }),
    isSignedIn: t.exposeBoolean('isSignedIn', { description: 'Whether the browser is signed in now.' }),
    isRestored: t.exposeBoolean('isRestored', { description: 'Whether the sign-in undid the deletion of the account.' }),
    proofRequest: t.exposeString('proofRequest', {
      description: 'Identifier of the request if the person must prove to own an account first; otherwise null.',
      nullable: true,
    }),
  }),
})

const FinishProviderSignInInput = builder.inputType('FinishProviderSignInInput', {
  fields: (t) => ({
    provider: t.string({ required: true, description: 'The provider of the redirect URI, as in `beginProviderSignIn`.' }),
    answer: t.string({ required: true, description: 'The query of the redirect URI.' }),
  }),
})
const rules = z.object({ provider: z.string(), answer: text.max(16_384) })

builder.mutationField('finishProviderSignIn', (t) =>
  t.field({
    description: 'Verifies the answer of an identity provider and signs in. For the account site.',
    type: FinishProviderSignInPayload,
    isAudited: false,
    requires: accountSiteOnly,
    args: { input: t.arg({ type: FinishProviderSignInInput, required: true }) },
    async resolve(_, { input }, context) {
      const { provider: key, answer } = parse(rules, input)
      const provider = await findSignInProvider(context, key)
      if (!provider) throw notFound()
      const parameters = new URLSearchParams(answer)
      // The request is read first, so that a refused response leads back to the page from which the person came.
      const begun = await findOwnRequest(context, parameters.get('state') ?? '')
      const common = { providerName: provider.name, purpose: begun?.purpose ?? 'sign_in', returnTo: begun?.returnTo ?? '/' }
      try {
        const request = await takeRequest(context, provider, parameters.get('state'))
        if (provider.team?.disabledAt) throw new RefusedPersonError(disabledMessage)
        requireSameUser(context, request)
        const assertion = await (await bindProtocol(context, provider)).verify(buildProtocolRequest(request), parameters)
        const outcome = await buildOutcome(context, { provider, request, assertion })
        observe('signIn', { method: 'provider', result: 'succeeded' })
        return { ...common, refusal: null, failure: null, ...outcome }
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error
        return { ...common, ...(await recordFailure(context, provider, error)), isSignedIn: false, isRestored: false, proofRequest: null }
      }
    },
  }),
)

/** Throws unless a request of a signed-in user ends in the session of that user. */
function requireSameUser({ principal }: Context, { purpose, userId }: SignInRequest): void {
  if (purpose !== 'sign_in' && (principal?.kind !== 'user' || principal.user.id !== userId))
    throw new RefusedPersonError('You are no longer signed in with the account that started this sign-in.')
}
