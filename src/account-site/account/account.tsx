import { z } from 'zod'
import { accountPath } from '../../web/page-paths.ts'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { text } from '../framework/field-types.ts'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Field } from '../../web/components/forms/field.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { AccountDocument, UpdateProfileDocument } from '../generated/operations.ts'
import { defaultTimes } from '../../web/time-format.ts'
import { DateTimeSection, preferences } from './date-time-section.tsx'
import { cancelEmailChange, EmailSection, resend } from './email-section.tsx'
import { acceptInvitation, declineInvitation, TeamsSection } from './teams-section.tsx'
import { isolateName } from '../../web/display-name.ts'

const profile = form({
  fields: z.object({ name: text }),
  document: UpdateProfileDocument,
  variables: (input) => ({ input }),
  notice: ({ updateProfile: { user } }) => `Your name is now ${isolateName(user.name)}.`,
})

/** The name, teams, settings and email address of the signed-in user. */
export const account = page({
  path: accountPath,
  title: 'Your account',
  nav: { section: 'account', label: 'Profile', icon: 'person', order: 10 },
  document: AccountDocument,
  forms: { profile, preferences, resend, 'cancel-email': cancelEmailChange, accept: acceptInvitation, decline: declineInvitation },
  view: ({ viewer: { user, pendingEmail, invitations } }, { teams, person }) => (
    <>
      <section>
        <h2>Profile</h2>
        <Form name="profile">
          <Field name="name" label="Name" autocomplete="name" value={user?.name ?? ''} hint="Shown to the members of your teams." />
          <Buttons>
            <Button>Save</Button>
          </Buttons>
        </Form>
      </section>
      <TeamsSection teams={teams} invitations={invitations} />
      <DateTimeSection settings={person?.timeSettings ?? defaultTimes} />
      <EmailSection email={user?.email ?? ''} isVerified={user?.emailVerified === true} pending={pendingEmail} />
      <section>
        <h2>Your data</h2>
        <p>Get a copy of the data that we store about you, as a JSON file.</p>
        <p>
          <a href="/account/data">Download your data</a>
        </p>
      </section>
      <section>
        <h2>Delete your account</h2>
        <p>You will be removed from all your teams. A deleted account cannot be restored.</p>
        <p>
          <a href="/account/delete">Delete your account</a>
        </p>
      </section>
    </>
  ),
})
