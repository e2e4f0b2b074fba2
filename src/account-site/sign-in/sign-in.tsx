import { z } from 'zod'
import { normalizeEmail, emailAddress } from '../../../schema/core/validation.ts'
import { Name } from '../../web/components/address.tsx'
import { AppMark } from '../../web/components/app-mark.tsx'
import { passwordScript } from '../../web/components/forms/field.tsx'
import { signInPath, signUpAt } from '../../web/page-paths.ts'
import { readReturnAddress } from '../../web/return-address.ts'
import { checkbox, text } from '../framework/field-types.ts'
import { form } from '../framework/form.ts'
import type { PageContext } from '../framework/page-context.ts'
import { page } from '../framework/page.ts'
import { SignInDocument, SignInPageDocument, SignInWithPasskeyDocument } from '../generated/operations.ts'
import { EnteredAddress } from '../entered-address.tsx'
import { findPendingInvitation } from '../invitations/open-invitation.ts'
import { landingPath } from '../mail-links/opened-link.ts'
import { addressSignInAt, startAt, stepParameter } from '../providers/paths.ts'
import { providersOfAddress } from '../providers/start.tsx'
import { passkeyScripts } from '../security/passkey-form.tsx'
import { findCodePage, requestCode } from './emailed-code.tsx'
import { getKnownAddress, rememberAddress, typedAddressScript } from './known-address.ts'
import { findLastMethod, rememberMethod } from './last-method.ts'
import { AddressForm, PasswordForm } from './sign-in-forms.tsx'
import { SignInMethods } from './sign-in-methods.tsx'
import { keepAnother, nextPage, pageOfSignedInSince, pageWithoutSignIn } from './next-page.ts'
import { findRequestingClient, leadFormsToClient } from './requesting-client.ts'

interface SignInStep {
  /** `address`: the page requests only the address. `known_address`: the user entered it on the page before. */
  step: 'address' | 'known_address' | 'both'
  email: string
  /** Providers of the team that verified the domain of the entered address. */
  providers: readonly { key: string; name: string }[]
}

/** Returns the fields of the sign-in page: only the address if a team has an identity provider, otherwise address and password. */
async function loadStep(ctx: PageContext, asksForAddress: boolean, loginHint: string | undefined): Promise<SignInStep> {
  const requestedStep = ctx.query.get(stepParameter)
  const hint = requestedStep === 'address' ? null : loginHint || ctx.query.get('login_hint')
  const email = hint || (await getKnownAddress(ctx))
  if (!asksForAddress || requestedStep === 'password') return { step: 'both', email, providers: [] }
  const { refused } = ctx
  // The page requests a refused password again.
  const isEntered = refused?.name === 'sign-in' || (refused?.name === 'address' && refused.error === null)
  const entered = isEntered ? refused.values['email'] : hint
  if (typeof entered !== 'string' || entered.trim() === '') return { step: 'address', email, providers: [] }
  return { step: 'known_address', email: entered, providers: await providersOfAddress(ctx, entered) }
}

/**
 * Returns the page that leads to the only provider of the address in a client's request or a link. A signed-in user is redirected only for
 * the user's own address. Others choose the provider on the page, because a link of an attacker could contain the address of the attacker.
 */
async function providerOfHint(ctx: PageContext): Promise<string | undefined> {
  const { request, query, person } = ctx
  if (request.method === 'POST' || query.has(stepParameter)) return undefined
  const loginHint = (await findRequestingClient(ctx))?.loginHint || query.get('login_hint')
  if (!loginHint || (person && normalizeEmail(loginHint) !== person.user.email)) return undefined
  const [provider, ...others] = await providersOfAddress(ctx, loginHint)
  return provider && others.length === 0 ? startAt(provider.key, { returnTo: readReturnAddress(ctx), loginHint }) : undefined
}

/** The sign-in page. It leads back to the return address: another page of the site, or an interaction of the authorization server. */
export const signIn = page({
  path: signInPath,
  title: 'Sign in',
  isPublic: true,
  scripts: [...passkeyScripts, passwordScript, typedAddressScript],
  load: async (ctx) => (await pageWithoutSignIn(ctx)) ?? providerOfHint(ctx),
  redirectOutdated: pageOfSignedInSince,
  document: SignInPageDocument,
  forms: {
    // Shows the page again with the providers of the address.
    address: form({ fields: z.object({ email: emailAddress }), submit: (fields) => ({ again: fields }) }),
    'sign-in': form({
      fields: z.object({ email: text, password: text, remember: checkbox }),
      document: SignInDocument,
      variables: ({ email, password }) => ({ input: { email, password } }),
      onSuccess({ signIn }, ctx, { email, remember }) {
        rememberMethod(ctx.cookies, 'password')
        rememberAddress(ctx.cookies, remember ? email.trim() : '')
        return nextPage(signIn, ctx)
      },
    }),
    passkey: form({
      fields: z.object({ response: text }),
      document: SignInWithPasskeyDocument,
      variables: (input) => ({ input }),
      onSuccess({ signInWithPasskey }, ctx) {
        rememberMethod(ctx.cookies, 'passkey')
        return nextPage(signInWithPasskey, ctx)
      },
    }),
    'request-code': requestCode,
  },
  async view({ passkeySignIn, asksForAddress, offersEmailedCode, publicProviders }, ctx) {
    const returnTo = readReturnAddress(ctx)
    const requestingClient = await leadFormsToClient(ctx)
    const { step, email, providers } = await loadStep(ctx, asksForAddress, requestingClient?.loginHint)
    return (
      <>
        {requestingClient && (
          <p class="who">
            <AppMark app={{ clientId: requestingClient.clientId, name: requestingClient.clientName }} />
            <span>
              to continue to <Name>{requestingClient.clientName}</Name>
            </span>
          </p>
        )}
        {returnTo === landingPath.VERIFY_EMAIL && <p>Sign in to verify your email address.</p>}
        {step === 'known_address' && <EnteredAddress email={email} change={keepAnother(ctx, addressSignInAt(returnTo))} />}
        <SignInMethods
          password={(isUsual) =>
            step === 'address' ? (
              <AddressForm email={email} isUsual={isUsual} />
            ) : (
              <PasswordForm email={email} isEntered={step === 'known_address'} ctx={ctx} isUsual={isUsual} />
            )
          }
          teamProviders={providers}
          passkeyOptions={passkeySignIn}
          codePage={offersEmailedCode && step !== 'address' ? findCodePage(ctx) : null}
          publicProviders={publicProviders}
          email={email}
          isEntered={step === 'known_address'}
          returnTo={returnTo}
          lastMethod={findLastMethod(ctx.cookies)}
          isPasswordRefused={ctx.refused?.name === 'sign-in'}
        />
        {(ctx.site.signUp === 'open' || (await findPendingInvitation(ctx))) && (
          <p>
            New here? <a href={signUpAt(returnTo)}>Create an account</a>
          </p>
        )}
      </>
    )
  },
})
