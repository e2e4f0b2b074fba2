import { z } from 'zod'
import { checkEmailAt, invitationPath, signInAt, signUpAt, signUpPath } from '../../web/page-paths.ts'
import { readReturnAddress } from '../../web/return-address.ts'
import { findSignUp } from '../framework/pending-sign-up.ts'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { text } from '../framework/field-types.ts'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Field } from '../../web/components/forms/field.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { SignUpDocument, SignUpPageDocument } from '../generated/operations.ts'
import { EnteredAddress } from '../entered-address.tsx'
import { saveJoin } from '../invitations/join.ts'
import { findPendingInvitation } from '../invitations/open-invitation.ts'
import { savedLinkSecret } from '../mail-links/opened-link.ts'
import { saveReturnAddress } from '../mail-links/link-return-address.ts'
import { StrongAddress, Name } from '../../web/components/address.tsx'
import { Avatar } from '../../web/components/avatar.tsx'
import { ProviderLinks } from '../providers/provider-links.tsx'
import { NewPasswordField, newPasswordScripts, passwordStrength } from '../passwords/new-password.tsx'
import { Username } from '../security/username.tsx'
import { signInWithNewPassword } from '../sign-in/sign-in-with-new-password.ts'

/** Query parameter for another address: the form has a field for it, with the previous input of the sign-up in this browser. */
export const againParameter = 'again'

/** Creates an account. The response is the same if the address has an account already. */
export const signUp = page({
  path: signUpPath,
  title: 'Create your account',
  isPublic: true,
  scripts: newPasswordScripts,
  load: (ctx) => (ctx.person ? readReturnAddress(ctx) : undefined),
  forms: {
    'sign-up': form({
      fields: z.object({ name: text, email: text, password: text }),
      document: SignUpDocument,
      variables: ({ name, email, password }, { cookies }) => ({
        input: { name, email, password, invitation: savedLinkSecret(cookies, 'INVITATION') || null },
      }),
      async onSuccess({ signUp: { email } }, ctx, { password }) {
        const invitation = await findPendingInvitation(ctx)
        // The secret of an invitation proves that the address belongs to the user, so the response may show that it had an account.
        if (invitation?.email === email) {
          saveJoin(ctx.cookies)
          const nextPage = await signInWithNewPassword(ctx, { email, password }, invitationPath)
          return nextPage ?? { notice: 'You already have an account. Sign in to join the team.', path: signInAt(invitationPath) }
        }
        saveReturnAddress(ctx)
        return checkEmailAt(readReturnAddress(ctx))
      },
    }),
    strength: passwordStrength(({ name, email }) => ({ name, email })),
  },
  document: SignUpPageDocument,
  async view({ publicProviders }, ctx) {
    const invitation = await findPendingInvitation(ctx)
    const returnTo = readReturnAddress(ctx)
    if (ctx.site.signUp === 'invited' && !invitation) return <ByInvitation returnTo={returnTo} />
    const isAgain = ctx.query.has(againParameter)
    const typed = isAgain ? findSignUp(ctx.cookies) : null
    const isForInvited = invitation !== null && !isAgain
    return (
      <>
        {invitation && (
          <p class="who">
            <Avatar name={invitation.teamName} of="team" picture={invitation.teamLogoUrl} />
            <span>
              to join the team <Name>{invitation.teamName}</Name>
            </span>
          </p>
        )}
        {ctx.refused?.error?.details.errors?.['invitation'] && invitation && (
          <p>
            The invitation was sent to <StrongAddress>{invitation.email}</StrongAddress>.
          </p>
        )}
        {isForInvited && (
          <EnteredAddress
            email={invitation.email}
            change={ctx.site.signUp === 'invited' ? null : `${signUpAt(returnTo)}&${againParameter}=1`}
          />
        )}
        <Form name="sign-up" hidden={isForInvited ? { email: invitation.email } : {}}>
          <Field
            name="name"
            label="Name"
            autocomplete="name"
            hint="Shown to the members of your teams."
            value={typed?.name ?? ''}
            hasFocus={!typed}
          />
          {isForInvited ? (
            <Username email={invitation.email} />
          ) : (
            <Field
              name="email"
              label="Email address"
              inputMode="email"
              autocomplete="username"
              value={invitation?.email ?? typed?.email ?? ''}
              hasFocus={typed !== null}
            />
          )}
          <NewPasswordField name="password" label="Password" />
          <Buttons>
            <Button skipsValidation>{invitation ? 'Create account and join' : 'Create account'}</Button>
          </Buttons>
        </Form>
        {publicProviders.length > 0 && (
          <>
            <p class="or">or</p>
            <div class="other-ways">
              <ProviderLinks providers={publicProviders} returnTo={invitation ? invitationPath : returnTo} />
            </div>
          </>
        )}
        <p>
          Already have an account? <a href={signInAt(invitation ? invitationPath : returnTo)}>Sign in</a>
        </p>
      </>
    )
  },
})

const ByInvitation = ({ returnTo }: { returnTo: string }) => (
  <p>
    You need an invitation to create an account. Ask an owner of a team to invite you. Already have an account?{' '}
    <a href={signInAt(returnTo)}>Sign in</a>
  </p>
)
