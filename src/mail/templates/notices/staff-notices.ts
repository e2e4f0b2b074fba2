import type { NoticedAct, Notices } from '../../../../schema/core/notices/notices.ts'
import { securityPath } from '../../../web/page-paths.ts'
import { formatDateTime } from '../../../web/time-format.ts'
import { nameInSubject } from '../../names.ts'
import { sentence, who } from './notice-text.ts'
import type { NoticeTexts } from './notice-text.ts'

type Act = Notices['act-of-staff']

/** Returns the name of the changed object. */
const getName = ({ name }: Act) => name ?? ''

/** What staff did. The sentences that follow say who, when and why. */
const events: Readonly<Record<NoticedAct, (act: Act) => string>> = {
  disableUser: () => 'Your account was disabled. You cannot sign in until it is enabled again.',
  enableUser: () => 'Your account was enabled. You can sign in again.',
  endUserSessions: () => 'All your sessions were ended, in every browser. Sign in again to continue.',
  resendUserVerification: () => 'The email with the link that verifies your email address was sent again.',
  retryMail: () => 'An email to you was sent again.',
  resendInvitation: (act) => sentence`The invitation of ${getName(act)} was sent again.`,
  disableClient: (act) => sentence`The app \u201c${getName(act)}\u201d was disabled. Its access tokens are refused.`,
  enableClient: (act) => sentence`The app \u201c${getName(act)}\u201d was enabled again.`,
  updateWebhook: (act) => sentence`The webhook for ${getName(act)} was ${act.isEnabled === false ? 'disabled' : 'enabled'}.`,
  revokeToken: (act) => sentence`The token \u201c${getName(act)}\u201d was revoked.`,
  revokeGrant: (act) => sentence`The access of the app \u201c${getName(act)}\u201d was revoked.`,
}

/** The notices about what staff of the service do and can read, for the users and owners whom they concern. */
export const staffNotices = {
  'act-of-staff': (act, { account, contact, product }) => {
    const { team } = act
    return {
      subject:
        team === null ? `A change to your ${product} account by staff` : `${nameInSubject(team.name)}: a change by staff of ${product}`,
      event: events[act.action](act),
      link:
        team === null
          ? { lead: 'See the security settings of your account:', button: 'Open security settings', path: securityPath }
          : { lead: 'See the audit log of the team:', button: 'Open audit log', path: `/teams/${team.slug}/audit-trail` },
      ending: `If you have questions, ${contact}.`,
      reason: team === null ? sentence`you have the account ${account}` : sentence`you are an owner of the team \u201c${team.name}\u201d`,
    }
  },
  'support-session-opened': ({ team, slug, until }, context) => ({
    subject: `${nameInSubject(team)}: support access opened`,
    event: sentence`${who(context)} opened the pages of the team \u201c${team}\u201d to staff of ${context.product}. Until ${formatDateTime(until, context.recipient)}, they can read what an owner sees. They can change nothing, and the audit log has an entry for each page that they open.`,
    saysWho: true,
    link: { lead: 'See or end the access:', button: 'View support access', path: `/teams/${slug}/settings` },
    ending:
      context.by === null ? 'If this was not you, end the access and change your password.' : 'If you did not expect this, end the access.',
    reason: sentence`you are an owner of the team \u201c${team}\u201d`,
  }),
  'account-support-opened': ({ until }, { account, product, recipient }) => ({
    subject: `Support access to your ${product} account opened`,
    event: sentence`The pages of your account were opened to staff of ${product}. Until ${formatDateTime(until, recipient)}, they can read what you see there. They can change nothing, cannot open your teams, and you see each page that they open.`,
    saysWho: true,
    link: { lead: 'See or end the access:', button: 'View support access', path: `${securityPath}#support-access` },
    ending: 'If this was not you, end the access and change your password.',
    reason: sentence`you have the account ${account}`,
  }),
} satisfies Partial<NoticeTexts>
