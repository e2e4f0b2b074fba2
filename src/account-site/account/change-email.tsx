import { z } from 'zod'
import { accountPath } from '../../web/page-paths.ts'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { checkbox, text } from '../framework/field-types.ts'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Field } from '../../web/components/forms/field.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { ConfirmEmailChangeDocument, RequestEmailChangeDocument } from '../generated/operations.ts'
import { EndOtherSessions } from '../security/end-other-sessions.tsx'
import { linkSecretSubject, clearLinkSecret, savedLinkSecret } from '../mail-links/link-secret.ts'
import { StrongAddress } from '../../web/components/address.tsx'
import { AnotherAccount } from '../mail-links/another-account.tsx'
import { landingPath, linkOf, needsLink } from '../mail-links/opened-link.ts'

const kind = 'CHANGE_EMAIL'

/** Requests the mail that confirms a new email address. */
export const newEmail = page({
  path: '/account/email',
  title: 'Change your email address',
  parent: accountPath,
  recentSignIn: true,
  forms: {
    ask: form({
      fields: z.object({ email: text }),
      document: RequestEmailChangeDocument,
      variables: (input) => ({ input }),
      notice: ({ requestEmailChange: { email } }) => `We sent an email to ${email}. Open the link in it to confirm the change.`,
      onSuccess: () => accountPath,
    }),
  },
  view: (_, { person }) => (
    <>
      <p>
        Your current address is <StrongAddress>{person?.user.email ?? ''}</StrongAddress>. It stays until you open the link that we send to
        the new address.
      </p>
      <Form name="ask">
        <Field name="email" label="New email address" inputMode="email" autocomplete="email" />
        <Buttons>
          <Button>Send confirmation link</Button>
        </Buttons>
      </Form>
    </>
  ),
})

/** Confirms the new address: the page of the link in that mail, in any browser in which the user is signed in. */
export const changeEmail = page({
  path: landingPath[kind],
  title: 'Confirm your new email address',
  redirectBefore: needsLink(kind),
  formSubject: linkSecretSubject(kind),
  forms: {
    confirm: form({
      fields: z.object({ endOtherSessions: checkbox }),
      document: ConfirmEmailChangeDocument,
      variables: (input, { cookies }) => ({ input: { ...input, token: savedLinkSecret(cookies, kind) } }),
      notice: ({ confirmEmailChange: { email } }) => `Your email address is now ${email}.`,
      onSuccess(_, { cookies }) {
        clearLinkSecret(cookies, kind)
        return accountPath
      },
    }),
  },
  view(_, ctx) {
    const { email, isOwn } = linkOf(ctx)
    if (!isOwn) return <AnotherAccount path={ctx.path} />
    return (
      <>
        <p>
          The email address of your account changes to <StrongAddress>{email}</StrongAddress>. Continue only if you requested this.
        </p>
        <Form name="confirm">
          <EndOtherSessions />
          <Buttons>
            <Button>Confirm email address</Button>
          </Buttons>
        </Form>
      </>
    )
  },
})
