import {
  applicationsPath,
  emailPath,
  identitiesPath,
  passkeysPath,
  personalTokensPath,
  securityPath,
  signInPath,
} from '../../../web/page-paths.ts'
import { formatDate, formatDateTime } from '../../../web/time-format.ts'
import { nameInSubject } from '../../names.ts'
import { ifNotYou, ifNotYouNewPassword, sentence } from './notice-text.ts'
import type { NoticeTexts } from './notice-text.ts'

/** The notices about an account. They do not use "you" for the person who made a change, because it may have been someone else. */
export const accountNotices = {
  'password-changed': ({ keepsSessions, tokensRevoked = 0 }, context) => ({
    subject: 'Your password was changed',
    event: [
      sentence`The password of your account ${context.account} was changed.`,
      ...(keepsSessions ? [] : ['All other browsers were signed out.']),
      ...(tokensRevoked > 0 ? [`Revoked personal tokens: ${tokensRevoked}.`] : []),
    ].join(' '),
    ...ifNotYouNewPassword('', context),
  }),
  'second-factor-on': (_, context) => ({
    subject: 'Two-factor authentication was turned on',
    event: sentence`Your account ${context.account} now uses two-factor authentication. Recovery codes were created.`,
    ...ifNotYouNewPassword(', then check your security settings', context),
  }),
  'authenticator-added': (_, context) => ({
    subject: 'An authenticator app was added to your account',
    event: sentence`After the password, the codes of an authenticator app can now be used to sign in to your account ${context.account}. The recovery codes stay the same.`,
    ...ifNotYouNewPassword('', context),
  }),
  'authenticator-moved': (_, context) => ({
    subject: 'Your authenticator app was replaced',
    event: sentence`The codes of another authenticator app are now used to sign in to your account ${context.account}. Those of the previous app no longer work. The recovery codes stay the same.`,
    ...ifNotYouNewPassword(', then check your security settings', context),
  }),
  'second-factor-off': (_, context) => ({
    subject: 'Two-factor authentication was turned off',
    event: sentence`Your account ${context.account} no longer uses two-factor authentication. Anyone who knows its password can sign in.`,
    ...ifNotYouNewPassword(', then turn on two-factor authentication again', context),
  }),
  'passkey-added': ({ name }, context) => ({
    subject: `Passkey ${nameInSubject(name)} was added to your account`,
    event: sentence`The passkey \u201c${name}\u201d can now be used to sign in to your account ${context.account}.`,
    ...ifNotYou('delete the passkey and change your password', 'Open your passkeys', passkeysPath, context),
  }),
  'passkey-removed': ({ name }, context) => ({
    subject: `Passkey ${nameInSubject(name)} was deleted from your account`,
    event: sentence`The passkey \u201c${name}\u201d can no longer be used to sign in to your account ${context.account}.`,
    ...ifNotYou('check your security settings and change your password', 'Open security settings', securityPath, context),
  }),
  'identity-linked': ({ provider, email }, context) => ({
    subject: `Sign-in through ${nameInSubject(provider)} was added to your account`,
    event:
      email === null
        ? sentence`An account at ${provider} can now be used to sign in to your account ${context.account}.`
        : sentence`The account ${email} at ${provider} can now be used to sign in to your account ${context.account}.`,
    ...ifNotYou('remove it and change your password', 'Open linked accounts', identitiesPath, context),
  }),
  'identity-unlinked': ({ provider }, context) => ({
    subject: `Sign-in through ${nameInSubject(provider)} was removed from your account`,
    event: sentence`An account at ${provider} can no longer be used to sign in to your account ${context.account}.`,
    ...ifNotYou('check your security settings and change your password', 'Open security settings', securityPath, context),
  }),
  'recovery-codes-created': (_, context) => ({
    subject: 'New recovery codes were created',
    event: sentence`New recovery codes were created for your account ${context.account}. The previous ones no longer work.`,
    ...ifNotYou('change your password and create new codes', 'Open security settings', securityPath, context),
  }),
  'recovery-code-used': ({ left }, context) => ({
    subject: 'A recovery code was used to sign in',
    event: sentence`A recovery code was used to sign in to your account ${context.account}. Unused codes: ${left}.`,
    ...ifNotYouNewPassword(', then create new codes', context),
  }),
  'new-device': (_, context) => ({
    subject: context.device === null ? 'Sign-in from a new browser' : `Sign-in from a new browser: ${context.device}`,
    event: sentence`Someone signed in to your account ${context.account} from a browser that was not used before.`,
    ...ifNotYouNewPassword('', context),
  }),
  'device-trusted': ({ until }, context) => ({
    subject: context.device === null ? 'A trusted device was added' : `A trusted device was added: ${context.device}`,
    event: sentence`Until ${formatDateTime(until, context.recipient)}, signing in to your account ${context.account} from this browser requires only the password, without two-factor authentication.`,
    ...ifNotYouNewPassword(', which also removes all trusted devices', context),
  }),
  'personal-token-created': ({ name }, context) => ({
    subject: `Personal token ${nameInSubject(name)} was created`,
    event: sentence`The personal token \u201c${name}\u201d was created. It has access to your account ${context.account} until it expires or is revoked.`,
    ...ifNotYou('revoke the token and change your password', 'Open your tokens', personalTokensPath, context),
  }),
  'app-connected': ({ name, team, provider }, context) => ({
    subject: `${team === null ? '' : `${nameInSubject(team)}: `}${nameInSubject(name)} was connected to your account`,
    event:
      team === null
        ? sentence`The app \u201c${name}\u201d has access to your account ${context.account}.`
        : provider === undefined
          ? sentence`The app \u201c${name}\u201d has access to your account ${context.account}, for the team \u201c${team}\u201d.`
          : sentence`The identity provider \u201c${provider}\u201d of the team \u201c${team}\u201d gave the app \u201c${name}\u201d access to the team for your account ${context.account}.`,
    ...ifNotYou('revoke its access and change your password', 'Open connected apps', applicationsPath, context),
  }),
  'email-change-requested': (_, context) => ({
    subject: 'A new email address was requested',
    event: sentence`Someone requested a new email address for your account ${context.account}. It changes when the link that we sent to the new email address is opened.`,
    ...ifNotYouNewPassword(', which also makes that link invalid', context),
  }),
  'email-changed': (_, context) => ({
    subject: 'Your email address was changed',
    event: sentence`Your account no longer has the email address ${context.account}. We send emails to the new one, and you sign in with it.`,
    link: { lead: 'Open your account:', button: 'Open your account', path: emailPath },
    ending: `If this was not you, ${context.contact} immediately. Someone else may have access to your account.`,
    reason: `this was the email address of an account at ${context.product}`,
  }),
  'account-deleted': ({ until }, context) => ({
    subject: 'Your account is scheduled for deletion',
    event: sentence`Your account ${context.account} is scheduled for deletion on ${formatDate(until, context.recipient)}. Until then it is disabled.`,
    link: { lead: 'To keep it, sign in before then:', button: 'Sign in', path: signInPath },
    ending: 'If this was not you, sign in and change your password. If this was you, you can ignore this email.',
    reason: `it is about your account at ${context.product}`,
  }),
  'account-restored': (_, context) => ({
    subject: 'Your account will not be deleted',
    event: sentence`Your account ${context.account} was scheduled for deletion. Someone signed in to it, which undid that.`,
    ...ifNotYouNewPassword('', context),
  }),
} satisfies Partial<NoticeTexts>
