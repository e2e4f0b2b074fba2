import { invitationSecret } from '../../../schema/invitations/link.ts'
import { formatSignInCode } from '../../../schema/security/sign-in/emailed-code.ts'
import { mailLinkSecret } from '../../../schema/accounts/mail-link.ts'
import { secretDeriver } from '../../../src/config/secret-key.ts'
import { secretKey } from '../service/test-settings.ts'
import type { TestService } from '../service/service.ts'

/** Returns the secret of a user's newest mail link. */
export async function lastLink({ database }: Pick<TestService, 'database'>, userId: string): Promise<string> {
  const { nonce } = await database.prisma.mailLink.findFirstOrThrow({ where: { userId }, orderBy: { createdAt: 'desc' } })
  return mailLinkSecret({ deriveSecret: secretDeriver(secretKey) }, nonce)
}

/** Returns the code of a user's newest mail with a sign-in code. */
export async function lastCode(service: Pick<TestService, 'database'>, userId: string): Promise<string> {
  return formatSignInCode(await lastLink(service, userId))
}

/** Returns the link secret in the newest mail for an invitation. */
export function lastSecret({ mails }: TestService, invitationId: string): string {
  const mail = mails.findLast((candidate) => candidate.kind === 'invitation' && candidate.invitationId === invitationId)
  if (mail?.kind !== 'invitation') throw new Error(`no mail for the invitation ${invitationId}`)
  return invitationSecret({ deriveSecret: secretDeriver(secretKey) }, Buffer.from(mail.nonce, 'base64url'))
}
