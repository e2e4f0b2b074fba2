/** The account name for password managers. The input is not of type `hidden`, because some password managers ignore that. */
export const Username = ({ email }: { email: string }) => (
  <input
    class="visually-hidden"
    type="text"
    name="username"
    autocomplete="username"
    value={email}
    readOnly
    tabIndex={-1}
    aria-hidden="true"
  />
)
