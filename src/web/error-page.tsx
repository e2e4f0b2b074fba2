import { isolateName } from './display-name.ts'
import { useLook } from './brand/look.ts'
import { AdministratorDetails } from './components/administrator-details.tsx'
import { Buttons } from './components/forms/button.tsx'
import { PlainLayout } from './layout.tsx'
import { ownerAccessAt, providerSignInAt, twoFactorPath } from './page-paths.ts'
import type { RequiredSignIn } from '../../schema/core/errors.ts'
import { formatMinutes } from '../../schema/core/attempts/attempt-limit.ts'

export interface ErrorPageContent {
  title: string
  /** Description of the event and of what the user can do. */
  text: string
  /** Technical text for the administrator. */
  details?: string
  /** True if the page links to the start page. */
  hasStartLink?: boolean
  /** Link to the page on which the user can solve the problem. */
  link?: { path: string; label: string }
  /** Link to an alternative that few users need. */
  otherLink?: { path: string; label: string } | undefined
  /** Address of the page with the form, for a link that reloads it. */
  page?: string | undefined
  /** The OAuth error code, for the developer of the client. */
  code?: string | undefined
  description?: string | undefined
}

/** The error page for a user who is not signed in. */
export const ErrorPage = (content: ErrorPageContent) => (
  <PlainLayout title={content.title}>
    <ErrorText {...content} />
  </PlainLayout>
)

/** The explanation of the error, without the heading. */
export const ErrorText = ({ text, details, hasStartLink = false, link, otherLink, page, code, description }: ErrorPageContent) => (
  <>
    <p>{text}</p>
    {details !== undefined && <AdministratorDetails>{details}</AdministratorDetails>}
    {(link || hasStartLink) && (
      <Buttons>
        {link && (
          <a class="button" href={link.path}>
            {link.label}
          </a>
        )}
        {otherLink && (
          <a class="button second" href={otherLink.path}>
            {otherLink.label}
          </a>
        )}
        {hasStartLink && (
          <a class={link ? 'button second' : 'button'} href="/">
            Go to the start page
          </a>
        )}
      </Buttons>
    )}
    {page !== undefined && (
      <p>
        <a href={page}>Load the page again</a>
      </p>
    )}
    {code && (
      <p class="hint">
        <code>{code}</code>
        {description && `: ${description}`}
      </p>
    )}
    <RequestReference />
  </>
)

/** The request identifier, by which support finds the cause in the log. */
function RequestReference() {
  const { brand, requestId } = useLook()
  return (
    <>
      {brand.support && (
        <p class="hint">
          If you need help, write to <a href={`mailto:${brand.support}`}>{brand.support}</a> and quote the request ID.
        </p>
      )}
      <p class="hint request-id">
        Request ID: <code>{requestId}</code>
      </p>
    </>
  )
}

export const expired: ErrorPageContent = {
  title: 'This page has expired',
  text: 'This page was open for too long, was already used, or was opened in another browser. Go back to the app and start again.',
}

export const refused: ErrorPageContent = {
  title: 'We couldn’t accept this form',
  text: 'The form doesn’t match the page that we showed you. Nothing was changed. Go back to the app and start again.',
}

export const unacceptable: ErrorPageContent = {
  title: 'We couldn’t read this form',
  text: 'Nothing was changed. Go back and start again.',
}

export const notDownloaded = (reasons: readonly string[]): ErrorPageContent => ({
  title: 'We couldn’t create this file',
  text: reasons.join(' '),
})

/** Returns the error page for a response of an identity provider that was not accepted. */
export const providerRefused = (provider: string, reason: string): ErrorPageContent => ({
  title: 'We couldn’t sign you in',
  text: `We could not confirm your sign-in at ${isolateName(provider)}. Sign in again. If it fails again, tell your administrator.`,
  details: reason,
  link: { path: '/sign-in', label: 'Back to sign-in' },
})

export const tooManyAttempts = (seconds: number): ErrorPageContent => ({
  title: 'Too many attempts',
  text: `We limit attempts to protect accounts. Try again in ${formatMinutes(seconds)}.`,
  hasStartLink: true,
})

export const unavailable: ErrorPageContent = {
  title: 'Service unavailable',
  text: 'We can’t process your request right now. Try again in a moment.',
}

/** The page does not suggest trying again, because the change may have been saved. */
export const outcomeUnknown: ErrorPageContent = {
  title: 'We don’t know whether your change was saved',
  text: 'We lost the connection to our database while saving. Check whether the change was saved before you try again.',
}

export const failed: ErrorPageContent = {
  title: 'Something went wrong',
  text: 'This is our fault, and we were notified. Try again later.',
}

export const expiredForm = (page: string): ErrorPageContent => ({
  title: 'This form has expired',
  text: 'The page was open for too long, or someone signed in or out in this browser. Nothing was changed. Load the page again and resubmit the form.',
  page,
})

export const notFound: ErrorPageContent = {
  title: 'Page not found',
  text: 'It may have been deleted, or the link is wrong.',
  hasStartLink: true,
}

export const forbidden: ErrorPageContent = {
  title: 'You don’t have access',
  text: 'This team does not exist, or you are not a member of it. Check that you are signed in to the right account, or ask a team owner to invite you.',
  hasStartLink: true,
}

export const roleRequired = (membersPath: string): ErrorPageContent => ({
  title: 'You don’t have access',
  text: 'Your role in this team does not allow this. Ask a team owner for access.',
  link: { path: membersPath, label: 'See who the owners are' },
  hasStartLink: true,
})

/** Returns the content for an error that says what requires the second factor: a team, or acts of staff. */
export const twoFactorRequired = (text: string): ErrorPageContent => ({
  title: 'Two-factor authentication required',
  text,
  link: { path: twoFactorPath, label: 'Turn on two-factor authentication' },
  hasStartLink: true,
})

/** Returns the error page that requests a sign-in. `page` is the address that the user wanted to open. */
export const signInRequired = ({ team, provider, providerId, isOwner }: RequiredSignIn, page: string): ErrorPageContent => ({
  title: `Sign in through ${isolateName(provider)}`,
  text: `This team requires you to sign in through ${isolateName(provider)}. Your other teams and your account stay open.`,
  link: { path: providerSignInAt(providerId, page), label: `Continue to ${isolateName(provider)}` },
  ...(isOwner && { otherLink: { path: ownerAccessAt(team, page), label: 'Open with your passkey' } }),
  hasStartLink: true,
})
