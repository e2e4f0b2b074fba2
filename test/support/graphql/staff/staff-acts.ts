import type { NoticeKind } from '../../../../schema/core/notices/notices.ts'
import { scenarios } from '../scenarios/mutation-scenarios.ts'
import type { Scenario, ScenarioContext } from '../scenarios/scenario.ts'

/** A mutation that is open to staff. */
export interface StaffAct {
  /** The least role of staff that may use it. */
  role: 'support' | 'admin'
  /** Whose account it concerns, if any. */
  account?: 'owner' | 'member'
  /** True if the owners of the team receive a mail. */
  informsOwners?: true
  /** The mail that is sent. An account whose address is not verified receives none. */
  mail: NoticeKind | null
}

const ofTeam = { informsOwners: true, mail: 'act-of-staff' } as const

/** Every mutation that is open to staff. */
export const staffActs: Record<string, StaffAct> = {
  retryMail: { role: 'support', account: 'member', mail: 'act-of-staff' },
  endUserSessions: { role: 'support', account: 'member', mail: 'act-of-staff' },
  resendUserVerification: { role: 'support', account: 'member', mail: null },
  resendInvitation: { role: 'support', ...ofTeam },
  approveClient: { role: 'support', ...ofTeam, mail: 'app-reviewed' },
  rejectClient: { role: 'support', ...ofTeam, mail: 'app-reviewed' },
  restoreTeam: { role: 'support', ...ofTeam, mail: 'team-restored' },
  disableUser: { role: 'admin', account: 'member', mail: 'act-of-staff' },
  enableUser: { role: 'admin', account: 'member', mail: 'act-of-staff' },
  disableClient: { role: 'admin', mail: null },
  enableClient: { role: 'admin', mail: null },
  disableIdentityProvider: { role: 'admin', ...ofTeam, mail: 'identity-provider' },
  enableIdentityProvider: { role: 'admin', ...ofTeam, mail: 'identity-provider' },
  updateWebhook: { role: 'admin', ...ofTeam },
  resetSecondFactor: { role: 'admin', account: 'owner', mail: 'second-factor-off' },
  revokeToken: { role: 'admin', ...ofTeam },
  revokeGrant: { role: 'admin', account: 'owner', ...ofTeam },
}

/** The mutations that users can use, too. Without a reason, the caller uses them as a user. */
export const mutationsOfUsers = ['resendInvitation', 'restoreTeam', 'updateWebhook', 'revokeToken', 'revokeGrant']

/** The document of a mutation with a reason, which is a variable. */
function documentOf(name: string): string {
  const document = scenarios[name]?.document ?? ''
  const bare = document.replace(', reason: "No"', '').replace(', description: "New"', '')
  return bare.replace('mutation (', 'mutation ($reason: String, ').replace('(input: {', '(input: { reason: $reason,')
}

/** Prepares what a mutation changes, and returns its document, which takes `$reason`, and its other variables. */
export async function prepareAct(name: string, context: ScenarioContext): Promise<Scenario & { document: string }> {
  const scenario = scenarios[name]
  if (!scenario) throw new Error(`the mutation ${name} has no scenario`)
  // The document requires the reason of a rejected app.
  const document = name === 'rejectClient' ? documentOf(name).replace('$reason: String,', '$reason: String!,') : documentOf(name)
  return { ...(await scenario.prepare(context)), document }
}
