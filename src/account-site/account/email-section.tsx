import { z } from 'zod'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { StrongAddress } from '../../web/components/address.tsx'
import { hasAddress } from '../../../schema/core/mails/placeholder-address.ts'
import { emailPath } from '../../web/page-paths.ts'
import { form } from '../framework/form.ts'
import { CancelEmailChangeDocument, ResendVerificationDocument } from '../generated/operations.ts'

const nothing = z.object({})

export const resendVerification = form({
  fields: nothing,
  document: ResendVerificationDocument,
  variables: () => ({}),
  notice: ({ resendVerification: { email } }) => `We sent an email to ${email}. Open the link in it to verify your email address.`,
})

export const cancelEmailChange = form({
  fields: nothing,
  document: CancelEmailChangeDocument,
  variables: () => ({}),
  notice: (_, { person }) =>
    hasAddress(person?.user.email ?? '')
      ? `The change was canceled. Your email address is still ${person?.user.email ?? ''}.`
      : 'The change was canceled. You still have no email address.',
})

interface EmailStateProps {
  email: string
  isVerified: boolean
}

/** A label that says if an email address is verified. */
export const EmailState = ({ email, isVerified }: EmailStateProps) =>
  hasAddress(email) ? <span class={`badge ${isVerified ? 'good' : 'caution'}`}>{isVerified ? 'Verified' : 'Not verified'}</span> : null

/** The unverified address of a user and the form that resends the mail, or a hint how to add an address. */
export const Unverified = ({ email }: { email: string }) =>
  hasAddress(email) ? (
    <>
      <p>
        <StrongAddress>{email}</StrongAddress> <EmailState email={email} isVerified={false} />
      </p>
      <p>Open the link that we sent to it. You need a verified email address to create or join teams.</p>
      <Form name="resend">
        <Buttons>
          <Button kind="second">Send the email again</Button>
        </Buttons>
      </Form>
    </>
  ) : (
    <>
      <NoAddress />
      <p>
        <a class="button second" href={emailPath}>
          Add an email address
        </a>
      </p>
    </>
  )

const NoAddress = () => (
  <>
    <p>
      <strong>No email address</strong>
    </p>
    <p>You need a verified email address to create teams, to accept invitations and to get emails from us.</p>
  </>
)

interface PresentEmailProps {
  email: string
  isVerified: boolean
  /** The new address that the user has not confirmed yet, or null. */
  pending: string | null
}

/** The email address of the user, its verification, and a change that is not confirmed yet. */
export const PresentEmail = ({ email, isVerified, pending }: PresentEmailProps) => (
  <>
    {isVerified ? (
      <p>
        <StrongAddress>{email}</StrongAddress> <EmailState email={email} isVerified />
      </p>
    ) : hasAddress(email) ? (
      <Unverified email={email} />
    ) : (
      <NoAddress />
    )}
    {pending !== null && <Pending email={pending} />}
  </>
)

const Pending = ({ email }: { email: string }) => (
  <>
    <p>
      Waiting for confirmation: <StrongAddress>{email}</StrongAddress>. Open the link that we sent to it to confirm the change.
    </p>
    <Form name="cancel-email">
      <Buttons>
        <Button kind="second">Cancel the change</Button>
      </Buttons>
    </Form>
  </>
)
