import type { AuditActionRow } from './audited-mutations.ts'

/** The reason why a change of a directory has no event. */
const changesOfMembers = 'What it changes of members has events.'

/** The audited actions that are not mutations, and the mutations that write an entry only in some cases. */
export const otherActions = {
  completeSignIn: { description: 'Trusts the browser in which the user signed in with a code.' },
  completeSignInWithPasskey: { description: 'Trusts the browser in which the user signed in with a password and a passkey.' },
  undoAccountDeletion: { description: 'Restores a deleted account by signing in.' },
  createAccountAtProvider: { description: 'Creates an account at the first sign-in through an identity provider.' },
  linkIdentity: { description: 'Links an account at an identity provider to the account of a user.' },
  replaceUnverifiedAccount: {
    description:
      'Deletes an account whose email address was never verified, because an identity provider or a directory states who owns the email address.',
  },
  moveAddress: {
    description:
      'Gives the email address of an account to a new one, because an identity provider or the directory of the team says that it belongs to another person.',
    subject: 'TeamMember',
    events: 'The email address is part of the account, not of the membership.',
  },
  addMember: {
    description: 'Makes a user a member at the command line, with an import or as the new owner of a restored team.',
    subject: 'TeamMember',
    events: ['member.joined'],
  },
  joinThroughProvider: {
    description: 'Makes a user a member who signs in through an identity provider of the team.',
    subject: 'TeamMember',
    events: ['member.joined'],
  },
  provisionMember: {
    description: 'Makes a user a member as the directory of the team demands through SCIM.',
    subject: 'TeamMember',
    events: ['member.joined'],
  },
  inviteFromDirectory: {
    description: 'Invites a user of the directory of the team whose email address is in no verified domain of the team, through SCIM.',
    subject: 'TeamInvitation',
    events: ['invitation.created'],
  },
  applyGroups: {
    description: 'Changes the role or the products of a member as the groups of an identity provider or directory say.',
    subject: 'TeamMember',
    events: ['member.updated'],
  },
  removeByGroups: {
    description: 'Removes a member who is in no group of the identity provider that has a role.',
    subject: 'TeamMember',
    events: ['member.removed'],
  },
  deprovisionMember: {
    description: 'Removes a member as the directory of the team demands through SCIM.',
    subject: 'TeamMember',
    events: ['member.removed'],
  },
  createScimGroup: { description: 'Creates a group of the directory of the team through SCIM.', events: changesOfMembers },
  updateScimGroup: {
    description: 'Changes the name, the identifier or the members of a group of the directory through SCIM.',
    events: changesOfMembers,
  },
  deleteScimGroup: { description: 'Deletes a group of the directory of the team through SCIM.', events: changesOfMembers },
  removeDeletedUser: { description: 'Removes a member whose account was deleted.', events: ['member.removed'] },
  createGrant: { description: 'Connects an app on the consent page.', subject: 'Grant', events: ['grant.created'] },
  extendGrant: { description: 'Gives a connected app further scopes on the consent page.', subject: 'Grant', events: ['grant.changed'] },
  expireInvitation: {
    description: 'Ends an invitation that was not answered in time.',
    subject: 'TeamInvitation',
    events: ['invitation.expired'],
  },
  announceTokenExpiry: { description: 'Announces that a team token expires soon.', subject: 'TeamToken', events: ['token.expires_soon'] },
  issueInvoice: { description: 'Records a new invoice with an import.', subject: 'TeamInvoice', events: ['invoice.issued'] },
  issuePaidInvoice: {
    description: 'Records a new invoice that is paid already with an import.',
    subject: 'TeamInvoice',
    events: ['invoice.issued', 'invoice.paid'],
  },
  updateInvoice: { description: 'Changes an invoice with an import.', subject: 'TeamInvoice', events: ['invoice.updated'] },
  payInvoice: { description: 'Records with an import that an invoice was paid.', subject: 'TeamInvoice', events: ['invoice.paid'] },
  announceOverdueInvoice: { description: 'Announces that an invoice became overdue.', subject: 'TeamInvoice', events: ['invoice.overdue'] },
  disableWebhook: { description: 'Disables a webhook whose endpoint fails or is gone.', subject: 'Webhook', events: ['webhook.disabled'] },
  loseTeamDomain: {
    description: 'Ends the verification of a domain whose TXT record was missing for 14 days.',
    subject: 'TeamDomain',
    events: 'It is a setting: how members sign in.',
  },
  import: { description: 'Imports a file of records at the command line.' },
  export: { description: 'Writes a file of all records at the command line.' },
  backup: { description: 'Writes a backup at the command line.' },
  restore: { description: 'Restores a backup at the command line.' },
  reencryptSecrets: { description: 'Encrypts stored secrets under the current key at the command line.' },
  readAsStaff: { description: 'Reads data of the team, or of all teams, as staff.', subject: 'Team', events: 'Nothing changes.' },
  readInSupportSession: {
    description: 'Reads a page of the team, or of an account, as staff, in a support session.',
    subject: 'Team',
    events: 'Nothing changes.',
  },
} as const satisfies Readonly<Record<string, AuditActionRow>>
