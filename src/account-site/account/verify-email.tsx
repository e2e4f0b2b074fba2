import { z } from 'zod'
import { accountPath, invitationPath } from '../../web/page-paths.ts'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { VerifyEmailDocument } from '../generated/operations.ts'
import { linkSecretSubject, clearLinkSecret, savedLinkSecret } from '../mail-links/link-secret.ts'
import { StrongAddress } from '../../web/components/address.tsx'
import { AnotherAccount } from '../mail-links/another-account.tsx'
import { landingPath, linkOf, needsLink } from '../mail-links/opened-link.ts'

const kind = 'VERIFY_EMAIL'

/**
 * Verifies the email address of an account, in a session of that account: an attacker who created an account with the
 * address of another person must not get it verified by that person. It takes a button, because mail scanners open links.
 */
export const verifyEmail = page({
  path: landingPath[kind],
  title: 'Verify your email address',
  redirectBefore: needsLink(kind),
  formSubject: linkSecretSubject(kind),
  forms: {
    verify: form({
      fields: z.object({}),
      document: VerifyEmailDocument,
      variables: (_, { cookies }) => ({ input: { token: savedLinkSecret(cookies, kind) } }),
      notice: ({ verifyEmail }) => `Your email address ${verifyEmail.email} is verified.`,
      onSuccess(_, { cookies }) {
        clearLinkSecret(cookies, kind)
        return savedLinkSecret(cookies, 'INVITATION') ? invitationPath : accountPath
      },
    }),
  },
  view(_, ctx) {
    const { email, isOwn } = linkOf(ctx)
    if (!isOwn) return <AnotherAccount path={ctx.path} />
    return (
      <>
        <p>
          Confirm that <StrongAddress>{email}</StrongAddress> is your address.
        </p>
        <Form name="verify">
          <Buttons>
            <Button>Verify email address</Button>
          </Buttons>
        </Form>
      </>
    )
  },
})
