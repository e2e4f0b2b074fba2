import { securityPath } from '../../web/page-paths.ts'
import { Name } from '../../web/components/name.tsx'
import { DateTime } from '../../web/components/time.tsx'
import type { PageContext } from '../framework/page-context.ts'

/** Tells a user without two-factor authentication which of their teams require it, and from when. */
export const TwoFactorBanner = ({ ctx: { teamsLackingTwoFactor } }: { ctx: PageContext }) =>
  teamsLackingTwoFactor.length > 0 && (
    <div class="caution">
      <ul>
        {teamsLackingTwoFactor.map(({ team: { name, twoFactorRequiredAt } }) => (
          <li>
            <Name>{name}</Name> requires two-factor authentication from <DateTime at={twoFactorRequiredAt} />.
          </li>
        ))}
      </ul>
      <p>
        From then on you cannot open the team without it. <a href={securityPath}>Turn on two-factor authentication</a>
      </p>
    </div>
  )
