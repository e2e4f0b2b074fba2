import type { Ports } from '../../../schema/core/ports.ts'
import { sha256 } from '../../../schema/core/sha256.ts'
import { clockToleranceSeconds } from '../../../schema/oauth/issuers.ts'
import type { IssuerKeys } from '../../../schema/workload-identities/assertions/issuer-keys.ts'
import { verifyAssertion } from '../../../schema/workload-identities/assertions/verify.ts'
import type { VerifiedAssertion } from '../../../schema/workload-identities/assertions/verify.ts'
import type { Identity } from '../storage/identity.ts'
import { insertOnce, toValues } from '../storage/model-queries.ts'

export interface AssertionCheckPorts extends Pick<Ports, 'database' | 'now'> {
  /** The issuer (AUTH_URL), which is the audience of assertions. */
  authUrl: string
  issuerKeys: IssuerKeys
}

/** Checks the assertions of workload identities. */
export interface AssertionCheck {
  /** Verifies an assertion. Throws a `RefusedAssertion` if it is not accepted. */
  verify(assertion: string, identity: Identity): Promise<VerifiedAssertion>
  /** Returns false for an assertion that was used before, in any process and for any identity. */
  useOnce(identity: Identity, verified: VerifiedAssertion): Promise<boolean>
}

export const createAssertionCheck = ({ authUrl, database, now, issuerKeys }: AssertionCheckPorts): AssertionCheck => ({
  verify: (assertion, identity) => verifyAssertion(assertion, identity, { audience: authUrl, keys: issuerKeys, now: now() }),
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
    return (await insertOnce(database.pool, ...toValues(row))).length > 0
  },
})
