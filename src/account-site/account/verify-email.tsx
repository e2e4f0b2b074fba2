import { z } from 'zod'
import { form, page } from '../declaration.ts'
import { Button, Buttons, Form } from '../form.tsx'
import { VerifyEmailDocument } from '../generated/operations.ts'
import { invitationPath, keptInvitation } from '../invitation/kept.ts'
import { Name } from '../page.tsx'
import { forgetLink, keptAddress, keptLink, landingPath, needsLink } from './kept-link.ts'

const kind = 'verify_email'

/** Where the link of a mail shows that an address is somebody's. By a button: programs open the links of mails too. */
export const verifyEmail = page({
  path: landingPath[kind],
  title: 'Verify your email address',
  for: 'anyone',
  before: needsLink(kind),
  forms: {
    verify: form({
      fields: z.object({}),
      document: VerifyEmailDocument,
      variables: (_, { cookies }) => ({ input: { token: keptLink(cookies, kind) } }),
      notice: 'Your email address is verified.',
      done(_, { cookies }) {
        forgetLink(cookies, kind)
        return keptInvitation(cookies) ? invitationPath : '/account'
      },
    }),
  },
  view: async (_, visit) => (
    <>
      <p>
        Somebody made an account with the address <Name>{(await keptAddress(visit, kind)) ?? ''}</Name>. Go on only if that was you.
      </p>
      <Form name="verify">
        <Buttons>
          <Button>It was me</Button>
        </Buttons>
      </Form>
    </>
  ),
})
