import type { ComponentChildren } from 'preact'
import { z } from 'zod'
import { unauthenticated } from '../../../schema/core/errors.ts'
import { readReturnAddress } from '../../web/return-address.ts'
import { secondFactorPath, signInAsAnotherAt, signInAt } from '../../web/page-paths.ts'
import { StrongAddress } from '../../web/components/address.tsx'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Checkbox } from '../../web/components/forms/checkbox.tsx'
import { Field } from '../../web/components/forms/field.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { CompleteSignInDocument, CompleteSignInWithPasskeyDocument, PendingSignInDocument } from '../generated/operations.ts'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { checkbox, text } from '../framework/field-types.ts'
import { PasskeyForm, passkeyScripts } from '../security/passkey-form.tsx'
import { codeScript } from './emailed-code.tsx'
import { nextPage } from './next-page.ts'
import { clearPendingSignIn, findPendingSignIn } from '../framework/pending-sign-in.ts'
import { leadFormsToClient } from './requesting-client.ts'

/** Requests the second factor after the password: a code of the authenticator app, a passkey, or a recovery code. */
export const secondFactor = page({
  path: secondFactorPath,
  title: 'Two-factor authentication',
  isPublic: true,
  scripts: [...passkeyScripts, codeScript],
  // A missing pending sign-in may have been completed in another tab.
  load: (ctx) => (findPendingSignIn(ctx.cookies) ? undefined : ctx.person ? readReturnAddress(ctx) : signInAt(readReturnAddress(ctx))),
  document: PendingSignInDocument,
  forms: {
    code: form({
      fields: z.object({ code: text, trustDevice: checkbox }),
      document: CompleteSignInDocument,
      variables: (input) => ({ input }),
      onSuccess: ({ completeSignIn }, ctx) => nextPage(completeSignIn, ctx),
    }),
    passkey: form({
      fields: z.object({ response: text, trustDevice: checkbox }),
      document: CompleteSignInWithPasskeyDocument,
      variables: (input) => ({ input }),
      onSuccess: ({ completeSignInWithPasskey }, ctx) => nextPage(completeSignInWithPasskey, ctx),
    }),
  },
  async view({ pendingSignIn }, ctx) {
    // The second factor was correct, but the password changed meanwhile or the account was disabled. The user must sign in again.
    if (!pendingSignIn) {
      clearPendingSignIn(ctx.cookies)
      throw unauthenticated()
    }
    const { email, methods, passkeySignIn } = pendingSignIn
    await leadFormsToClient(ctx)
    const { support } = ctx.site.brand
    const hasTotp = methods.includes('TOTP')
    // The checkbox is not for a signed-in user, who must always confirm with the second factor. Only the first method shows it, because two
    // would be confusing.
    const trust = !ctx.person && (
      <Checkbox
        name="trustDevice"
        label="Trust this device for 30 days"
        hint="You then only need your password to sign in here. Trust only your own devices."
      />
    )
    const code = <CodeForm hasTotp={hasTotp}>{hasTotp && trust}</CodeForm>
    const passkey = passkeySignIn !== null && (
      <PasskeyForm name="passkey" ceremony="get" options={passkeySignIn} button="Use a passkey">
        {!hasTotp && trust}
      </PasskeyForm>
    )
    return (
      <>
        {!hasTotp && (
          <noscript>
            <p class="alert">Passkeys need JavaScript. Turn it on, or use a recovery code.</p>
          </noscript>
        )}
        {hasTotp ? code : passkey}
        {hasTotp ? passkey : code}
        <details>
          <summary>Lost your device?</summary>
          <p>
            Enter one of the recovery codes that you saved when you turned on two-factor authentication. Each works once.{' '}
            {support === undefined ? (
              'Without them, ask the operator of this service to turn off two-factor authentication.'
            ) : (
              <>
                Without them, write to <a href={`mailto:${support}`}>{support}</a> to turn off two-factor authentication.
              </>
            )}
          </p>
        </details>
        <p>
          Signing in as <StrongAddress>{email}</StrongAddress>. <a href={signInAsAnotherAt(readReturnAddress(ctx))}>Use another account</a>
        </p>
      </>
    )
  },
})

/** A user without an authenticator app can enter a recovery code only. */
const CodeForm = ({ hasTotp, children }: { hasTotp: boolean; children: ComponentChildren }) => (
  <Form name="code">
    <Field
      name="code"
      label={hasTotp ? 'Code' : 'Recovery code'}
      autocomplete="one-time-code"
      hasFocus={hasTotp}
      hint={
        hasTotp
          ? 'Enter the 6-digit code from your authenticator app, or a recovery code.'
          : 'Use a recovery code if you don’t have your passkey with you.'
      }
    />
    {children}
    <Buttons>
      <Button>Continue</Button>
    </Buttons>
  </Form>
)
