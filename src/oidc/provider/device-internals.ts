import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { z } from 'zod'
import { typedCode } from '../../../schema/security/second-factor/typed-code.ts'
import { currentContext } from './provider-internals.ts'
import type { Interaction } from './provider-internals.ts'

/** Returns a typed user code as it is stored: capital letters without a dash. */
const normalizeUserCode = (code: string): string => typedCode(code).toUpperCase()

/** Returns the user code as devices show it: `BCDF-GHJK`. */
const formatUserCode = (code: string): string => normalizeUserCode(code).replace(/^(.{4})(?=.)/u, '$1-')

/** Returns the user code in the submitted form, as it was typed; undefined without one. */
function submittedUserCode({ oidc }: KoaContextWithOIDC): string | undefined {
  const code: unknown = oidc.params?.['user_code']
  return typeof code === 'string' ? code : undefined
}

/**
 * Changes how the provider looks up the user code of a form:
 *
 * - It reads the code as `normalizeUserCode` does. Before it calls `DeviceCode.findByUserCode`, the provider removes all characters but ASCII
 *   letters and digits, so nothing remains of a code in full-width letters.
 * - It accepts a code until a user has decided on it, so that a user who goes back, or changes the browser, can enter it again. The provider
 *   refuses a code that was entered before (`inFlight`), because its decision is not atomic. Ours is (`upsertDeviceCode`).
 */
export function changeUserCodeLookup({ DeviceCode }: Provider): void {
  const find = DeviceCode.findByUserCode.bind(DeviceCode)
  DeviceCode.findByUserCode = async (userCode, options) => {
    const ctx = currentContext()
    const code = await find(normalizeUserCode((ctx && submittedUserCode(ctx)) ?? userCode), options)
    return code && Object.assign(code, { inFlight: undefined })
  }
}

const deviceDetails = z.object({ userCode: z.string().optional() })

/** Returns the user code with which an interaction started, as the device shows it; undefined if no device waits for the interaction. */
export const getUserCode = ({ prompt }: Pick<Interaction, 'prompt'>): string | undefined => deviceDetails.parse(prompt.details).userCode

/**
 * Returns the details of a prompt that contain the user code, which the consent page shows. Only the form with the code contains it, because
 * its digest is stored. The later prompts of the device flow read it from the interaction that has ended.
 */
export function describeDevice({ oidc: { entities } }: KoaContextWithOIDC): z.output<typeof deviceDetails> {
  const { DeviceCode: code, Interaction: interaction } = entities
  if (code?.userCode) return { userCode: formatUserCode(code.userCode) }
  return interaction ? { userCode: getUserCode(interaction) } : {}
}
