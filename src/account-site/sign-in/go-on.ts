import { secondFactorMethods } from '../../../schema/second-factor-methods.ts'
import type { Method } from '../../oidc/session.ts'
import { ownAddress, secondFactorPath } from '../addresses.ts'
import type { Visit } from '../visit.ts'
import { keepHalfWay } from './half-way.ts'

/**
 * Goes on once a person has shown who they are by these methods: answers where to. Who uses a second factor and gave the
 * password alone is asked for it first. A passkey is two factors: the device, and the finger or PIN that opens it.
 */
export async function goOn(visit: Visit, userId: string, methods: readonly Method[], returnTo: string): Promise<string> {
  const { site, request, response } = visit
  const isPasswordAlone = methods.every((method) => method === 'pwd')
  if (isPasswordAlone && (await secondFactorMethods(site.database.prisma, userId)).length > 0) {
    keepHalfWay(visit.cookies, { userId, returnTo })
    return secondFactorPath
  }
  await site.sessions.signIn(request, response, userId, methods)
  return ownAddress(returnTo, site.authUrl)
}
