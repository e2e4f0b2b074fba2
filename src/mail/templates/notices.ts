import type { Role } from '../../../prisma/generated/client/enums.ts'
import type { NoticeKind, Notices } from '../../../schema/core/notices/notices.ts'
import { isolateName } from '../../web/display-name.ts'
import { formatDateTime } from '../../web/time-format.ts'
import { accountPath, applicationsPath, forgottenPasswordPath, personalTokensPath, securityPath } from '../../web/page-paths.ts'

/** What a notice says. Who, when and where is the same for all (notice-mail.ts). */
export interface NoticeText {
  subject: string
  /** What happened. */
  event: string
  link: { lead: string; button: string; path: string }
  /** The last paragraph. */
  ending: string
}

/** Inserts names, which are unmodified user input, as one line each that cannot change the text around it. */
const sentence = (parts: TemplateStringsArray, ...values: (string | number)[]): string =>
  String.raw({ raw: parts }, ...values.map((value) => isolateName(String(value))))

/** For a change that only the user should make: what to do otherwise, and where. */
const ifNotYou = (action: string, path: string): Pick<NoticeText, 'link' | 'ending'> => ({
  link: { lead: `If it was not you, ${action}:`, button: `If it was not you, ${action}`, path },
  ending: 'If it was you, there is nothing to do.',
})

/** For a change that an owner of the team may make. */
const inTeam = (path: string): Pick<NoticeText, 'link' | 'ending'> => ({
  link: { lead: 'Look at it here:', button: 'Look at it', path },
  ending: 'If you did not expect this, ask an owner of the team.',
})

const roles: Record<Role, string> = { owner: 'an owner', member: 'a member', billing: 'a billing member' }

/**
 * Every notice: its text for its values and the address of the account. To add one, add its values to `Notices` in
 * schema/core/notices/notices.ts and its text here, and send it with `sendNotice`.
 */
export const notices: { [Kind in NoticeKind]: (data: Notices[Kind], account: string) => NoticeText } = {
  'password-changed': (_, account) => ({
    subject: 'Your password was changed',
    event: sentence`The password of the account with the address ${account} was changed. All other browsers were signed out.`,
    ...ifNotYou('choose a new password at once', forgottenPasswordPath),
  }),
  'second-factor-on': (_, account) => ({
    subject: 'Two-factor authentication was turned on',
    event: sentence`The account with the address ${account} now uses two-factor authentication. Recovery codes were created.`,
    ...ifNotYou('choose a new password at once, then look at your security settings', forgottenPasswordPath),
  }),
  'second-factor-off': (_, account) => ({
    subject: 'Two-factor authentication was turned off',
    event: sentence`The account with the address ${account} no longer uses two-factor authentication: anyone who knows its password can sign in.`,
    ...ifNotYou('choose a new password at once, then turn on two-factor authentication again', forgottenPasswordPath),
  }),
  'passkey-added': ({ name }, account) => ({
    subject: 'A passkey was added to your account',
    event: sentence`The passkey ${name} can sign in to the account with the address ${account} now.`,
    ...ifNotYou('delete the passkey and change your password', securityPath),
  }),
  'passkey-removed': ({ name }, account) => ({
    subject: 'A passkey was deleted from your account',
    event: sentence`The passkey ${name} can no longer sign in to the account with the address ${account}.`,
    ...ifNotYou('look at your security settings and change your password', securityPath),
  }),
  'recovery-codes-created': (_, account) => ({
    subject: 'New recovery codes were created',
    event: sentence`The account with the address ${account} has new recovery codes. The previous ones no longer work.`,
    ...ifNotYou('change your password and create new codes', securityPath),
  }),
  'recovery-code-used': ({ left }, account) => ({
    subject: 'A recovery code was used',
    event: sentence`A recovery code was used to sign in to the account with the address ${account}. Codes that are left: ${left}.`,
    ...ifNotYou('choose a new password at once, then create new codes', forgottenPasswordPath),
  }),
  'new-device': (_, account) => ({
    subject: 'Sign-in from a new browser',
    event: sentence`The account with the address ${account} was signed in to from a browser that it had not used before.`,
    ...ifNotYou('choose a new password at once', forgottenPasswordPath),
  }),
  'device-trusted': ({ until }, account) => ({
    subject: 'A device was trusted for 30 days',
    event: sentence`Until ${formatDateTime(until)}, this browser can sign in to the account with the address ${account} by the password alone, without two-factor authentication.`,
    ...ifNotYou('choose a new password at once, which also ends the trust', forgottenPasswordPath),
  }),
  'personal-token-created': ({ name }, account) => ({
    subject: 'A personal token was created',
    event: sentence`The token ${name} can act for the account with the address ${account} until it expires or is revoked.`,
    ...ifNotYou('revoke the token and change your password', personalTokensPath),
  }),
  'team-token-created': ({ name, team, slug }) => ({
    subject: 'A team token was created',
    event: sentence`The token ${name} can act for the team ${team} until it expires or is revoked.`,
    link: {
      lead: 'If no owner of the team should have created it, revoke it here:',
      button: 'Look at the tokens',
      path: `/teams/${slug}/tokens`,
    },
    ending: 'You receive this mail because you are an owner of the team.',
  }),
  'app-connected': ({ name, team }, account) => ({
    subject: 'An application was connected to your account',
    event:
      team === null
        ? sentence`The application ${name} can access the account with the address ${account}.`
        : sentence`The application ${name} can access the account with the address ${account}, for the team ${team}.`,
    ...ifNotYou('revoke its access and change your password', applicationsPath),
  }),
  'role-changed': ({ team, slug, role }) => ({
    subject: 'Your role in a team was changed',
    event: sentence`You are ${roles[role]} of the team ${team} now.`,
    ...inTeam(`/teams/${slug}`),
  }),
  'removed-from-team': ({ team }) => ({
    subject: 'You were removed from a team',
    event: sentence`You are no longer a member of the team ${team}. Your personal tokens and connected applications can no longer access it.`,
    ...inTeam(accountPath),
  }),
  'ownership-transferred': ({ team, slug, to, from, role }) => ({
    subject: 'A team has a new owner',
    event: sentence`${from} transferred the team ${team} to ${to}. ${to} is an owner now, and ${from} is ${roles[role]}.`,
    ...inTeam(`/teams/${slug}/members`),
  }),
  'team-restored': ({ team, slug }) => ({
    subject: 'A team was restored',
    event: sentence`The deleted team ${team} was restored. Its members, access tokens and connected apps have access again.`,
    link: { lead: 'See the team here:', button: 'Open the team', path: `/teams/${slug}` },
    ending: 'You receive this mail because you are an owner of the team.',
  }),
  'two-factor-required': ({ team, from }) => ({
    subject: 'A team requires two-factor authentication',
    event: sentence`The team ${team} requires two-factor authentication from ${formatDateTime(from)}. Your account does not have it. From then on, you and your tokens cannot access the team until you turn it on.`,
    link: { lead: 'Turn it on here:', button: 'Turn on two-factor authentication', path: securityPath },
    ending: 'You receive this mail because you are a member of the team.',
  }),
  'invitation-accepted': ({ email, team, slug }) => ({
    subject: 'Your invitation was accepted',
    event: sentence`${email} accepted your invitation to the team ${team}.`,
    link: { lead: 'See its members here:', button: 'See the members', path: `/teams/${slug}/members` },
    ending: 'You receive this mail because you sent the invitation.',
  }),
  'email-change-requested': (_, account) => ({
    subject: 'A new email address was requested',
    event: sentence`The account with the address ${account} is to have another address. It changes when the link that was sent to the new address is opened.`,
    ...ifNotYou('choose a new password at once, which also ends that link', forgottenPasswordPath),
  }),
  'email-changed': (_, account) => ({
    subject: 'Your email address was changed',
    event: sentence`Your account no longer has the address ${account}. Mails go to the new address, and you sign in with it.`,
    link: { lead: 'You find your account here:', button: 'Open your account', path: accountPath },
    ending: 'If it was not you who changed it, tell those who run this service at once: somebody else may be in your account.',
  }),
}
