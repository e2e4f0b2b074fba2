import { z } from 'zod'
import { accountPath, signInPath } from '../addresses.ts'
import { form, page } from '../declaration.ts'
import { Button, Buttons, Form } from '../form.tsx'
import { DeleteAccountDocument } from '../generated/operations.ts'
import { Name } from '../page.tsx'

/** Where somebody ends their account. */
export const deleteAccount = page({
  path: '/account/delete',
  title: 'Delete your account',
  recentSignIn: true,
  forms: {
    delete: form({
      fields: z.object({}),
      document: DeleteAccountDocument,
      variables: () => ({}),
      notice: 'Your account was deleted.',
      async done(_, { site, request, response }) {
        await site.sessions.signOut(request, response)
        return signInPath
      },
    }),
  },
  view: (_, { person, refused }) => (
    <>
      {refused?.error.code === 'last_owner' && <LastOwner messages={refused.error.details.errors?.['role'] ?? []} />}
      <p>
        The account of <Name>{person?.user.email ?? ''}</Name> is deleted at once and for good: you leave all your teams, and your personal
        tokens and what you allowed applications end. What you made in your teams stays theirs.
      </p>
      <Form name="delete">
        <Buttons>
          <Button kind="danger">Delete my account</Button>
          <a class="button second" href={accountPath}>
            Keep it
          </a>
        </Buttons>
      </Form>
    </>
  ),
})

const LastOwner = ({ messages }: { messages: readonly string[] }) => (
  <>
    <p>You are the last owner here. Make somebody else an owner first:</p>
    <ul>
      {messages.map((message) => (
        <li>
          <bdi>{message}</bdi>
        </li>
      ))}
    </ul>
  </>
)
