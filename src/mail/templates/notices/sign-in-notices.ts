import { formatDateTime } from '../../../web/time-format.ts'
import { nameInSubject } from '../../names.ts'
import { sentence } from './notice-text.ts'
import type { NoticeText, NoticeTexts } from './notice-text.ts'

/** For what its owners have to know about the domain of a team. */
const aboutDomain = (team: string, slug: string): Pick<NoticeText, 'link' | 'ending' | 'reason'> => ({
  link: { lead: 'View the TXT record:', button: 'View the domains', path: `/teams/${slug}/sign-in/domains` },
  ending: 'If the team no longer uses the domain, you can ignore this email.',
  reason: sentence`you are an owner of the team \u201c${team}\u201d`,
})

/** The notices about the ways in which members of a team sign in. */
export const signInNotices = {
  'domain-missing': ({ team, slug, domain, until }, { recipient }) => ({
    subject: `${nameInSubject(team)}: TXT record of ${domain} missing`,
    event: sentence`The TXT record that verifies the domain ${domain} of the team \u201c${team}\u201d was not found. It is looked up daily. If it is still missing on ${formatDateTime(until, recipient)}, the domain is no longer verified. Sign-in through the identity provider of the team is then no longer required of members because of an email address of the domain.`,
    ...aboutDomain(team, slug),
  }),
  'domain-lost': ({ team, slug, domain }) => ({
    subject: `${nameInSubject(team)}: domain ${domain} no longer verified`,
    event: sentence`The domain ${domain} of the team \u201c${team}\u201d is no longer verified, because its TXT record was missing for 14 days. Sign-in through the identity provider of the team is no longer required of members because of an email address of the domain. Publish the record and verify the domain again.`,
    ...aboutDomain(team, slug),
  }),
} satisfies Partial<NoticeTexts>
