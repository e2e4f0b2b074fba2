import { z } from 'zod'
import { forgottenPasswordAt, signInPath, signUpAt } from '../../web/page-paths.ts'
import { returnOf } from '../../web/return-address.ts'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Checkbox } from '../../web/components/forms/checkbox.tsx'
import { Field, passwordScript } from '../../web/components/forms/field.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { AppMark } from '../../web/components/app-mark.tsx'
import { Name } from '../../web/components/name.tsx'
import { PasskeySignInDocument, SignInDocument, SignInWithPasskeyDocument } from '../generated/operations.ts'
import { findPendingInvitation } from '../invitations/open-invitation.ts'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { checkbox, text } from '../framework/field-types.ts'
import { landingPath } from '../mail-links/opened-link.ts'
import { PasskeyForm, passkeyScripts } from '../security/passkey-form.tsx'
import { knownAddress } from './known-address.ts'
import { rememberAddress, rememberedAddress, typedAddressScript } from './remembered-address.ts'
import { nextPage, pageOfSignedIn, pageOfSignedInSince } from './next-page.ts'
import { findRequestingClient } from './requesting-client.ts'

/** The sign-in page. It leads back to the return address: another page of the site, or an interaction of the authorization server. */
export const signIn = page({
  path: signInPath,
  title: 'Sign in',
  isPublic: true,
  scripts: [...passkeyScripts, passwordScript, typedAddressScript],
  redirectBefore: pageOfSignedIn,
  redirectOutdated: pageOfSignedInSince,
  document: PasskeySignInDocument,
  forms: {
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
  async view({ passkeySignIn }, ctx) {
    const returnTo = returnOf(ctx)
    const requestingClient = await findRequestingClient(ctx)
    const email = requestingClient?.loginHint || (await knownAddress(ctx))
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
        <Form name="sign-in">
          {/* Not of type email: browsers refuse non-ASCII addresses (RFC 6531) there. */}
          <Field
            name="email"
            label="Email address"
            noun="your email address"
            inputMode="email"
            autocomplete="username webauthn"
            value={email}
            hasFocus={email === ''}
          />
          <Field
            name="password"
            label="Password"
            noun="your password"
            type="password"
            autocomplete="current-password"
            hasFocus={email !== ''}
          />
          <p class="below">
            <a href={forgottenPasswordAt(returnTo)}>Forgot password?</a>
          </p>
          <Checkbox name="remember" label="Remember me on this device" isTicked={rememberedAddress(ctx.cookies) !== ''} />
          <Buttons>
            <Button>Sign in</Button>
          </Buttons>
        </Form>
        <PasskeyForm name="passkey" ceremony="get" options={passkeySignIn} button="Use a passkey" offersAutofill>
          <p class="or">or</p>
        </PasskeyForm>
        {(ctx.site.signUp === 'open' || (await findPendingInvitation(ctx))) && (
          <p>
            New here? <a href={signUpAt(returnTo)}>Create an account</a>
          </p>
        )}
      </>
    )
  },
})
