import { z } from 'zod'
import { accountPath, invitationPath } from '../addresses.ts'
import { form, page } from '../declaration.ts'
import { Button, Buttons, Form } from '../form.tsx'
import { VerifyEmailDocument } from '../generated/operations.ts'
import { aboutSecret, forgetSecret, keptSecret } from '../kept-secret.ts'
import { Name } from '../page.tsx'
import { AnotherAccount } from './another-account.tsx'
import { landingPath, linkOf, needsLink } from './kept-link.ts'

const kind = 'verify_email'

/**
 * Where the link of a mail shows that an address is somebody's, in the session of its account: whoever made it with the
 * address of another is not to have it verified by them. By a button: programs open the links of mails too.
 */
export const verifyEmail = page({
  path: landingPath[kind],
  title: 'Verify your email address',
  before: needsLink(kind),
  about: aboutSecret(kind),
  forms: {
    verify: form({
      fields: z.object({}),
      document: VerifyEmailDocument,
      variables: (_, { cookies }) => ({ input: { token: keptSecret(cookies, kind) } }),
      notice: 'Your email address is verified.',
      done(_, { cookies }) {
        forgetSecret(cookies, kind)
        return keptSecret(cookies, 'invitation') ? invitationPath : accountPath
      },
    }),
  },
  view(_, visit) {
    const { email, userId } = linkOf(visit)
    if (userId !== visit.person?.user.id) return <AnotherAccount path={visit.path} />
    return (
      <>
        <p>
          Your account has the address <Name>{email}</Name>. Show that it is yours.
        </p>
        <Form name="verify">
          <Buttons>
            <Button>Verify the address</Button>
          </Buttons>
        </Form>
      </>
    )
  },
})
