import type { Executor } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import type { Ports } from '../../../schema/core/ports.ts'
import { sha256 } from '../../../schema/core/sha256.ts'
import { clockToleranceSeconds } from '../../../schema/oauth/issuers.ts'
import { verifyIdJag } from '../../../schema/identity-providers/agents/id-jag.ts'
import type { IdJag } from '../../../schema/identity-providers/agents/id-jag.ts'
import { findVouchedMember, linkVouchedMember } from '../../../schema/identity-providers/agents/vouched-member.ts'
import type { VouchingContext } from '../../../schema/identity-providers/agents/vouched-member.ts'
import type { AgentProvider } from '../../../schema/identity-providers/agents/vouching-provider.ts'
import type { ProviderAssertion } from '../../../schema/identity-providers/protocol.ts'
import type { IssuerKeys } from '../../../schema/workload-identities/assertions/issuer-keys.ts'
import { verifyAssertion } from '../../../schema/workload-identities/assertions/verify.ts'
import type { VerifiedAssertion } from '../../../schema/workload-identities/assertions/verify.ts'
import type { Identity } from '../storage/identity.ts'
import { insertOnce, toValues } from '../storage/model-queries.ts'

export interface AssertionCheckPorts extends VouchingContext {
  sendMail: Ports['sendMail']
  /** The issuer (AUTH_URL), which is the audience of assertions. */
  authUrl: string
  issuerKeys: IssuerKeys
}

/** Checks the assertions of workload identities and identity providers. */
export interface AssertionCheck {
  /** Verifies an assertion. Throws a `RefusedAssertion` if it is not accepted. */
  verify(assertion: string, identity: Identity): Promise<VerifiedAssertion>
  /** Returns false for an assertion that was used before, in any process and for any identity. */
  useOnce(identity: Pick<Identity, 'issuer'>, verified: VerifiedAssertion, executor?: Executor): Promise<boolean>
  /** Verifies an assertion by which the identity provider of a team gives a client access. Throws a `RefusedAssertion`. */
  verifyIdJag(assertion: string, of: { issuer: string; clientId: string }): Promise<IdJag>
  /** Returns the member for whom a provider vouches; null if the account must be linked first. Throws a `RefusedAssertion`. */
  findVouchedMember(provider: AgentProvider, person: ProviderAssertion): Promise<string | null>
  /** Links the account of such a member, and returns it. Throws a `RefusedAssertion`. */
  linkVouchedMember(transaction: Transaction, provider: AgentProvider, person: ProviderAssertion, requestId: string): Promise<string>
}

export const createAssertionCheck = ({ authUrl, issuerKeys, ...ports }: AssertionCheckPorts): AssertionCheck => ({
  verify: (assertion, identity) => verifyAssertion(assertion, identity, { audience: authUrl, keys: issuerKeys, now: ports.now() }),
  verifyIdJag: (assertion, of) => verifyIdJag(assertion, of, { audience: authUrl, keys: issuerKeys, now: ports.now() }),
  findVouchedMember: (provider, person) => findVouchedMember(ports, provider, person),
  linkVouchedMember: (transaction, provider, person, requestId) =>
    linkVouchedMember(transaction, { ...ports, requestId }, provider, person),
  async useOnce({ issuer }, { jti, exp }, executor = ports.database.pool) {
    const row = {
      idHash: sha256(JSON.stringify([issuer, jti])),
      kind: 'ReplayDetection',
      payload: '{}',
      chainId: null,
      uidHash: null,
      userCodeHash: null,
      expiresAt: new Date((exp + clockToleranceSeconds) * 1000),
    }
    return (await insertOnce(executor, ...toValues(row))).length > 0
  },
})
