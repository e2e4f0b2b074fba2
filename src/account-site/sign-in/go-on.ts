import { invalid } from '../../../schema/errors.ts'
import { secondFactorMethods } from '../../../schema/second-factor-methods.ts'
import type { Proof } from '../../oidc/session.ts'
import { ownAddress, secondFactorPath } from '../addresses.ts'
import type { Visit } from '../visit.ts'
import { keepHalfWay } from './half-way.ts'

/** Said of an unknown address, a wrong password, and one that was changed meanwhile. */
export const notRight = () => invalid({ password: ['The email address or password is not right.'] })

/**
 * Goes on once a person has shown who they are by these methods: answers where to. Who uses a second factor and gave the
 * password alone is asked for it first. A passkey is two factors: the device, and the finger or PIN that opens it.
 */
export async function goOn(visit: Visit, proof: Proof, returnTo: string): Promise<string> {
  const { site, request, response } = visit
  const { userId, methods, passwordDigest } = proof
  const isPasswordAlone = methods.every((method) => method === 'pwd')
  if (isPasswordAlone && (await secondFactorMethods(site.database.prisma, userId)).length > 0) {
    keepHalfWay(visit.cookies, { userId, passwordDigest, returnTo: ownAddress(returnTo, site.authUrl) })
    return secondFactorPath
  }
  if (!(await site.sessions.signIn(request, response, proof))) throw notRight()
  return ownAddress(returnTo, site.authUrl)
}
