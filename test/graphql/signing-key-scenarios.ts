import { expect } from 'vitest'
import { operator } from '../support/in-process.ts'
import type { Scenarios } from './mutation-scenarios.ts'

const thumbprint = expect.stringMatching(/^[\w-]{43}$/)

/** Of mutation-scenarios.ts, those about signing keys. */
export const signingKeyScenarios: Scenarios = {
  rotateSigningKeys: {
    document: 'mutation { rotateSigningKeys(input: { algorithm: ES256, publishSeconds: 0 }) { signingKeys { kid } } }',
    make: () => ({
      as: operator,
      subject: thumbprint,
      before: expect.any(Object),
      after: { ES256: { kid: thumbprint, signsFrom: expect.any(String) } },
    }),
  },
}
