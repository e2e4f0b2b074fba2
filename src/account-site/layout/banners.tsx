import type { ComponentChildren } from 'preact'
import { Name } from '../../web/components/address.tsx'
import { confirmAccountAt, confirmAccountPath, ownerAccessPath, providerSignInAt, confirmAt, twoFactorPath } from '../../web/page-paths.ts'
import type { PageContext } from '../framework/page-context.ts'
import { DateTime } from '../../web/components/time.tsx'

/** A banner for sessions that reach only the teams whose identity providers vouch for the user, with a link to the rest of the account. */
export const ReachBanner = ({ ctx: { vouchingProviders, path, url } }: { ctx: PageContext }) => {
  if (vouchingProviders === null || path === confirmAccountPath) return null
  return (
    <div class="banner">
      <p>
        {vouchingProviders.length === 0 ? (
          'Your sign-in through the identity provider of a team is no longer valid. '
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

/**
 * A banner for a team that requires a sign-in through its identity provider which this browser lacks, or which is too old. On pages of the
 * account, it names the teams of the user for which this is so.
 */
export const SignInBanner = ({ ctx: { team, teamsLackingSignIn, path, url, site } }: { ctx: PageContext }) => {
  // The page that refuses access to a team says so itself, as does the page on which an owner opens it.
  const isRefused = (slug: string) => `${path}/`.startsWith(`/teams/${slug}/`) || path === ownerAccessPath
  const shown = teamsLackingSignIn.filter((each) => (team === null ? !isRefused(each.team.slug) : each.team.id === team.team.id))
  if (shown.length === 0) return null
  const hasBegun = (at: Date | string | null) => at !== null && new Date(at) <= site.now()
  return (
    <div class="caution banner">
      <ul>
        {shown.map(({ team: { name, signInProviderId, signInRequiredAt } }) => (
          <li>
            <Name>{name}</Name> requires sign-in through its identity provider
            {hasBegun(signInRequiredAt) ? (
              '. You'
            ) : (
              <>
                {' '}
                from <DateTime at={signInRequiredAt} />. From then on you
              </>
            )}{' '}
            cannot open the team until you sign in there.{' '}
            <a href={providerSignInAt(signInProviderId ?? '', url)}>Continue to the identity provider</a>
          </li>
        ))}
      </ul>
    </div>
  )
}

/**
 * A banner for a team that requires two-factor authentication which is off, or was turned on after this browser signed in. On pages of the
 * account, it names the teams of the user for which this is so.
 */
export const TwoFactorBanner = ({ ctx: { team, teamsLackingTwoFactor, url } }: { ctx: PageContext }) => {
  const shown = teamsLackingTwoFactor.filter((each) => team === null || each.team.id === team.team.id)
  if (shown.length === 0) return null
  return (
    <div class="caution banner">
      <ul>
        {shown.map(({ team: { name, twoFactorRequiredAt } }) => (
          <li>
            <Name>{name}</Name> requires two-factor authentication from <DateTime at={twoFactorRequiredAt} />.
          </li>
        ))}
      </ul>
      {shown.some(({ missing }) => missing === 'account') ? (
        <p>
          From then on you cannot open the team without it. <a href={twoFactorPath}>Turn on two-factor authentication</a>
        </p>
      ) : (
        <p>
          You signed in here without it. <a href={confirmAt(url)}>Confirm it’s you</a>
        </p>
      )}
    </div>
  )
}
