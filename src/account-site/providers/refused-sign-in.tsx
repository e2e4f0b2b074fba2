import { socialNames } from '../../../schema/core/social-clients.ts'
import { AdministratorDetails } from '../../web/components/administrator-details.tsx'
import { Buttons } from '../../web/components/forms/button.tsx'
import { isolateName } from '../../web/display-name.ts'
import { confirmAt } from '../../web/page-paths.ts'
import type { SignInFailure } from '../generated/operations.ts'
import { passwordSignInAt, startAt } from './paths.ts'

/** A refusal of a provider. */
export interface ProviderRefusal {
  providerKey: string
  /** Name of the provider. Null if it does not exist. */
  providerName: string | null
  failure: SignInFailure
  /** Sentences about the failure, which may contain text that the provider sent. */
  refusal: string
}

/** A sign-in at a provider that failed. */
export interface RefusedSignIn extends ProviderRefusal {
  purpose: 'SIGN_IN' | 'CONFIRM' | 'LINK' | 'TEST'
  returnTo: string
}

export const getRefusalStatus = ({ providerName }: RefusedSignIn): number => (providerName === null ? 404 : 400)

export const getRefusalTitle = ({ purpose }: RefusedSignIn): string => (purpose === 'TEST' ? 'The test sign-in failed' : 'Sign-in failed')

/** The person who can act on the technical text. Public providers belong to the operator of this service. */
const getReader = (providerKey: string) => (Object.hasOwn(socialNames, providerKey) ? 'the operator of this service' : 'your administrator')

/** Returns what failed and what the person can do, without technical words. */
export function explainRefusal({ providerKey, providerName, failure, refusal }: ProviderRefusal): string {
  const name = isolateName(providerName ?? '')
  const ifAgain = `If it fails again, tell ${getReader(providerKey)}.`
  switch (failure) {
    case 'PERSON':
      return refusal
    case 'PROVIDER':
      return `Sign-in through ${name} does not work at the moment. Try again in a few minutes. ${ifAgain}`
    case 'REQUEST':
      return 'We could not find this sign-in. It started in another browser or more than 10 minutes ago, or it was already completed. Try again.'
    case 'RESPONSE':
      return `We could not confirm your sign-in at ${name}. Try again. ${ifAgain}`
  }
}

/** A message about the failure, with the technical text for the administrator, and what the person can do. */
export function SignInRefusal(refused: RefusedSignIn) {
  const { providerKey, providerName, purpose, returnTo, failure, refusal } = refused
  // Whoever tests a provider is its administrator.
  const isForPerson = purpose !== 'TEST'
  return (
    <>
      <p class="alert" role="alert">
        {isForPerson ? explainRefusal(refused) : refusal}
      </p>
      {isForPerson && failure !== 'PERSON' && <AdministratorDetails reader={getReader(providerKey)}>{refusal}</AdministratorDetails>}
      <Buttons>
        {purpose === 'SIGN_IN' && (
          <>
            {providerName !== null && (
              <a class="button" href={startAt(providerKey, { returnTo })}>
                Try again
              </a>
            )}
            <a class="button second" href={passwordSignInAt(returnTo)}>
              Sign in another way
            </a>
          </>
        )}
        {purpose === 'CONFIRM' && (
          <a class="button" href={confirmAt(returnTo)}>
            Confirm another way
          </a>
        )}
        {(purpose === 'LINK' || purpose === 'TEST') && (
          <a class="button" href={returnTo}>
            Back
          </a>
        )}
      </Buttons>
    </>
  )
}
