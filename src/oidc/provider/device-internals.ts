import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { typedCode } from '../../../schema/security/second-factor/typed-code.ts'
import { currentContext } from './provider-internals.ts'

/** Returns a typed user code as it is stored: capital letters without a dash. */
const normalizeUserCode = (code: string): string => typedCode(code).toUpperCase()

/** Returns the user code as devices show it: `BCDF-GHJK`. */
export const formatUserCode = (code: string): string => normalizeUserCode(code).replace(/^(.{4})(?=.)/u, '$1-')

/** Returns the user code in the submitted form, as it was typed; undefined without one. */
export function submittedUserCode({ oidc }: KoaContextWithOIDC): string | undefined {
  const code: unknown = oidc.params?.['user_code']
  return typeof code === 'string' ? code : undefined
}

/**
 * Makes the provider look up the user code of a form as `normalizeUserCode` reads it. Before it calls `DeviceCode.findByUserCode`, the
 * provider removes all characters but ASCII letters and digits, so nothing remains of a code in full-width letters.
 */
export function readTypedUserCodes({ DeviceCode }: Provider): void {
  const find = DeviceCode.findByUserCode.bind(DeviceCode)
  DeviceCode.findByUserCode = (code, options) => {
    const ctx = currentContext()
    return find(normalizeUserCode((ctx && submittedUserCode(ctx)) ?? code), options)
  }
}
