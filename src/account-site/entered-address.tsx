import { Address } from '../web/components/address.tsx'

interface EnteredAddressProps {
  email: string
  /** Address of the page that asks for another one; null if the user cannot use another one. */
  change: string | null
}

/** The email address that the user entered on the page before, or to which an invitation was sent. */
export const EnteredAddress = ({ email, change }: EnteredAddressProps) => (
  <p class="entered-address">
    <Address>{email}</Address>{' '}
    {change !== null && (
      <a href={change}>
        Change<span class="visually-hidden"> the email address</span>
      </a>
    )}
  </p>
)
