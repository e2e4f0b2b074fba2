import type { ComponentChildren } from 'preact'
import { Name } from '../../web/components/name.tsx'
import { confirmAccountAt, confirmAccountPath } from '../../web/page-paths.ts'
import type { PageContext } from '../framework/page-context.ts'

/** Tells a user that the session reaches only the teams whose identity providers vouch for the user, and leads to the rest of the account. */
export const ReachBanner = ({ ctx: { vouchingProviders, path, url } }: { ctx: PageContext }) => {
  if (vouchingProviders === null || path === confirmAccountPath) return null
  return (
    <div class="banner">
      <p>
        {vouchingProviders.length === 0 ? (
          'Your sign-in through the identity provider of a team no longer counts. '
        ) : (
          <>You signed in through {joinParts(vouchingProviders.map(NameOfProvider))}. </>
        )}
        <a href={confirmAccountAt(url)}>Show my other teams</a>
      </p>
    </div>
  )
}

const NameOfProvider = ({ provider, team }: { provider: string; team: string }) => (
  <>
    <Name>{provider}</Name> of <Name>{team}</Name>
  </>
)

const joinParts = (parts: readonly ComponentChildren[]): ComponentChildren =>
  parts.map((part, index) => (
    <>
      {index > 0 && ' and '}
      {part}
    </>
  ))
