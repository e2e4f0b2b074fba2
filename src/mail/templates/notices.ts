import type { Role } from '../../../prisma/generated/client/enums.ts'
import type { NoticeKind, Notices } from '../../../schema/core/notices/notices.ts'
import { accountPath, applicationsPath, forgottenPasswordPath, personalTokensPath, securityPath } from '../../web/page-paths.ts'
import { formatDateTime } from '../../web/time-format.ts'
import { nameInText } from '../names.ts'
import type { Recipient } from '../recipient.ts'

/** What a notice says. Who, when and where is the same for all (notice-mail.ts). */
export interface NoticeText {
  subject: string
  /** What happened. */
  event: string
  link: { lead: string; button: string; path: string }
  /** The last paragraph. */
  ending: string
  /** Why the recipient receives it, after "because". */
  reason: string
}

interface NoticeContext {
  /** The address of the account. */
  account: string
  /** The name of the product. */
  product: string
  /** `contact support at help@example.com` */
  contact: string
  recipient: Recipient
}

/** Inserts names, which are unmodified user input, as one line each that cannot change the text around it. */
const sentence = (parts: TemplateStringsArray, ...values: (string | number)[]): string =>
  String.raw({ raw: parts }, ...values.map((value) => nameInText(String(value))))

/** For a change that only the user should make: what to do otherwise, and where. */
const ifNotYou = (action: string, button: string, path: string, { product }: NoticeContext): Omit<NoticeText, 'subject' | 'event'> => ({
  link: { lead: `If this was not you, ${action}:`, button, path },
  ending: 'If this was you, you can ignore this email.',
  reason: `it is about the security of your account at ${product}`,
})
const newPassword = ['choose a new password immediately', 'Choose a new password', forgottenPasswordPath] as const

/** For a change that an owner of the team may make. */
const inTeam = (team: string, button: string, path: string): Omit<NoticeText, 'subject' | 'event'> => ({
  link: { lead: `${button}:`, button, path },
  ending: 'If you did not expect this, ask an owner of the team.',
  reason: sentence`it is about your membership in the team ${team}`,
})

const ofOwner = (team: string) => sentence`you are an owner of the team ${team}`
const roles: Record<Role, string> = { owner: 'an owner', member: 'a member', billing: 'a billing member' }

/**
 * Every notice: its text for its values and the address of the account. To add one, add its values to `Notices` in
 * schema/core/notices/notices.ts and its text here, and send it with `sendNotice`.
 */
export const notices: { [Kind in NoticeKind]: (data: Notices[Kind], context: NoticeContext) => NoticeText } = {
  'password-changed': ({ keepsSessions, tokensRevoked = 0 }, context) => ({
    subject: 'Your password was changed',
    event: [
      sentence`The password of the account with the address ${context.account} was changed.`,
      ...(keepsSessions ? [] : ['All other browsers were signed out.']),
      ...(tokensRevoked > 0 ? [`Personal tokens that were revoked: ${tokensRevoked}.`] : []),
    ].join(' '),
    ...ifNotYou(...newPassword, context),
  }),
  'second-factor-on': (_, context) => ({
    subject: 'Two-factor authentication was turned on',
    event: sentence`The account with the address ${context.account} now uses two-factor authentication. Recovery codes were created.`,
    ...ifNotYou(
      'choose a new password immediately, then check your security settings',
      'Choose a new password',
      forgottenPasswordPath,
      context,
    ),
  }),
  'authenticator-added': (_, context) => ({
    subject: 'An authenticator app was added to your account',
    event: sentence`The codes of an authenticator app can be used to sign in to the account with the address ${context.account}, after its password. The recovery codes stay the same.`,
    ...ifNotYou(...newPassword, context),
  }),
  'second-factor-off': (_, context) => ({
    subject: 'Two-factor authentication was turned off',
    event: sentence`The account with the address ${context.account} no longer uses two-factor authentication. Anyone who knows its password can sign in.`,
    ...ifNotYou(
      'choose a new password immediately, then turn on two-factor authentication again',
      'Choose a new password',
      forgottenPasswordPath,
      context,
    ),
  }),
  'passkey-added': ({ name }, context) => ({
    subject: 'A passkey was added to your account',
    event: sentence`The passkey ${name} can now be used to sign in to the account with the address ${context.account}.`,
    ...ifNotYou('delete the passkey and change your password', 'Open security settings', securityPath, context),
  }),
  'passkey-removed': ({ name }, context) => ({
    subject: 'A passkey was deleted from your account',
    event: sentence`The passkey ${name} can no longer be used to sign in to the account with the address ${context.account}.`,
    ...ifNotYou('check your security settings and change your password', 'Open security settings', securityPath, context),
  }),
  'recovery-codes-created': (_, context) => ({
    subject: 'New recovery codes were created',
    event: sentence`New recovery codes were created for the account with the address ${context.account}. The previous ones no longer work.`,
    ...ifNotYou('change your password and create new codes', 'Open security settings', securityPath, context),
  }),
  'recovery-code-used': ({ left }, context) => ({
    subject: 'A recovery code was used',
    event: sentence`A recovery code was used to sign in to the account with the address ${context.account}. Unused codes: ${left}.`,
    ...ifNotYou('choose a new password immediately, then create new codes', 'Choose a new password', forgottenPasswordPath, context),
  }),
  'new-device': (_, context) => ({
    subject: 'Sign-in from a new browser',
    event: sentence`Someone signed in to the account with the address ${context.account} from a browser that was not used before.`,
    ...ifNotYou(...newPassword, context),
  }),
  'device-trusted': ({ until }, context) => ({
    subject: 'A trusted device was added to your account',
    event: sentence`Until ${formatDateTime(until, context.recipient)}, signing in to the account with the address ${context.account} from this browser requires only the password, without two-factor authentication.`,
    ...ifNotYou(
      'choose a new password immediately, which also removes all trusted devices',
      'Choose a new password',
      forgottenPasswordPath,
      context,
    ),
  }),
  'personal-token-created': ({ name }, context) => ({
    subject: 'A personal token was created',
    event: sentence`The token ${name} has access to the account with the address ${context.account} until it expires or is revoked.`,
    ...ifNotYou('revoke the token and change your password', 'Open your tokens', personalTokensPath, context),
  }),
  'team-token-created': ({ name, team, slug }) => ({
    subject: 'A team token was created',
    event: sentence`The token ${name} has access to the team ${team} until it expires or is revoked.`,
    link: { lead: 'View the tokens of the team:', button: 'View tokens', path: `/teams/${slug}/tokens` },
    ending: 'If no owner of the team should have created it, revoke it.',
    reason: ofOwner(team),
  }),
  'app-connected': ({ name, team }, context) => ({
    subject: 'An app was connected to your account',
    event:
      team === null
        ? sentence`The app ${name} has access to the account with the address ${context.account}.`
        : sentence`The app ${name} has access to the account with the address ${context.account}, for the team ${team}.`,
    ...ifNotYou('revoke its access and change your password', 'Open connected apps', applicationsPath, context),
  }),
  'role-changed': ({ team, slug, role }) => ({
    subject: 'Your role in a team was changed',
    event: sentence`You are now ${roles[role]} of the team ${team}.`,
    ...inTeam(team, 'Open the team', `/teams/${slug}`),
  }),
  'removed-from-team': ({ team }) => ({
    subject: 'You were removed from a team',
    event: sentence`You are no longer a member of the team ${team}. Your personal tokens and connected apps no longer have access to it.`,
    ...inTeam(team, 'Open your account', accountPath),
  }),
  'ownership-transferred': ({ team, slug, to, from, role }) => ({
    subject: 'A team has a new owner',
    event: sentence`${from} transferred the team ${team} to ${to}. ${to} is now an owner, and ${from} is ${roles[role]}.`,
    ...inTeam(team, 'View the members', `/teams/${slug}/members`),
  }),
  'team-restored': ({ team, slug }) => ({
    subject: 'A team was restored',
    event: sentence`The deleted team ${team} was restored. Its members, tokens and connected apps have access again.`,
    link: { lead: 'Open the team:', button: 'Open the team', path: `/teams/${slug}` },
    ending: 'If you expected this, you can ignore this email.',
    reason: ofOwner(team),
  }),
  'two-factor-required': ({ team, from }, { recipient }) => ({
    subject: 'A team requires two-factor authentication',
    event: sentence`The team ${team} requires two-factor authentication from ${formatDateTime(from, recipient)}. It is turned off for your account. From then on, you and your tokens cannot access the team until you turn it on.`,
    link: { lead: 'Turn on two-factor authentication:', button: 'Turn on two-factor authentication', path: securityPath },
    ending: 'If you do not need access to the team, you can ignore this email.',
    reason: sentence`you are a member of the team ${team}`,
  }),
  'invitation-accepted': ({ email, team, slug }) => ({
    subject: 'Your invitation was accepted',
    event: sentence`${email} accepted your invitation to the team ${team}.`,
    link: { lead: 'View the members:', button: 'View the members', path: `/teams/${slug}/members` },
    ending: 'If you expected this, you can ignore this email.',
    reason: 'you sent the invitation',
  }),
  'email-change-requested': (_, context) => ({
    subject: 'A new email address was requested',
    event: sentence`Someone requested a new email address for the account with the address ${context.account}. It changes when the link that we sent to the new address is opened.`,
    ...ifNotYou(
      'choose a new password immediately, which also makes that link invalid',
      'Choose a new password',
      forgottenPasswordPath,
      context,
    ),
  }),
  'email-changed': (_, context) => ({
    subject: 'Your email address was changed',
    event: sentence`Your account no longer has the address ${context.account}. We send emails to the new address, and you sign in with it.`,
    link: { lead: 'Open your account:', button: 'Open your account', path: accountPath },
    ending: `If this was not you, ${context.contact} immediately. Someone else may have access to your account.`,
    reason: `this was the address of an account at ${context.product}`,
  }),
}
