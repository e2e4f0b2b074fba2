import { formatDateTime } from '../../../web/time-format.ts'
import { nameInSubject } from '../../names.ts'
import { sentence, who } from './notice-text.ts'
import type { NoticeTexts } from './notice-text.ts'

const ofOwner = (team: string) => sentence`you are an owner of the team \u201c${team}\u201d`
const about = (team: string, what: string) => `${nameInSubject(team)}: ${what}`
const appPath = ({ slug, clientId }: { slug: string; clientId: string }) => `/teams/${slug}/developers/${clientId}`

/** The notices about the OAuth clients of a team, for its owners. */
export const appNotices = {
  'app-registered': ({ name, team, ...app }, context) => ({
    subject: about(team, `app ${nameInSubject(name)} registered`),
    event: sentence`${who(context)} registered the app \u201c${name}\u201d for the team \u201c${team}\u201d.`,
    saysWho: true,
    link: { lead: 'See what it can do:', button: 'View the app', path: appPath(app) },
    ending:
      context.by === null
        ? 'If this was not you, delete the app and change your password.'
        : 'If you do not recognize this app, delete it.',
    reason: ofOwner(team),
  }),
  'app-secret-created': ({ name, team, ...app }, context) => ({
    subject: about(team, `new secret for the app ${nameInSubject(name)}`),
    event: sentence`${who(context)} created a new secret for the app \u201c${name}\u201d of the team \u201c${team}\u201d.`,
    saysWho: true,
    link: { lead: 'See which secrets are valid:', button: 'View the app', path: appPath(app) },
    ending:
      context.by === null
        ? 'If this was not you, create another secret and change your password.'
        : 'If you did not expect this, create another secret.',
    reason: ofOwner(team),
  }),
  'initial-access-token-created': ({ name, team, slug, expiresAt }, context) => ({
    subject: about(team, `initial access token ${nameInSubject(name)} created`),
    event: sentence`${who(context)} created the initial access token \u201c${name}\u201d of the team \u201c${team}\u201d. Until ${formatDateTime(expiresAt, context.recipient)}, software that has it can register apps for the team. It gives no access to data.`,
    saysWho: true,
    link: { lead: 'View the tokens:', button: 'View the tokens', path: `/teams/${slug}/developers/agents` },
    ending:
      context.by === null
        ? 'If this was not you, delete the token and change your password.'
        : 'If you did not expect this, delete the token.',
    reason: ofOwner(team),
  }),
  'app-credentials-added': ({ name, team, hasNewKeys, actsAlone, ...app }, context) => ({
    subject: about(team, `new access for the app ${nameInSubject(name)}`),
    event: [
      ...(hasNewKeys ? [sentence`${who(context)} changed the keys of the app \u201c${name}\u201d of the team \u201c${team}\u201d.`] : []),
      ...(actsAlone
        ? [sentence`${who(context)} allowed the app \u201c${name}\u201d to access the team \u201c${team}\u201d without a user.`]
        : []),
    ].join(' '),
    saysWho: true,
    link: { lead: 'See how it authenticates and what it can do:', button: 'View the app', path: appPath(app) },
    ending:
      context.by === null
        ? 'If this was not you, undo the change and change your password.'
        : 'If you did not expect this, undo the change.',
    reason: ofOwner(team),
  }),
  'app-reviewed': ({ name, team, reason, isChange, ...app }) => ({
    subject: about(team, `${isChange ? 'changes to the app' : 'app'} ${nameInSubject(name)} ${reason === null ? 'approved' : 'rejected'}`),
    event: getOutcome(name, team, reason, isChange),
    link: { lead: 'Open the app:', button: 'View the app', path: appPath(app) },
    ending:
      reason === null
        ? 'You do not need to do anything.'
        : isChange
          ? 'You can change the app again.'
          : 'You can change the app and submit it again.',
    reason: ofOwner(team),
  }),
} satisfies Partial<NoticeTexts>

function getOutcome(name: string, team: string, reason: string | null, isChange: boolean): string {
  if (reason !== null && isChange)
    return sentence`The changes to the app \u201c${name}\u201d of the team \u201c${team}\u201d were rejected. The app works as before. Reason: ${reason}`
  if (reason !== null)
    return sentence`The app \u201c${name}\u201d of the team \u201c${team}\u201d was rejected. Only members of the team can connect it. Reason: ${reason}`
  return isChange
    ? sentence`The changes to the app \u201c${name}\u201d of the team \u201c${team}\u201d were approved and are now in effect.`
    : sentence`The app \u201c${name}\u201d of the team \u201c${team}\u201d was approved. Everyone can now connect it.`
}
