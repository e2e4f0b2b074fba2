import { invalid } from '../../../schema/errors.ts'
import { spendAssertion } from '../../../schema/passkey-ceremony.ts'
import type { Visit } from '../visit.ts'

/**
 * The person whose passkey answered to `assertionOptions` of the same `parts`; throws where none did. What cannot be
 * guessed is not counted.
 */
export async function verifyPasskey({ site, context }: Visit, response: string, ...parts: string[]): Promise<string> {
  const userId = await spendAssertion(site.database.prisma, context, response, ...parts)
  if (userId === null) throw invalid({ response: ['The passkey was not accepted. Try again.'] })
  return userId
}

/** Whether a person has a passkey: who has none is not offered to use one. */
export const hasPasskey = async ({ site }: Visit, userId: string): Promise<boolean> =>
  (await site.database.prisma.passkey.count({ where: { userId } })) > 0
