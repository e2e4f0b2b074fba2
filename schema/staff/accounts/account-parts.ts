import { MailLinkKindType } from '../../accounts/opened-link.ts'
import { builder } from '../../builder/builder.ts'
import { socialNames } from '../../core/social-clients.ts'
import { RoleType } from '../../members/role.ts'
import { deviceField } from '../../security/sessions/user-agent.ts'
import { TeamType } from '../../teams/team.ts'
import { markListedTeam } from '../audit-reading.ts'
import { hintField } from '../../tokens/token.ts'
import type {
  AccountRow,
  StaffGrant,
  StaffIdentity,
  StaffPersonalToken,
  StaffMembership,
  StaffPendingLink,
  StaffSession,
} from './account-row.ts'

export const StaffSecondFactorType = builder.objectRef<AccountRow>('StaffSecondFactor').implement({
  description: 'Two-factor authentication of an account, without any value that authenticates.',
  fields: (t) => ({
    isOn: t.exposeBoolean('hasTwoFactor', { description: 'Whether two-factor authentication is on.' }),
    hasTotp: t.exposeBoolean('hasTotp', { description: 'Whether the account has an authenticator app.' }),
    totpSince: t.expose('totpSince', {
      type: 'DateTime',
      nullable: true,
      description: 'When the authenticator app was added; null if there is none, or if the audit log no longer says it.',
    }),
    passkeys: t.exposeInt('passkeyCount', { description: 'Number of passkeys.' }),
    recoveryCodesLeft: t.exposeInt('recoveryCodesLeft', { description: 'Number of unused recovery codes.' }),
    trustedDevices: t.exposeInt('trustedDeviceCount', { description: 'Number of browsers in which the password is sufficient.' }),
  }),
})

export const StaffSessionType = builder.objectRef<StaffSession>('StaffSession').implement({
  description: 'A browser in which a user is signed in, for staff: without its IP address and any identifier.',
  fields: (t) => ({
    device: t.string(deviceField),
    createdAt: t.expose('createdAt', { type: 'DateTime', describedBy: 'Session.createdAt' }),
    authenticatedAt: t.expose('authenticatedAt', { type: 'DateTime', describedBy: 'Session.authenticatedAt' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', describedBy: 'Session.lastUsedAt' }),
    methods: t.exposeStringList('methods', { describedBy: 'Session.methods' }),
    providers: t.exposeStringList('providers', {
      description: 'The names of the identity providers of teams through which the user signed in.',
    }),
    skippedSecondFactor: t.exposeBoolean('skippedSecondFactor', {
      description: 'Whether the last authentication needed only the password, because the browser was a trusted device.',
    }),
    provedTwoFactor: t.exposeBoolean('provedTwoFactor', { describedBy: 'Session.provedTwoFactor' }),
    ownProof: t.exposeBoolean('ownProof', { describedBy: 'Session.ownProof' }),
  }),
})

export const StaffMembershipType = builder.objectRef<StaffMembership>('StaffMembership').implement({
  description: 'A team of a user, for staff.',
  fields: (t) => ({
    team: t.field({ type: TeamType, description: 'The team.', resolve: ({ team }) => markListedTeam(team) }),
    role: t.expose('role', { type: RoleType, describedBy: 'Member.role' }),
    joinedAt: t.expose('joinedAt', { type: 'DateTime', describedBy: 'Member.joinedAt' }),
  }),
})

export const StaffIdentityType = builder.objectRef<StaffIdentity>('StaffIdentity').implement({
  description: 'An account at an identity provider through which a user can sign in, for staff.',
  fields: (t) => ({
    providerName: t.string({
      description: 'The name of the identity provider.',
      resolve: ({ social, name }) => (social ? socialNames[social] : (name ?? '')),
    }),
    teamName: t.exposeString('teamName', { nullable: true, description: 'The name of the team of the provider; null for a public one.' }),
    email: t.exposeString('email', { nullable: true, describedBy: 'ExternalIdentity.email' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', describedBy: 'ExternalIdentity.createdAt' }),
    lastSignInAt: t.expose('lastSignInAt', { type: 'DateTime', describedBy: 'ExternalIdentity.lastSignInAt' }),
  }),
})

export const StaffPendingLinkType = builder.objectRef<StaffPendingLink>('StaffPendingLink').implement({
  description: 'A link or a code that was emailed to a user and that still works, for staff. Its secret is never returned.',
  fields: (t) => ({
    kind: t.expose('kind', { type: MailLinkKindType, describedBy: 'MailLink.kind' }),
    email: t.exposeString('email', { describedBy: 'MailLink.email' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', describedBy: 'MailLink.createdAt' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', describedBy: 'MailLink.expiresAt' }),
  }),
})

export const StaffPersonalTokenType = builder.objectRef<StaffPersonalToken>('StaffPersonalToken').implement({
  description: 'A personal access token of a user, for staff. The value is never returned.',
  fields: (t) => ({
    tokenId: t.exposeID('id', { describedBy: 'AccessToken.id' }),
    name: t.exposeString('name', { describedBy: 'AccessToken.name' }),
    hint: t.string(hintField),
    createdAt: t.expose('createdAt', { type: 'DateTime', describedBy: 'AccessToken.createdAt' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true, describedBy: 'AccessToken.lastUsedAt' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true, describedBy: 'AccessToken.expiresAt' }),
  }),
})

export const StaffGrantType = builder.objectRef<StaffGrant>('StaffGrant').implement({
  description: 'The access of an app that a user has connected, for staff.',
  fields: (t) => ({
    grantId: t.exposeID('id', { describedBy: 'OAuthGrant.id' }),
    clientName: t.exposeString('clientName', { describedBy: 'OAuthClient.name' }),
    teamName: t.exposeString('teamName', { nullable: true, description: 'The name of the team that it is for; null for all teams.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', describedBy: 'OAuthGrant.createdAt' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true, describedBy: 'OAuthGrant.lastUsedAt' }),
  }),
})
