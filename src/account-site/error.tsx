import { PlainFrame, ToStart } from './page.tsx'
import { inMinutes } from './words.ts'

export interface Trouble {
  title: string
  /** What happened and what to do, in people's words. */
  text: string
  /** Whether what is left to do begins at the start page. */
  leadsHome?: boolean
  /** Address of the page whose form it was, to be loaded again. */
  page?: string
  /** The standard's error, for whoever develops the client. */
  code?: string | undefined
  description?: string | undefined
}

export const ErrorPage = ({ title, text, leadsHome = false, page, code, description }: Trouble) => (
  <PlainFrame title={title}>
    <p>{text}</p>
    {leadsHome && <ToStart />}
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
  </PlainFrame>
)

export const expired: Trouble = {
  title: 'This page has expired',
  text: 'It was left open for too long, was used already, or was opened in another browser. Go back to the application and start again.',
}

export const refused: Trouble = {
  title: 'This form cannot be accepted',
  text: 'It was not the one that was shown to you here. Nothing was changed. Go back to the application and start again.',
}

export const unacceptable: Trouble = {
  title: 'This form cannot be read',
  text: 'Nothing was changed. Go back and start again.',
}

export const tooManyAttempts = (seconds: number): Trouble => ({
  title: 'Too many attempts',
  text: `Try again in ${inMinutes(seconds)}.`,
  leadsHome: true,
})

export const unavailable: Trouble = { title: 'Out of reach', text: 'The service cannot answer now. Try again in a moment.' }

export const failed: Trouble = { title: 'Something went wrong', text: 'The fault is ours and has been noted. Try again in a while.' }

export const expiredForm = (page: string): Trouble => ({
  title: 'This form has expired',
  text: 'It was left open for too long, or somebody signed in or out, or opened another link, meanwhile. Nothing was changed. Send it once more from the page as it is now.',
  page,
})

export const unknown: Trouble = {
  title: 'There is nothing here',
  text: 'The address may be mistyped, or what it named may be gone. Your account and your teams are found from the start page.',
  leadsHome: true,
}

export const notYours: Trouble = {
  title: 'You cannot open this',
  text: 'It belongs to a team that you are not in, or needs a role that you do not have there. Ask an owner of the team.',
  leadsHome: true,
}
