import { Name } from '../../web/components/address.tsx'
import { DateTime } from '../../web/components/time.tsx'
import { securityPath, staffPath } from '../../web/page-paths.ts'
import type { PageContext } from '../framework/page-context.ts'
import { staffUserAt } from '../staff/staff-paths.ts'

/** A banner for staff who read a page of a team, or of an account, in a support session. */
export const ReaderBanner = ({ ctx: { supportSession, team, person } }: { ctx: PageContext }) =>
  supportSession && (
    <div class="caution banner">
      {team ? (
        <p>
          You see this page of <Name>{team.team.name}</Name> as an owner of the team, read-only, until{' '}
          <DateTime at={supportSession.expiresAt} />. The team’s owners see each page that you open.
        </p>
      ) : (
        <p>
          You see this page of <a href={staffUserAt(person?.user.id ?? '')}>{person?.user.name}</a> as the user sees it, read-only, until{' '}
          <DateTime at={supportSession.expiresAt} />. The user sees each page that you open.
        </p>
      )}
    </div>
  )

/** A banner for the owners of a team, or the user of an account, while staff can read its pages. Pages of staff have none. */
export const OpenSupportBanner = ({ ctx: { supportSession, team, signedIn, path, site } }: { ctx: PageContext }) => {
  const open = signedIn?.openSupport?.find(({ teamId }) => teamId === (team?.team.id ?? null))
  const settings = team ? `/teams/${team.team.slug}/settings` : securityPath
  // The page with the section says so itself.
  if (!open || supportSession || path === settings || `${path}/`.startsWith(`${staffPath}/`)) return null
  return (
    <div class="caution banner">
      <p>
        Staff of {site.brand.name} can read the pages of {team ? <Name>{team.team.name}</Name> : 'your account'} until{' '}
        <DateTime at={open.expiresAt} />. <a href={`${settings}#support-access`}>View support access</a>
      </p>
    </div>
  )
}
