import { z } from 'zod'
import { updateRows } from '../../../prisma/statement/write-row.ts'
import { endOtherSessions, endOtherSessionsField } from '../../accounts/end-sessions.ts'
import { builder } from '../../builder/builder.ts'
import { change } from '../../core/audit/audit.ts'
import type { Context } from '../../core/context.ts'
import { decryptOrNull, encrypt } from '../../core/encryption.ts'
import { invalid } from '../../core/errors.ts'
import { sendNotice } from '../../core/notices/send-notice.ts'
import type { Ports } from '../../core/ports.ts'
import type { UserPrincipal } from '../../core/principals.ts'
import { recentSession } from '../../core/requires.ts'
import { requirePerson } from '../../core/team-access/team-access.ts'
import { parse, text } from '../../core/validation.ts'
import { ViewerType } from '../../viewer/viewer.ts'
import { recordProof } from '../sessions/proved-two-factor.ts'
import { lockOwnSecondFactor, listFactorMethods } from './methods.ts'
import { renewRecoveryCodes } from './recovery-code.ts'
import { RecoveryCodesPayload } from './second-factor.ts'
import { encryptTotpSecret, totpSecretText, totpStep, totpUri, createTotpSecret } from './totp.ts'

const TotpProposalType = builder.objectRef<TotpProposal & { principal: UserPrincipal }>('TotpProposal').implement({
  description: 'A proposed secret for an authenticator app. Nothing is stored until a code confirms that the app has it.',
  fields: (t) => ({
    secret: t.string({ description: 'The secret in base 32.', resolve: ({ secret }) => totpSecretText(secret) }),
    uri: t.string({
      description: 'The `otpauth:` URI that authenticator apps read from a QR code.',
      resolve: ({ secret, principal }, _, { brandName }) => totpUri(secret, principal.user.email, brandName),
    }),
    encrypted: t.exposeString('encrypted', { description: 'The encrypted secret, an input of `confirmTotp` for an hour.' }),
  }),
})

builder.objectField(ViewerType, 'totpProposal', (t) =>
  t.field({
    description: 'A new secret, or the one proposed before. For account-site sessions.',
    type: TotpProposalType,
    requires: recentSession,
    args: {
      encrypted: t.arg.string({
        description: 'The encrypted secret of an earlier proposal. A new secret is proposed if it is invalid or expired.',
      }),
    },
    resolve: (_, { encrypted }, context) => {
      const principal = requirePerson(context)
      return {
        ...((encrypted && decryptProposal(context, principal.user.id, encrypted)) || proposeTotp(context, principal.user.id)),
        principal,
      }
    },
  }),
)

export const ConfirmTotpInput = builder.inputType('ConfirmTotpInput', {
  fields: (t) => ({
    encrypted: t.string({ required: true, description: 'The encrypted secret of `viewer.totpProposal`.' }),
    code: t.string({ required: true, description: 'The code that the authenticator app shows.' }),
    endOtherSessions: t.boolean(endOtherSessionsField),
  }),
})
const rules = z.object({ encrypted: text, code: text })

/** Returns the proposed secret and the time step of the code that proves that an app has it. Throws for any other code. */
export function confirmedSecret(context: Context, userId: string, input: unknown) {
  const { encrypted, code } = parse(rules, input)
  const proposal = decryptProposal(context, userId, encrypted)
  if (!proposal) throw invalid({ encrypted: ['This setup code has expired. Use the new one.'] })
  const step = totpStep(proposal.secret, code, context.now())
  if (step === null) throw invalid({ code: ['The code is incorrect. Enter the code that the app shows now.'] })
  return { totpSecret: encryptTotpSecret(context, proposal.secret, userId), totpLastStep: step }
}

builder.mutationField('confirmTotp', (t) =>
  t.field({
    description:
      'Turns two-factor authentication on with an authenticator app: a code proves that the app has the proposed secret. Passkeys that were a method remain one. Creates recovery codes if two-factor authentication was off; otherwise the existing codes stay valid and the list is empty.',
    type: RecoveryCodesPayload,
    requires: recentSession,
    args: { input: t.arg({ type: ConfirmTotpInput, required: true }) },
    resolve: (_, { input }, context, info) => {
      const viewer = requirePerson(context)
      const { user } = viewer
      const { id } = user
      const confirmed = confirmedSecret(context, id, input)
      return change(context, info, async (transaction) => {
        const [{ methods: before, passkeys }, { endedSessions, audited }] = await Promise.all([
          lockOwnSecondFactor(transaction, id),
          endOtherSessions(transaction, context, input.endOtherSessions),
        ])
        if (before.includes('totp')) throw invalid({ encrypted: ['An authenticator app is already set up.'] })
        const data = { ...confirmed, updatedAt: context.now() }
        transaction.defer(updateRows(transaction, 'users', { id }, data))
        // Codes that the user has saved are replaced only when the user asks for it.
        const isFirst = before.length === 0
        const recoveryCodes = isFirst ? renewRecoveryCodes(transaction, context, id) : []
        recordProof(transaction, viewer)
        const after = listFactorMethods({ hasTwoFactor: true, hasTotp: true, passkeys })
        await sendNotice(transaction, context, user, isFirst ? 'second-factor-on' : 'authenticator-added', {})
        return { result: { recoveryCodes }, subject: id, before: { methods: before }, after: { methods: after, ...audited }, endedSessions }
      })
    },
  }),
)

// A proposed secret of an authenticator app is stored nowhere before a code confirms it: the page contains it in encrypted form. Layout: 8
// bytes of expiry in milliseconds | the secret.

interface TotpProposal {
  secret: Buffer
  /** The encrypted proposal in base64url, which can be decrypted only for its user. */
  encrypted: string
}

const minutes = 60
const secretStart = 8
const boundTo = Buffer.from('totp proposal')
const keyed = (userId: string) => ['totp proposal', Buffer.from(userId)] as const

type Clock = Pick<Ports, 'now' | 'deriveSecret'>

function proposeTotp({ now, deriveSecret }: Clock, userId: string): TotpProposal {
  const secret = createTotpSecret()
  const expiry = Buffer.alloc(secretStart)
  expiry.writeBigUInt64BE(BigInt(now().getTime() + minutes * 60_000))
  const encrypted = encrypt(deriveSecret(...keyed(userId)), Buffer.concat([expiry, secret]), boundTo)
  return { secret, encrypted: encrypted.toString('base64url') }
}

/** Decrypts a proposal; null if it was created for another user, expired or is invalid. */
function decryptProposal({ now, deriveSecret }: Clock, userId: string, encrypted: string): TotpProposal | null {
  const decrypted = decryptOrNull(deriveSecret.accepted(...keyed(userId)), Buffer.from(encrypted, 'base64url'), boundTo)
  if (!decrypted || Number(decrypted.readBigUInt64BE()) <= now().getTime()) return null
  return { secret: decrypted.subarray(secretStart), encrypted }
}
