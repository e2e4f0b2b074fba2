import { z } from 'zod'
import { invitationPath, returnOf, signInAt, signUpPath } from '../addresses.ts'
import { form, page } from '../declaration.ts'
import type { Shown } from '../declaration.ts'
import { text } from '../fields.ts'
import { Button, Buttons, Field, Form } from '../form.tsx'
import { SignUpDocument } from '../generated/operations.ts'
import { pendingInvitation } from '../invitation/open.ts'
import { keptSecret } from '../kept-secret.ts'
import { Name } from '../page.tsx'
import { countAsking } from './count-asking.ts'
import { NewPasswordField } from './new-password-field.tsx'

/** Where somebody makes an account. What follows is the same whether the address has one already. */
export const signUp = page({
  path: signUpPath,
  title: 'Create an account',
  for: 'anyone',
  before: ({ person }) => (person ? '/' : undefined),
  forms: {
    'sign-up': form({
      fields: z.object({ name: text, email: text, password: text }),
      guard: countAsking,
      document: SignUpDocument,
      variables: ({ name, email, password }, { cookies }) => ({
        input: { name, email, password, invitation: keptSecret(cookies, 'invitation') || null },
      }),
      // Whoever holds an invitation needs no mail to show that the address is theirs.
      notice: 'Sign in now. If you had an account already, it is as it was, and a mail tells you more.',
      async done({ signUp: { email } }, visit) {
        const invitation = await pendingInvitation(visit)
        return invitation?.email === email ? signInAt(invitationPath) : mailSent(email, returnOf(visit))
      },
    }),
  },
  async view(_, visit) {
    const invitation = await pendingInvitation(visit)
    const returnTo = returnOf(visit)
    if (visit.site.signUp === 'invited' && !invitation) return <ByInvitation returnTo={returnTo} />
    return (
      <>
        {visit.refused?.error.details.errors?.['invitation'] && invitation && (
          <p>
            The invitation was sent to <Name>{invitation.email}</Name>.
          </p>
        )}
        <Form name="sign-up">
          <Field name="name" label="Name" autocomplete="name" hint="As the members of your teams see it." />
          <Field name="email" label="Email address" inputMode="email" autocomplete="username" value={invitation?.email ?? ''} />
          <NewPasswordField name="password" label="Password" />
          <Buttons>
            <Button>Create the account</Button>
          </Buttons>
        </Form>
        <p>
          You have an account? <a href={signInAt(invitation ? invitationPath : returnTo)}>Sign in</a>
        </p>
      </>
    )
  },
})

const ByInvitation = ({ returnTo }: { returnTo: string }) => (
  <p>
    Accounts are made by invitation here: ask an owner of a team to invite you, and open the link in the mail. You have an account?{' '}
    <a href={signInAt(returnTo)}>Sign in</a>
  </p>
)

const mailSent = (email: string, returnTo: string): Shown => ({
  title: 'Look into your mailbox',
  content: (
    <>
      <p>
        A mail is on its way to <Name>{email}</Name>. Open the link in it to show that the address is yours. If the address had an account
        already, the mail says so, and nothing was changed.
      </p>
      <p>
        <a href={signInAt(returnTo)}>Sign in</a>
      </p>
    </>
  ),
})
