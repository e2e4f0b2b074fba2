import { Address } from '../../web/components/address.tsx'
import { RelativeTime } from '../../web/components/time.tsx'
import { actionLabel } from '../audit/labels.ts'
import type { OwnedTeam } from './cards.tsx'

interface ActivityProps {
  /** Path of the team. */
  path: string
  entries: OwnedTeam['auditEntries']['nodes']
}

/** The latest changes to the team. Renders nothing if there are none. */
export const Activity = ({ path, entries }: ActivityProps) =>
  entries.length === 0 ? null : (
    <section aria-labelledby="activity">
      <h2 id="activity">Recent activity</h2>
      <ul class="entries">
        {entries.map(({ at, action, actionName, actorName, subject, subjectName }) => (
          <li>
            <span>
              {actionLabel({ action, actionName })}: <Address>{subjectName ?? subject}</Address>{' '}
              <span class="about">
                <bdi>{actorName}</bdi>
              </span>
            </span>
            <RelativeTime at={at} />
          </li>
        ))}
      </ul>
      <p>
        <a href={`${path}/audit-trail`}>Audit log</a>
      </p>
    </section>
  )
