import type { AttemptLimit } from '../../../schema/core/attempts/attempt-limit.ts'
import type { BrowserSession, CodeRequest, PendingSignIn, PendingSignUp, SignInProof } from '../../../schema/core/browser-session.ts'
import type { Principal } from '../../../schema/core/principals.ts'

const doNothing = () => Promise.resolve()
const unlimited: AttemptLimit = { attempt: doNothing, refund: doNothing, clear: doNothing }

export interface TestBrowser extends BrowserSession {
  /** The proofs of the sign-ins in this browser, oldest first. */
  proofs: SignInProof[]
}

/** Creates a browser session of the account site without HTTP. It stores the pending sign-in in memory and limits no attempts. */
export function createTestBrowser(pending: PendingSignIn | null = null): TestBrowser {
  let pendingSignIn = pending
  let signUp: PendingSignUp | null = null
  let codeRequest: CodeRequest | null = null
  let providerBrowser: string | null = null
  const proofs: SignInProof[] = []
  const trusts = new Map<string, string>()
  return {
    proofs,
    address: '192.0.2.1',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    attemptLimits: {
      signInAccount: unlimited,
      signInCode: unlimited,
      secondFactor: unlimited,
      signInAddress: unlimited,
      signUp: unlimited,
      link: unlimited,
    },
    async signIn(proof) {
      proofs.push(proof)
      return true
    },
    findDevice: () => null,
    findKnownUsers: () => [],
    findTrust: (userId) => trusts.get(userId) ?? null,
    saveTrust: (userId, value) => void trusts.set(userId, value),
    findPendingSignIn: () => pendingSignIn,
    savePendingSignIn: (next) => void (pendingSignIn = next),
    clearPendingSignIn: () => void (pendingSignIn = null),
    findSignUp: () => signUp,
    saveSignUp: (next) => void (signUp = next),
    findCodeRequest: () => codeRequest,
    saveCodeRequest: (next) => void (codeRequest = next),
    clearCodeRequest: () => void (codeRequest = null),
    findProviderBrowser: () => providerBrowser,
    saveProviderBrowser: (value) => void (providerBrowser = value),
  }
}

/** Returns a browser session for principals that use the account site, and null for tokens, clients and operators. */
export const browserOf = ({ authenticationMethod }: Principal): TestBrowser | null =>
  authenticationMethod === 'account_site' || authenticationMethod === 'session' ? createTestBrowser() : null
