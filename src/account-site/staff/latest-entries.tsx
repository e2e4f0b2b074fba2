import { RelativeTime } from '../../web/components/time.tsx'
import { Actor } from '../audit/actor.tsx'
import { Sentence } from '../audit/sentence.tsx'
import type { ActionPartsFragment } from '../generated/operations.ts'
import { staffEntryAt } from './staff-paths.ts'

interface LatestEntriesProps {
  entries: readonly ActionPartsFragment[]
  /** Address and label of the link to all entries. */
  all: { path: string; label: string }
}

/** The latest entries of the audit log of a team or about a user, and a link to all of them. */
export const LatestEntries = ({ entries, all }: LatestEntriesProps) => (
  <section aria-labelledby="activity">
    <h2 id="activity">Latest activity</h2>
    {entries.length === 0 ? (
      <p class="empty">No activity yet.</p>
    ) : (
      <ul class="entries activity">
        {entries.map((entry) => (
          <li class="linked">
            <a href={staffEntryAt(entry.id)}>
              <Actor entry={entry} /> <Sentence entry={{ ...entry, subjectUser: null }} />
            </a>
            <RelativeTime at={entry.at} />
          </li>
        ))}
      </ul>
    )}
    <p>
      <a href={all.path}>{all.label}</a>
    </p>
  </section>
)
