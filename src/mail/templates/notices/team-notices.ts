import type { Role } from '../../../../prisma/generated/client/enums.ts'
import type { Notices } from '../../../../schema/core/notices/notices.ts'
import { ownTeamsPath, twoFactorPath } from '../../../web/page-paths.ts'
import { formatDate, formatDateTime } from '../../../web/time-format.ts'
import { nameInSubject } from '../../names.ts'
import { sentence, who } from './notice-text.ts'
import type { NoticeContext, NoticeText, NoticeTexts } from './notice-text.ts'

/** Ending of a notice about a change that an owner of the team may make. */
const aboutMembership = (team: string, button: string, path: string): Pick<NoticeText, 'link' | 'ending' | 'reason'> => ({
  link: { lead: `${button}:`, button, path },
  ending: 'If you did not expect this, ask an owner of the team.',
  reason: sentence`it is about your membership in the team \u201c${team}\u201d`,
})

const ofOwner = (team: string) => sentence`you are an owner of the team \u201c${team}\u201d`

/** Returns a subject such as `Acme: token CI created`. */
const about = (team: string, what: string) => `${nameInSubject(team)}: ${what}`

/** Returns the name of the recipient, who is a member, for a subject. */
const memberName = ({ recipient, account }: NoticeContext) => nameInSubject(recipient.name ?? account)

const roles: Record<Role, string> = { owner: 'owner', member: 'member', billing: 'billing' }

/** Consequences of a change of an identity provider. */
const effects: Record<Notices['identity-provider']['what'], string> = {
  created:
    'People with an account at this identity provider can sign in through it and, depending on its settings, become members of the team.',
  changed: 'Members may have to sign in through it again, or may no longer be able to sign in.',
  deleted: 'No one can sign in through it anymore.',
  disabled: 'No one can sign in through it until it is enabled again.',
  enabled: 'Members can sign in through it again.',
  agents_on: 'It can now give the selected agents access to the team for its members, without asking them.',
  agents_off: 'It can no longer give agents access to the team.',
}
const isAboutAgents = (what: keyof typeof effects) => what === 'agents_on' || what === 'agents_off'

/** The notices about a team, for its owners or for the member concerned. */
export const teamNotices = {
  'team-token-created': ({ name, team, slug }, context) => ({
    subject: about(team, `token ${nameInSubject(name)} created`),
    event: sentence`${who(context)} created the token \u201c${name}\u201d of the team \u201c${team}\u201d. It has access to the team until it expires or is revoked.`,
    saysWho: true,
    link: { lead: 'View the tokens of the team:', button: 'View tokens', path: `/teams/${slug}/tokens` },
    ending:
      context.by === null
        ? 'If this was not you, revoke the token and change your password.'
        : 'If you do not recognize this token, revoke it.',
    reason: ofOwner(team),
  }),
  'workload-identity-created': ({ name, team, slug, identityId, issuer }, context) => ({
    subject: about(team, `workload identity ${nameInSubject(name)} created`),
    event: sentence`${who(context)} created the workload identity \u201c${name}\u201d of the team \u201c${team}\u201d. Jobs with a matching ID token from ${issuer} have access to the team until the identity is deleted.`,
    saysWho: true,
    link: { lead: 'See which jobs get access:', button: 'View the identity', path: `/teams/${slug}/identities/${identityId}` },
    ending:
      context.by === null
        ? 'If this was not you, delete the identity and change your password.'
        : 'If you do not recognize this identity, delete it.',
    reason: ofOwner(team),
  }),
  'identity-provider': ({ name, team, slug, providerId, what }, context) => ({
    subject: about(team, `identity provider ${nameInSubject(name)} ${isAboutAgents(what) ? 'changed' : what}`),
    event: sentence`${who(context)} ${isAboutAgents(what) ? 'changed' : what} the identity provider \u201c${name}\u201d of the team \u201c${team}\u201d. ${effects[what]}`,
    saysWho: true,
    link: isAboutAgents(what)
      ? { lead: 'See which agents can get access:', button: 'View the settings', path: `/teams/${slug}/developers/agents/${providerId}` }
      : {
          lead: 'See how members of the team sign in:',
          button: 'View sign-in settings',
          path: what === 'deleted' ? `/teams/${slug}/sign-in` : `/teams/${slug}/sign-in/${providerId}`,
        },
    ending:
      context.by === null
        ? 'If this was not you, change your password and check the sign-in settings of the team.'
        : what === 'disabled'
          ? 'Ask the operator for the reason.'
          : 'If you did not expect this, ask the person who did it.',
    reason: ofOwner(team),
  }),
  'role-changed': ({ team, slug, role }, context) => ({
    subject: about(
      team,
      context.by === null ? `you changed your role to ${roles[role]}` : `role of ${memberName(context)} changed to ${roles[role]}`,
    ),
    event: sentence`${who(context)} changed your role in the team \u201c${team}\u201d to ${roles[role]}.`,
    saysWho: true,
    ...aboutMembership(team, 'Open the team', `/teams/${slug}`),
  }),
  'removed-from-team': ({ team }, context) => ({
    subject: about(team, `${memberName(context)} removed from the team`),
    event: sentence`${who(context)} removed you from the team \u201c${team}\u201d. Your personal tokens and connected apps no longer have access to it.`,
    saysWho: true,
    ...aboutMembership(team, 'Open your teams', ownTeamsPath),
  }),
  'sessions-ended-in-team': ({ team, slug }, context) => ({
    subject: about(team, `sessions of ${memberName(context)} ended`),
    event: sentence`${who(context)} ended your sessions in the team \u201c${team}\u201d. You have to sign in again to open it. Your account, your other teams, your personal tokens and your connected apps did not change.`,
    saysWho: true,
    ...aboutMembership(team, 'Open the team', `/teams/${slug}`),
  }),
  'ownership-transferred': ({ team, slug, to, from, role }, context) => ({
    subject: about(team, `ownership transferred to ${nameInSubject(to)}`),
    event:
      context.by === null
        ? sentence`You transferred the ownership of the team \u201c${team}\u201d to ${to}. Your role is now ${roles[role]}.`
        : sentence`${from} transferred the ownership of the team \u201c${team}\u201d to you. The role of ${from} is now ${roles[role]}.`,
    saysWho: true,
    ...aboutMembership(team, 'View the members', `/teams/${slug}/members`),
  }),
  'team-restored': ({ team, slug }, context) => ({
    subject: about(team, 'team restored'),
    event: sentence`${who(context)} restored the deleted team \u201c${team}\u201d. Its members, tokens and connected apps have access again.`,
    saysWho: true,
    link: { lead: 'Open the team:', button: 'Open the team', path: `/teams/${slug}` },
    ending: 'If you expected this, you can ignore this email.',
    reason: ofOwner(team),
  }),
  'two-factor-required': ({ team, from }, { recipient }) => ({
    subject: about(
      team,
      from === null ? 'turn on two-factor authentication' : `two-factor authentication required from ${formatDate(from, recipient)}`,
    ),
    event:
      from === null
        ? sentence`An owner of the team \u201c${team}\u201d asks you to turn on two-factor authentication. It is turned off for your account.`
        : sentence`The team \u201c${team}\u201d requires two-factor authentication from ${formatDateTime(from, recipient)}. It is turned off for your account. From then on, you and your tokens cannot access the team until you turn it on.`,
    link: { lead: 'Turn on two-factor authentication:', button: 'Turn on two-factor authentication', path: twoFactorPath },
    ending: 'If you do not need access to the team, you can ignore this email.',
    reason: sentence`you are a member of the team \u201c${team}\u201d`,
  }),
  'webhook-failing': ({ team, slug, webhookId, host }) => ({
    subject: about(team, `deliveries to the webhook at ${host} are failing`),
    event: sentence`For one day, no event of the team \u201c${team}\u201d could be delivered to its webhook at ${host}. The webhook will be disabled after three days without a successful delivery. Until then, failed events are kept and delivered again.`,
    link: { lead: 'View the responses of the endpoint:', button: 'View the deliveries', path: `/teams/${slug}/webhooks/${webhookId}` },
    ending: 'If you already know about this, you can ignore this email.',
    reason: ofOwner(team),
  }),
  'webhook-disabled': ({ team, slug, webhookId, host, reason }) => ({
    subject: about(team, `webhook at ${host} disabled`),
    event:
      reason === 'gone'
        ? sentence`The webhook of the team \u201c${team}\u201d at ${host} was disabled, because its endpoint responded with \u201c410 Gone\u201d.`
        : sentence`The webhook of the team \u201c${team}\u201d at ${host} was disabled, because no event could be delivered to it for three days.`,
    link: { lead: 'Enable the webhook again:', button: 'Open the webhook', path: `/teams/${slug}/webhooks/${webhookId}` },
    ending: 'If you no longer need the webhook, you can ignore this email.',
    reason: ofOwner(team),
  }),
  'invitation-accepted': ({ email, team, slug }, { by }) => ({
    subject: about(team, `${nameInSubject(by ?? email)} accepted your invitation`),
    event:
      by === null
        ? sentence`${email} accepted your invitation to the team \u201c${team}\u201d.`
        : sentence`${by} (${email}) accepted your invitation to the team \u201c${team}\u201d.`,
    saysWho: true,
    link: { lead: 'View the members:', button: 'View the members', path: `/teams/${slug}/members` },
    ending: 'If you expected this, you can ignore this email.',
    reason: 'you sent the invitation',
  }),
} satisfies Partial<NoticeTexts>
