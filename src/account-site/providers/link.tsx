import { z } from 'zod'
import { DomainError } from '../../../schema/core/errors.ts'
import { refused } from '../../../schema/core/validation.ts'
import { forgottenPasswordAt, signInPath } from '../../web/page-paths.ts'
import { createCsrfTokens } from '../../web/csrf.ts'
import { isolateName } from '../../web/display-name.ts'
import { ownAddress } from '../../web/return-address.ts'
import { StrongAddress, Name } from '../../web/components/address.tsx'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Field, passwordScript } from '../../web/components/forms/field.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import {
  CreateProviderAccountDocument,
  LinkProviderSignInDocument,
  PasskeySignInDocument,
  PendingProviderLinkDocument,
  SignInDocument,
  SignInWithPasskeyDocument,
} from '../generated/operations.ts'
import type { PendingProviderLinkQuery } from '../generated/operations.ts'
import { text } from '../framework/field-types.ts'
import { form } from '../framework/form.ts'
import { saveNotice } from '../framework/notice.ts'
import { siteOperation } from '../framework/operation.ts'
import { page } from '../framework/page.ts'
import type { PageContext } from '../framework/page-context.ts'
import { PasskeyForm, passkeyScripts } from '../security/passkey-form.tsx'
import { Username } from '../security/username.tsx'
import { pageAfter } from '../sign-in/next-page.ts'
import { leadFormsToClient } from '../sign-in/requesting-client.ts'
import { agreedLinkAt, linkPath, agreementParameter } from './paths.ts'
import { ConfirmLink, ProveLinked } from './prove-linked.tsx'

type PendingLink = NonNullable<PendingProviderLinkQuery['pendingProviderLink']>

const pendingLink = siteOperation(PendingProviderLinkDocument)
const link = siteOperation(LinkProviderSignInDocument)
const signIn = siteOperation(SignInDocument)

const getRequest = ({ query }: PageContext): string => query.get('request') ?? ''
const findPending = async (ctx: PageContext): Promise<PendingLink | null> =>
  (await pendingLink.run({ request: getRequest(ctx) }, ctx)).pendingProviderLink

/** Creates the token in the address to which the forms and links of this page return. */
const agreements = ({ site }: PageContext) => createCsrfTokens(site.deriveSecret)
const buildAgreement = (ctx: PageContext): [purpose: string, request: string] => ['link identity', getRequest(ctx)]
const agreedAddress = (ctx: PageContext): string => agreedLinkAt(getRequest(ctx), agreements(ctx).of(...buildAgreement(ctx)))
/**
 * Returns true if the user came from this page. The provider receives the request identifier, so its owner could send here the browser of a
 * user who signed in for another reason.
 */
const hasAgreed = (ctx: PageContext): boolean => agreements(ctx).isValid(ctx.query.get(agreementParameter) ?? '', ...buildAgreement(ctx))

/**
 * Links the account if the user signed in to it, from this page, after the response of the provider. Returns the next page, or a message if
 * the account cannot be linked. Returns undefined to request the sign-in.
 */
async function linkProved(ctx: PageContext, pending: PendingLink): Promise<string | { problem: string } | undefined> {
  const { person, request, site } = ctx
  const { answeredAt, providerName } = pending
  const hasSignedIn = person?.authenticatedAt && answeredAt !== null && person.authenticatedAt.getTime() >= Date.parse(answeredAt)
  if (!hasSignedIn || request.method === 'POST' || !hasAgreed(ctx)) return undefined
  try {
    const { returnTo } = (await link.run({ input: { request: getRequest(ctx) } }, ctx)).linkProviderSignIn
    saveNotice(ctx, `You can now sign in through ${isolateName(providerName)}.`)
    return ownAddress(returnTo, site.authUrl)
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'validation_failed') throw error
    return {
      problem: Object.values(error.details.errors ?? {})
        .flat()
        .join(' '),
    }
  }
}

/** Asks a person who signed in at a provider to sign in to the account with the address, or to continue with a new one. */
export const linkAccount = page({
  path: linkPath,
  async load(ctx) {
    const pending = await findPending(ctx)
    if (!pending) return signInPath
    const linked = await linkProved(ctx, pending)
    return typeof linked === 'string' ? linked : { ...pending, problem: linked?.problem }
  },
  title: 'Is this your account?',
  isPublic: true,
  scripts: [...passkeyScripts, passwordScript],
  document: PasskeySignInDocument,
  formSubject: getRequest,
  forms: {
    password: form({
      fields: z.object({ password: text }),
      async submit({ password }, ctx) {
        try {
          const input = { email: (await findPending(ctx))?.email ?? '', password }
          return pageAfter((await signIn.run({ input }, ctx)).signIn, agreedAddress(ctx))
        } catch (error) {
          // The sign-in page does not disclose that the account exists. This page does, and has no field for the address.
          if (error instanceof DomainError && error.code === 'validation_failed')
            throw refused({ password: ['The password is incorrect.'] })
          throw error
        }
      },
    }),
    passkey: form({
      fields: z.object({ response: text }),
      document: SignInWithPasskeyDocument,
      variables: (input) => ({ input }),
      onSuccess: ({ signInWithPasskey }, ctx) => pageAfter(signInWithPasskey, agreedAddress(ctx)),
    }),
    new: form({
      fields: z.object({}),
      document: CreateProviderAccountDocument,
      variables: (_, ctx) => ({ input: { request: getRequest(ctx) } }),
      onSuccess: ({ createProviderAccount }, { site }) =>
        pageAfter(createProviderAccount, ownAddress(createProviderAccount.returnTo, site.authUrl)),
    }),
  },
  status: ({ problem }) => (problem === undefined ? 200 : 400),
  async view({ passkeySignIn, providerName, email, isLinked, returnTo, problem }, ctx) {
    await leadFormsToClient(ctx, ownAddress(returnTo, ctx.site.authUrl))
    const alert = problem !== undefined && <p class="alert">{problem}</p>
    if (isLinked)
      return (
        <>
          {alert}
          <ProveLinked providerName={providerName} isSignedIn={ctx.person !== null} returnAddress={agreedAddress(ctx)} />
        </>
      )
    return (
      <>
        {alert}
        <p>
          <Name>{providerName}</Name> says that <StrongAddress>{email}</StrongAddress> is your email address. An account with this email
          address already exists. If the account is yours, sign in to it once. From then on, you can sign in through{' '}
          <Name>{providerName}</Name>.
        </p>
        {ctx.person?.user.email === email ? (
          <ConfirmLink returnAddress={agreedAddress(ctx)} />
        ) : (
          <>
            <Form name="password">
              <Username email={email} />
              <Field name="password" label="Password" noun="your password" type="password" autocomplete="current-password" hasFocus />
              <p class="below">
                <a href={forgottenPasswordAt(agreedAddress(ctx))}>Forgot password?</a>
              </p>
              <Buttons>
                <Button>Link account</Button>
              </Buttons>
            </Form>
            <PasskeyForm name="passkey" ceremony="get" options={passkeySignIn} button="Use a passkey">
              <p class="or">or</p>
            </PasskeyForm>
          </>
        )}
        <p>
          If the account is not yours, or you want to keep the two accounts separate, continue with a new account. The new account has no
          email address at first.
        </p>
        <Form name="new">
          <Buttons>
            <Button kind="second">Continue with a new account</Button>
          </Buttons>
        </Form>
      </>
    )
  },
})
