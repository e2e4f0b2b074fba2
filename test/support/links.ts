import { invitationSecret } from '../../schema/invitation-link.ts'
import { mailLinkSecret } from '../../schema/mail-link.ts'
import { secretDeriver } from '../../src/secret-key.ts'
import { secretKey } from './pace.ts'
import type { TestService } from './service.ts'

/** The secret of the link that was last made for a person. */
export async function lastLink({ database }: Pick<TestService, 'database'>, userId: string): Promise<string> {
  const { nonce } = await database.prisma.mailLink.findFirstOrThrow({ where: { userId }, orderBy: { createdAt: 'desc' } })
  return mailLinkSecret({ deriveSecret: secretDeriver(secretKey) }, nonce)
}

/** The secret of the link in the last mail put in the outbox for an invitation. */
export function lastSecret({ mails }: TestService, invitationId: string): string {
  const mail = mails.findLast((each) => each.kind === 'invitation' && each.invitationId === invitationId)
  if (mail?.kind !== 'invitation') throw new Error('no mail')
  return invitationSecret({ deriveSecret: secretDeriver(secretKey) }, Buffer.from(mail.nonce, 'base64url'))
}
