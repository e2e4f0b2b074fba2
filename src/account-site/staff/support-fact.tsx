import { Fact } from '../../web/components/facts.tsx'
import { DateTime } from '../../web/components/time.tsx'

interface SupportFactProps {
  session: { expiresAt: string } | null
  /** Path of the first page that staff can read. */
  path: string
}

/** Whether the pages of a team or of an account are open to staff, with a link to them. */
export const SupportFact = ({ session, path }: SupportFactProps) => (
  <Fact name="Support session">
    {session === null ? (
      'None'
    ) : (
      <>
        Open until <DateTime at={session.expiresAt} />. <a href={path}>Open the pages</a>
      </>
    )}
  </Fact>
)
