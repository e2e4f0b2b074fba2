import { account } from './account/account.tsx'
import { changeEmail, emailAddress } from './account/change-email.tsx'
import { deleteAccount } from './account/delete.tsx'
import { data } from './account/download-data.tsx'
import { notifications } from './account/notifications.tsx'
import { ownTeams } from './account/own-teams.tsx'
import { agentProvider } from './agents/agent-provider.tsx'
import { agents } from './agents/agents.tsx'
import { app } from './developers/app.tsx'
import { appSettings } from './developers/app-settings.tsx'
import { apps as developerApps } from './developers/apps.tsx'
import { newApp } from './developers/new-app.tsx'
import { quickStart } from './developers/quick-start.tsx'
import { tryApp } from './developers/try-app.tsx'
import { forgottenPassword } from './passwords/forgotten-password.tsx'
import { password } from './account/password.tsx'
import { resetPassword } from './passwords/reset-password.tsx'
import { application } from './connected-apps/connected-app.tsx'
import { connectedApps } from './connected-apps/connected-apps.tsx'
import type { Download } from './framework/download.ts'
import type { Page } from './framework/page.ts'
import { graphiql } from './graphiql.tsx'
import { home, overview } from './overview/overview.tsx'
import { invitation } from './invitations/invitation.tsx'
import { openInvitation } from './invitations/open-invitation.ts'
import { billingDetails } from './invoices/billing-details.tsx'
import { invoice, invoiceFile } from './invoices/invoice.tsx'
import { invoicesByMonth } from './invoices/totals/by-month.tsx'
import { totalsFile } from './invoices/totals/totals-file.ts'
import { invoicesFile, invoicesArchive } from './invoices/downloads.ts'
import { invoices } from './invoices/invoices.tsx'
import { linkEnded, openLink } from './mail-links/open-link.tsx'
import { authenticator } from './security/authenticator.tsx'
import { linkedAccounts } from './security/linked-accounts.tsx'
import { newPasskey, passkeys } from './security/passkeys.tsx'
import { twoFactor } from './security/second-factor.tsx'
import { security } from './security/security.tsx'
import { sessions } from './security/sessions.tsx'
import { trustedDevices } from './security/trusted-devices.tsx'
import { confirm } from './sign-in/confirm.tsx'
import { confirmAccount, confirmAccountByLink } from './sign-in/confirm-account.tsx'
import { secondFactor } from './sign-in/second-factor-page.tsx'
import { emailedCode } from './sign-in/emailed-code.tsx'
import { signIn } from './sign-in/sign-in.tsx'
import { providerCallback } from './providers/callback.tsx'
import { linkAccount } from './providers/link.tsx'
import { startSignIn, teamSignIn } from './providers/start.tsx'
import { checkEmail } from './sign-up/check-email.tsx'
import { signUp } from './sign-up/sign-up.tsx'
import { verifyEmail } from './sign-up/verify-email.tsx'
import { access } from './access/access.tsx'
import { auditEntry } from './audit/entry.tsx'
import { auditTrail } from './audit/audit-trail.tsx'
import { products } from './team/applications.tsx'
import { invitations, newInvitations } from './invitations/invitations.tsx'
import { membersFile } from './members/export.ts'
import { member } from './members/member.tsx'
import { members } from './members/members.tsx'
import { deletedTeams } from './team/deleted-teams.tsx'
import { newTeam } from './team/new-team.tsx'
import { teamSettings } from './team/settings.tsx'
import { twoFactorRequirement } from './team/two-factor-requirement.tsx'
import { staffDownloads, staffPages } from './staff/staff-pages.ts'
import { newPersonalToken, newTeamToken } from './tokens/new-token/new-token.tsx'
import { domains } from './required-sign-in/domains.tsx'
import { ownerAccess } from './required-sign-in/owner-access.tsx'
import { signInRequirement } from './required-sign-in/requirement.tsx'
import { identities } from './identities/identities.tsx'
import { identity } from './identities/identity.tsx'
import { newIdentity } from './identities/new-identity.tsx'
import { directory } from './sign-in-settings/directory/directory.tsx'
import { groupRole, newGroupRole } from './sign-in-settings/groups/group-role.tsx'
import { groupRoles } from './sign-in-settings/groups/group-roles.tsx'
import { newSignInProvider } from './sign-in-settings/new-provider.tsx'
import { signInSettings } from './sign-in-settings/sign-in-overview.tsx'
import { signInProvider } from './sign-in-settings/provider.tsx'
import { signInProviderSettings } from './sign-in-settings/provider-settings.tsx'
import { signInTest } from './sign-in-settings/test-result.tsx'
import { delivery } from './webhooks/deliveries/delivery.tsx'
import { newWebhook, webhooks } from './webhooks/webhooks.tsx'
import { webhook } from './webhooks/webhook.tsx'
import { webhookSettings } from './webhooks/webhook-settings.tsx'
import { webhookTest } from './webhooks/webhook-test.tsx'
import { personalTokens, teamTokens } from './tokens/token-lists.tsx'
import { personalToken, teamToken } from './tokens/token.tsx'

/** All pages of the account site. Express uses the first match, so `/teams/new` comes before `/teams/:team`. */
export const pages: readonly Page[] = [
  home,
  // Sign-in
  signIn,
  secondFactor,
  emailedCode,
  linkAccount,
  startSignIn,
  providerCallback,
  teamSignIn,
  // Account and mail links
  signUp,
  checkEmail,
  forgottenPassword,
  openLink,
  linkEnded,
  verifyEmail,
  changeEmail,
  resetPassword,
  account,
  ownTeams,
  emailAddress,
  password,
  notifications,
  data,
  deleteAccount,
  // Teams, members and invitations
  deletedTeams,
  newTeam,
  overview,
  teamSettings,
  twoFactorRequirement,
  signInSettings,
  domains,
  signInRequirement,
  ownerAccess,
  newSignInProvider,
  directory,
  groupRoles,
  newGroupRole,
  groupRole,
  signInProvider,
  signInTest,
  signInProviderSettings,
  members,
  member,
  invitations,
  newInvitations,
  products,
  auditTrail,
  auditEntry,
  openInvitation,
  invitation,
  // Invoices
  invoices,
  invoicesByMonth,
  billingDetails,
  invoice,
  // Security
  security,
  twoFactor,
  authenticator,
  passkeys,
  newPasskey,
  sessions,
  trustedDevices,
  linkedAccounts,
  confirm,
  confirmAccount,
  confirmAccountByLink,
  // Tokens, connected applications, workload identities, access to a team and webhooks
  personalTokens,
  newPersonalToken,
  personalToken,
  connectedApps,
  application,
  teamTokens,
  newTeamToken,
  teamToken,
  identities,
  newIdentity,
  identity,
  access,
  agents,
  agentProvider,
  developerApps,
  newApp,
  app,
  quickStart,
  appSettings,
  tryApp,
  webhooks,
  newWebhook,
  webhook,
  webhookTest,
  webhookSettings,
  delivery,
  ...staffPages,
]

/** All files that users can download. */
export const downloads: readonly Download[] = [invoiceFile, invoicesFile, invoicesArchive, totalsFile, membersFile, ...staffDownloads]

/** Pages that need JavaScript and may load more than others. */
export const tools: readonly Page[] = [graphiql]
