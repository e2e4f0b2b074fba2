import { z } from 'zod'
import { emailAddress } from '../../../schema/core/validation.ts'
import { signInAt, signInPath, signUpAt } from '../../web/page-paths.ts'
import { returnOf } from '../../web/return-address.ts'
import { passwordScript } from '../../web/components/forms/field.tsx'
import { AppMark } from '../../web/components/app-mark.tsx'
import { Name } from '../../web/components/name.tsx'
import { SignInDocument, SignInPageDocument, SignInWithPasskeyDocument } from '../generated/operations.ts'
import { findPendingInvitation } from '../invitations/open-invitation.ts'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { checkbox, text } from '../framework/field-types.ts'
import { landingPath } from '../mail-links/opened-link.ts'
import { PasskeyForm, passkeyScripts } from '../security/passkey-form.tsx'
import { ProviderLinks } from '../providers/provider-links.tsx'
import { providerOfHint, stepOf } from './steps.ts'
import { AddressForm, PasswordForm } from './sign-in-forms.tsx'
import { rememberAddress, typedAddressScript } from './remembered-address.ts'
import { nextPage, pageOfSignedInSince, pageWithoutSignIn } from './next-page.ts'
import { leadFormsToClient } from './requesting-client.ts'

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
    // The same page again, with the providers of the address.
    address: form({ fields: z.object({ email: emailAddress }), submit: (fields) => ({ again: fields }) }),
    'sign-in': form({
      fields: z.object({ email: text, password: text, remember: checkbox }),
      document: SignInDocument,
      variables: ({ email, password }) => ({ input: { email, password } }),
      onSuccess({ signIn }, ctx, { email, remember }) {
        rememberAddress(ctx.cookies, remember ? email.trim() : '')
        return nextPage(signIn, ctx)
      },
    }),
    passkey: form({
      fields: z.object({ response: text }),
      document: SignInWithPasskeyDocument,
      variables: (input) => ({ input }),
      onSuccess: ({ signInWithPasskey }, ctx) => nextPage(signInWithPasskey, ctx),
    }),
  },
  async view({ passkeySignIn, asksForAddress, publicProviders }, ctx) {
    const returnTo = returnOf(ctx)
    const requestingClient = await leadFormsToClient(ctx)
    const { step, email, providers } = await stepOf(ctx, asksForAddress, requestingClient?.loginHint)
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
        {providers.length > 0 && (
          <>
            <ProviderLinks providers={providers} returnTo={returnTo} loginHint={email} isUsual />
            <p class="or">or</p>
          </>
        )}
        {step === 'address' ? <AddressForm email={email} /> : <PasswordForm email={email} ctx={ctx} isUsual={providers.length === 0} />}
        <PasskeyForm name="passkey" ceremony="get" options={passkeySignIn} button="Use a passkey" offersAutofill>
          <p class="or">or</p>
        </PasskeyForm>
        <ProviderLinks providers={publicProviders} returnTo={returnTo} loginHint={email} />
        {step === 'known_address' && (
          <p>
            <a href={signInAt(returnTo)}>Use another email address</a>
          </p>
        )}
        {(ctx.site.signUp === 'open' || (await findPendingInvitation(ctx))) && (
          <p>
            New here? <a href={signUpAt(returnTo)}>Create an account</a>
          </p>
        )}
      </>
    )
  },
})
