import type { Method } from '../../oidc/session.ts'
import { ownAddress } from '../addresses.ts'
import type { Visit } from '../visit.ts'

/** Goes on once a person has shown who they are by these methods: answers where to. */
export async function goOn(
  { site, request, response }: Visit,
  userId: string,
  methods: readonly Method[],
  returnTo: string,
): Promise<string> {
  await site.sessions.signIn(request, response, userId, methods)
  return ownAddress(returnTo, site.authUrl)
}
