import { z } from 'zod'
import { mailAddress } from '../../../schema/core/validation.ts'
import { StrongAddress } from '../../web/components/address.tsx'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Field } from '../../web/components/forms/field.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { emailedCodeAt, emailedCodePath, signInAt } from '../../web/page-paths.ts'
import { readReturnAddress } from '../../web/return-address.ts'
import { findCodeRequest } from '../framework/code-request.ts'
import { text } from '../framework/field-types.ts'
import { form } from '../framework/form.ts'
import type { PageContext } from '../framework/page-context.ts'
import { page } from '../framework/page.ts'
import { EmailedCodePageDocument, RequestSignInCodeDocument, SignInWithCodeDocument } from '../generated/operations.ts'
import { getKnownAddress, typedAddressScript } from './known-address.ts'
import { rememberMethod } from './last-method.ts'
import { keepAnother, nextPage, pageWithoutSignIn } from './next-page.ts'
import { leadFormsToClient } from './requesting-client.ts'

/** Query parameter of the page for another email address than that of the last request. */
const otherParameter = 'other'

/** Script that submits a form as soon as its field contains the six digits of a code. */
export const codeScript = 'submit-code.js'

/** Returns the address of the page that requests the code, from a page with the same return address. */
export const findCodePage = (ctx: PageContext): string => keepAnother(ctx, emailedCodeAt(readReturnAddress(ctx)))

/** Requests a code. The sign-in page has this form too, with the email address that was entered there. */
export const requestCode = form({
  fields: z.object({ email: mailAddress }),
  document: RequestSignInCodeDocument,
  variables: (input) => ({ input }),
  onSuccess: (_, ctx) => findCodePage(ctx),
})

/** Signs in with a code that is emailed. The page requests the email address, and then the code. */
export const emailedCode = page({
  path: emailedCodePath,
  title: 'Sign in with a code',
  isPublic: true,
  scripts: [typedAddressScript, codeScript],
  async load(ctx) {
    const path = await pageWithoutSignIn(ctx)
    if (path !== undefined) return path
    await leadFormsToClient(ctx)
    const request = ctx.query.has(otherParameter) ? null : findCodeRequest(ctx.cookies)
    return { sentTo: request?.email ?? null, email: await getKnownAddress(ctx) }
  },
  document: EmailedCodePageDocument,
  forms: {
    'request-code': requestCode,
    code: form({
      fields: z.object({ code: text }),
      document: SignInWithCodeDocument,
      variables: (input) => ({ input }),
      onSuccess({ signInWithCode }, ctx) {
        rememberMethod(ctx.cookies, 'code')
        return nextPage(signInWithCode, ctx)
      },
    }),
  },
  view({ offersEmailedCode, sentTo, email }, ctx) {
    const back = (
      <p>
        <a href={keepAnother(ctx, signInAt(readReturnAddress(ctx)))}>Back to sign in</a>
      </p>
    )
    if (!offersEmailedCode) return back
    if (sentTo === null) return [<AddressForm email={email} />, back]
    return (
      <>
        <p>
          If <StrongAddress>{sentTo}</StrongAddress> has an account, we sent it an email with a 6-digit code. It expires in 10 minutes.
        </p>
        <Form name="code">
          <Field name="code" label="Code" noun="the code" inputMode="numeric" autocomplete="one-time-code" hasFocus />
          <Buttons>
            <Button>Sign in</Button>
          </Buttons>
        </Form>
        <p class="hint">
          No email after a few minutes? Check your spam folder. We send at most 5 codes in an hour, and each request replaces the one
          before.
        </p>
        <Form name="request-code" hidden={{ email: sentTo }}>
          <Buttons>
            <Button kind="second">Send a new code</Button>
          </Buttons>
        </Form>
        <p>
          <a href={`${findCodePage(ctx)}&${otherParameter}=1`}>Use another email address</a>
        </p>
        {back}
      </>
    )
  },
})

const AddressForm = ({ email }: { email: string }) => (
  <Form name="request-code">
    <p>Enter the email address of your account. We will send you a code to sign in.</p>
    <Field name="email" label="Email address" noun="your email address" inputMode="email" autocomplete="username" value={email} hasFocus />
    <Buttons>
      <Button>Send code</Button>
    </Buttons>
  </Form>
)
