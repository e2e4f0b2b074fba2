import { builder } from '../../builder/builder.ts'
import type { Context } from '../../core/context.ts'
import { accountSiteOnly } from '../../core/requires.ts'
import { providerAssertion } from '../protocol.ts'
import type { ProviderAssertion } from '../protocol.ts'
import { findIdentity } from './linking/identities.ts'
import { findSignInProvider } from './sign-in-provider.ts'
import type { SignInProvider } from './sign-in-provider.ts'
import { findOwnRequest } from './requests.ts'

/** A sign-in whose person must prove to own the account with the address. */
export interface PendingLink {
  id: string
  answeredAt: Date | null
  returnTo: string
  provider: SignInProvider
  assertion: ProviderAssertion
}

/** Finds a sign-in of this browser that waits for a proof; null if there is none, or its provider was changed, disabled or deleted. */
export async function findPendingLink(context: Context, id: string): Promise<PendingLink | null> {
  const request = await findOwnRequest(context, id)
  const assertion = providerAssertion.safeParse(request?.answer)
  if (!request || request.purpose !== 'sign_in' || !assertion.success) return null
  const provider = await findSignInProvider(context, request.providerId ?? request.social ?? '')
  if (!provider || provider.team?.disabledAt) return null
  if (provider.team && request.answeredAt && provider.team.updatedAt > request.answeredAt) return null
  return { id: request.id, answeredAt: request.answeredAt, returnTo: request.returnTo, provider, assertion: assertion.data }
}

const PendingProviderLinkType = builder.objectRef<PendingLink>('PendingProviderLink').implement({
  description: 'A sign-in at an identity provider whose person must prove to own an account. For the account site.',
  fields: (t) => ({
    providerName: t.string({ description: 'The name of the provider.', resolve: ({ provider }) => provider.name }),
    email: t.string({ description: 'The email address that the provider stated.', resolve: ({ assertion }) => assertion.email ?? '' }),
    isLinked: t.boolean({
      description: 'Whether the identity is linked with an account, which the person must prove again because the provider was changed.',
      resolve: async ({ provider, assertion }, _, { database }) => (await findIdentity(database.pool, provider, assertion)) !== null,
    }),
    returnTo: t.exposeString('returnTo', { description: 'The page to which the user returns.' }),
    answeredAt: t.expose('answeredAt', { type: 'DateTime', description: 'When the provider answered.', nullable: true }),
  }),
})

builder.queryField('pendingProviderLink', (t) =>
  t.field({
    description: 'A sign-in of this browser that waits for the proof of an account, or null. For the account site.',
    type: PendingProviderLinkType,
    nullable: true,
    requires: accountSiteOnly,
    args: { request: t.arg.string({ description: '`proofRequest` of `finishProviderSignIn`.' }) },
    resolve: (_, { request }, context) => findPendingLink(context, request ?? ''),
  }),
)
