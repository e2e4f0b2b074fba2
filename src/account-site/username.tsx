/** Tells password managers whose password the form is about. Not of type hidden, which some of them pass over. */
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
