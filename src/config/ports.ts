import type { Ports } from '../../schema/core/ports.ts'

/** The settings that the schema needs. */
export type PortSettings = Pick<
  Ports,
  | 'invitationDays'
  | 'rateLimitInvitations'
  | 'deletedTeamDays'
  | 'auditDays'
  | 'providerSignInDays'
  | 'signUp'
  | 'emailSignIn'
  | 'socialProviders'
  | 'clientRegistration'
  | 'clientMetadataDocuments'
  | 'authUrl'
  | 'brandName'
>

export interface PortParts extends Pick<Ports, 'database' | 'sendMail' | 'deriveSecret' | 'outgoing'> {
  config: PortSettings
  now?: Ports['now'] | undefined
  /** Notifies clients. By default, they are not notified. */
  sessionsEnded?: Ports['sessionsEnded']
  /** Records the failure. By default, it does nothing, as in commands, in which no user signs in. */
  providerFailed?: Ports['providerFailed']
  /** Records the failure. By default, it does nothing, for the same reason. */
  signInFailed?: Ports['signInFailed']
}

/** Builds the ports of the schema, for the service, the demo data and the command line. */
export const createPorts = ({
  config,
  now = () => new Date(),
  sessionsEnded = () => {},
  providerFailed = () => {},
  signInFailed = () => {},
  ...parts
}: PortParts): Ports => ({
  ...parts,
  now,
  sessionsEnded,
  providerFailed,
  signInFailed,
  invitationDays: config.invitationDays,
  rateLimitInvitations: config.rateLimitInvitations,
  deletedTeamDays: config.deletedTeamDays,
  auditDays: config.auditDays,
  providerSignInDays: config.providerSignInDays,
  signUp: config.signUp,
  emailSignIn: config.emailSignIn,
  socialProviders: config.socialProviders,
  clientRegistration: config.clientRegistration,
  clientMetadataDocuments: config.clientMetadataDocuments,
  authUrl: config.authUrl,
  brandName: config.brandName,
})
