import { readConfig } from '../../../config/settings.ts'
import { createConfiguredRequests } from '../../../outgoing/configured-requests.ts'
import { command } from '../../command.ts'
import { asOperator } from '../../context.ts'
import { IdentityDocument } from '../../generated/operations.ts'
import type { IdentityOutputFragment } from '../../generated/operations.ts'
import { readText } from '../../terminal/read-text.ts'
import { currentTerminal } from '../../terminal/terminal.ts'
import { identityById } from './identity.ts'

export const identityTest = command({
  name: 'identity test',
  summary: 'Check whether an ID token would be accepted',
  description: `Fetches the keys of the issuer and checks the token as the token endpoint does. If a claim differs, prints the first one with
the expected and the actual value. The token can still be used afterwards. The exit status is 1 if the token would be refused.`,
  positionals: identityById,
  options: { assertion: { value: 'FILE', required: true, description: 'file with the ID token; - for standard input' } },
  run: async ({ positionals: { id }, options: { assertion: file } }) => {
    const assertion = (await readText(file)).trim()
    const { workloadIdentity: identity } = await asOperator((execute) => execute(IdentityDocument, { id }))
    const refusal = await refusalOf(assertion, identity)
    if (refusal === null) return { value: { accepted: true, identity_id: identity.id }, text: 'The assertion would be accepted.' }
    const { message, claim, expected, actual } = refusal
    const values = claim === null ? [] : [`expected  ${expected ?? 'any'}`, `actual    ${actual ?? 'none'}`]
    return {
      value: { accepted: false, identity_id: identity.id, reason: message, claim, expected, actual },
      text: [`The assertion would be refused: ${message}`, ...values].join('\n'),
      status: 1,
    }
  },
})

/** Returns the reason why the token endpoint would refuse an assertion; null if it would accept it. */
async function refusalOf(assertion: string, identity: IdentityOutputFragment) {
  const config = readConfig(currentTerminal().settings)
  const outgoing = createConfiguredRequests(config)
  // This module is imported on demand, because other commands do not verify signatures.
  const { createIssuerKeys } = await import('../../../../schema/workload-identities/assertions/issuer-keys.ts')
  const { RefusedAssertion, verifyAssertion } = await import('../../../../schema/workload-identities/assertions/verify.ts')
  const now = () => new Date()
  try {
    await verifyAssertion(assertion, identity, { audience: config.authUrl, keys: createIssuerKeys({ outgoing, now }), now: now() })
    return null
  } catch (error) {
    if (error instanceof RefusedAssertion) return error
    throw error
  } finally {
    await outgoing.close()
  }
}
