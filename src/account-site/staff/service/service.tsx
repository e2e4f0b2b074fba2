import type { ComponentChildren } from 'preact'
import { FigureCard } from '../../../web/components/facts.tsx'
import { ListCard } from '../../../web/components/lists/list-card.tsx'
import { DateTime, RelativeTime } from '../../../web/components/time.tsx'
import { staffPath } from '../../../web/page-paths.ts'
import { page } from '../../framework/page.ts'
import { StaffServiceStateDocument } from '../../generated/operations.ts'
import { staffClientsPath, staffMailsPath, staffTeamAt } from '../staff-paths.ts'

/** What waits, fails or ends in the whole service. */
export const staffService = page({
  path: `${staffPath}/service`,
  title: 'State of the service',
  nav: { group: 'staff', icon: 'chart', order: 50, label: 'Service' },
  document: StaffServiceStateDocument,
  view: ({ staff: { serviceState } }) => {
    const { waitingMails, oldestMailAt, failedMails, clientsToReview, failingWebhooks, endingCertificates } = serviceState
    return (
      <>
        <div class="overview">
          <FigureCard id="waiting" title="Waiting emails" link={`${staffMailsPath}?state=PENDING`} figure={waitingMails}>
            {oldestMailAt !== null && (
              <p>
                The oldest was queued <RelativeTime at={oldestMailAt} />.
              </p>
            )}
          </FigureCard>
          <FigureCard id="failed" title="Failed emails" link={`${staffMailsPath}?state=FAILED`} figure={failedMails}>
            <p>In the last two weeks.</p>
          </FigureCard>
          <FigureCard id="reviews" title="Apps to review" link={`${staffClientsPath}?state=SUBMITTED`} figure={clientsToReview} />
        </div>
        <ListCard
          id="webhooks"
          total={failingWebhooks.length}
          noun={['failing webhook', 'failing webhooks']}
          empty="All deliveries succeed."
        >
          {failingWebhooks.map(({ teamSlug, host, failingSince }) => (
            <Entry teamSlug={teamSlug} about={host}>
              Failing since <DateTime at={failingSince} />
            </Entry>
          ))}
        </ListCard>
        <ListCard
          id="certificates"
          total={endingCertificates.length}
          noun={['ending certificate', 'ending certificates']}
          empty="The certificates of all SAML providers are valid for at least 30 days."
        >
          {endingCertificates.map(({ teamSlug, endsAt }) => (
            <Entry teamSlug={teamSlug} about="SAML certificate">
              Ends on <DateTime at={endsAt} />
            </Entry>
          ))}
        </ListCard>
      </>
    )
  },
})

interface EntryProps {
  /** Null for a webhook of the operator. */
  teamSlug: string | null
  about: string
  children: ComponentChildren
}

const Entry = ({ teamSlug, about, children }: EntryProps) => (
  <li>
    <div>
      <strong>{teamSlug === null ? 'The operator' : <a href={staffTeamAt(teamSlug)}>{teamSlug}</a>}</strong>
      <span class="about">
        <bdi>{about}</bdi>
      </span>
    </div>
    <span>{children}</span>
  </li>
)
