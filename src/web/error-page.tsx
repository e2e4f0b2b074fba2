import { PlainLayout, StartPageLink } from './layout.tsx'
import { formatMinutes } from '../../schema/core/attempts/attempt-limit.ts'

export interface ErrorPageContent {
  title: string
  /** What happened and what the user can do. */
  text: string
  /** Whether the page links to the start page. */
  hasStartLink?: boolean
  /** Address of the page with the form, for a link that loads it again. */
  page?: string
  /** The OAuth error code, for the developer of the client. */
  code?: string | undefined
  description?: string | undefined
}

export const ErrorPage = ({ title, text, hasStartLink = false, page, code, description }: ErrorPageContent) => (
  <PlainLayout title={title}>
    <p>{text}</p>
    {hasStartLink && <StartPageLink />}
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
  </PlainLayout>
)

export const expired: ErrorPageContent = {
  title: 'This page has expired',
  text: 'It was left open for too long, was used already, or was opened in another browser. Go back to the application and start again.',
}

export const refused: ErrorPageContent = {
  title: 'This form cannot be accepted',
  text: 'It was not the one that was shown to you here. Nothing was changed. Go back to the application and start again.',
}

export const unacceptable: ErrorPageContent = {
  title: 'This form cannot be read',
  text: 'Nothing was changed. Go back and start again.',
}

export const tooManyAttempts = (seconds: number): ErrorPageContent => ({
  title: 'Too many attempts',
  text: `Try again in ${formatMinutes(seconds)}.`,
  hasStartLink: true,
})

export const unavailable: ErrorPageContent = { title: 'Out of reach', text: 'The service cannot answer now. Try again in a moment.' }

export const failed: ErrorPageContent = {
  title: 'Something went wrong',
  text: 'The fault is ours and has been noted. Try again in a while.',
}

export const expiredForm = (page: string): ErrorPageContent => ({
  title: 'This form has expired',
  text: 'It was left open for too long, or somebody signed in or out, or opened another link, meanwhile. Nothing was changed. Send it once more from the page as it is now.',
  page,
})

export const notFound: ErrorPageContent = {
  title: 'There is nothing here',
  text: 'The address may be mistyped, or what it named may be gone. Your account and your teams are found from the start page.',
  hasStartLink: true,
}

export const forbidden: ErrorPageContent = {
  title: 'You cannot open this',
  text: 'It belongs to a team that you are not in, or needs a role that you do not have there. Ask an owner of the team.',
  hasStartLink: true,
}
