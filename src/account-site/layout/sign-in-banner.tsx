import { ownerAccessPath, providerSignInAt } from '../../web/page-paths.ts'
import { Name } from '../../web/components/name.tsx'
import { DateTime } from '../../web/components/time.tsx'
import type { PageContext } from '../framework/page-context.ts'

/**
 * Tells a user that the team of the page requires a sign-in through its identity provider, or which of their teams do on pages of the account.
 * This browser has not signed in there, or too long ago.
 */
export const SignInBanner = ({ ctx: { team, teamsLackingSignIn, path, url, site } }: { ctx: PageContext }) => {
  // The page that refuses the user a team says so itself, and that on which an owner opens it.
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
