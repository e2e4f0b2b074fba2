import { Name } from '../../web/components/address.tsx'
import { DateTime } from '../../web/components/time.tsx'
import type { PageContext } from '../framework/page-context.ts'

/** A banner for staff who read a page of a team in a support session. */
export const SupportBanner = ({ ctx: { supportSession, team } }: { ctx: PageContext }) =>
  supportSession &&
  team && (
    <div class="caution banner">
      <p>
        You see this page of <Name>{team.team.name}</Name> as an owner of the team, read-only, until{' '}
        <DateTime at={supportSession.expiresAt} />. The team’s owners see each page that you open.
      </p>
    </div>
  )
