/** An action that audit entries record. */
export interface AuditActionRow<Type extends string = string, Source extends string = string> {
  /** Description of the action. A mutation has its own description. */
  description?: string
  /** GraphQL type of the object that `subject` of an entry identifies and `subjectObject` returns. */
  subject?: string
  /**
   * For an action in a team, which the team's pages show: the types of its events, or the reason why it has none. The position of an event
   * in the list is part of its identifier, so new ones go to the end. `source` says how the data is read if not by the subject.
   */
  events?: string | readonly (Type | { type: Type; source: Source })[]
}

// Reasons why an action has no event.
const noChange = 'Nothing changes.'
const receiverSetting = 'It is the setting of a receiver of events.'
const jobSetting = 'It is a setting: how jobs of other services get tokens.'
const signInSetting = 'It is a setting: how members sign in.'
const clientSetting = 'It is the setting of a client.'

/** The mutations that write audit entries. */
export const auditedMutations = {
  createTeam: { subject: 'Team', events: 'Nobody could read the feed of the team before.' },
  updateTeam: { subject: 'Team', events: ['team.updated'] },
  deleteTeam: { subject: 'Team', events: ['team.deleted'] },
  restoreTeam: { subject: 'Team', events: ['team.restored'] },
  transferOwnership: { subject: 'TeamMember', events: ['member.updated', { type: 'member.updated', source: 'formerOwner' }] },
  setTwoFactorRequirement: { subject: 'Team', events: ['team.updated'] },
  remindOfTwoFactor: { subject: 'TeamMember', events: noChange },
  inviteMember: { subject: 'TeamInvitation', events: ['invitation.created'] },
  resendInvitation: { subject: 'TeamInvitation', events: 'The invitation stays the same, with another link.' },
  revokeInvitation: { subject: 'TeamInvitation', events: ['invitation.revoked'] },
  acceptInvitation: { subject: 'TeamMember', events: [{ type: 'invitation.accepted', source: 'acceptedInvitation' }, 'member.joined'] },
  declineInvitation: { subject: 'TeamInvitation', events: ['invitation.declined'] },
  setGroupRoles: { subject: 'Team', events: 'It is a setting. What it changes of members has events.' },
  updateMember: { subject: 'TeamMember', events: ['member.updated'] },
  removeMember: { subject: 'TeamMember', events: ['member.removed'] },
  leaveTeam: { subject: 'TeamMember', events: ['member.removed'] },
  createTeamToken: { subject: 'TeamToken', events: ['token.created'] },
  rotateToken: { subject: 'TeamToken', events: ['token.rotated'] },
  updateToken: { subject: 'TeamToken', events: 'Only its name in lists changes.' },
  revokeToken: { subject: 'TeamToken', events: ['token.revoked'] },
  revokeTokenTeamAccess: { subject: 'MemberToken', events: 'It concerns a personal token, which is no token of the team.' },
  reduceGrantScopes: { subject: 'Grant', events: ['grant.changed'] },
  revokeGrant: { subject: 'Grant', events: ['grant.revoked'] },
  revokeGrantTeamAccess: { subject: 'Grant', events: ['grant.revoked'] },
  createWebhook: { subject: 'Webhook', events: receiverSetting },
  updateWebhook: { subject: 'Webhook', events: receiverSetting },
  deleteWebhook: { subject: 'Webhook', events: receiverSetting },
  rotateWebhookSecret: { subject: 'Webhook', events: receiverSetting },
  sendTestEvent: { subject: 'Webhook', events: noChange },
  redeliver: { subject: 'Webhook', events: noChange },
  replayEvents: { subject: 'Webhook', events: noChange },
  createWorkloadIdentity: { subject: 'WorkloadIdentity', events: jobSetting },
  updateWorkloadIdentity: { subject: 'WorkloadIdentity', events: jobSetting },
  deleteWorkloadIdentity: { subject: 'WorkloadIdentity', events: jobSetting },
  setSignInRequirement: { subject: 'Team', events: signInSetting },
  remindOfRequiredSignIn: { subject: 'TeamMember', events: noChange },
  openTeamAsOwner: { subject: 'Team', events: 'Nothing changes for others.' },
  addTeamDomain: { subject: 'TeamDomain', events: signInSetting },
  verifyTeamDomain: { subject: 'TeamDomain', events: signInSetting },
  removeTeamDomain: { subject: 'TeamDomain', events: signInSetting },
  createIdentityProvider: { subject: 'IdentityProvider', events: signInSetting },
  updateIdentityProvider: { subject: 'IdentityProvider', events: signInSetting },
  deleteIdentityProvider: { subject: 'IdentityProvider', events: signInSetting },
  disableIdentityProvider: { subject: 'IdentityProvider', events: signInSetting },
  enableIdentityProvider: { subject: 'IdentityProvider', events: signInSetting },
  createTeamClient: { subject: 'OAuthClient', events: 'Nobody has connected the client yet.' },
  updateTeamClient: { subject: 'OAuthClient', events: clientSetting },
  submitTeamClient: { subject: 'OAuthClient', events: clientSetting },
  rotateTeamClientSecret: { subject: 'OAuthClient', events: clientSetting },
  revokeClientAccess: { subject: 'OAuthClient', events: clientSetting },
  deleteTeamClient: { subject: 'OAuthClient', events: 'Its grants have events.' },
  approveClient: { subject: 'OAuthClient', events: clientSetting },
  rejectClient: { subject: 'OAuthClient', events: clientSetting },
  updateClient: { subject: 'OAuthClient', events: clientSetting },
  rotateClientSecret: { subject: 'OAuthClient', events: clientSetting },
  disableClient: { subject: 'OAuthClient', events: clientSetting },
  enableClient: { subject: 'OAuthClient', events: clientSetting },
  deleteClient: { subject: 'OAuthClient', events: 'Its grants have events.' },
  exportAuditLog: { subject: 'Team', events: noChange },
  createPersonalToken: {},
  createClient: {},
  rotateSigningKeys: {},
  createUser: {},
  disableUser: {},
  enableUser: {},
  deleteUser: {},
  setStaff: {},
  updateProfile: {},
  deleteAccount: {},
  exportAccount: {},
  exportUser: {},
  signUp: {},
  resendSignUp: {},
  changePassword: {},
  requestPasswordReset: {},
  resetPassword: {},
  verifyEmail: {},
  resendVerification: {},
  requestEmailChange: {},
  confirmEmailChange: {},
  cancelEmailChange: {},
  updateNotifications: {},
  revokeSession: {},
  revokeOtherSessions: {},
  requirePasskey: {},
  regenerateRecoveryCodes: {},
  disableSecondFactor: {},
  resetSecondFactor: {},
  confirmTotp: {},
  moveTotp: {},
  revokeTrustedDevice: {},
  registerPasskey: {},
  renamePasskey: {},
  deletePasskey: {},
  completeSignUp: {},
  unlinkIdentity: {},
} as const satisfies Readonly<Record<string, AuditActionRow>>
