import { z } from 'zod'
import { signInAt } from '../../web/page-paths.ts'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { checkbox, text } from '../framework/field-types.ts'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { ResetPasswordDocument } from '../generated/operations.ts'
import { linkSecretSubject, clearLinkSecret, savedLinkSecret, findSavedLink, landingPath, loadLink } from '../mail-links/opened-link.ts'
import { StrongAddress } from '../../web/components/address.tsx'
import { clearReturnAddress, savedReturnAddress } from '../mail-links/link-return-address.ts'
import { leadFormsToClient } from '../sign-in/requesting-client.ts'
import { EndOtherSessions, RevokePersonalTokens } from '../security/end-other-sessions.tsx'
import { NewPasswordField, newPasswordScripts, passwordStrength } from './new-password.tsx'
import { signInWithNewPassword } from '../sign-in/sign-in-with-new-password.ts'

const kind = 'RESET_PASSWORD'

/** Chooses a new password. The link in a password reset mail opens this page. */
export const resetPassword = page({
  path: landingPath[kind],
  title: 'Choose a new password',
  isPublic: true,
  scripts: newPasswordScripts,
  load: loadLink(kind),
  formSubject: linkSecretSubject(kind),
  forms: {
    reset: form({
      fields: z.object({ password: text, endOtherSessions: checkbox, revokePersonalTokens: checkbox }),
      document: ResetPasswordDocument,
      variables: (input, { cookies }) => ({ input: { ...input, token: savedLinkSecret(cookies, kind) } }),
      async onSuccess({ resetPassword: { email } }, ctx, { password, ...ended }) {
        const returnTo = savedReturnAddress(ctx)
        clearReturnAddress(ctx)
        clearLinkSecret(ctx.cookies, kind)
        const nextPage = await signInWithNewPassword(ctx, { email, password }, returnTo)
        const notice = ['Your password was changed.', ...listEnded(ended)].join(' ')
        if (nextPage === null) return { notice: `${notice} Sign in with the new password.`, path: signInAt(returnTo) }
        return { notice, path: nextPage }
      },
    }),
    strength: passwordStrength(async (typed, ctx) => (await findSavedLink(ctx, kind)) ?? typed),
  },
  async view({ email }, ctx) {
    await leadFormsToClient(ctx, savedReturnAddress(ctx))
    return (
      <>
        <p>
          For <StrongAddress>{email}</StrongAddress>
        </p>
        <Form name="reset">
          <NewPasswordField name="password" label="New password" email={email} hasFocus />
          <EndOtherSessions />
          <RevokePersonalTokens />
          <Buttons>
            <Button>Change password</Button>
          </Buttons>
        </Form>
      </>
    )
  },
})

/** Returns a sentence for each kind of access that ended with the previous password. */
const listEnded = ({ endOtherSessions, revokePersonalTokens }: { endOtherSessions: boolean; revokePersonalTokens: boolean }): string[] => [
  ...(endOtherSessions ? ['All other browsers were signed out.'] : []),
  ...(revokePersonalTokens ? ['Your personal tokens were revoked.'] : []),
]
