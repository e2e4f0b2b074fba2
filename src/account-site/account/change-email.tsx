import { z } from 'zod'
import { emailPath, securityPath } from '../../web/page-paths.ts'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { checkbox, text } from '../framework/field-types.ts'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Field } from '../../web/components/forms/field.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { ConfirmEmailChangeDocument, EmailAddressDocument, RequestEmailChangeDocument } from '../generated/operations.ts'
import { EndOtherSessions } from '../security/end-other-sessions.tsx'
import { linkSecretSubject, clearLinkSecret, savedLinkSecret, landingPath, loadLink } from '../mail-links/opened-link.ts'
import { cancelEmailChange, PresentEmail, resendVerification } from './email-section.tsx'
import { StrongAddress } from '../../web/components/address.tsx'
import { hasAddress } from '../../../schema/core/mails/placeholder-address.ts'
import { AnotherAccount } from '../mail-links/another-account.tsx'

const kind = 'CHANGE_EMAIL'

/** The email address of the user. A new address takes effect when the user opens the link in a mail to it. */
export const emailAddress = page({
  path: emailPath,
  title: 'Email address',
  parent: securityPath,
  document: EmailAddressDocument,
  forms: {
    resend: resendVerification,
    'cancel-email': cancelEmailChange,
    ask: form({
      fields: z.object({ email: text }),
      document: RequestEmailChangeDocument,
      variables: (input) => ({ input }),
      notice: ({ requestEmailChange: { email } }) => `We sent an email to ${email}. Open the link in it to confirm the change.`,
    }),
  },
  view: ({ viewer: { user, pendingEmail } }) => (
    <>
      <section>
        <PresentEmail email={user?.email ?? ''} isVerified={user?.emailVerified === true} pending={pendingEmail} />
      </section>
      <Form name="ask">
        <Field
          name="email"
          label="New email address"
          inputMode="email"
          autocomplete="email"
          hint={
            hasAddress(user?.email ?? '')
              ? 'We send a link to it. Your current email address stays until you open the link.'
              : 'We send a link to it. It becomes your email address when you open the link.'
          }
        />
        <Buttons>
          <Button>Send confirmation link</Button>
        </Buttons>
      </Form>
    </>
  ),
})

/** Confirms the new address. The link in that mail opens this page, in any browser in which the user is signed in. */
export const changeEmail = page({
  path: landingPath[kind],
  title: 'Confirm your new email address',
  load: loadLink(kind),
  formSubject: linkSecretSubject(kind),
  forms: {
    confirm: form({
      fields: z.object({ endOtherSessions: checkbox }),
      document: ConfirmEmailChangeDocument,
      variables: (input, { cookies }) => ({ input: { ...input, token: savedLinkSecret(cookies, kind) } }),
      notice: ({ confirmEmailChange: { email } }) => `Your email address is now ${email}.`,
      onSuccess(_, { cookies }) {
        clearLinkSecret(cookies, kind)
        return emailPath
      },
    }),
  },
  view({ email, isOwn }, ctx) {
    if (!isOwn) return <AnotherAccount ctx={ctx} />
    return (
      <section>
        <p>
          The email address of your account changes to <StrongAddress>{email}</StrongAddress>. Continue only if you requested this.
        </p>
        <Form name="confirm">
          <EndOtherSessions />
          <Buttons>
            <Button>Confirm email address</Button>
            <a class="button second" href={emailPath}>
              Cancel
            </a>
          </Buttons>
        </Form>
      </section>
    )
  },
})
