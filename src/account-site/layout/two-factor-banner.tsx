import { confirmAt, twoFactorPath } from '../../web/page-paths.ts'
import { Name } from '../../web/components/name.tsx'
import { DateTime } from '../../web/components/time.tsx'
import type { PageContext } from '../framework/page-context.ts'

/**
 * Tells a user that the team of the page requires two-factor authentication, or which of their teams do on pages of the account. It is not
 * turned on, or this browser signed in before it was.
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
