import { Address, Name } from '../../web/components/address.tsx'
import { Day, RelativeTime } from '../../web/components/time.tsx'

interface IdentityDetailsProps {
  providerName: string
  /** Null for a public provider. */
  teamName: string | null
  email: string | null
  createdAt: string
  lastSignInAt: string
}

/** An account at an identity provider through which a user can sign in. */
export const IdentityDetails = ({ providerName, teamName, email, createdAt, lastSignInAt }: IdentityDetailsProps) => (
  <div>
    <Name>{providerName}</Name>
    <p class="hint">
      {teamName !== null && (
        <>
          Team <Name>{teamName}</Name>
          <br />
        </>
      )}
      {email !== null && (
        <>
          <Address>{email}</Address>
          <br />
        </>
      )}
      Last sign-in <RelativeTime at={lastSignInAt} />, linked on <Day at={createdAt} />
    </p>
  </div>
)
