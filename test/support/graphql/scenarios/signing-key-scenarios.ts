import { expect } from 'vitest'
import { operator } from '../../service/in-process.ts'
import type { Scenarios } from './scenario.ts'

const thumbprint = expect.stringMatching(/^[\w-]{43}$/)

/** Scenarios of the mutations that change signing keys. */
export const signingKeyScenarios: Scenarios = {
  rotateSigningKeys: {
    document: 'mutation { rotateSigningKeys(input: { algorithm: ES256, publishSeconds: 0 }) { signingKeys { kid } } }',
    prepare: () => ({
      principal: operator,
      subject: thumbprint,
      before: expect.any(Object),
      after: { ES256: { kid: thumbprint, signsFrom: expect.any(String) } },
    }),
  },
}
