import { signInAt } from '../addresses.ts'

/** What the page of a link says to who is signed in to another account than that of the link, which stays kept. */
export const AnotherAccount = ({ path }: { path: string }) => (
  <p>
    You are signed in to another account than the one this link was made for. <a href={signInAt(path)}>Sign in to that account</a>
  </p>
)
