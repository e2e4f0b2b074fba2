import { confirmAt } from '../../web/page-paths.ts'
import { Name } from '../../web/components/address.tsx'
import { passwordSignInAt, startAt } from './paths.ts'

/** A sign-in at a provider that failed. */
export interface RefusedSignIn {
  providerKey: string
  /** Name of the provider. Null if it does not exist. */
  providerName: string | null
  purpose: 'SIGN_IN' | 'CONFIRM' | 'LINK' | 'TEST'
  returnTo: string
  /** Sentences about the provider, which may contain text that it sent. */
  refusal: string
}

export const getRefusalStatus = ({ providerName }: RefusedSignIn): number => (providerName === null ? 404 : 400)

export const getRefusalTitle = ({ purpose }: RefusedSignIn): string => (purpose === 'TEST' ? 'The test sign-in failed' : 'Sign-in failed')

/** A message about the failure at the provider, with a link back. */
export function SignInRefusal({ providerKey, providerName, purpose, returnTo, refusal }: RefusedSignIn) {
  return (
    <>
      <p>
        {providerName === null ? (
          'The sign-in failed.'
        ) : (
          <>
            The sign-in at <Name>{providerName}</Name> failed.
          </>
        )}{' '}
        {purpose === 'SIGN_IN' && 'You were not signed in.'}
      </p>
      <p class="alert" role="alert">
        {refusal}
      </p>
      {purpose === 'SIGN_IN' && (
        <>
          {providerName !== null && (
            <p>
              <a href={startAt(providerKey, { returnTo })}>Try again</a>
            </p>
          )}
          <p>
            <a href={passwordSignInAt(returnTo)}>Sign in another way</a>
          </p>
        </>
      )}
      {purpose === 'CONFIRM' && (
        <p>
          <a href={confirmAt(returnTo)}>Confirm another way</a>
        </p>
      )}
      {(purpose === 'LINK' || purpose === 'TEST') && (
        <p>
          <a href={returnTo}>Back</a>
        </p>
      )}
    </>
  )
}
