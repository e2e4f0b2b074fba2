import { confirmAt } from '../../web/page-paths.ts'
import { Name } from '../../web/components/name.tsx'
import type { PageContext } from '../framework/page-context.ts'
import { passwordSignInAt, startAt } from './paths.ts'

/** A sign-in at a provider that failed. */
export interface RefusedSignIn {
  providerKey: string
  /** Null for a provider that does not exist. */
  providerName: string | null
  purpose: 'SIGN_IN' | 'CONFIRM' | 'LINK' | 'TEST'
  returnTo: string
  /** Sentences about the provider, which may contain what it sent. */
  refusal: string
}

const refusals = new WeakMap<PageContext, RefusedSignIn>()

/** Keeps the refusal that the page of this request shows. */
export const keepRefusal = (ctx: PageContext, refused: RefusedSignIn): void => void refusals.set(ctx, refused)

/** The status of a page that shows the refusal, if there is one. */
export const statusOfRefusal = (ctx: PageContext): number => {
  const refused = refusals.get(ctx)
  return !refused ? 200 : refused.providerName === null ? 404 : 400
}

export const titleOfRefusal = (_: unknown, ctx: PageContext): string =>
  refusals.get(ctx)?.purpose === 'TEST' ? 'The test sign-in failed' : 'Sign-in failed'

/** Says what happened at the provider, and leads back. */
export function RefusalOf({ ctx }: { ctx: PageContext }) {
  const refused = refusals.get(ctx)
  if (!refused) throw new Error('the sign-in was not refused')
  const { providerKey, providerName, purpose, returnTo, refusal } = refused
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
