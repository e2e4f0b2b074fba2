import { z } from 'zod'
import { accountPath, deletedTeamsPath } from '../../web/page-paths.ts'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { text } from '../framework/field-types.ts'
import { Button, Buttons } from '../../web/components/button.tsx'
import { Field } from '../../web/components/field.tsx'
import { Form } from '../../web/components/form.tsx'
import { AccountDocument, ResendVerificationDocument, UpdateProfileDocument } from '../generated/operations.ts'
import { Name } from '../../web/components/name.tsx'
import { defaultTimes } from '../../web/time-format.ts'
import { DateTimeSection, preferences } from './date-time-section.tsx'

/** The name and e-mail address of the signed-in user. */
export const account = page({
  path: accountPath,
  title: 'Your account',
  nav: { section: 'account', label: 'Profile', order: 10 },
  document: AccountDocument,
  forms: {
    profile: form({
      fields: z.object({ name: text }),
      document: UpdateProfileDocument,
      variables: (input) => ({ input }),
      notice: 'Your name was changed.',
    }),
    preferences,
    resend: form({
      fields: z.object({}),
      document: ResendVerificationDocument,
      variables: () => ({}),
      notice: 'A mail is on its way. Open the link in it.',
    }),
  },
  view: ({ viewer: { user } }, { teams, person }) => (
    <>
      {teams.length === 0 && (
        <p>
          You are in no team yet. <a href="/teams/new">Create one</a>, or ask an owner of a team to invite you.
        </p>
      )}
      <section>
        <h2>Profile</h2>
        <Form name="profile">
          <Field name="name" label="Name" autocomplete="name" value={user?.name ?? ''} hint="As the members of your teams see it." />
          <Buttons>
            <Button>Save</Button>
          </Buttons>
        </Form>
      </section>
      <DateTimeSection settings={person?.timeSettings ?? defaultTimes} />
      <section>
        <h2>Email address</h2>
        <p>
          <Name>{user?.email ?? ''}</Name> {user?.emailVerified ? '(verified)' : '(not verified)'}
        </p>
        {!user?.emailVerified && <Unverified />}
        <p>
          <a href="/account/email">Change your email address</a>
        </p>
      </section>
      <section>
        <h2>Deleted teams</h2>
        <p>
          <a href={deletedTeamsPath}>See the deleted teams that you can restore</a>
        </p>
      </section>
      <section>
        <h2>Delete your account</h2>
        <p>You leave all your teams, and nothing of your account can be had back.</p>
        <p>
          <a href="/account/delete">Delete your account</a>
        </p>
      </section>
    </>
  ),
})

const Unverified = () => (
  <>
    <p>Open the link in the mail that you were sent, to show that the address is yours. Until then you cannot join teams.</p>
    <Form name="resend">
      <Buttons>
        <Button kind="second">Send the mail again</Button>
      </Buttons>
    </Form>
  </>
)
