import { shownAddress } from '../../../schema/core/mails/placeholder-address.ts'
import type { UserPrincipal } from '../../../schema/core/principals.ts'
import { emailPath, invitationPath, signInAt, signUpPath } from '../../web/page-paths.ts'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { StrongAddress, Name } from '../../web/components/address.tsx'
import type { Invitation } from './terms.tsx'

interface AnswerProps {
  invitation: Invitation
  /** The signed-in user, or null. */
  person: UserPrincipal | null
}

/** The buttons to accept or decline a pending invitation, or a step that is required first, such as signing in. */
export const Answer = ({ invitation, person }: AnswerProps) => {
  if (person === null) return <ForAnonymous email={invitation.email} />
  if (person.user.email !== invitation.email)
    return <ForAnother invited={invitation.email} present={shownAddress(person.user.email, person.user.name)} />
  if (!person.user.emailVerified) return <Unverified email={invitation.email} />
  return (
    <>
      {invitation.isVoid && <p>The person who sent this invitation can no longer invite members. Ask a team owner for a new invitation.</p>}
      <Buttons>
        {!invitation.isVoid && (
          <Form name="accept">
            <Button>Join team</Button>
          </Form>
        )}
        <Form name="decline" hidden={{ team: invitation.teamName }}>
          <Button kind="second">Decline</Button>
        </Form>
      </Buttons>
    </>
  )
}

const ForAnonymous = ({ email }: { email: string }) => (
  <>
    <p>
      To join, sign in as <StrongAddress>{email}</StrongAddress> or create an account.
    </p>
    <Buttons>
      <a class="button" href={signInAt(invitationPath)}>
        Sign in
      </a>{' '}
      <a class="button second" href={signUpPath}>
        Create account
      </a>
    </Buttons>
  </>
)

const ForAnother = ({ invited, present }: { invited: string; present: string }) => (
  <>
    <p>
      It is for <Name>{invited}</Name>, and you are signed in as <Name>{present}</Name>. Sign in with the invited email address to answer
      it, or ask an owner of the team to invite the one that you use.
    </p>
    <Form name="switch">
      <Buttons>
        <Button>Use another account</Button>
      </Buttons>
    </Form>
  </>
)

const Unverified = ({ email }: { email: string }) => (
  <p>
    Before you can answer it, verify <StrongAddress>{email}</StrongAddress>: open the link in the email that we sent when you created your
    account. You can <a href={emailPath}>send it again</a>. Then come back to this page.
  </p>
)
