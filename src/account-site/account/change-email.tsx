import { z } from 'zod'
import { accountPath } from '../addresses.ts'
import { form, page } from '../declaration.ts'
import { text } from '../fields.ts'
import { Button, Buttons, Field, Form } from '../form.tsx'
import { ConfirmEmailChangeDocument, RequestEmailChangeDocument } from '../generated/operations.ts'
import { aboutSecret, forgetSecret, keptSecret } from '../kept-secret.ts'
import { Name } from '../page.tsx'
import { AnotherAccount } from './another-account.tsx'
import { landingPath, linkOf, needsLink } from './kept-link.ts'

const kind = 'change_email'

/** Where somebody says which address their account is to have. */
export const newEmail = page({
  path: '/account/email',
  title: 'Change your email address',
  recentSignIn: true,
  forms: {
    ask: form({
      fields: z.object({ email: text }),
      document: RequestEmailChangeDocument,
      variables: (input) => ({ input }),
      notice: 'A mail is on its way to the new address. Your account has it once you open the link in that mail.',
      done: () => accountPath,
    }),
  },
  view: (_, { person }) => (
    <>
      <p>
        Your account has the address <Name>{person?.user.email ?? ''}</Name>. It keeps it until you open the link that is mailed to the new
        one.
      </p>
      <Form name="ask">
        <Field name="email" label="New email address" inputMode="email" autocomplete="email" />
        <Buttons>
          <Button>Send the mail</Button>
        </Buttons>
      </Form>
    </>
  ),
})

/** Where the link of that mail leads, in whatever browser it is opened, once its person is signed in there. */
export const changeEmail = page({
  path: landingPath[kind],
  title: 'Confirm your new email address',
  before: needsLink(kind),
  about: aboutSecret(kind),
  forms: {
    confirm: form({
      fields: z.object({}),
      document: ConfirmEmailChangeDocument,
      variables: (_, { cookies }) => ({ input: { token: keptSecret(cookies, kind) } }),
      notice: 'Your account has its new email address.',
      done(_, { cookies }) {
        forgetSecret(cookies, kind)
        return accountPath
      },
    }),
  },
  view(_, visit) {
    const { email, userId } = linkOf(visit)
    if (userId !== visit.person?.user.id) return <AnotherAccount path={visit.path} />
    return (
      <>
        <p>
          Your account is to have the address <Name>{email}</Name>. Go on only if it is you who asked for that.
        </p>
        <Form name="confirm">
          <Buttons>
            <Button>Confirm the address</Button>
          </Buttons>
        </Form>
      </>
    )
  },
})
