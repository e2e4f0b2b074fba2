import { z } from 'zod'
import { normalizeEmail, emailAddress } from '../../../schema/core/validation.ts'
import { Name } from '../../web/components/address.tsx'
import { AppMark } from '../../web/components/app-mark.tsx'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Checkbox } from '../../web/components/forms/checkbox.tsx'
import { passwordScript, Field } from '../../web/components/forms/field.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { signInAt, signInPath, signUpAt, forgottenPasswordAt } from '../../web/page-paths.ts'
import { readReturnAddress } from '../../web/return-address.ts'
import { checkbox, text } from '../framework/field-types.ts'
import { form } from '../framework/form.ts'
import type { PageContext } from '../framework/page-context.ts'
import { page } from '../framework/page.ts'
import { SignInDocument, SignInPageDocument, SignInWithPasskeyDocument } from '../generated/operations.ts'
import { findPendingInvitation } from '../invitations/open-invitation.ts'
import { landingPath } from '../mail-links/opened-link.ts'
import { passwordParameter, startAt } from '../providers/paths.ts'
import { ProviderLinks } from '../providers/provider-links.tsx'
import { providersOfAddress } from '../providers/start.tsx'
import { passkeyScripts } from '../security/passkey-form.tsx'
import { findCodePage, requestCode } from './emailed-code.tsx'
import { getKnownAddress, rememberAddress, typedAddressScript, rememberedAddress } from './known-address.ts'
import { findLastMethod, rememberMethod } from './last-method.ts'
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
  const hint = loginHint || ctx.query.get('login_hint')
  const email = hint || (await getKnownAddress(ctx))
  if (!asksForAddress || ctx.query.has(passwordParameter)) return { step: 'both', email, providers: [] }
  const { refused } = ctx
  // The page requests a refused password again.
  const isEntered = refused?.name === 'sign-in' || (refused?.name === 'address' && refused.error === null)
  const entered = isEntered ? refused.values['email'] : hint
  if (typeof entered !== 'string' || entered.trim() === '') return { step: 'address', email, providers: [] }
  return { step: 'known_address', email: entered.trim(), providers: await providersOfAddress(ctx, entered) }
}

/**
 * Returns the page that leads to the only provider of the address in a client's request or a link. A signed-in user is redirected only for
 * the user's own address. Others choose the provider on the page, because a link of an attacker could contain the address of the attacker.
 */
async function providerOfHint(ctx: PageContext): Promise<string | undefined> {
  const { request, query, person } = ctx
  if (request.method === 'POST' || query.has(passwordParameter)) return undefined
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
        {providers.length > 0 && (
          <>
            <ProviderLinks providers={providers} returnTo={returnTo} loginHint={email} isUsual hasFocus={ctx.refused?.name !== 'sign-in'} />
            <p class="or">or</p>
          </>
        )}
        <SignInMethods
          password={
            step === 'address' ? <AddressForm email={email} /> : <PasswordForm email={email} ctx={ctx} isUsual={providers.length === 0} />
          }
          passkeyOptions={passkeySignIn}
          codePage={offersEmailedCode && step !== 'address' ? findCodePage(ctx) : null}
          publicProviders={publicProviders}
          email={email}
          isEntered={step === 'known_address'}
          returnTo={returnTo}
          lastMethod={providers.length > 0 ? null : findLastMethod(ctx.cookies)}
        />
        {step === 'known_address' && (
          <p>
            <a href={keepAnother(ctx, signInAt(returnTo))}>Use another email address</a>
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

/** The type is not email, because browsers refuse non-ASCII addresses (RFC 6531) there. */
const AddressField = ({ email, hasFocus }: { email: string; hasFocus: boolean }) => (
  <Field
    name="email"
    label="Email address"
    noun="your email address"
    inputMode="email"
    autocomplete="username webauthn"
    value={email}
    hasFocus={hasFocus}
  />
)

/** Requests only the address first, because it can belong to a team with an identity provider. */
const AddressForm = ({ email }: { email: string }) => (
  <Form name="address">
    <AddressField email={email} hasFocus />
    <Buttons>
      <Button>Continue</Button>
    </Buttons>
  </Form>
)

interface PasswordFormProps {
  email: string
  ctx: PageContext
  /** True if the password is the usual way to sign in, and not an alternative to an identity provider. */
  isUsual: boolean
}

/** Requests address and password. */
const PasswordForm = ({ email, ctx, isUsual }: PasswordFormProps) => (
  <Form name="sign-in">
    <AddressField email={email} hasFocus={email === ''} />
    <Field
      name="password"
      label="Password"
      noun="your password"
      type="password"
      autocomplete="current-password"
      hasFocus={isUsual && email !== ''}
    />
    <p class="below">
      <a href={forgottenPasswordAt(readReturnAddress(ctx))}>Forgot password?</a>
    </p>
    <Checkbox name="remember" label="Remember me on this device" isTicked={rememberedAddress(ctx.cookies) !== ''} />
    <Buttons>
      <Button kind={isUsual ? undefined : 'second'}>Sign in</Button>
    </Buttons>
  </Form>
)
