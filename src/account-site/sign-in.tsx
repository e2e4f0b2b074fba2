import { alertId, Hidden, Initials, Name, Page } from './page.tsx'

interface SignIn {
  action: string
  /** What binds the form to this interaction. */
  hidden: Record<string, string>
  /** The client that asks. */
  clientName: string
  /** What the address field holds already. */
  email: string
  alert?: string | undefined
}

export const SignInPage = ({ action, hidden, clientName, email, alert }: SignIn) => {
  const blame = alert === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': alertId }
  return (
    <Page title="Sign in" alert={alert}>
      <p class="who">
        <Initials name={clientName} />
        <span>
          to continue to <Name>{clientName}</Name>
        </span>
      </p>
      <form method="post" action={action}>
        <Hidden fields={hidden} />
        <label for="email">Email address</label>
        {/* Not of type email: addresses beyond ASCII (RFC 6531) are refused by browsers there. */}
        <input
          id="email"
          name="email"
          type="text"
          inputMode="email"
          autocomplete="username"
          autocapitalize="none"
          spellcheck={false}
          required
          value={email}
          {...blame}
        />
        <label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="current-password" required {...blame} />
        <div class="buttons">
          <button type="submit">Sign in</button>
        </div>
      </form>
    </Page>
  )
}
