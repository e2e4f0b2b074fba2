import { confirmAt, signInAt } from '../../web/page-paths.ts'
import { Name } from '../../web/components/address.tsx'

/** A link that leads a signed-in user to the confirmation of the account, and back to `returnAddress`. */
export const ConfirmLink = ({ returnAddress }: { returnAddress: string }) => (
  <div class="buttons">
    <a class="button" href={confirmAt(returnAddress)}>
      Confirm it’s you
    </a>
  </div>
)

interface Props {
  providerName: string
  isSignedIn: boolean
  returnAddress: string
}

/**
 * Asks a person to confirm an account that is already linked (docs/decisions/identity-providers.md#changed-keys). The email address that
 * the provider sent can differ from that of the account, which is not disclosed.
 */
export const ProveLinked = ({ providerName, isSignedIn, returnAddress }: Props) => (
  <>
    <p>
      Your account is linked with <Name>{providerName}</Name>. The settings of <Name>{providerName}</Name> were changed since you last
      confirmed that the account is yours, so sign in to it in another way this time. From then on, you can sign in through{' '}
      <Name>{providerName}</Name> again.
    </p>
    {isSignedIn ? (
      <ConfirmLink returnAddress={returnAddress} />
    ) : (
      <div class="buttons">
        <a class="button" href={signInAt(returnAddress)}>
          Sign in another way
        </a>
      </div>
    )}
  </>
)
