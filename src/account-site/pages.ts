import { account } from './account/account.tsx'
import { changeEmail, newEmail } from './account/change-email.tsx'
import { deleteAccount } from './account/delete.tsx'
import { forgottenPassword } from './account/forgotten-password.tsx'
import { linkEnded, openLink } from './account/open-link.tsx'
import { password } from './account/password.tsx'
import { resetPassword } from './account/reset-password.tsx'
import { signUp } from './account/sign-up.tsx'
import { verifyEmail } from './account/verify-email.tsx'
import { application } from './applications/application.tsx'
import { applications } from './applications/applications.tsx'
import type { Download, Page } from './declaration.ts'
import { home } from './home.ts'
import { invitation } from './invitation/invitation.tsx'
import { openInvitation } from './invitation/open.ts'
import { invoice, invoiceFile } from './invoices/invoice.tsx'
import { invoices } from './invoices/invoices.tsx'
import { authenticator } from './security/authenticator.tsx'
import { newPasskey } from './security/new-passkey.tsx'
import { security } from './security/security.tsx'
import { confirm } from './sign-in/confirm.tsx'
import { secondFactor } from './sign-in/second-factor.tsx'
import { signIn } from './sign-in/sign-in.tsx'
import { access } from './team/access.tsx'
import { auditTrail } from './team/audit-trail.tsx'
import { apps } from './team/apps.tsx'
import { invitations } from './team/invitations.tsx'
import { member } from './team/member.tsx'
import { members } from './team/members.tsx'
import { newTeam } from './team/new-team.tsx'
import { settings, team } from './team/settings.tsx'
import { newPersonalToken } from './tokens/new-personal-token.tsx'
import { newTeamToken } from './tokens/new-team-token.tsx'
import { personalToken } from './tokens/personal-token.tsx'
import { personalTokens } from './tokens/personal-tokens.tsx'
import { teamToken } from './tokens/team-token.tsx'
import { teamTokens } from './tokens/team-tokens.tsx'

/** Every page of the account site. */
export const pages: readonly Page[] = [
  home,
  // Signing in.
  signIn,
  secondFactor,
  // Having an account, and the links of its mails.
  signUp,
  forgottenPassword,
  openLink,
  linkEnded,
  verifyEmail,
  changeEmail,
  resetPassword,
  account,
  newEmail,
  password,
  deleteAccount,
  // A team and who is in it. A new one before the one that a path names.
  newTeam,
  team,
  settings,
  members,
  member,
  invitations,
  apps,
  auditTrail,
  openInvitation,
  invitation,
  // What a team is charged.
  invoices,
  invoice,
  // What people sign in with, and where.
  security,
  authenticator,
  newPasskey,
  confirm,
  // Tokens and applications, and what of them touches a team. New ones before the one that a path names.
  personalTokens,
  newPersonalToken,
  personalToken,
  applications,
  application,
  teamTokens,
  newTeamToken,
  teamToken,
  access,
]

/** Every file that can be loaded from it. */
export const downloads: readonly Download[] = [invoiceFile]
