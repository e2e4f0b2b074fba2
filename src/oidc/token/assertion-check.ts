import { sha256 } from '../../../schema/core/sha256.ts'
import { clockToleranceSeconds } from '../../../schema/oauth/issuers.ts'
import { verifyIdJag } from '../../../schema/identity-providers/agents/id-jag.ts'
import type { IdJag } from '../../../schema/identity-providers/agents/id-jag.ts'
import { findVouchedMember } from '../../../schema/identity-providers/agents/vouched-member.ts'
import type { VouchingContext } from '../../../schema/identity-providers/agents/vouched-member.ts'
import type { AgentProvider } from '../../../schema/identity-providers/agents/vouching-provider.ts'
import type { ProviderAssertion } from '../../../schema/identity-providers/protocol.ts'
import type { IssuerKeys } from '../../../schema/workload-identities/assertions/issuer-keys.ts'
import { verifyAssertion } from '../../../schema/workload-identities/assertions/verify.ts'
import type { VerifiedAssertion } from '../../../schema/workload-identities/assertions/verify.ts'
import type { Identity } from '../storage/identity.ts'
import { insertOnce, toValues } from '../storage/model-queries.ts'

export interface AssertionCheckPorts extends Omit<VouchingContext, 'requestId'> {
  /** The issuer (AUTH_URL), which is the audience of assertions. */
  authUrl: string
  issuerKeys: IssuerKeys
}

/** Checks the assertions of workload identities and identity providers. */
export interface AssertionCheck {
  /** Verifies an assertion. Throws a `RefusedAssertion` if it is not accepted. */
  verify(assertion: string, identity: Identity): Promise<VerifiedAssertion>
  /** Returns false for an assertion that was used before, in any process and for any identity. */
  useOnce(identity: Pick<Identity, 'issuer'>, verified: VerifiedAssertion): Promise<boolean>
  /** Verifies an assertion by which the identity provider of a team gives a client access. Throws a `RefusedAssertion`. */
  verifyIdJag(assertion: string, of: { issuer: string; clientId: string }): Promise<IdJag>
  /** Returns the member for whom a provider vouches. Throws a `RefusedAssertion`. */
  findVouchedMember(provider: AgentProvider, person: ProviderAssertion, requestId: string): Promise<string>
}

export const createAssertionCheck = ({ authUrl, issuerKeys, ...ports }: AssertionCheckPorts): AssertionCheck => ({
  verify: (assertion, identity) => verifyAssertion(assertion, identity, { audience: authUrl, keys: issuerKeys, now: ports.now() }),
  verifyIdJag: (assertion, of) => verifyIdJag(assertion, of, { audience: authUrl, keys: issuerKeys, now: ports.now() }),
  findVouchedMember: (provider, person, requestId) => findVouchedMember({ ...ports, requestId }, provider, person),
  async useOnce({ issuer }, { jti, exp }) {
    const row = {
      idHash: sha256(JSON.stringify([issuer, jti])),
      kind: 'ReplayDetection',
      payload: '{}',
      chainId: null,
      uidHash: null,
      userCodeHash: null,
      expiresAt: new Date((exp + clockToleranceSeconds) * 1000),
    }
    return (await insertOnce(ports.database.pool, ...toValues(row))).length > 0
  },
})
