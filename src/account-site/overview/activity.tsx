import { RelativeTime } from '../../web/components/time.tsx'
import { Sentence } from '../audit/sentence.tsx'
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
      <ul class="entries activity">
        {entries.map((entry) => (
          <li class="linked">
            <a href={`${path}/audit-trail/${entry.id}`}>
              <bdi>{entry.actorName}</bdi> <Sentence entry={entry} />
            </a>
            <RelativeTime at={entry.at} />
          </li>
        ))}
      </ul>
      <p>
        <a href={`${path}/audit-trail`}>Audit log</a>
      </p>
    </section>
  )
